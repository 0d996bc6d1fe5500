import { randomInt } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { type AnalyticsClientOptions, createAnalyticsClient } from '../analytics/client.ts';
import type { AnalyticsConfig, Config, SlackConfig } from '../config/config.ts';
import type { connectDatabase } from '../database/connect.ts';
import { createDueLoop, type DueLoop } from '../database/due-loop.ts';
import type { Logger } from '../log.ts';
import type { Playground } from '../playground/playground.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { connectSlack, type SlackConnection } from '../slack/connection/connect.ts';
import type { Timing } from '../slack/dispatch/dispatch.ts';
import { createSlackEdge, type SlackEdge } from '../slack/edge.ts';
import { forgetWorkspace } from '../workspaces/workspaces.ts';
import { closeParts, type Part } from './close-parts.ts';
import { accountOf, inventedNames, startPlayground, startSandbox } from './embedded.ts';
import { openStore, openWorkspaceStore, type Store } from './store.ts';
import { createWorkspace } from './workspace.ts';

export interface AppOptions {
  config: Config;
  logger: Logger;
  version: string;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds. */
  realNow?: () => number;
  timing?: Partial<Timing>;
  /** Tests share one database. */
  connect?: typeof connectDatabase;
  /** Does due work by itself; tests call `runDue`. */
  byItself?: boolean;
}

export interface Started {
  /** One line for people: where to go now. */
  greeting: string;
  /** Of the playground's page, or of the bot's own server. */
  url: string;
  playground: Playground | undefined;
  sandbox: Sandbox | undefined;
  /** Does all the work that is due now: polls, messages, what is too old. */
  runDue(): Promise<void>;
  /** Moves the invented world on, a quarter of an hour at a time, doing what is due after each. Needs the sandbox. */
  advance(hours: number): Promise<void>;
}

export interface LandfallApp {
  /** Sandbox, store, local Slack, bot. Rejects with what hindered it; `stop` then cleans up. */
  start(): Promise<Started>;
  /** Finishes what is in flight, then closes the parts in the reverse order: `deadlineMs` in all, whatever hangs. */
  stop(deadlineMs: number): Promise<{ unfinished: number }>;
}

/** A little less than a command has in all (15 s), so that the client's own error is the one that is shown. */
const serviceDeadlineMs = 14_000;
/** Of the time for a stop, what is left for the parts once work in flight has used up its own. */
const closingMs = 1_500;
const stepMs = 15 * 60_000;

/** The composition root: the only file that knows all the parts. */
export function createApp(options: AppOptions): LandfallApp {
  const {
    config,
    logger,
    fetch = globalThis.fetch,
    realNow = Date.now,
    timing = {},
    byItself = true,
  } = options;
  const parts: Part[] = [];
  let edge: SlackEdge | undefined;
  let work: DueLoop | undefined;

  const start = async (): Promise<Started> => {
    checkWritable(config);
    const sandbox = config.analytics === 'sandbox' ? await startSandbox(options) : undefined;
    if (sandbox) parts.push({ name: 'sandbox', close: sandbox.close });
    const store = await openStore(config, {
      logger,
      ...(options.connect && { connect: options.connect }),
    });
    parts.push({ name: 'store', close: store.close });
    const advance = (hours: number) => forward(sandbox, work, hours);
    const playground =
      config.slack === 'playground'
        ? await startPlayground(options, { reasons, sandbox, advance })
        : undefined;
    if (playground) parts.push({ name: 'playground', close: playground.close });
    const slack = playground ? slackOf(playground, config) : realSlack(config);
    const connection = await connectSlack({ slack, fetch, realNow, logger });
    const workspaceStore = await openWorkspaceStore(
      workspaceOptions(options, { store, sandbox, connection }),
    );
    const service = createService(options, sandbox, workspaceStore);
    const workspace = createWorkspace({
      ...options,
      ...service,
      workspace: workspaceStore,
      newRef,
      realNow,
      store,
      connection,
    });
    const due = createDueLoop({ jobs: workspace.jobs.map(({ runDue }) => runDue), now: service.now, logger });
    work = due;
    edge = createSlackEdge({
      connection,
      listen: listenOf(config, slack),
      workspace: { ...workspace, runDue: due.runDue },
      markUnavailable: workspace.markUnavailable,
      forgetWorkspace: () => forgetWorkspace(store.db, workspace.workspaceId),
      reasons: () => [
        ...(service.analytics.status().token.state === 'refused'
          ? ['the analytics service refuses the login']
          : []),
        ...(due.failure() === undefined ? [] : ['the database does not answer']),
      ],
      fetch,
      realNow,
      newRef,
      logger,
      timing,
    });
    const botUrl = await edge.start();
    if (botUrl) playground?.setRequestUrl(`${botUrl}/slack/events`);
    if (byItself) due.start();
    const url = playground?.url ?? botUrl ?? '';
    const source = sandbox ? 'sandbox' : 'service';
    logger.info({ url, mode: slack.mode, source, store: store.engine }, 'ready');
    const greeting = greet({ url, team: connection.installation.teamName, playground, sandbox });
    return { greeting, url, playground, sandbox, runDue: due.runDue, advance };
  };

  const reasons = () => edge?.reasons() ?? ['starting'];

  return {
    start: () =>
      start().catch((cause: unknown) => {
        throw portTaken(cause, config) ?? cause;
      }),
    async stop(deadlineMs) {
      const endsAt = performance.now() + deadlineMs;
      const inFlightMs = deadlineMs - Math.min(closingMs, deadlineMs / 2);
      const [result = { unfinished: 0 }] = await Promise.all([
        edge?.stop(inFlightMs),
        work?.stop(inFlightMs),
      ]);
      const leftMs = Math.max(0, endsAt - performance.now());
      await closeParts(parts.toReversed(), { deadlineMs: leftMs, logger });
      return result;
    },
  };
}

async function forward(
  sandbox: Sandbox | undefined,
  work: DueLoop | undefined,
  hours: number,
): Promise<void> {
  if (!sandbox || !work) return;
  for (let leftMs = hours * 3_600_000; leftMs > 0; leftMs -= stepMs) {
    sandbox.clock.advance(Math.min(stepMs, leftMs));
    await work.runDue();
  }
}

function workspaceOptions(
  { config, logger, realNow = Date.now }: AppOptions,
  { store, sandbox, connection }: { store: Store; sandbox: Sandbox | undefined; connection: SlackConnection },
) {
  const { teamId: id, teamName: name } = connection.installation;
  return {
    store,
    workspace: { id, name },
    account: sandbox ? accountOf(sandbox) : realService(config),
    source: sandbox ? ('sandbox' as const) : ('service' as const),
    dailyCalls: config.watches.dailyCalls,
    firstNames: inventedNames(sandbox),
    realNow,
    logger,
  };
}

function portTaken(cause: unknown, { host, port }: Config): Error | undefined {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) return undefined;
  const advice = 'Stop what uses it, or set PORT to another one.';
  return new Error(`Port ${port} on ${host} is in use. ${advice}`, { cause });
}

/** Said at the start: later it would be found out by what is lost. */
function checkWritable({ dataDir }: Config): void {
  if (dataDir === undefined) return;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const advice = 'Set LANDFALL_DATA_DIR to a directory that can, or to :memory: to keep nothing.';
    throw new Error(`Nothing can be written to the data directory ${dataDir}${reason}. ${advice}`, { cause });
  }
}

/** The analytics service and the clock that goes with it. The terminal uses the same, without a store. */
export function createService(
  { config, logger, fetch = globalThis.fetch, realNow = Date.now }: Omit<AppOptions, 'version'>,
  sandbox: Sandbox | undefined,
  shared: Pick<AnalyticsClientOptions, 'tokenStore' | 'scaleMemory'> = {},
) {
  const now = sandbox ? () => sandbox.clock.now() : () => new Date(realNow());
  const { probabilityScale, maxInFlight, timeoutMs, cacheMinutes } = config;
  const { tokenStore, scaleMemory } = shared;
  const analytics = createAnalyticsClient({
    ...(sandbox ? accountOf(sandbox) : realService(config)),
    fetch,
    now,
    realNow,
    logger,
    probabilityScale,
    maxInFlight,
    timeoutMs,
    deadlineMs: serviceDeadlineMs,
    cacheMinutes,
    ...(tokenStore && { tokenStore }),
    ...(scaleMemory && { scaleMemory }),
  });
  return { analytics, now, source: sandbox ? ('sandbox' as const) : ('service' as const) };
}

function realService({ analytics }: Config): AnalyticsConfig {
  if (analytics === 'sandbox') throw new Error('the sandbox has not been started');
  return analytics;
}

function realSlack({ slack }: Config): SlackConfig {
  if (slack === 'playground') throw new Error('the playground has not been started');
  return slack;
}

function slackOf(playground: Playground, { playgroundMode: mode }: Config): SlackConfig {
  const { botToken, signingSecret, appToken, apiUrl } = playground;
  return { mode, botToken, signingSecret, appToken: mode === 'socket' ? appToken : undefined, apiUrl };
}

/** The playground owns HOST and PORT, and serves the health pages; there the bot only needs a door for HTTP. */
function listenOf({ slack, host, port }: Config, { mode }: SlackConfig) {
  if (slack !== 'playground') return { host, port };
  return mode === 'http' ? { host: '127.0.0.1', port: 0 } : undefined;
}

function greet(started: {
  url: string;
  team: string;
  playground: Playground | undefined;
  sandbox: Sandbox | undefined;
}): string {
  const { url, team, playground, sandbox } = started;
  const data = sandbox ? ' All data is invented.' : '';
  if (playground) return `Landfall is ready. Open ${url} and type /nextport 9461477.${data}`;
  return `Landfall is ready in ${team}. Health: ${url}/readyz.${data}`;
}

/** Short enough to be read out on the phone; without letters that are taken for others. */
function newRef(): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
}

/** Of package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  // Our own file, whose version npm demands.
  return (JSON.parse(text) as { version: string }).version;
}
