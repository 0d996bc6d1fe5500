import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger as BoltLogger, type Receiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { createPreview, type PreviewDigest } from '../features/digests/preview.ts';
import { listenToButtons } from './buttons/buttons.ts';
import type { SlackConnection } from './connection/connect.ts';
import type { Installation } from './connection/installation.ts';
import { naming } from './connection/start-error.ts';
import type { Ask } from './dispatch/ask.ts';
import { type CommandDeps, createDispatch, type Timing } from './dispatch/dispatch.ts';
import { createRefreshes } from './dispatch/refreshes.ts';
import { createVisibility } from './dispatch/visibility.ts';
import { createYieldToEventLoop } from './dispatch/yield-to-event-loop.ts';
import type { EdgeParts } from './edge-parts.ts';
import { listenToForms } from './forms/forms.ts';
import { createOpenForm } from './forms/open-form.ts';
import { type HomeTab, listenToHomeTab } from './home/home-tab.ts';
import { tellingOwners } from './home/owners-told.ts';
import { listenToLifecycle } from './listeners/lifecycle.ts';
import { listenToMessages } from './listeners/messages.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { listenToSlash } from './listeners/slash.ts';
import {
  listenToUnavailableChannels,
  type UnavailableChannelsOptions,
} from './listeners/unavailable-channels.ts';
import { createOwnDms } from './people/own-dms.ts';
import { createPosts } from './posting/posts.ts';
import { createTell } from './posting/tell.ts';
import { createDeduplicate } from './receivers/deduplicate.ts';
import { pathOf, serveHealth } from './receivers/health.ts';
import { createHttpReceiver } from './receivers/http-receiver.ts';
import { createInFlight, type InFlight } from './receivers/in-flight.ts';
import { createSocketConnection } from './receivers/socket-connection.ts';
import { createWebServer } from './receivers/web-server.ts';

export interface SlackEdgeOptions {
  connection: SlackConnection;
  /** Undefined: no server of its own (Socket Mode with the playground, which serves the health pages). */
  listen: { host: string; port: number } | undefined;
  commands: CommandDeps;
  /** Why other parts can't do their work now. */
  reasons: () => string[];
  card: EdgeParts['card'];
  work: EdgeParts['work'];
  /** What stands in a channel that nothing can be posted to is paused, and its owners are told. */
  markUnavailable: UnavailableChannelsOptions['markUnavailable'];
  /** Takes out everything that is kept of the workspace. */
  forgetWorkspace(): Promise<void>;
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  newRef: () => string;
  logger: Logger;
  timing?: Partial<Timing>;
}

export interface SlackEdge {
  /** Takes deliveries; gives the address of its own server. Rejects when Slack refuses the app token. */
  start(): Promise<string | undefined>;
  /** Takes no more, finishes what was acknowledged within `deadlineMs`, then cuts every connection. */
  stop(deadlineMs: number): Promise<{ unfinished: number }>;
  /** Why the bot can't answer now; empty when it can. */
  reasons(): string[];
}

const slackPath = '/slack/events';

/** The bot as Slack sees it: receives, acknowledges, dispatches, answers. */
export function createSlackEdge(options: SlackEdgeOptions): SlackEdge {
  const { connection, commands, listen, fetch, logger } = options;
  const { slack, installation, boltLogger } = connection;
  const inFlight = createInFlight();
  const socket = slack.appToken
    ? createSocketConnection({ appToken: slack.appToken, apiUrl: slack.apiUrl, fetch, boltLogger, logger })
    : undefined;
  const http = createHttpReceiver({ signingSecret: slack.signingSecret, logger: boltLogger });
  const receiver = socket?.receiver ?? http;
  let ready = false;
  let revoked = false;

  const reasons = () => [
    ...(ready ? [] : ['not started, or stopping']),
    ...(socket && !socket.connected() ? ['not connected to Slack'] : []),
    ...(revoked ? ["Slack does not accept the bot's token any more"] : []),
    ...(commands.analytics.status().token.state === 'refused'
      ? ['the analytics service refuses the login']
      : []),
    ...options.reasons(),
  ];

  const handle = socket
    ? refuse
    : (request: IncomingMessage, response: ServerResponse) => {
        if (request.method === 'POST' && pathOf(request) === slackPath) http.handle(request, response);
        else refuse(request, response);
      };
  const server =
    listen &&
    createWebServer({
      ...listen,
      handle: (request, response) => {
        if (!serveHealth(request, response, { reasons })) handle(request, response);
      },
    });

  return {
    reasons,
    async start() {
      const app = createBoltApp(receiver, { installation, botToken: slack.botToken, boltLogger });
      let tab: HomeTab | undefined;
      const redraw = (userId: string) => void (tab && inFlight.track(tab.refresh(userId)));
      const changed = ({ surface, userId }: Ask) => {
        // On the tab itself it is drawn with what came of it.
        if (surface !== 'home') redraw(userId);
      };
      const kept = commands.kept && tellingOwners(commands.kept, redraw);
      const parts = partsOf(
        { ...options, commands: { ...commands, ...(kept && { kept }) }, changed },
        inFlight,
      );
      const { posts: client } = connection.clients;
      listenToSlash(app, parts);
      listenToButtons(app, parts);
      listenToMessages(app, parts);
      listenToShortcuts(app, parts);
      tab = listenToHomeTab(app, { ...parts, ...options, client });
      listenToForms(app, { ...parts, client, preview: rehearsalOf(options) });
      listenToUnavailableChannels(app, { ...options, inFlight, client: connection.clients.reads });
      listenToLifecycle(app, {
        installation,
        inFlight,
        logger,
        forgetWorkspace: options.forgetWorkspace,
        tokenRevoked: () => {
          revoked = true;
        },
      });
      const url = await server?.start();
      await naming({ setting: 'SLACK_APP_TOKEN', apiUrl: slack.apiUrl }, async () => socket?.start());
      ready = true;
      return url;
    },
    async stop(deadlineMs) {
      ready = false;
      server?.close();
      await socket?.stop();
      await inFlight.drained(deadlineMs);
      await server?.cut();
      return { unfinished: inFlight.count() };
    },
  };
}

/** Socket Mode needs no door for Slack: a request for anything but health is for nobody. */
function refuse(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

function partsOf(options: SlackEdgeOptions & { changed(ask: Ask): void }, inFlight: InFlight): EdgeParts {
  const { connection, commands, card, work, fetch, realNow, newRef, logger, timing, changed } = options;
  const { installation, clients, people, audiences } = connection;
  const dispatch = createDispatch({
    commands,
    changed,
    people,
    audiences,
    isOwnDm: createOwnDms({ client: clients.reads }).isOwn,
    visibilityOf: createVisibility({ channels: commands.kept?.channels, audiences, logger }),
    guests: async () => (await commands.kept?.guests.recent()) ?? 'ask',
    refreshes: createRefreshes({ realNow }),
    workspaceId: installation.teamId,
    yieldToEventLoop: createYieldToEventLoop(),
    realNow,
    newRef,
    timing: { workingMs: 2_000, deadlineMs: 15_000, ...timing },
    logger,
  });
  const posts = createPosts(clients.posts);
  const download = { botToken: connection.slack.botToken, apiUrl: connection.slack.apiUrl, fetch };
  return {
    dispatch,
    once: createDeduplicate({ realNow }),
    inFlight,
    audiences,
    card,
    work,
    openForm: createOpenForm(clients.posts),
    tell: createTell(posts),
    download,
    posts,
    fetch,
    installation,
  };
}

/** A little less than the form that asks for it has in all. */
const rehearsedLineMs = 12_000;

function rehearsalOf({ connection, commands, newRef, logger }: SlackEdgeOptions): PreviewDigest {
  const { people, audiences, installation } = connection;
  const deadlineMs = rehearsedLineMs;
  return createPreview({
    commands,
    people,
    audiences,
    workspaceId: installation.teamId,
    newRef,
    logger,
    deadlineMs,
  });
}

/** `authorize` answers from memory: no call for an event. Listeners catch for themselves; this is the net below. */
function createBoltApp(
  receiver: Receiver,
  {
    installation,
    botToken,
    boltLogger,
  }: { installation: Installation; botToken: string; boltLogger: BoltLogger },
): App {
  const { botUserId, botId, teamId } = installation;
  const app = new App({
    receiver,
    authorize: async () => ({ botToken, botUserId, teamId, ...(botId && { botId }) }),
    logger: boltLogger,
    convoStore: false,
  });
  app.error(async (error) => boltLogger.error(error));
  return app;
}
