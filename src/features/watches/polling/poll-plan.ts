import { subDays } from 'date-fns/subDays';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { AskCtx } from '../../ctx.ts';
import { slowestMinutes } from '../../history/index.ts';
import { stretchFor } from './next-poll.ts';

export interface CallPlan {
  /** Requests per day for all watches of the workspace, before intervals are stretched. */
  plannedCalls: number;
  /** The budget of requests per day; undefined if there is none. */
  dailyCalls: number | undefined;
  /** Multiplies the intervals, to keep within what digests leave of the budget. */
  stretch: number;
}

/** That of the workspace, for people who ask. */
export const callPlanHere = ({ services, now }: Pick<AskCtx, 'services' | 'now'>): Promise<CallPlan> =>
  readCallPlan({ store: services.store, dailyCalls: services.settings.dailyCalls, now });

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

/** Of subjects that no active watch follows, the next poll may be far away. */
export const isWatched = sql<SqlBool>`exists (
  select 1 from followings
  join watches on watches.workspace_id = followings.workspace_id and watches.id = followings.watch_id
  where followings.workspace_id = due.workspace_id and followings.subject_id = due.id and watches.status = 'active'
)`;

/** The latest time of a subject's next poll: after its interval, or an hour after a failure. */
export function latestPoll({ now, stretch }: { now: Date; stretch: number }): RawBuilder<Date> {
  const retryAt = new Date(now.getTime() + longestRetryMs);
  const minutes = sql`least(greatest(${slowestMinutes}, interval_minutes), interval_minutes * ${stretch})`;
  return sql`case when attempts > 0 then cast(${retryAt} as bigint)
    else cast(${now} as bigint) + cast(60000 * ${minutes} as bigint) end`;
}
