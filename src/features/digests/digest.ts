import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../database/schema.ts';
import { type StoredDestination, storedDestination } from '../../messages/destination.ts';
import { date } from '../../reference/stored-values.ts';
import { told } from './facts.ts';
import type { Schedule } from './schedule.ts';

export const schedule = z.object({
  days: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('week'), weekdays: z.array(z.int().min(1).max(7)).min(1) }),
    z.object({ kind: z.literal('month'), dates: z.array(z.int().min(1).max(31)).min(1) }),
  ]),
  minutes: z.array(z.int().min(0).max(1439)).min(1),
});

/** Runs that nobody was up for, or that were too late to be caught up. */
export const missed = z.object({ count: z.int().positive(), first: date, last: date });
export type Missed = z.infer<typeof missed>;

export interface Digest {
  id: string;
  workspaceId: string;
  /** A channel's, or the owner's own id for a digest to oneself. */
  channelId: string;
  destination: StoredDestination;
  /** Within its channel, from 1; what people call it by. */
  number: number;
  ownerId: string;
  /** Who last chose its lines or its owner: nobody lends it rights that they have not. */
  chosenBy: string;
  title: string;
  /** Canonical command lines that only read. */
  lines: readonly string[];
  schedule: Schedule;
  /** IANA name. */
  zone: string;
  /** Not sent when nothing is new. */
  onlyNews: boolean;
  status: 'active' | 'paused';
  /** Slack's error code, where its message can't be posted; null where a person paused it. */
  pauseReason: string | null;
  /** On the domain clock; of a paused digest it means nothing. */
  nextRunAt: Date;
  lastRunAt: Date | null;
  /** To be reported in the next message. */
  missed: Missed | null;
  /** A message of it waits, since Slack has not taken it. */
  isUndelivered: boolean;
  createdAt: Date;
}

/** `is_undelivered`: asked of the outbox where people are told of it. */
export function readDigest(row: Selectable<Schema['digests']> & { is_undelivered?: boolean }): Digest {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
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
    nextRunAt: row.due_at,
    lastRunAt: row.last_run_at,
    missed: missed.nullable().parse(row.missed),
    isUndelivered: row.is_undelivered ?? false,
    createdAt: row.created_at,
  };
}

/** What its readers were told in the last message, and when that was, on the domain clock. */
const lastTold = z.object({ at: date, lines: told });
export type LastTold = z.infer<typeof lastTold>;

/** What the next run compares with, and what it reports. */
export function readMemory(row: Selectable<Schema['digests']>): {
  told: LastTold | null;
  missed: Missed | null;
} {
  return { told: lastTold.nullable().parse(row.baseline), missed: missed.nullable().parse(row.missed) };
}
