import { createBuiltIns } from './built-in-commands.ts';
import { createContentReader } from './content.ts';
import { type Controls, createControls } from './controls.ts';
import type { Core, Setup } from './core.ts';
import { createDeliver, type Deliver, type DeliveryObserver } from './deliver.ts';
import { createEscaper } from './escape.ts';
import { createEvents, type Events } from './events.ts';
import { createFileRoutes } from './file-routes.ts';
import { createSharing } from './files.ts';
import { createClick } from './interactions.ts';
import type { MethodContext } from './method.ts';
import { createMethodContext, createMethods } from './methods.ts';
import { createResponseUrls, type ResponseUrls } from './response-url.ts';
import { createShortcuts } from './shortcuts.ts';
import { createSlash } from './slash.ts';
import type { Store } from './store.ts';
import type { Triggers } from './triggers.ts';
import { createViewReader, type ViewReader } from './view-checks.ts';
import { createViewInteractions } from './view-interactions.ts';
import type { Views } from './views.ts';
import { createWebApi } from './web-api.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const DEFAULT_EVENTS = ['app_mention', 'message.im', 'app_home_opened'];

export interface AppSide {
  workspace: Workspace;
  events: Events;
  controls: Controls;
  context: MethodContext;
  webApi: ReturnType<typeof createWebApi>;
  fileRoutes: ReturnType<typeof createFileRoutes>;
}

/** What goes to the app, and what comes from it. */
export function createAppSide(setup: Setup, core: Core): AppSide {
  const { options, now, manifest, secrets, address } = setup;
  const { store, installation, wire, live, connection } = core;
  const url = () => address.url;
  const readContent = createContentReader(core);
  const readView = createViewReader(core);
  const deliver = createDeliver({ transport: connection.transport, wire, now });
  const responseUrls = createResponseUrls({ base: url, store, now, readContent, keep: 20_000 });
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
    workspace: createPeopleSide(setup, core, { ...shared, events, controls }),
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

/** What people can do. */
function createPeopleSide(
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
    inView: createViewInteractions(shared),
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
