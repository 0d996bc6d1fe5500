import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Playground } from 'bolt-playground';
import { createWorkbooks } from '../answers/workbook.ts';
import { createMonotonicClock } from '../cache.ts';
import type { Config } from '../config/config.ts';
import type { connectDatabase } from '../database/connect.ts';
import type { SecretBox } from '../database/secrets.ts';
import { codeOf, fullMessageOf, messageOf, StoreUnavailable } from '../errors.ts';
import { exampleTaking, withinDeadline } from '../features/ctx.ts';
import { commands, forgetBefore } from '../features/index.ts';
import type { Pictures } from '../features/services.ts';
import { type Logger, withFields } from '../log.ts';
import { measureNothing } from '../measure.ts';
import { createDrawer } from '../pictures/drawer.ts';
import { createPictureAddresses, picturesPath } from '../pictures/map-picture.ts';
import { createPictureServer } from '../pictures/picture-server.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createBoltLogger } from '../slack/connection/clients.ts';
import { createSlackConnection } from '../slack/connection/connect.ts';
import { createSharedSlack, type Timing } from '../slack/context.ts';
import { createSlackEdge, type SlackEdge } from '../slack/edge.ts';
import { createAnswerUnavailable } from '../slack/install/answer-unknown.ts';
import { createBodyReader } from '../slack/receivers/http.ts';
import { createActivity } from '../workspaces/call-counts.ts';
import { createLiveLogins } from '../workspaces/workspace-account.ts';
import { createAssistantRoute, mcpPath } from './assistant-route.ts';
import { advanceWorld, hostsOf, listenOf, slackOf, startPlayground, startSandbox } from './embedded.ts';
import { createInstalls, createWorkspaces } from './installs.ts';
import { createDueWork, createJobs, createRetentionJob, createStatisticsJob, type Jobs } from './jobs.ts';
import { createService } from './service.ts';
import { openStore, storeVesselNames } from './store.ts';
import { createWorkspace } from './workspace.ts';

export type LandfallApp = ReturnType<typeof createApp>;
export type Started = Awaited<ReturnType<LandfallApp['start']>>;

/** How much of the time that `stop` has is kept for closing the parts. */
const closingMs = 1_500;

/** The composition root of one process: starts the parts in order, and stops them in reverse. */
export function createApp(options: {
  config: Config;
  logger: Logger;
  version: string;
  fetch?: typeof globalThis.fetch;
  realNow?: () => number;
  timing?: Partial<Timing>;
  /** How long a picture may take to be drawn, and to reach the playground. Default: 5 seconds each. */
  pictureTimeoutMs?: number;
  /** `false`: the playground accepts any number of messages at once. */
  playgroundRateLimit?: false;
  /** Tests pass a function that returns the database they share. */
  connect?: typeof connectDatabase;
  /** Runs due work automatically; tests turn it off and call `runDue`. */
  automatic?: boolean;
  /** The ids of what a workspace stores. Default: random. */
  newId?: (workspaceId: string) => string;
}) {
  const { config, logger, version, fetch = globalThis.fetch, realNow = Date.now, timing = {} } = options;
  const { newId = () => randomUUID() } = options;
  const monotonicNow = createMonotonicClock(realNow);
  const parts: Part[] = [];
  let edge: SlackEdge | undefined;
  let jobs: Jobs | undefined;

  async function start() {
    ensureDataDir(config);
    // First, since it locks the directory in which the sandbox and the playground store theirs.
    const metrics = await openMetrics(options);
    const { measure = measureNothing } = metrics ?? {};
    const store = await openStore({ ...options, measure });
    parts.push({ name: 'store', close: store.close });
    const pictures = createPictures({ box: store.box, logger, timeoutMs: options.pictureTimeoutMs });
    parts.push({ name: 'pictures', close: async () => pictures.close() });
    const workbooks = createWorkbooks();
    const assistants = createAssistantRoute();
    parts.push({ name: 'assistants', close: assistants.close });
    const routes = { ...pictures.routes, ...assistants.routes };
    const sandbox = config.analytics === 'sandbox' ? await startSandbox(options) : undefined;
    if (sandbox) parts.push({ name: 'sandbox', close: sandbox.close });
    const advance = async (hours: number) => {
      if (sandbox && jobs) await advanceWorld(sandbox, { hours, runDue: jobs.runDue });
    };
    let playground: Playground | undefined;
    if (config.slack === 'playground') {
      playground = await startPlayground(options, {
        ...{ whyNotReady, sandbox, advance },
        routes,
      });
      parts.push({ name: 'playground', close: playground.close });
    }
    const slack = slackOf(config, playground);
    const serverUrl = playground?.url ?? config.publicUrl;
    const common = { fetch, realNow, measure, logger };
    const shared = createSharedSlack({ ...common, isAgent: config.isAgent, timing });
    const service = createService({ ...common, config, sandbox });
    const { now, source } = service;
    const offer = { isAccountIncluded: config.accounts.isShared, isInvented: source === 'sandbox' };
    const installs = await createInstalls(slack, { offer, shared, now, store });
    parts.push({ name: 'installs', close: installs.settled });
    const isOnlyWorkspace = installs.only !== undefined;
    const logins = createLiveLogins({ ...store, service, logger });
    const activity = createActivity({ db: store.db, now, realNow });
    parts.push({ name: 'statistics', close: activity.save });
    const workspaces = createWorkspaces({
      read: installs.read,
      async load({ installation, ...token }) {
        const workspaceId = installation.teamId;
        const log = isOnlyWorkspace ? logger : withFields(logger, { workspace: workspaceId });
        const connection = createSlackConnection({
          ...{ ...common, ...token, logger: log },
          ...{ apiUrl: slack.apiUrl, installation },
        });
        const workspace = createWorkspace({
          ...options,
          ...{ store, service, logins, isOnlyWorkspace, activity, workspaceId, now, source, connection },
          shared: { ...shared, logger: log },
          runDue: () => due.runDueOf(workspaceId),
          isPaused: () => workspaces.isPaused(workspaceId),
          pictures: pictures.at(serverUrl),
          workbooks,
          assistantsUrl: serverUrl && `${serverUrl}${mcpPath}`,
          newId: () => newId(workspaceId),
        });
        if (sandbox) await storeVesselNames(sandbox, workspace.slack.ctx);
        return workspace;
      },
      realNow,
      logger,
    });
    const { historyDays } = config.watches;
    const due = createJobs({
      kinds: createDueWork(store, realNow),
      openJob: workspaces.openJob,
      openedJobs: async (kind) => (await workspaces.warm()).flatMap(({ jobs }) => jobs.get(kind) ?? []),
      maintenance: [
        createRetentionJob({
          db: store.db,
          forgetBefore,
          historyDays,
          cleanUp: installs.cleanUp,
          operatorsLogin: service.operatorsLogin,
          realNow,
        }),
        createStatisticsJob({ activity, monotonicNow }),
      ],
      now,
      ...{ monotonicNow, measure, logger },
    });
    jobs = due;
    // One for all, since they share the memory.
    const readBody = createBodyReader();
    assistants.open({
      ...common,
      ...{
        version,
        source,
        now,
        signingSecret: slack.signingSecret,
        open: workspaces.open,
        find: installs.find,
      },
      hosts: hostsOf(config),
      readBody,
      db: store.db,
    });
    const only = installs.only && (await workspaces.open(installs.only.teamId));
    edge = createSlackEdge({
      slack: { appToken: undefined, ...slack },
      async find(source) {
        const workspaceId = await installs.find(source);
        return workspaceId === undefined ? undefined : (await workspaces.open(workspaceId))?.slack;
      },
      onUnknown: installs.onUnknown,
      onUnavailable: createAnswerUnavailable(logger),
      lifecycle: {
        endOlderThan: async (event) => workspaces.dropEnded(await installs.endOlderThan(event)),
        endUnlisted: async (enterpriseId) => workspaces.dropEnded(await installs.endUnlisted(enterpriseId)),
      },
      ...{ shared, readBody },
      listen: listenOf(config, slack),
      ...(installs.createPages && { createPages: installs.createPages }),
      routes,
      whyNotReady: () => [
        ...installs.whyNotReady(),
        ...(only?.analytics.status().token.state === 'refused'
          ? ['the analytics service refuses the login']
          : []),
        ...due.whyNotReady(),
      ],
      boltLogger: createBoltLogger(logger),
      logger,
    });
    const botUrl = await edge.start();
    if (botUrl) {
      playground?.setRequestUrl(`${botUrl}/slack/events`);
      playground?.oauth?.setInstallUrl(botUrl);
    }
    if (metrics) parts.push({ name: 'metrics', close: metrics.close });
    const { dailyCalls } = config.watches;
    const metricsUrl = await metrics?.start({
      ...{ version, source, store, now, realNow, whyNotReady },
      dailyCalls,
    });
    if (options.automatic ?? true) due.start();
    const url = playground?.url ?? botUrl ?? '';
    const greeting = greet({ url, botUrl, team: installs.only?.teamName, playground, sandbox });
    logger.info({ workspaces: slack.kind, source, store: store.engine.name, metrics: metricsUrl }, greeting);
    return {
      /** One line that says where to go now. */
      greeting,
      url,
      /** Undefined without METRICS_PORT. */
      metricsUrl,
      /** Where workspaces install the app; undefined in one-workspace mode. */
      publicUrl: slack.kind === 'many' ? slack.publicUrl || botUrl : undefined,
      playground,
      sandbox,
      /** Does all the work that is due now: polls, digests, messages, clean-ups. */
      runDue: due.runDue,
      /** Resolves when everything that Slack has delivered is done, or after `deadlineMs`. */
      settled: shared.inFlight.drained,
      /** Advances the sandbox's clock in steps, with `runDue` after each. Does nothing without the sandbox. */
      advance,
    };
  }

  const whyNotReady = () => edge?.whyNotReady() ?? ['starting'];

  return {
    /** Starts sandbox, store, playground and bot. If it rejects, call `stop` to close what did start. */
    start: () =>
      start().catch((cause: unknown) => {
        throw explainStartError(cause, config);
      }),
    /** Finishes work in flight, then closes the parts in reverse order, within `deadlineMs` in all. */
    async stop(deadlineMs: number): Promise<{ unfinished: number }> {
      const endsAt = performance.now() + deadlineMs;
      const inFlightMs = deadlineMs - Math.min(closingMs, deadlineMs / 2);
      const [result = { unfinished: 0 }] = await Promise.all([
        edge?.stop(inFlightMs),
        jobs?.stop(inFlightMs),
      ]);
      const leftMs = Math.max(0, endsAt - performance.now());
      await closeParts(parts.toReversed(), { deadlineMs: leftMs, logger });
      return result;
    },
  };
}

/** Undefined without METRICS_PORT. */
async function openMetrics({ config, logger }: { config: Config; logger: Logger }) {
  const { host, metricsPort: port } = config;
  if (port === undefined) return undefined;
  const { createMetricsServer } = await import('./metrics/metrics-server.ts');
  return createMetricsServer({ host, port, logger });
}

/** Fails at the start if the data directory isn't writable, before anything can be lost. */
function ensureDataDir({ dataDir }: Config): void {
  if (dataDir === undefined) return;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const code = codeOf(cause);
    const advice = 'Set LANDFALL_DATA_DIR to a writable directory, or to :memory: to store nothing.';
    throw new Error(
      `Landfall can't write to the data directory ${dataDir}${code ? ` (${code})` : ''}. ${advice}`,
      { cause },
    );
  }
}

/** Says why the database does not answer, and which port is in use; returns other errors as they are. */
function explainStartError(cause: unknown, { host, metricsPort, ...config }: Config): unknown {
  if (cause instanceof StoreUnavailable) return new Error(fullMessageOf(cause), { cause });
  if (codeOf(cause) !== 'EADDRINUSE') return cause;
  const isMetrics = cause instanceof Error && 'port' in cause && cause.port === metricsPort;
  const [setting, port] = isMetrics ? ['METRICS_PORT', metricsPort] : ['PORT', config.port];
  const advice = `Stop the program that uses it, or set ${setting} to another port.`;
  return new Error(`Port ${port} on ${host} is in use. ${advice}`, { cause });
}

/** One line that says where to go now. */
function greet(options: {
  url: string;
  botUrl: string | undefined;
  /** Undefined for many workspaces. */
  team: string | undefined;
  playground: Playground | undefined;
  sandbox: Sandbox | undefined;
}): string {
  const { url, botUrl, team, playground, sandbox } = options;
  const data = sandbox ? ' All data is invented.' : '';
  if (playground && team)
    return `Landfall is ready. Open ${url} and type /${exampleTaking('vessels', commands)}.${data}`;
  if (playground)
    return `Landfall is ready for two workspaces. Open ${url}, and install it from ${botUrl}.${data}`;
  return `Landfall is ready in ${team ?? 'the workspaces that install it'}. Health: ${url}/readyz.${data}`;
}

/** A part of the process that has to be closed. */
interface Part {
  name: string;
  close(): Promise<unknown>;
}

/** Each part has at least this time to close, or an equal share if less than that is left. */
const minClosingMs = 300;

/** Closes one part after the other, within `deadlineMs` in all. Logs and skips a part that hangs or fails. */
export async function closeParts(
  parts: readonly Part[],
  { deadlineMs, logger }: { deadlineMs: number; logger: Logger },
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  for (const [index, { name, close }] of parts.entries()) {
    const leftMs = Math.max(0, endsAt - performance.now());
    const partsLeft = parts.length - index - 1;
    try {
      const closeWithinMs = Math.max(leftMs - partsLeft * minClosingMs, leftMs / (partsLeft + 1));
      await withinDeadline(closeWithinMs, async () => close());
    } catch (error) {
      logger.warn({ part: name, reason: messageOf(error) }, 'a part was not closed properly');
    }
  }
}

/** The pictures that messages show: their addresses, and the routes behind these. */
function createPictures(options: { box: SecretBox; logger: Logger; timeoutMs: number | undefined }) {
  const { box, logger, timeoutMs } = options;
  const addresses = createPictureAddresses(box.deriveKeys('picture addresses'));
  const drawer = createDrawer({ timeoutMs });
  return {
    routes: { [`${picturesPath}*`]: createPictureServer({ addresses, drawer, logger }) },
    close: drawer.close,
    /** `origin`: where Slack reaches the server, without a final slash. Without it there are no pictures. */
    at: (origin: string | undefined): Pictures | undefined =>
      origin === undefined ? undefined : { urlOf: (map) => `${origin}${addresses.pathOf(map)}` },
  };
}
