import { type Kysely, sql } from 'kysely';
import { acrossWorkspaces } from '../database/across-workspaces.ts';
import type { Schema } from '../database/schema.ts';

/** Those of messages that were not sent. */
export const unsentStates = ['pending', 'sending', 'held', 'failed'] as const;

export interface UnsentMessages {
  state: string;
  count: number;
  /** When the oldest was written, on the domain clock. */
  oldest: Date;
}

/** The messages of all workspaces that were not sent, by their state; a state without any is left out. */
export async function readUnsentMessages(db: Kysely<Schema>): Promise<UnsentMessages[]> {
  const { rows } = await sql<{ status: string; count: number; created_at: Date }>`
    select status, count(*) as count, min(created_at) as created_at
    from outbox where status <> 'sent' group by status ${acrossWorkspaces('metrics')}`.execute(db);
  return rows.map(({ status: state, count, created_at: oldest }) => ({ state, count, oldest }));
}
