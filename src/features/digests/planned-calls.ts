import { addDays } from 'date-fns/addDays';
import { dayOf } from '../../workspaces/call-counts.ts';
import type { AskCtx } from '../ctx.ts';
import { polledSubjects } from '../polling/index.ts';
import { callsPerRun } from '../scheduled-calls.ts';
import { digestRuns } from './digests.ts';

/** A month of estimates. */
export const planDays = 30;

/** The requests of each digest in 30 days, by its id: as many a run as this month's runs took. */
export async function plannedDigestCalls(ctx: AskCtx): Promise<ReadonlyMap<string, number>> {
  const now = ctx.now();
  const { calls } = ctx.services;
  const since = await calls.since();
  const monthMs = Date.parse(`${dayOf(now.getTime()).slice(0, 7)}-01`);
  const from = new Date(Math.max(monthMs, since === undefined ? 0 : Date.parse(since)));
  const [runs, month] = await Promise.all([
    digestRuns({ from, now, until: addDays(now, planDays) }, ctx),
    calls.ofMonth(dayOf(now.getTime()).slice(0, 7)),
  ]);
  const counted = new Map(
    month.causes.flatMap(({ kind, key, calls: count }) => (kind === 'digest' ? [[key, count] as const] : [])),
  );
  return new Map(runs.map((run) => [run.id, run.left * callsPerRun(run, counted)]));
}

/** The requests of all watches and digests in 30 days. Everybody may know that sum. */
export async function callsAMonth(ctx: AskCtx): Promise<number> {
  const [{ subjects }, planned] = await Promise.all([polledSubjects(ctx), plannedDigestCalls(ctx)]);
  const polls = subjects.filter(({ isActive }) => isActive).map(({ callsPerDay }) => callsPerDay * planDays);
  return [...polls, ...planned.values()].reduce((sum, calls) => sum + calls, 0);
}
