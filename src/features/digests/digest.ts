import type { Selectable } from 'kysely';
import { z } from 'zod';
import { lineFacts } from '../../answers/comparison.ts';
import type { Schema } from '../../database/schema.ts';
import { type StoredDestination, storedDestination } from '../../messages/destination.ts';
import { date } from '../../reference/stored-values.ts';
import { type Schedule, schedule } from './schedule.ts';

/** Runs that were not sent, because no process ran them in time. `first` and `last` are scheduled times. */
export const missed = z.object({
  count: z.int().positive(),
  first: date,
  last: date,
  /** Some were planned before the store was restored from a backup, and probably sent. */
  isRestored: z.exactOptional(z.boolean()),
});
export type Missed = z.infer<typeof missed>;

/** The facts that the last digest showed, by canonical line. */
export const baselineLines = z.record(z.string(), lineFacts);
export type BaselineLines = z.infer<typeof baselineLines>;

/** The verdicts of statistics that the last digest showed, by canonical line. */
const verdicts = z.record(z.string(), z.string());

/** `at`: when that digest ran. */
const baseline = z.object({ at: date, lines: baselineLines, verdicts: verdicts.default({}) });
export type Baseline = z.infer<typeof baseline>;

export interface Digest {
  id: string;
  /** For a personal digest, the owner's id. */
  channelId: string;
  /** `direct-message`: the digest is personal, sent only to its owner. */
  destination: StoredDestination;
  /** Unique in its channel, from 1: the number that people type. */
  number: number;
  ownerId: string;
  /** The person who last chose the lines or the owner. The lines run with no more rights than this person has. */
  chosenBy: string;
  title: string;
  /** Canonical command lines that only read. */
  lines: readonly string[];
  schedule: Schedule;
  /** IANA name. */
  zone: string;
  /** If nothing is new, nothing is sent. */
  onlyNews: boolean;
  status: 'active' | 'paused';
  /** Slack's error code, if Slack refused a message; null if a person paused the digest. */
  pauseReason: string | null;
  /** The person who allowed people of other organisations to see it; null if nobody was asked. */
  outsidersAllowedBy: string | null;
  /** Meaningless while the digest is paused. */
  nextRunAt: Date;
  /** The next message reports these runs. */
  missed: Missed | null;
  /** A message is still in the outbox, and Slack has refused it at least once. */
  isUndelivered: boolean;
}

export const isPersonalDigest = ({ destination }: Pick<Digest, 'destination'>): boolean =>
  destination === 'direct-message';

/** `is_undelivered` is not a column: queries for digests that will be shown compute it. */
export function readDigest(row: Selectable<Schema['digests']> & { is_undelivered?: number }): Digest {
  return {
    id: row.id,
    channelId: row.channel_id,
    destination: storedDestination.parse(row.destination),
    number: row.number,
    ownerId: row.owner_id,
    chosenBy: row.chosen_by ?? row.owner_id,
    title: row.title,
    lines: z.array(z.string()).parse(row.lines),
    schedule: schedule.parse(row.schedule),
    zone: row.zone,
    onlyNews: row.only_news,
    status: z.enum(['active', 'paused']).parse(row.status),
    pauseReason: row.pause_reason,
    outsidersAllowedBy: row.outsiders_allowed_by,
    nextRunAt: row.due_at,
    missed: missed.nullable().parse(row.missed),
    isUndelivered: row.is_undelivered === 1,
  };
}

export function readBaseline(row: Pick<Selectable<Schema['digests']>, 'baseline'>): Baseline | null {
  return baseline.nullable().parse(row.baseline);
}
