import type { RequestListener } from 'node:http';
import { App } from '@slack/bolt';
import { listenToButtons } from './buttons/buttons.ts';
import { explainStartFailure } from './connection/connect.ts';
import { createEdgeParts, type EdgePartsOptions } from './edge-parts.ts';
import { listenToForms } from './forms/forms.ts';
import { listenToHomeTab } from './home/home-tab.ts';
import { listenToLifecycle, listenToUnavailableChannels } from './listeners/lifecycle.ts';
import { listenToMessages } from './listeners/messages.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { listenToSlash } from './listeners/slash.ts';
import { createHttpReceiver } from './receivers/http-receiver.ts';
import { createInFlight } from './receivers/in-flight.ts';
import { createSocketConnection } from './receivers/socket-connection.ts';
import { createWebServer, pathOf, serveHealth } from './receivers/web-server.ts';

export type SlackEdge = ReturnType<typeof createSlackEdge>;

const slackPath = '/slack/events';

/** The bot as Slack sees it: receives, acknowledges, dispatches, answers. */
export function createSlackEdge(
  options: EdgePartsOptions & {
    /** Undefined for no server: in Socket Mode the playground serves the health pages. */
    listen: { host: string; port: number } | undefined;
    /** Why other parts of the process can't work now; empty if they can. */
    whyNotReady: () => string[];
  },
) {
  const { connection, workspace, listen, fetch, logger } = options;
  const { slack, installation, boltLogger, clients } = connection;
  const inFlight = createInFlight();
  const socket = slack.appToken
    ? createSocketConnection({ appToken: slack.appToken, apiUrl: slack.apiUrl, fetch, boltLogger, logger })
    : undefined;
  const http = createHttpReceiver({ signingSecret: slack.signingSecret, logger: boltLogger });
  let ready = false;
  let revoked = false;

  const whyNotReady = () => [
    ...(ready ? [] : ['not started, or stopping']),
    ...(socket && !socket.connected() ? ['not connected to Slack'] : []),
    ...(revoked ? ["Slack does not accept the bot's token any more"] : []),
    ...options.whyNotReady(),
  ];

  const handle: RequestListener = (request, response) => {
    if (serveHealth(request, response, whyNotReady)) return;
    if (!socket && request.method === 'POST' && pathOf(request) === slackPath) http.handle(request, response);
    else response.writeHead(404).end();
  };
  const server = listen && createWebServer({ ...listen, handle });

  return {
    whyNotReady,
    /** Starts to receive; returns the address of its server. Rejects if Slack refuses the app token. */
    async start(): Promise<string | undefined> {
      const { botUserId, botId, teamId } = installation;
      const app = new App({
        receiver: socket?.receiver ?? http.receiver,
        // By default Bolt asks Slack for these at each event.
        authorize: async () => ({ botToken: slack.botToken, botUserId, teamId, ...(botId && { botId }) }),
        logger: boltLogger,
        convoStore: false,
      });
      // Gets only errors that no listener caught.
      app.error(async (error) => boltLogger.error(error));
      const parts = createEdgeParts(options, inFlight);
      listenToSlash(app, parts);
      listenToButtons(app, parts);
      listenToMessages(app, parts);
      listenToShortcuts(app, parts);
      const tab = listenToHomeTab(app, { ...options, ...parts });
      workspace.setAuditListener(({ actorId, ownerIds = [] }) => {
        for (const userId of new Set([actorId, ...ownerIds])) void inFlight.track(tab.refresh(userId));
      });
      listenToForms(app, parts);
      listenToUnavailableChannels(app, { ...workspace, client: clients.reads, inFlight, logger });
      const onTokenRevoked = () => {
        revoked = true;
      };
      listenToLifecycle(app, { ...workspace, installation, inFlight, onTokenRevoked, logger });
      const url = await server?.start();
      await explainStartFailure('SLACK_APP_TOKEN', slack.apiUrl, async () => socket?.start());
      ready = true;
      return url;
    },
    /** Stops receiving, finishes acknowledged work within `deadlineMs`, then cuts every connection. */
    async stop(deadlineMs: number): Promise<{ unfinished: number }> {
      ready = false;
      server?.close();
      await socket?.stop();
      await inFlight.drained(deadlineMs);
      await server?.cut();
      return { unfinished: inFlight.count() };
    },
  };
}
