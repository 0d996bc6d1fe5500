import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** What becomes of a message that Slack refuses for good, and of what it belongs to; one transaction. */
export type OnDeadLetter = (db: Kysely<Schema>, input: DeadLetter) => Promise<void>;

export interface DeadLetter {
  /** The message that was refused for good. */
  row: Selectable<Schema['outbox']>;
  leaseToken: string;
  /** Slack's. */
  code: string;
  now: Date;
  realNow: Date;
}
