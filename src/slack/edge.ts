import type { RequestListener } from 'node:http';
import { App, type AppOptions, type Logger as BoltLogger, type ReceiverEvent } from '@slack/bolt';
import { type Logger, underReference } from '../log.ts';
import type { DeliverySource } from '../workspaces/installations.ts';
import { listenToClicks } from './buttons/buttons.ts';
import { oneTimeOptions } from './connection/clients.ts';
import { explainStartFailure } from './connection/connect.ts';
import { type SharedSlack, type SlackContext, slackKey } from './context.ts';
import { listenToForms } from './forms/forms.ts';
import { listenToHomeTab } from './home/home-tab.ts';
import {
  isLifecycleEvent,
  type LifecycleOptions,
  listenToLifecycle,
  listenToUnavailableChannels,
} from './listeners/lifecycle.ts';
import { listenToLinks } from './listeners/links.ts';
import { listenToMessages, listenToSlash } from './listeners/messages.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { postTimeoutMs } from './posting/deliver.ts';
import {
  createHttpReceiver,
  createWebServer,
  deliverySourceOf,
  healthRoutes,
  type Pages,
  pathOf,
  type ReadBody,
  type Routes,
  serveRoutes,
  slackPath,
} from './receivers/http.ts';
import { createSocketConnection } from './receivers/socket-connection.ts';
import { endUnservedStep, listenToSteps, stepOf } from './steps/steps.ts';

export type SlackEdge = ReturnType<typeof createSlackEdge>;

/** The bot as Slack sees it: receives, acknowledges, finds the workspace of each delivery, and passes it on. */
export function createSlackEdge(options: {
  slack: { signingSecret: string | undefined; appToken: string | undefined; apiUrl: string };
  /** Undefined if the team has not installed the app. */
  find(source: DeliverySource): Promise<SlackContext | undefined>;
  /** Answers a delivery of a team that has not installed the app. */
  onUnknown(body: unknown): Promise<void>;
  /** Answers a delivery whose workspace could not be opened: the store does not answer. */
  onUnavailable(body: unknown): Promise<void>;
  lifecycle: Pick<LifecycleOptions, 'endOlderThan' | 'endUnlisted'>;
  shared: SharedSlack;
  readBody: ReadBody;
  /** Undefined for no server: in Socket Mode the playground serves the health pages. */
  listen: { host: string; port: number } | undefined;
  /** The install pages at this address; none in one-workspace mode. */
  createPages?(address: string): Pages;
  /** Those of other parts of the process: pictures, assistants. */
  routes: Routes;
  /** Why other parts of the process can't work now; empty if they can. */
  whyNotReady: () => string[];
  boltLogger: BoltLogger;
  logger: Logger;
}) {
  const { slack, shared, readBody, listen, boltLogger, logger } = options;
  const { fetch, inFlight, measure } = shared;
  const socket = slack.appToken
    ? createSocketConnection({ appToken: slack.appToken, apiUrl: slack.apiUrl, fetch, boltLogger, logger })
    : undefined;
  const { signingSecret } = slack;
  const http = createHttpReceiver({ signingSecret, readBody, logger: boltLogger, measure });
  let ready = false;
  let pages: Pages | undefined;

  const whyNotReady = () => [
    ...(ready ? [] : ['not started, or stopping']),
    ...(socket && !socket.connected() ? ['not connected to Slack'] : []),
    ...options.whyNotReady(),
  ];

  const serve = serveRoutes({ ...healthRoutes(whyNotReady), ...options.routes });
  const handle: RequestListener = (request, response) => {
    if (!socket && request.method === 'POST' && pathOf(request) === slackPath) http.handle(request, response);
    else if (!serve(request, response) && !pages?.(request, response))
      response.writeHead(404, { connection: 'close' }).end();
  };
  const server = listen && createWebServer({ ...listen, handle });

  function createBoltApp(): App {
    const app = new DeliveryApp(shared, {
      receiver: socket?.receiver ?? http.receiver,
      async authorize(boltSource, body) {
        if (body && 'event' in body && isLifecycleEvent(body.event.type)) return {};
        const source = deliverySourceOf(body, boltSource);
        const found = await options.find(source).catch((error: unknown) => {
          logger.error({ ...source, err: error }, 'the workspace of a delivery could not be opened');
          return 'unavailable' as const;
        });
        if (!found || found === 'unavailable') return { [slackKey]: found };
        // The bot's own messages are ignored by these ids. The listeners use clients of their own, with their token.
        const { botUserId, botId } = found.installation;
        return { [slackKey]: found, botUserId, ...(botId && { botId }) };
      },
      logger: boltLogger,
      convoStore: false,
      // For the client that ends a step, with that step's own token; the listeners have clients of their own.
      clientOptions: oneTimeOptions({ apiUrl: slack.apiUrl, fetch, timeoutMs: postTimeoutMs }),
    });
    // Gets only errors that no listener caught.
    app.error(async (error) => boltLogger.error(error));
    // Ends a delivery without a workspace.
    app.use(async (args) => {
      const { body, next } = args;
      const found: SlackContext | 'unavailable' | undefined = args.context[slackKey];
      const isUnavailable = found === 'unavailable';
      const isOfInstallation = 'event' in args && isLifecycleEvent(args.event.type);
      if ((found && !isUnavailable) || isOfInstallation) return await next();
      if ('ack' in args && typeof args.ack === 'function') await args.ack();
      const step = stepOf(args);
      if (step) return await inFlight.track(endUnservedStep(step, { isUnavailable }, logger));
      await inFlight.track(isUnavailable ? options.onUnavailable(body) : options.onUnknown(body));
    });
    listenToLifecycle(app, { ...options.lifecycle, inFlight, logger });
    listenToSlash(app);
    listenToClicks(app);
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

/** Bolt's app. Each delivery has a reference, and the time until it is acknowledged is measured. */
class DeliveryApp extends App {
  readonly #shared: Pick<SharedSlack, 'measure' | 'realNow'>;

  constructor(shared: Pick<SharedSlack, 'measure' | 'realNow'>, options: AppOptions) {
    super(options);
    this.#shared = shared;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const { measure, realNow } = this.#shared;
    const startedAt = realNow();
    let isAcknowledged = false;
    const ack: ReceiverEvent['ack'] = async (...answer) => {
      if (!isAcknowledged) measure({ kind: 'ack', ms: realNow() - startedAt });
      isAcknowledged = true;
      await event.ack(...answer);
    };
    return underReference(() => super.processEvent({ ...event, ack }));
  }
}
