import { createContentReader } from './blocks/content.ts';
import { createViewReader, type ViewReader } from './blocks/view-checks.ts';
import type { Core, Setup } from './core.ts';
import { createDeliver, type Deliver, type DeliveryObserver } from './delivery/deliver.ts';
import { createResponseUrls, type ResponseUrls } from './delivery/response-url.ts';
import { createBuiltIns } from './interactions/built-in-commands.ts';
import { createClick } from './interactions/click.ts';
import { type Controls, createControls } from './interactions/controls.ts';
import { createEscaper } from './interactions/escape.ts';
import { createEvents, type Events } from './interactions/events.ts';
import { createShortcuts } from './interactions/shortcuts.ts';
import { createSlash } from './interactions/slash.ts';
import type { Triggers } from './interactions/triggers.ts';
import { createViewInteractions } from './interactions/view-interactions.ts';
import { createWorkspace, type Workspace } from './interactions/workspace.ts';
import { createFileRoutes } from './web-api/file-routes.ts';
import type { MethodContext } from './web-api/method.ts';
import { createMethodContext, createMethods } from './web-api/methods.ts';
import { createWebApi } from './web-api/web-api.ts';
import { createSharing } from './world/files.ts';
import type { Store } from './world/store.ts';
import type { Views } from './world/views.ts';

const DEFAULT_EVENTS = ['app_mention', 'message.im', 'app_home_opened'];

export interface AppSide {
  workspace: Workspace;
  events: Events;
  controls: Controls;
  context: MethodContext;
  webApi: ReturnType<typeof createWebApi>;
  fileRoutes: ReturnType<typeof createFileRoutes>;
}

/** Everything that exchanges data with the app: its API calls, its events and the actions of people. */
export function createAppSide(setup: Setup, core: Core): AppSide {
  const { options, now, manifest, secrets, address } = setup;
  const { store, installation, wire, live, connection } = core;
  const url = () => address.url;
  const readContent = createContentReader(core);
  const readView = createViewReader(core);
  const deliver = createDeliver({ transport: connection.transport, wire, now });
  const responseUrls = createResponseUrls({ base: url, store, now, readContent, maxOpen: 20_000 });
  const observe = options.onDelivery ?? (() => {});
  const shared = { ...secrets, ...core, now, url, deliver, responseUrls, readView, observe };
  const events = createEvents({ ...shared, subscribed: new Set(manifest?.botEvents ?? DEFAULT_EVENTS) });
  const controls = createControls({ store, events, installation, onChange: live.channelsChanged });
  const scopes = manifest && new Set(manifest.botScopes);
  const context = createMethodContext({
    ...shared,
    readContent,
    scopes,
    rateLimit: options.rateLimit ?? { perSecond: 1, burst: 20 },
    socketMode: connection.socketMode,
    homeEnabled: manifest?.homeEnabled ?? true,
  });
  const methods = createMethods(context);
  const mayReadFiles = (token: string | undefined) =>
    token === secrets.botToken && !installation.refusal() && (scopes?.has('files:read') ?? true);
  return {
    workspace: createWorkspaceActions(setup, core, { ...shared, events, controls }),
    events,
    controls,
    context,
    webApi: createWebApi({ ...shared, methods, scopes }),
    fileRoutes: createFileRoutes({ context, isAllowed: mayReadFiles, wire, now }),
  };
}

interface Shared {
  store: Store;
  views: Views;
  triggers: Triggers;
  verificationToken: string;
  now: () => number;
  url: () => string;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  readView: ViewReader;
  observe: DeliveryObserver;
  events: Events;
  controls: Controls;
}

/** Builds the actions of people in the workspace. */
function createWorkspaceActions(
  { options, world, manifest }: Setup,
  { files, connection, clock }: Core,
  shared: Shared,
): Workspace {
  const { store, controls } = shared;
  const escaper = createEscaper(world.users, world.channels);
  const commands = options.commands ?? manifest?.commands;
  const byName = commands && new Map(commands.map((command) => [command.command, command]));
  const shortcuts = options.shortcuts ?? manifest?.shortcuts ?? [];
  return createWorkspace({
    ...shared,
    files,
    escaper,
    clock,
    shortcuts,
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
