import type { Selectable } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';

/** One subject's answer, or its failure. */
export interface Polled {
  /** As it was claimed. */
  row: Selectable<Schema['subjects']>;
  snapshot: Snapshot;
  /** After a failure. */
  retryMs: number;
  /** Of the interval, to keep within the call budget. */
  stretch: number;
}
