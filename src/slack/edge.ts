import type { RequestListener } from 'node:http';
import type { App, Logger as BoltLogger } from '@slack/bolt';
import type { Logger } from '../log.ts';
import type { DeliverySource } from '../workspaces/installations.ts';
import { listenToButtons } from './buttons/buttons.ts';
import { explainStartFailure } from './connection/connect.ts';
import { type EdgeBasis, type EdgeParts, partsKey } from './edge-parts.ts';
import { listenToForms } from './forms/forms.ts';
import { listenToHomeTab } from './home/home-tab.ts';
import {
  isLifecycleEvent,
  type LifecycleOptions,
  listenToLifecycle,
  listenToUnavailableChannels,
} from './listeners/lifecycle.ts';
import { listenToLinks } from './listeners/links.ts';
import { listenToMessages } from './listeners/messages.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { listenToSlash } from './listeners/slash.ts';
import { endUnservedStep, listenToSteps, stepOf } from './listeners/steps.ts';
import { postTimeoutMs } from './posting/response-url.ts';
import type { ReadBody } from './receivers/body-reader.ts';
import { DeliveryApp } from './receivers/delivery-app.ts';
import { deliverySourceOf } from './receivers/delivery-source.ts';
import { createHttpReceiver } from './receivers/http-receiver.ts';
import { createSocketConnection } from './receivers/socket-connection.ts';
import { createWebServer, pathOf, serveHealth, slackPath } from './receivers/web-server.ts';
import type { StepEnd } from './steps/end-step.ts';

export type SlackEdge = ReturnType<typeof createSlackEdge>;

/** Answers a request for one of its pages, and returns true; false for any other request. */
export type Pages = (...request: Parameters<RequestListener>) => boolean;

/** Set in Bolt's context if the workspace could not be opened. */
const unavailableKey = 'landfallUnavailable';

/** The bot as Slack sees it: receives, acknowledges, finds the workspace of each delivery, and passes it on. */
export function createSlackEdge(options: {
  slack: { signingSecret: string | undefined; appToken: string | undefined; apiUrl: string };
  /** Undefined if the team has not installed the app. */
  find(source: DeliverySource): Promise<EdgeParts | undefined>;
  /** Answers a delivery of a team that has not installed the app. */
  onUnknown(body: unknown): Promise<void>;
  /** Answers a delivery whose workspace could not be opened: the store does not answer. */
  onUnavailable(body: unknown): Promise<void>;
  lifecycle: Pick<LifecycleOptions, 'endOlderThan' | 'endUnlisted'>;
  basis: EdgeBasis;
  readBody: ReadBody;
  /** Undefined for no server: in Socket Mode the playground serves the health pages. */
  listen: { host: string; port: number } | undefined;
  /** The pages with which workspaces install the app, at this address; none in one-workspace mode. */
  createPages?(address: string): Pages;
  /** Answers requests for other parts of the process: pictures, assistants. */
  otherPages: readonly Pages[];
  /** Why other parts of the process can't work now; empty if they can. */
  whyNotReady: () => string[];
  boltLogger: BoltLogger;
  logger: Logger;
}) {
  const { slack, find, onUnknown, onUnavailable, basis, readBody, listen, boltLogger, logger } = options;
  const { fetch, inFlight } = basis;
  const socket = slack.appToken
    ? createSocketConnection({ appToken: slack.appToken, apiUrl: slack.apiUrl, fetch, boltLogger, logger })
    : undefined;
  const { signingSecret } = slack;
  const { measure } = basis;
  const http = createHttpReceiver({ signingSecret, readBody, logger: boltLogger, measure });
  let ready = false;
  let pages: Pages | undefined;

  const whyNotReady = () => [
    ...(ready ? [] : ['not started, or stopping']),
    ...(socket && !socket.connected() ? ['not connected to Slack'] : []),
    ...options.whyNotReady(),
  ];

  const handle: RequestListener = (request, response) => {
    if (serveHealth(request, response, whyNotReady)) return;
    if (!socket && request.method === 'POST' && pathOf(request) === slackPath) http.handle(request, response);
    else if (![...options.otherPages, ...(pages ? [pages] : [])].some((serve) => serve(request, response)))
      response.writeHead(404, { connection: 'close' }).end();
  };
  const server = listen && createWebServer({ ...listen, handle });

  function createBoltApp(): App {
    const app = new DeliveryApp({
      measure: basis.measure,
      realNow: basis.realNow,
      receiver: socket?.receiver ?? http.receiver,
      async authorize(boltSource, body) {
        if (body && 'event' in body && isLifecycleEvent(body.event.type)) return {};
        const source = deliverySourceOf(body, boltSource);
        const parts = await find(source).catch((error: unknown) => {
          logger.error({ ...source, err: error }, 'the workspace of a delivery could not be opened');
          return 'unavailable' as const;
        });
        if (!parts || parts === 'unavailable') return { [unavailableKey]: parts === 'unavailable' };
        // The bot's own messages are ignored by these ids. The listeners use clients of their own, with their token.
        const { botUserId, botId } = parts.installation;
        return { [partsKey]: parts, botUserId, ...(botId && { botId }) };
      },
      logger: boltLogger,
      convoStore: false,
      // Only of the client with which Bolt ends a step, with that step's own token.
      clientOptions: {
        slackApiUrl: slack.apiUrl,
        fetch,
        timeout: postTimeoutMs,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    // Gets only errors that no listener caught.
    app.error(async (error) => boltLogger.error(error));
    requireWorkspace(app, {
      onUnknown: (body) => inFlight.track(onUnknown(body)),
      onUnavailable: (body) => inFlight.track(onUnavailable(body)),
      onStep: (step, why) => inFlight.track(endUnservedStep(step, why, logger)),
    });
    listenToLifecycle(app, { ...options.lifecycle, inFlight, logger });
    listenToSlash(app);
    listenToButtons(app);
    listenToMessages(app);
    listenToLinks(app);
    listenToShortcuts(app);
    listenToSteps(app, logger);
    listenToHomeTab(app);
    listenToForms(app);
    listenToUnavailableChannels(app, logger);
    return app;
  }

  return {
    whyNotReady,
    /** Starts to receive; returns the address of its server. Rejects if Slack refuses the app token. */
    async start(): Promise<string | undefined> {
      createBoltApp();
      const url = await server?.start();
      if (url !== undefined) pages = options.createPages?.(url);
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

/** Ends a delivery for which there is no workspace. */
function requireWorkspace(
  app: App,
  {
    onUnknown,
    onUnavailable,
    onStep,
  }: Record<'onUnknown' | 'onUnavailable', (body: unknown) => Promise<void>> & {
    /** Slack waits for each step of a workflow to end. */
    onStep(step: StepEnd, why: { isUnavailable: boolean }): Promise<void>;
  },
): void {
  app.use(async (args) => {
    const { context, body, next } = args;
    if (context[partsKey] || ('event' in args && isLifecycleEvent(args.event.type))) return await next();
    if ('ack' in args && typeof args.ack === 'function') await args.ack();
    const isUnavailable = Boolean(context[unavailableKey]);
    const step = stepOf(args);
    if (step) return await onStep(step, { isUnavailable });
    await (isUnavailable ? onUnavailable(body) : onUnknown(body));
  });
}
