import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type StoredDestination, storedDestination } from '../../../answers/message.ts';
import type { Schema } from '../../../database/schema.ts';
import { type Snooze, snooze } from '../../rules/evaluation/muting.ts';
import { type PortCondition, portCondition } from '../../rules/evaluation/snapshot.ts';
import type { Rules } from '../../rules/list.ts';
import { watchRules } from '../../rules/registry.ts';

export interface Watch {
  id: string;
  channelId: string;
  destination: StoredDestination;
  ownerId: string;
  /** `DS CYPRESS`, `fleet NORTH`. It is stored with the vessels' names of that time; `withTitle` renews them. */
  title: string;
  /** The key of the fleet whose members it follows; see `fleetKey`. */
  fleet: string | null;
  /** Limits it to the calls of some vessels at one port. */
  condition: PortCondition | null;
  rules: Rules;
  snooze: Snooze | null;
  /** `paused`: Slack refuses its messages; `ended`: by its rule “until next port”. */
  status: 'active' | 'paused' | 'ended';
  /** Slack's error code. */
  pauseReason: string | null;
  /** The person who allowed people of other organisations to see it; null if nobody was asked. */
  outsidersAllowedBy: string | null;
  /** The Slack timestamp of the card; null if the card was deleted. */
  cardTs: string | null;
  createdAt: Date;
}

/** Who changes a watch, and when. */
export interface ChangedBy {
  actorId: string;
  /** The domain clock. */
  now: Date;
  /** The real clock. */
  realNow: Date;
  /** The watch's current title, for the audit log and notices. Omitted: its stored title. */
  title?: string;
}

export function readWatch(row: Selectable<Schema['watches']>): Watch {
  return {
    id: row.id,
    channelId: row.channel_id,
    destination: storedDestination.parse(row.destination),
    ownerId: row.owner_id,
    title: row.title,
    fleet: row.fleet,
    condition: portCondition.nullable().parse(row.condition),
    rules: watchRules.rules.parse(row.rules),
    snooze: snooze.nullable().parse(row.snooze),
    status: z.enum(['active', 'paused', 'ended']).parse(row.status),
    pauseReason: row.pause_reason,
    outsidersAllowedBy: row.outsiders_allowed_by,
    cardTs: row.card_ts,
    createdAt: row.created_at,
  };
}
