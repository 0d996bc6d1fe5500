import { type SqlBool, sql } from 'kysely';
import { type DueRows, isNotPaused } from '../../database/due.ts';
import { type AllWorkspaces, acrossWorkspaces } from '../../database/workspace-store.ts';
import { messageOf } from '../../errors.ts';
import { withinDeadline } from '../../features/ctx.ts';
import type { Logger } from '../../log.ts';
import { createWebServer, serveRoutes } from '../../slack/receivers/http.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import { callLimit, lowerLimit } from '../../workspaces/settings.ts';
import { rowsByJob } from '../jobs.ts';
import type { Store } from '../store.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** Prometheus gives up after 10 s, and would take a database that hangs for a process that is down. */
const maxReadingMs = 5_000;

/** Counts at once; serves /metrics after `start`. Requests at the same time share a reading of the store. */
export function createMetricsServer(options: {
  host: string;
  port: number;
  logger: Logger;
  readingMs?: number;
}) {
  const { host, port, logger, readingMs = maxReadingMs } = options;
  const metrics = createMetrics();
  const { registry, measure } = metrics;
  let sources: GaugeSources | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<string> {
    // Without the store, the counters are still there, and say what is wrong.
    try {
      await withinDeadline(readingMs, readStore);
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the metrics of the store could not be read');
    }
    return registry.metrics();
  }

  /** One that hangs goes on, and no other begins. */
  async function readStore(): Promise<void> {
    if (!sources) return;
    reading ??= readGauges(metrics, sources).finally(() => {
      reading = undefined;
    });
    await reading;
  }

  async function answer({ method }: Request): Promise<Response> {
    if (method !== 'GET') return new Response(null, { status: 404 });
    const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
    try {
      return new Response(await read(), { headers });
    } catch (error) {
      logger.error({ err: error }, 'the metrics could not be written');
      return new Response(null, { status: 500 });
    }
  }

  const serve = serveRoutes({ '/metrics': answer });
  const server = createWebServer({
    host,
    port,
    handle(request, response) {
      if (!serve(request, response)) response.writeHead(404).end();
    },
  });
  return {
    measure,
    /** Listens; returns the address. Rejects if the port is in use. */
    async start(read: GaugeSources): Promise<string> {
      sources = read;
      return `${await server.start()}/metrics`;
    },
    close: server.cut,
  };
}

export interface GaugeSources {
  version: string;
  source: 'service' | 'sandbox';
  store: Pick<Store, 'db' | 'engine'>;
  /** That of the settings; undefined without one. */
  dailyCalls: number | undefined;
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  whyNotReady: () => readonly string[];
}

/** As /readyz: the jobs look every second, so a row that waits for two minutes is late. */
const lateMs = 2 * 60_000;

/** Sets the gauges to what the store holds now. Throws if it doesn't answer; then they are absent. */
export async function readGauges(metrics: Metrics, sources: GaugeSources): Promise<void> {
  const { setGauge } = metrics;
  const { version, source, dailyCalls } = sources;
  const { db, engine } = sources.store;
  const now = sources.now();
  const realNow = new Date(sources.realNow());
  metrics.clearGauges();
  setGauge('landfall_build_info', 1, { version, source });
  setGauge('landfall_ready', sources.whyNotReady().length === 0 ? 1 : 0);

  for (const [work, rows] of Object.entries(rowsByJob)) {
    const clock = rows.clock === 'real' ? realNow : now;
    const counts = await countDue(db, rows, clock);
    setGauge('landfall_due_rows', counts?.due ?? 0, { work });
    setGauge('landfall_late_rows', counts?.late ?? 0, { work });
    setGauge('landfall_oldest_due_age_seconds', secondsSince(counts?.due_at, clock), { work });
  }

  const unsent = await countUnsent(db);
  for (const state of ['pending', 'sending', 'held', 'failed']) {
    const messages = unsent.find((counted) => counted.state === state);
    setGauge('landfall_outbox_messages', messages?.count ?? 0, { state });
    setGauge('landfall_outbox_oldest_age_seconds', secondsSince(messages?.created_at, now), { state });
  }

  const installed = await callsOfInstalled(db, now);
  setGauge('landfall_installations', installed.length);
  const left = installed.flatMap(({ used, call_limit }) => {
    const limit = lowerLimit({ own: callLimit.parse(call_limit), operators: dailyCalls, now });
    return limit ? [Math.max(0, limit.dailyCalls - used)] : [];
  });
  if (left.length > 0 || dailyCalls !== undefined) {
    setGauge(
      'landfall_budget_calls_left',
      left.reduce((sum, calls) => sum + calls, 0),
    );
    setGauge('landfall_budget_exhausted_workspaces', left.filter((calls) => calls === 0).length);
  }

  const { rows } = await sql.raw<{ bytes: number }>(engine.size).execute(db);
  if (rows[0]) setGauge('landfall_store_size_bytes', rows[0].bytes);
}

/** 0 after a clock rollback, and without a time. */
const secondsSince = (time: Date | null | undefined, now: Date): number =>
  time ? Math.max(0, now.getTime() - time.getTime()) / 1_000 : 0;

/** Due rows of all workspaces that may work. `now` is on the clock of the rows. Claimed rows count too. */
async function countDue(
  db: AllWorkspaces,
  { table, where = sql<SqlBool>`true`, ...due }: DueRows,
  now: Date,
) {
  const late = new Date(now.getTime() - lateMs);
  const { rows } = await sql<{ due: number; late: number | null; due_at: Date | null }>`
    select count(*) as due, sum(case when due.due_at < ${late} then 1 else 0 end) as late, min(due.due_at) as due_at
    from workspaces
    join ${sql.table(table)} as due on due.workspace_id = workspaces.id and due.due_at <= ${now}
    left join installations on installations.id = installation_id
    where paused_at is null and uninstalled_at is null and revoked_at is null and ${isNotPaused(due, now)} and ${where}
    ${acrossWorkspaces('metrics')}`.execute(db);
  return rows[0];
}

/**
 * The messages of all workspaces that were not sent, by their state. Those of a workspace that may not work count as held.
 * `created_at`: of the oldest, on the domain clock.
 */
async function countUnsent(db: AllWorkspaces) {
  const { rows } = await sql<{ state: string; count: number; created_at: Date }>`
    select
      case
        when status <> 'failed'
          and (paused_at is not null or uninstalled_at is not null or revoked_at is not null) then 'held'
        else status
      end as state,
      count(*) as count, min(outbox.created_at) as created_at
    from outbox
    join workspaces on workspaces.id = outbox.workspace_id
    left join installations on installations.id = installation_id
    where status <> 'sent' group by 1 ${acrossWorkspaces('metrics')}`.execute(db);
  return rows;
}

/**
 * The requests of today, up to a minute ago, and the admins' limit, of each workspace that has the app installed. `now` is
 * on the domain clock.
 */
async function callsOfInstalled(db: AllWorkspaces, now: Date) {
  const { rows } = await sql<{ used: number; call_limit: unknown }>`
    select coalesce(sum(call_counts.calls), 0) as used, call_limit from workspaces
    left join installations on installations.id = installation_id
    left join call_counts on call_counts.workspace_id = workspaces.id and call_counts.day = ${dayOf(now.getTime())}
    where uninstalled_at is null and revoked_at is null
    group by workspaces.id ${acrossWorkspaces('metrics')}`.execute(db);
  return rows;
}
