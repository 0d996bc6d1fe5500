import { createImages, type Images } from './blocks/images.ts';
import { type Connection, createConnection } from './delivery/connection.ts';
import { createServiceRecorder } from './delivery/service-calls.ts';
import { createWire, type Wire } from './delivery/wire.ts';
import { createFaultSwitches, type FaultSwitches, slackSwitches } from './fault-switches.ts';
import { randomSecret } from './ids.ts';
import { type Agent, createAgent } from './interactions/agent.ts';
import { createExecutions, type Executions } from './interactions/executions.ts';
import { createTriggers, type Triggers } from './interactions/triggers.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { PlaygroundOptions } from './options.ts';
import type { PageFault } from './page-api/inspector-api.ts';
import { createLive, type Live } from './page-api/live.ts';
import type { PageClock } from './page-api/page-api.ts';
import { createFaults, type Faults } from './web-api/faults.ts';
import { createFileStore, type FileStore } from './world/files.ts';
import { createStore, type Store } from './world/store.ts';
import { createViews, type Views } from './world/views.ts';
import type { World } from './world/world.ts';
import { type ClockControl, createClockControl } from './world/world-clock.ts';
import { defaultWorld } from './world/worlds.ts';

/** The options, with defaults filled in and the manifest read. */
export interface Setup {
  options: PlaygroundOptions;
  now: () => number;
  /** The workspaces. There is at least one. */
  worlds: readonly [World, ...World[]];
  /** True if the app is installed by OAuth. */
  isInstalledByOAuth: boolean;
  manifest: Manifest | undefined;
  secrets: {
    botToken: string;
    appToken: string;
    signingSecret: string;
    verificationToken: string;
    clientSecret: string;
  };
  clientId: string;
  /** Set once the server listens. */
  address: { url: string };
}

/** Throws if the manifest is invalid, or if the options contradict each other. */
export function readSetup(options: PlaygroundOptions): Setup {
  if (options.workspaces && options.mode === 'socket') {
    throw new Error('Several workspaces need the mode http.');
  }
  const manifest = options.manifest === undefined ? undefined : readManifest(options.manifest);
  const [first = options.world ?? defaultWorld(manifest?.names), ...others] = options.workspaces ?? [];
  return {
    options,
    now: options.now ?? Date.now,
    worlds: [first, ...others],
    isInstalledByOAuth: options.workspaces !== undefined,
    manifest,
    secrets: {
      botToken: options.botToken ?? `xoxb-playground-${randomSecret()}`,
      appToken: options.appToken ?? `xapp-playground-${randomSecret()}`,
      signingSecret: options.signingSecret ?? randomSecret(16),
      verificationToken: randomSecret(12),
      clientSecret: options.oauth?.clientSecret ?? randomSecret(16),
    },
    clientId: options.oauth?.clientId ?? '1000000000.2000000000',
    address: { url: '' },
  };
}

/** What all workspaces share: the connection to the app, and what is known about its requests. */
export interface Core {
  files: FileStore;
  wire: Wire;
  clock: ClockControl | undefined;
  faults: Faults;
  faultSwitches: FaultSwitches;
  /** True if the service shows its calls. */
  isServiceRecorded: boolean;
  /** Stops recording them. */
  endRecording: () => void;
  /** Block types that are currently refused. */
  refusedTypes: Set<string>;
  images: Images;
  connection: Connection;
}

/** The state of one workspace. */
export interface WorkspaceCore {
  store: Store;
  views: Views;
  triggers: Triggers;
  executions: Executions;
  agent: Agent;
  live: Live;
}

const MAX_FILE_STORE_BYTES = 256 * 1024 * 1024;

/** The callbacks report changes. */
export function createCore(
  { options, now, worlds, secrets }: Setup,
  onChange: {
    connection: (connected: boolean) => void;
    clock: (clock: PageClock) => void;
    faults: (faults: PageFault[]) => void;
  },
): Core {
  const { limits = {} } = options;
  const refusedTypes = new Set<string>();
  const images = createImages(options.fetch ?? fetch, { timeoutMs: options.imageTimeoutMs });
  const wire = createWire({ maxEntries: limits.wireEntries ?? 500, secrets: Object.values(secrets) });
  const faults = createFaults({ refusedTypes, images });
  const connection = createConnection({
    ...secrets,
    mode: options.mode,
    requestUrl: options.requestUrl,
    appId: worlds[0].app.id,
    ackTimeoutMs: options.ackTimeoutMs ?? 3000,
    fetch: options.fetch ?? fetch,
    now,
    signatureNow: options.signatureNow ?? Date.now,
    onChange: onChange.connection,
  });
  return {
    wire,
    refusedTypes,
    images,
    connection,
    files: createFileStore({ now, maxBytes: limits.fileBytes ?? MAX_FILE_STORE_BYTES }),
    clock: options.clock && createClockControl(options.clock, onChange.clock),
    faults,
    faultSwitches: createFaultSwitches(
      { slack: slackSwitches({ faults, connection }), service: options.service?.faults ?? [] },
      onChange.faults,
    ),
    isServiceRecorded: options.service !== undefined,
    endRecording: options.service?.observe(createServiceRecorder({ wire, now })) ?? (() => {}),
  };
}

export function createWorkspaceCore(
  { options, now, manifest }: Setup,
  { wire }: Core,
  world: World,
): WorkspaceCore {
  const { clock, limits } = options;
  const store = createStore({
    world,
    now,
    ...(clock && { worldNow: () => clock.now().getTime() }),
    maxMessages: limits?.messages ?? 2000,
  });
  const live = createLive({ store, wire });
  const agent = createAgent({ store, now, agent: manifest?.agent, onChange: live.agentChanged });
  const views = createViews((userId) => live.viewsChanged(userId, views));
  const triggers = createTriggers({ teamId: world.team.id, now });
  return { store, live, views, triggers, agent, executions: createExecutions({ now }) };
}
