import { sql } from 'kysely';
import { readDueCounts } from '../../database/due-counts.ts';
import { readUnsentMessages, unsentStates } from '../../outbox/counts.ts';
import { readWorkspaceCounts } from '../../workspaces/counts.ts';
import { rowsByJob } from '../due-work.ts';
import type { Store } from '../store.ts';
import type { Metrics } from './metrics.ts';

export interface GaugeSources {
  version: string;
  source: 'service' | 'sandbox';
  store: Pick<Store, 'db' | 'engine'>;
  /** Undefined without a budget. */
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
  const { db, engine } = sources.store;
  const now = sources.now();
  const realNow = new Date(sources.realNow());
  metrics.clearGauges();
  const { version, source } = sources;
  setGauge('landfall_build_info', 1, { version, source });
  setGauge('landfall_ready', sources.whyNotReady().length === 0 ? 1 : 0);

  for (const [work, rows] of Object.entries(rowsByJob)) {
    const clock = rows.clock === 'real' ? realNow : now;
    const { due, late, oldest } = await readDueCounts(db, { ...rows, now: clock, lateMs });
    setGauge('landfall_due_rows', due, { work });
    setGauge('landfall_late_rows', late, { work });
    setGauge('landfall_oldest_due_age_seconds', secondsSince(oldest, clock), { work });
  }

  const unsent = new Map((await readUnsentMessages(db)).map((messages) => [messages.state, messages]));
  for (const state of unsentStates) {
    const { count = 0, oldest = null } = unsent.get(state) ?? {};
    setGauge('landfall_outbox_messages', count, { state });
    setGauge('landfall_outbox_oldest_age_seconds', secondsSince(oldest, now), { state });
  }

  const { installed, budget } = await readWorkspaceCounts(db, { now, dailyCalls: sources.dailyCalls });
  setGauge('landfall_installations', installed);
  if (budget) {
    setGauge('landfall_budget_calls_left', budget.callsLeft);
    setGauge('landfall_budget_exhausted_workspaces', budget.exhausted);
  }

  const { rows } = await sql.raw<{ bytes: number }>(engine.size).execute(db);
  if (rows[0]) setGauge('landfall_store_size_bytes', rows[0].bytes);
}

/** 0 after a clock rollback. */
const secondsSince = (time: Date | null, now: Date): number =>
  time === null ? 0 : Math.max(0, now.getTime() - time.getTime()) / 1_000;
