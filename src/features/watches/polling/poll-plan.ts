import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { stretchFor } from './interval.ts';

export interface CallPlan {
  /** Polls a day that the watches of this account take, before any stretching. */
  plannedCalls: number;
  /** The budget; null: no bound. */
  dailyCalls: number | null;
  /** How much longer than planned each subject waits to keep within the budget. */
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

export async function readStretch(db: Kysely<Schema>, credentialId: string): Promise<number> {
  return (await readCallPlan(db, credentialId)).stretch;
}
