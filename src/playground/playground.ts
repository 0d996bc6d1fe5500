import { type AppSide, createAppSide } from './app-side.ts';
import { type Core, createCore, readSetup, type Setup } from './core.ts';
import { randomId } from './ids.ts';
import type { Playground, PlaygroundOptions } from './options.ts';
import { createPageRoutes } from './page-api/page-routes.ts';
import { startServer } from './server.ts';
import { createPageFiles } from './web-api/file-routes.ts';
import { persistMessages } from './world/persist.ts';
import { pageMessage, pageViews } from './world/render.ts';
import { createWaits } from './world/waits.ts';

export type { Playground, PlaygroundOptions } from './options.ts';

const RUN_DUE_MS = 1000;

/**
 * A local Slack for one app: Web API, Socket Mode or signed HTTP, response URLs and the page's API,
 * all on one port. Rejects if the port is in use or the manifest can't be read.
 */
export async function createPlayground(options: PlaygroundOptions): Promise<Playground> {
  const setup = readSetup(options);
  const core = createCore(setup);
  const persistence = options.dataFile
    ? persistMessages(core.store, options.dataFile, options.onError ?? (() => {}))
    : undefined;
  const appSide = createAppSide(setup, core);
  const { live, connection, wire } = core;
  const { webApi, fileRoutes, workspace, context } = appSide;
  const server = await startServer(
    {
      live,
      socketMode: connection.socketMode,
      apps: [
        webApi,
        fileRoutes,
        createPageRoutes({ workspace, wire, clock: core.clock }),
        createPageFiles({ workspace, context }),
      ],
      routes: options.routes ?? {},
      pageDir: options.pageDir,
    },
    { host: options.host ?? '127.0.0.1', port: options.port ?? 0, allowedHosts: options.allowedHosts ?? [] },
  );
  setup.address.url = server.url;

  const { events } = appSide;
  const waits = createWaits(core.store);
  const due = setInterval(() => void events.runDue(), RUN_DUE_MS).unref();
  return {
    ...createHandles(setup, core, appSide),
    waitForMessage: waits.forMessage,
    async close() {
      clearInterval(due);
      waits.close();
      events.close();
      persistence?.close();
      live.close();
      connection.transport.close();
      await server.close();
    },
  };
}

function createHandles(
  { secrets, world, address: { url } }: Setup,
  { store, views, wire, faults, connection }: Core,
  { workspace, events, controls }: AppSide,
): Omit<Playground, 'waitForMessage' | 'close'> {
  const { http, socketMode } = connection;
  return {
    ...workspace,
    url,
    apiUrl: `${url}/api/`,
    botToken: secrets.botToken,
    appToken: secrets.appToken,
    signingSecret: secrets.signingSecret,
    world,
    faults,
    controls,
    setRequestUrl: http.setRequestUrl,
    verifyRequestUrl: () => http.verify(randomId('', 20)),
    messages: (channelId) => store.messages(channelId).map(pageMessage),
    clearMessages() {
      for (const { id } of store.channels()) {
        for (const { ts } of store.messages(id)) store.remove(id, ts);
      }
    },
    views: (userId) => pageViews(views, userId).views,
    home: (userId) => pageViews(views, userId).home,
    wire: wire.list,
    waitForApp: connection.whenConnected,
    runDue: events.runDue,
    recycleConnections: async () => socketMode?.recycle('refresh_requested'),
    connectionCount: () => socketMode?.connectionCount() ?? 0,
  };
}
