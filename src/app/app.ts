import type { Config, SlackConfig } from '../config/config.ts';
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
import { advanceWorld, inventedNames, startPlayground, startSandbox } from './embedded.ts';
import { newRef } from './new-ref.ts';
import { accountFor, createService } from './service.ts';
import { ensureDataDir, explainStartError } from './start-checks.ts';
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
  /** Runs due work automatically; tests turn it off and call `runDue`. */
  automatic?: boolean;
}

export interface Started {
  /** One line that says where to go now. */
  greeting: string;
  /** The playground's page, or the bot's own server. */
  url: string;
  playground: Playground | undefined;
  sandbox: Sandbox | undefined;
  /** Does all the work that is due now: polls, digests, messages, retention. */
  runDue(): Promise<void>;
  /** Advances the sandbox's clock in steps, with `runDue` after each. Does nothing without the sandbox. */
  advance(hours: number): Promise<void>;
}

export interface LandfallApp {
  /** Starts sandbox, store, playground and bot. After a rejection `stop` cleans up. */
  start(): Promise<Started>;
  /** Finishes work in flight, then closes the parts in reverse order, within `deadlineMs` in all. */
  stop(deadlineMs: number): Promise<{ unfinished: number }>;
}

/** The share of a stop's deadline that is reserved for closing the parts. */
const closingMs = 1_500;

/** The composition root of one process: starts the parts in order, and stops them in reverse. */
export function createApp(options: AppOptions): LandfallApp {
  const {
    config,
    logger,
    fetch = globalThis.fetch,
    realNow = Date.now,
    timing = {},
    automatic = true,
  } = options;
  const parts: Part[] = [];
  let edge: SlackEdge | undefined;
  let work: DueLoop | undefined;

  const start = async (): Promise<Started> => {
    ensureDataDir(config);
    const sandbox = config.analytics === 'sandbox' ? await startSandbox(options) : undefined;
    if (sandbox) parts.push({ name: 'sandbox', close: sandbox.close });
    const store = await openStore(config, {
      logger,
      ...(options.connect && { connect: options.connect }),
    });
    parts.push({ name: 'store', close: store.close });
    const advance = async (hours: number) => {
      if (sandbox && work) await advanceWorld(sandbox, { hours, runDue: work.runDue });
    };
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
    if (automatic) due.start();
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
        throw explainStartError(cause, config);
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

function workspaceOptions(
  { config, logger, realNow = Date.now }: AppOptions,
  { store, sandbox, connection }: { store: Store; sandbox: Sandbox | undefined; connection: SlackConnection },
) {
  const { teamId: id, teamName: name } = connection.installation;
  return {
    store,
    workspace: { id, name },
    account: accountFor(config, sandbox),
    source: sandbox ? ('sandbox' as const) : ('service' as const),
    dailyCalls: config.watches.dailyCalls,
    firstNames: inventedNames(sandbox),
    realNow,
    logger,
  };
}

function realSlack({ slack }: Config): SlackConfig {
  if (slack === 'playground') throw new Error('the playground has not been started');
  return slack;
}

function slackOf(playground: Playground, { playgroundMode: mode }: Config): SlackConfig {
  const { botToken, signingSecret, appToken, apiUrl } = playground;
  return { mode, botToken, signingSecret, appToken: mode === 'socket' ? appToken : undefined, apiUrl };
}

/** The playground itself listens on HOST and PORT and serves the health pages; the bot needs a port only for HTTP. */
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
