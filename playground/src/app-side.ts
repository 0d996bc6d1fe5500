import { createContentReader } from './blocks/content.ts';
import { createViewReader, type ViewReader } from './blocks/view-checks.ts';
import type { Core, Setup, WorkspaceCore } from './core.ts';
import { createDeliver, type Deliver, type DeliveryObserver } from './delivery/deliver.ts';
import { createResponseUrls, type ResponseUrls } from './delivery/response-url.ts';
import { createBuiltIns } from './interactions/built-in-commands.ts';
import { createClick } from './interactions/click.ts';
import { type ComposerLinks, createComposerLinks } from './interactions/composer-links.ts';
import { type Controls, createControls, type LastEvent } from './interactions/controls.ts';
import { createEscaper, type Escaper } from './interactions/escape.ts';
import { createEvents, type Events } from './interactions/events.ts';
import { createShortcuts } from './interactions/shortcuts.ts';
import { createSlash } from './interactions/slash.ts';
import { createSteps } from './interactions/steps.ts';
import { createViewInteractions } from './interactions/view-interactions.ts';
import { createWorkspace, type Workspace } from './interactions/workspace.ts';
import type { PageState } from './page-api/page-api.ts';
import type { Installation } from './web-api/installation.ts';
import type { Method, MethodContext } from './web-api/method.ts';
import { createMethodContext, createMethods } from './web-api/methods.ts';
import { createSharing } from './world/files.ts';

const DEFAULT_EVENTS = ['app_mention', 'message.im', 'app_home_opened'];

/** One workspace, with everything that exchanges data with the app there. */
export interface AppSide extends WorkspaceCore {
  workspace: Workspace;
  events: Events;
  controls: Controls;
  context: MethodContext;
  methods: ReadonlyMap<string, Method>;
  responseUrls: ResponseUrls;
}

/** How the app comes into a workspace. */
export interface InstallParts {
  installation: Installation;
  /** The events of an uninstall, in their order. */
  lastEvents?: () => readonly LastEvent[];
  /** What the page shows of the installation. */
  pageState?: () => Partial<PageState>;
  /** Called after a channel or its members have changed. */
  onMembersChanged?: () => void;
}

/** The app's API calls, its events and the actions of people in one workspace. */
export function createAppSide(
  setup: Setup,
  core: Core,
  workspaceCore: WorkspaceCore,
  install: InstallParts,
): AppSide {
  const { options, now, manifest, secrets, address } = setup;
  const { connection } = core;
  const { store, live } = workspaceCore;
  const { installation } = install;
  const url = () => address.url;
  const readContent = createContentReader(core);
  const readView = createViewReader(core);
  const wire = setup.isInstalledByOAuth ? core.wire.of(store.world.team.name) : core.wire;
  const deliver = createDeliver({ transport: connection.transport, wire, now });
  const responseUrls = createResponseUrls({ base: url, store, now, readContent, maxOpen: 20_000 });
  const observe = options.onDelivery ?? (() => {});
  const shared = {
    ...secrets,
    ...core,
    ...workspaceCore,
    installation,
    now,
    url,
    deliver,
    responseUrls,
    readView,
    observe,
  };
  const unfurlDomains = manifest?.unfurlDomains ?? [];
  const subscribed = new Set(manifest?.botEvents ?? DEFAULT_EVENTS);
  const events = createEvents({ ...shared, subscribed, unfurlDomains });
  const { world } = store;
  const bot = () => (installation.isActive() ? store.user(world.app.botUserId) : undefined);
  const escaper = createEscaper(world.users, world.channels, (user) => (user.isBot ? bot() : user));
  const composer = createComposerLinks({
    escaper,
    domains: unfurlDomains,
    emit: events.emit,
    onChange: live.previewsChanged,
  });
  const { lastEvents } = install;
  const controls = createControls({
    store,
    events,
    installation,
    ...(lastEvents && { lastEvents }),
    onChange() {
      live.channelsChanged();
      install.onMembersChanged?.();
    },
  });
  const context = createMethodContext({
    ...shared,
    readContent,
    rateLimit: options.rateLimit ?? { perSecond: 1, burst: 20 },
    socketMode: connection.socketMode,
    homeEnabled: manifest?.homeEnabled ?? true,
    composer,
    unfurlDomains,
  });
  return {
    ...workspaceCore,
    workspace: createWorkspaceActions(
      setup,
      core,
      { ...shared, events, controls, escaper, composer },
      install,
    ),
    events,
    controls,
    context,
    methods: createMethods(context),
    responseUrls,
  };
}

interface Shared extends WorkspaceCore {
  verificationToken: string;
  now: () => number;
  url: () => string;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  readView: ViewReader;
  observe: DeliveryObserver;
  installation: Installation;
  events: Events;
  controls: Controls;
  escaper: Escaper;
  composer: ComposerLinks;
}

/** Builds the actions of people in the workspace. */
function createWorkspaceActions(
  { options, manifest, isInstalledByOAuth }: Setup,
  { files, connection, clock, faultSwitches, isServiceRecorded }: Core,
  shared: Shared,
  { pageState }: InstallParts,
): Workspace {
  const { store, controls, escaper } = shared;
  const { world } = store;
  const commands = options.commands ?? manifest?.commands;
  const byName = commands && new Map(commands.map((command) => [command.command, command]));
  const shortcuts = options.shortcuts ?? manifest?.shortcuts ?? [];
  // Slack doesn't distribute apps with custom steps.
  const steps = isInstalledByOAuth ? [] : (manifest?.steps ?? []);
  return createWorkspace({
    ...shared,
    ...(pageState && { pageState }),
    files,
    clock,
    faultSwitches,
    isServiceRecorded,
    texts: options.page ?? {},
    shortcuts,
    steps,
    step: createSteps({ ...shared, world, steps }),
    commands: commands ?? [],
    homeEnabled: manifest?.homeEnabled ?? true,
    connected: connection.transport.connected,
    click: createClick(shared),
    viewInteractions: createViewInteractions(shared),
    shortcut: createShortcuts({ ...shared, shortcuts }),
    slash: createSlash({ ...shared, escaper, commands: byName }),
    builtIn: createBuiltIns({ store, controls, escaper }),
    shareFiles: createSharing({ files, world, base: shared.url }),
    manage: {
      archive: controls.archive,
      unarchive: controls.unarchive,
      add_app: (channelId) => controls.addMember(channelId),
      remove_app: (channelId) => controls.removeMember(channelId),
    },
  });
}
