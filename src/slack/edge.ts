import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger as BoltLogger, type Receiver } from '@slack/bolt';
import type { Logger } from '../log.ts';
import { listenToButtons } from './buttons/buttons.ts';
import type { SlackConnection } from './connection/connect.ts';
import type { Installation } from './connection/installation.ts';
import { explainingSetting } from './connection/start-error.ts';
import { createDispatch, type Timing } from './dispatch/dispatch.ts';
import { createRefreshes } from './dispatch/refreshes.ts';
import { createVisibility } from './dispatch/visibility.ts';
import type { WorkspaceEdge } from './dispatch/workspace-edge.ts';
import { createYieldToEventLoop } from './dispatch/yield-to-event-loop.ts';
import type { EdgeParts } from './edge-parts.ts';
import { listenToForms } from './forms/forms.ts';
import { createFindForm, createOpenForm } from './forms/open-form.ts';
import { listenToHomeTab } from './home/home-tab.ts';
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
import { createSendPrivately } from './posting/send-privately.ts';
import { createDeduplicate } from './receivers/deduplicate.ts';
import { pathOf, serveHealth } from './receivers/health.ts';
import { createHttpReceiver } from './receivers/http-receiver.ts';
import { createInFlight, type InFlight } from './receivers/in-flight.ts';
import { createSocketConnection } from './receivers/socket-connection.ts';
import { createWebServer } from './receivers/web-server.ts';

interface SlackEdgeOptions {
  connection: SlackConnection;
  /** Undefined: no server (Socket Mode with the playground, which serves the health pages). */
  listen: { host: string; port: number } | undefined;
  workspace: WorkspaceEdge;
  /** Why other parts of the process can't work now. */
  reasons: () => string[];
  markUnavailable: UnavailableChannelsOptions['markUnavailable'];
  /** Deletes everything that is stored of the workspace. */
  forgetWorkspace(): Promise<void>;
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  newRef: () => string;
  logger: Logger;
  timing?: Partial<Timing>;
}

export interface SlackEdge {
  /** Starts to receive; returns the address of its server. Rejects when Slack refuses the app token. */
  start(): Promise<string | undefined>;
  /** Receives no more, finishes acknowledged work within `deadlineMs`, then cuts every connection. */
  stop(deadlineMs: number): Promise<{ unfinished: number }>;
  /** Why the bot can't answer now; empty when it can. */
  reasons(): string[];
}

const slackPath = '/slack/events';

/** The bot as Slack sees it: receives, acknowledges, dispatches, answers. */
export function createSlackEdge(options: SlackEdgeOptions): SlackEdge {
  const { connection, workspace, listen, fetch, logger } = options;
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
      const parts = createParts(options, inFlight);
      listenToSlash(app, parts);
      listenToButtons(app, parts);
      listenToMessages(app, parts);
      listenToShortcuts(app, parts);
      const tab = listenToHomeTab(app, { ...parts, ...options });
      workspace.setAuditListener(({ actorId, ownerIds = [] }) => {
        for (const userId of new Set([actorId, ...ownerIds])) void inFlight.track(tab.refresh(userId));
      });
      listenToForms(app, parts);
      const { runDue } = workspace;
      listenToUnavailableChannels(app, { ...options, runDue, inFlight, client: connection.clients.reads });
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
      await explainingSetting({ setting: 'SLACK_APP_TOKEN', apiUrl: slack.apiUrl }, async () =>
        socket?.start(),
      );
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

function refuse(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

function createParts(options: SlackEdgeOptions, inFlight: InFlight): EdgeParts {
  const { connection, workspace, fetch, realNow, newRef, logger, timing } = options;
  const { installation, clients, people, audiences } = connection;
  const { all: features, runDue } = workspace;
  const dispatch = createDispatch({
    workspace,
    people,
    audiences,
    isOwnDm: createOwnDms({ client: clients.reads }).isOwn,
    visibilityOf: createVisibility({ visibilityIn: workspace.visibilityIn, audiences, logger }),
    refreshes: createRefreshes({ realNow }),
    yieldToEventLoop: createYieldToEventLoop(),
    realNow,
    newRef,
    timing: { workingMs: 2_000, deadlineMs: 15_000, ...timing },
    logger,
  });
  const client = clients.posts;
  const posts = createPosts(client);
  const findForm = createFindForm(features);
  return {
    features,
    actions: new Map(features.flatMap(({ actions = [] }) => actions.map((action) => [action.id, action]))),
    findForm,
    dispatch,
    deduplicate: createDeduplicate({ realNow }),
    inFlight,
    audiences,
    runDue,
    openForm: createOpenForm(client, findForm),
    sendPrivately: createSendPrivately(posts),
    download: { botToken: connection.slack.botToken, apiUrl: connection.slack.apiUrl, fetch },
    posts,
    client,
    fetch,
    installation,
  };
}

/** `authorize` answers from memory, without a call for every event. `app.error` only gets what no listener caught. */
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
