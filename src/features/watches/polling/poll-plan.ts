import { type Kysely, sql } from 'kysely';
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
    .select([
      'daily_calls',
      sql<number>`coalesce(sum(1440 / interval_minutes), 0)::double precision`.as('planned'),
    ])
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
  const minutes = sql`least(greatest(${slowestMinutes}::double precision, interval_minutes), interval_minutes * ${stretch}::double precision)`;
  const latest = sql`case when attempts > 0 then ${retryAt}::timestamptz
    else ${now}::timestamptz + make_interval(secs => 60 * ${minutes}) end`;
  await sql`
    with late as materialized (
      select id from subjects
      where credential_id = ${credentialId} and due_at > ${latest}
        and exists (
          select 1 from followings join watches on watches.id = followings.watch_id
          where followings.subject_id = subjects.id and watches.status = 'active'
        )
      order by id for update skip locked
    )
    update subjects set due_at = ${latest} from late where subjects.id = late.id`.execute(db);
}
