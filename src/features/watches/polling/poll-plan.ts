import { subDays } from 'date-fns/subDays';
import { type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { slowestMinutes, stretchFor } from './next-poll.ts';

export interface CallPlan {
  /** Requests per day for all watches of the workspace, before intervals are stretched. */
  plannedCalls: number;
  /** The budget of requests per day; undefined if there is none. */
  dailyCalls: number | undefined;
  /** Multiplies the intervals, to keep within what digests leave of the budget. */
  stretch: number;
}

export async function readCallPlan({
  store,
  dailyCalls,
  now,
}: {
  store: WorkspaceStore;
  dailyCalls: number | undefined;
  now: () => Date;
}): Promise<CallPlan> {
  const { plannedCalls } = await store
    .selectFrom('subjects')
    .select(sql<number>`coalesce(sum(1440 / interval_minutes), 0)`.as('plannedCalls'))
    .executeTakeFirstOrThrow();
  if (dailyCalls === undefined) return { plannedCalls, dailyCalls, stretch: 1 };
  const { digestCalls } = await store
    .selectFrom('call_counts')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('calls'), sql<number>`0`).as('digestCalls'))
    .where('day', '=', subDays(now(), 1).toISOString().slice(0, 10))
    .where('kind', '=', 'digest')
    .executeTakeFirstOrThrow();
  // Digests are refused once the day's budget is used up, so watches leave them what they used the day before.
  const left = dailyCalls - Math.min(Number(digestCalls), dailyCalls / 2);
  return { plannedCalls, dailyCalls, stretch: stretchFor(plannedCalls, left) };
}

/** Longer than any wait after a failure, unless the service asks for more. */
const longestRetryMs = 60 * 60_000;

/** After a clock rollback, lets no watched subject wait longer than its interval, or an hour after a failure. */
export async function bringForward(
  store: WorkspaceStore,
  { now, stretch }: { now: Date; stretch: number },
): Promise<void> {
  const retryAt = new Date(now.getTime() + longestRetryMs);
  const minutes = sql`least(greatest(${slowestMinutes}, interval_minutes), interval_minutes * ${stretch})`;
  const latest = sql<number>`case when attempts > 0 then cast(${retryAt} as bigint)
    else cast(${now} as bigint) + cast(60000 * ${minutes} as bigint) end`;
  const late = store
    .selectFrom('subjects')
    .select('id')
    .where(sql<SqlBool>`due_at > ${latest}`)
    .where(sql<SqlBool>`exists (
      select 1 from followings join watches on ${store.isOwn('watches')} and watches.id = followings.watch_id
      where ${store.isOwn('followings')} and followings.subject_id = subjects.id and watches.status = 'active'
    )`)
    .orderBy('id')
    .forUpdate()
    .skipLocked();
  await sql`
    with late as materialized ${late}
    update subjects set due_at = ${latest}
    where ${store.isOwn('subjects')} and id in (select id from late)`.execute(store);
}
