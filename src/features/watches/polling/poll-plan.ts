import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { slowestMinutes, stretchFor } from './next-poll.ts';

export interface CallPlan {
  /** Requests per day for all watches of this account, before intervals are stretched. */
  plannedCalls: number;
  /** The budget of requests per day; null if there is none. */
  dailyCalls: number | null;
  /** Multiplies the intervals, to keep within the budget. */
  stretch: number;
}

export async function readCallPlan(db: Kysely<Schema>, credentialId: string): Promise<CallPlan> {
  const row = await db
    .selectFrom('credentials')
    .leftJoin('subjects', 'subjects.credential_id', 'credentials.id')
    .select(['daily_calls', sql<number>`coalesce(sum(1440 / interval_minutes), 0)`.as('planned')])
    .where('credentials.id', '=', credentialId)
    .groupBy('credentials.id')
    .executeTakeFirst();
  const { planned: plannedCalls, daily_calls: dailyCalls } = row ?? { planned: 0, daily_calls: null };
  return { plannedCalls, dailyCalls, stretch: stretchFor(plannedCalls, dailyCalls) };
}

/** Longer than any wait after a failure, unless the service asks for more. */
const longestRetryMs = 60 * 60_000;

/** After a clock rollback, lets no watched subject wait longer than its interval, or an hour after a failure. */
export async function bringForward(
  db: Kysely<Schema>,
  { credentialId, now, stretch }: { credentialId: string; now: Date; stretch: number },
): Promise<void> {
  const retryAt = new Date(now.getTime() + longestRetryMs);
  const minutes = sql`least(greatest(${slowestMinutes}, interval_minutes), interval_minutes * ${stretch})`;
  const latest = sql<number>`case when attempts > 0 then cast(${retryAt} as bigint)
    else cast(${now} as bigint) + cast(60000 * ${minutes} as bigint) end`;
  await db
    .with(
      (cte) => cte('late').materialized(),
      (query) =>
        query
          .selectFrom('subjects')
          .select('id')
          .where('credential_id', '=', credentialId)
          .where(sql<SqlBool>`due_at > ${latest}`)
          .where(sql<SqlBool>`exists (
            select 1 from followings join watches on watches.id = followings.watch_id
            where followings.subject_id = subjects.id and watches.status = 'active'
          )`)
          .orderBy('id')
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('subjects')
    .set({ due_at: sql<Date>`${latest}` })
    .where('id', 'in', (query) => query.selectFrom('late').select('id'))
    .execute();
}
