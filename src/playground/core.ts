import { type Connection, createConnection } from './delivery/connection.ts';
import { createWire, type Wire } from './delivery/wire.ts';
import { randomSecret } from './ids.ts';
import { createTriggers, type Triggers } from './interactions/triggers.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { PlaygroundOptions } from './options.ts';
import { createLive, type Live } from './page-api/live.ts';
import { createFaults, type Faults } from './web-api/faults.ts';
import { createInstallation, type Installation } from './web-api/installation.ts';
import { createFileStore, type FileStore } from './world/files.ts';
import { createStore, type Store } from './world/store.ts';
import { createViews, type Views } from './world/views.ts';
import { defaultWorld, type World } from './world/world.ts';
import { type ClockControl, createClockControl } from './world/world-clock.ts';

/** The options, with defaults filled in and the manifest read. */
export interface Setup {
  options: PlaygroundOptions;
  now: () => number;
  world: World;
  manifest: Manifest | undefined;
  secrets: { botToken: string; appToken: string; signingSecret: string; verificationToken: string };
  /** Set once the server listens. */
  address: { url: string };
}

/** Throws if the manifest can't be read. */
export function readSetup(options: PlaygroundOptions): Setup {
  return {
    options,
    now: options.now ?? Date.now,
    world: options.world ?? defaultWorld(),
    manifest: options.manifestPath ? readManifest(options.manifestPath) : undefined,
    secrets: {
      botToken: options.botToken ?? `xoxb-playground-${randomSecret()}`,
      appToken: options.appToken ?? `xapp-playground-${randomSecret()}`,
      signingSecret: options.signingSecret ?? randomSecret(16),
      verificationToken: randomSecret(12),
    },
    address: { url: '' },
  };
}

export interface Core {
  store: Store;
  files: FileStore;
  views: Views;
  triggers: Triggers;
  installation: Installation;
  wire: Wire;
  live: Live;
  clock: ClockControl | undefined;
  faults: Faults;
  /** Block types that are currently refused. */
  refusedTypes: Set<string>;
  connection: Connection;
}

const MAX_FILE_STORE_BYTES = 256 * 1024 * 1024;

/** The state of the workspace, and the connection to the app. */
export function createCore({ options, now, world, secrets }: Setup): Core {
  const { limits = {} } = options;
  const store = createStore({ world, now, maxMessages: limits.messages ?? 1000 });
  const wire = createWire({ maxEntries: limits.wireEntries ?? 500, secrets: Object.values(secrets) });
  const live = createLive({ store, wire });
  const views = createViews((userId) => live.viewsChanged(userId, views));
  const refusedTypes = new Set<string>();
  const connection = createConnection({
    ...secrets,
    mode: options.mode,
    requestUrl: options.requestUrl,
    appId: world.app.id,
    ackTimeoutMs: options.ackTimeoutMs ?? 3000,
    fetch: options.fetch ?? fetch,
    now,
    signatureNow: options.signatureNow ?? Date.now,
    onChange: live.connectionChanged,
  });
  return {
    store,
    wire,
    live,
    views,
    refusedTypes,
    connection,
    files: createFileStore({ now, maxBytes: limits.fileBytes ?? MAX_FILE_STORE_BYTES }),
    triggers: createTriggers({ teamId: world.team.id, now }),
    installation: createInstallation(),
    clock: options.clock && createClockControl(options.clock, live.clockChanged),
    faults: createFaults(refusedTypes),
  };
}
