import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createAppSide } from './app-side.ts';
import {
  type Core,
  createCore,
  createWorkspaceCore,
  readSetup,
  type Setup,
  type WorkspaceCore,
} from './core.ts';
import { randomId } from './ids.ts';
import { createAdminister } from './oauth/administer.ts';
import { createHandle } from './oauth/handle.ts';
import { createOAuth, type OAuth } from './oauth/oauth.ts';
import { createOAuthRoutes } from './oauth/oauth-routes.ts';
import { createOnlyInstallation } from './only-installation.ts';
import type { Playground, PlaygroundOptions } from './options.ts';
import type { Live } from './page-api/live.ts';
import { createPageRoutes } from './page-api/page-routes.ts';
import { startServer } from './server.ts';
import { createFileRoutes, createPageFiles } from './web-api/file-routes.ts';
import type { FindGrant } from './web-api/grant.ts';
import { createWebApi } from './web-api/web-api.ts';
import { joinWorkspaces, type Workspaces } from './workspaces.ts';
import { type Persistence, persist } from './world/persist.ts';
import { pageMessage, pageViews } from './world/render.ts';
import { createWaits } from './world/waits.ts';

const RUN_DUE_MS = 1000;

/**
 * A local Slack for one app: Web API, Socket Mode or signed HTTP, response URLs and the page's API, all on one port.
 * There is one workspace with the app installed, or with `workspaces` several into which OAuth installs it.
 * Rejects if the port is in use, the manifest is invalid, or the options contradict each other.
 */
export async function createPlayground(options: PlaygroundOptions): Promise<Playground> {
  const setup = readSetup(options);
  const parts = createParts(setup);
  const { core, workspaces, oauth, persistence } = parts;
  const server = await startServer(
    {
      live: workspaces.live,
      socketMode: core.connection.socketMode,
      apps: createApps(setup, parts),
      routes: options.routes ?? {},
      pageDir: options.pageDir ?? builtPage(),
    },
    { host: options.host ?? '127.0.0.1', port: options.port ?? 0, allowedHosts: options.allowedHosts ?? [] },
  );
  setup.address.url = server.url;

  const waits = createWaits(workspaces.all.map(({ store }) => store));
  const runDue = async () => {
    for (const { agent } of workspaces.all) agent.runDue();
    await Promise.all(workspaces.all.map(({ events }) => events.runDue()));
  };
  const due = setInterval(() => void runDue(), RUN_DUE_MS).unref();
  return {
    ...createHandles(setup, core, workspaces),
    oauth:
      oauth &&
      createHandle(oauth, {
        clientId: setup.clientId,
        clientSecret: setup.secrets.clientSecret,
        authorizationUrl: `${server.url}/oauth/v2/authorize`,
      }),
    runDue,
    waitForMessage: waits.forMessage,
    async close() {
      clearInterval(due);
      waits.close();
      persistence?.close();
      for (const { events, live } of workspaces.all) {
        events.close();
        live.close();
      }
      core.faultSwitches.allOff();
      core.endRecording();
      core.connection.transport.close();
      await server.close();
    },
  };
}

/** Found by name, so also by a bundle that contains this module. */
const builtPage = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('bolt-playground/package.json')), 'page/dist');

interface Parts {
  core: Core;
  workspaces: Workspaces;
  /** Undefined: the app is installed from the start. */
  oauth: OAuth | undefined;
  findGrant: FindGrant;
  persistence: Persistence | undefined;
}

function createParts(setup: Setup): Parts {
  const { options, worlds } = setup;
  const [firstWorld, ...otherWorlds] = worlds;
  // Empty at first: a request URL in the options connects before there is any page.
  const lives: Live[] = [];
  const core = createCore(setup, {
    connection: (isConnected) => {
      for (const live of lives) live.connectionChanged(isConnected);
    },
    clock: (clock) => {
      for (const live of lives) live.clockChanged(clock);
    },
    faults: (faults) => {
      for (const live of lives) live.faultsChanged(faults);
    },
  });
  const firstCore = createWorkspaceCore(setup, core, firstWorld);
  const otherCores = otherWorlds.map((world) => createWorkspaceCore(setup, core, world));
  const cores = [firstCore, ...otherCores];
  lives.push(...cores.map(({ live }) => live));
  notifyOthers(cores);
  let persistence: Persistence | undefined;
  const changed = () => persistence?.changed();
  const oauth = setup.isInstalledByOAuth
    ? createOAuth(setup, cores, {
        change: changed,
        end: (teamId, how) => {
          // Slack answers the call before it sends the events. Deliveries never reject.
          const { uninstall, revokeToken } = workspaces.controls;
          void (how === 'revoke' ? revokeToken(teamId) : uninstall(teamId));
        },
      })
    : undefined;
  const only = createOnlyInstallation(setup);
  const appSideOf = (workspace: typeof firstCore) =>
    createAppSide(setup, core, workspace, {
      ...(oauth ? oauth.partsFor(workspace) : only.parts),
      onMembersChanged: changed,
    });
  const workspaces = joinWorkspaces([appSideOf(firstCore), ...otherCores.map(appSideOf)]);
  if (options.dataFile) {
    persistence = persist(
      cores.map(({ store }) => store),
      options.dataFile,
      {
        onError: options.onError ?? (() => {}),
        ...(oauth && { app: oauth.save, restoreApp: oauth.restore }),
      },
    );
  }
  const findGrant = withStepTokens(
    workspaces.all,
    oauth ? oauth.registry.findGrant : only.findGrant,
    setup.manifest?.botScopes,
  );
  return { core, workspaces, oauth, findGrant, persistence };
}

/** Adds the tokens with which the app ends custom steps: bot tokens for one workspace. */
function withStepTokens(
  all: Workspaces['all'],
  findGrant: FindGrant,
  botScopes: readonly string[] | undefined,
): FindGrant {
  const scopes = botScopes && new Set(botScopes);
  return (token) => {
    for (const { executions, store } of all) {
      const executionId = executions.idOfToken(token);
      if (executionId !== undefined)
        return { kind: 'bot', scopes, teamIds: [store.world.team.id], executionId };
    }
    return findGrant(token);
  };
}

/** Notifies the pages of each workspace of what is posted in the others. */
function notifyOthers(cores: readonly WorkspaceCore[]): void {
  for (const { store } of cores) {
    const others = cores.filter((other) => other.store !== store);
    store.subscribe(({ type, message }) => {
      if (type !== 'posted' || message.ephemeralTo) return;
      for (const { live } of others) live.postedElsewhere(store.world.team.id);
    });
  }
}

function createApps(
  { isInstalledByOAuth, now }: Setup,
  { core, workspaces, oauth, findGrant }: Parts,
): Parameters<typeof startServer>[0]['apps'] {
  const { wire, faults, faultSwitches, images, clock, files } = core;
  const { all, workspace, controls, ofUser } = workspaces;
  const storeOf = (userId: string) => ofUser(userId)?.store;
  const findUser = (userId: string) => storeOf(userId)?.user(userId);
  return [
    createWebApi({
      workspaces: all,
      appMethods: new Map(Object.entries(oauth?.methods ?? {})),
      findGrant,
      faults,
      images,
      wire,
      namesWorkspace: isInstalledByOAuth,
      now,
    }),
    createFileRoutes({ workspaces: all, findGrant, files, wire, now }),
    createPageRoutes({ workspace, wire, clock, faultSwitches, images }),
    createPageFiles({ files, workspace, storeOf }),
    ...(oauth
      ? [
          createOAuthRoutes({
            consents: oauth.consents,
            addressOf: oauth.addressOf,
            administer: createAdminister({ registry: oauth.registry, controls, findUser }),
          }),
        ]
      : []),
  ];
}

function createHandles(
  { secrets, worlds, address: { url } }: Setup,
  { wire, faults, connection }: Core,
  { all, workspace, controls, ofUser, ofChannel }: Workspaces,
): Omit<Playground, 'waitForMessage' | 'close' | 'oauth' | 'runDue'> {
  const { http, socketMode } = connection;
  const viewsOf = (userId: string) => {
    const views = ofUser(userId)?.views;
    return views ? pageViews(views, userId) : { views: [], home: undefined };
  };
  return {
    ...workspace,
    url,
    apiUrl: `${url}/api/`,
    botToken: secrets.botToken,
    appToken: secrets.appToken,
    signingSecret: secrets.signingSecret,
    world: worlds[0],
    workspaces: worlds,
    faults,
    controls,
    setRequestUrl: http.setRequestUrl,
    verifyRequestUrl: () => http.verify(randomId('', 20)),
    messages: (channelId) => ofChannel(channelId)?.store.messages(channelId).map(pageMessage) ?? [],
    clearMessages() {
      for (const { store } of all) {
        for (const { id } of store.channels()) for (const { ts } of store.messages(id)) store.remove(id, ts);
      }
    },
    views: (userId) => viewsOf(userId).views,
    previews: (userId) => ofUser(userId)?.context.composer.previewsOf(userId) ?? [],
    prompts: (channelId) => ofChannel(channelId)?.agent.prompts(channelId),
    status: (channelId, threadTs) => ofChannel(channelId)?.agent.status(channelId, threadTs),
    home: (userId) => viewsOf(userId).home,
    wire: wire.list,
    waitForApp: connection.whenConnected,
    recycleConnections: async () => socketMode?.recycle('refresh_requested'),
    connectionCount: () => socketMode?.connectionCount() ?? 0,
  };
}
