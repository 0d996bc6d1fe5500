import { type Insertable, type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.ts';
import { date } from '../features/watches/evaluation/values.ts';
import { watchRules } from '../features/watches/rules/registry.ts';
import type { Watch } from '../features/watches/store/watch.ts';
import { pendingMessage } from './pending-message.ts';

const subjectColumns = z.object({ kind: z.string(), key: z.string() });

/** What is to be said, as data; how it looks is the poster's matter. */
export const outgoing = z.discriminatedUnion('kind', [
  /** The card again, since it was deleted. */
  z.object({ kind: z.literal('card') }),
  /** The card as it is when this is sent. */
  z.object({ kind: z.literal('card-update') }),
  /** Of a watch that was not saved after all: it is looked for since then (real clock), and taken away. */
  z.object({ kind: z.literal('card-removal'), watchId: z.string(), since: date }),
  /** The last face of the card of a watch that is gone; who stopped it, and when. */
  z.object({
    kind: z.literal('card-stopped'),
    cardTs: z.string(),
    title: z.string(),
    userId: z.string(),
    at: date,
  }),
  z.object({
    kind: z.literal('reply'),
    events: z.array(watchRules.event).readonly(),
    subjects: z.array(subjectColumns).readonly(),
    /** `thread`: under the card; `broadcast`: there and in the channel; `channel`: a message of its own. */
    place: z.enum(['thread', 'broadcast', 'channel']),
    /** Changes that follow in further replies of the thread. */
    more: z.number().default(0),
  }),
  /** One message for many watches of a channel; `members` are the outbox ids of what stands in the threads. */
  z.object({
    kind: z.literal('summary'),
    members: z.array(z.string()),
    items: z.array(
      z.object({
        watchId: z.string(),
        title: z.string(),
        events: z.array(watchRules.event).readonly(),
        /** In the thread, beside these. */
        more: z.number().default(0),
      }),
    ),
  }),
  /** To the owner alone: the watch is paused. `channel_id` of the row is the owner's id. */
  z.object({ kind: z.literal('notice'), title: z.string(), channelId: z.string(), reason: z.string() }),
  /** To the owner of several watches and digests of a channel: all of them are paused. Titles. */
  z.object({
    kind: z.literal('channel-notice'),
    watches: z.array(z.string()),
    /** In the same order; none in what was written before there were any. */
    watchIds: z.array(z.string()).default([]),
    digests: z.array(z.string()),
    channelId: z.string(),
    reason: z.string(),
  }),
  /** To the owner alone: somebody else has given their watch other rules. */
  z.object({
    kind: z.literal('rules-notice'),
    watchId: z.string(),
    title: z.string(),
    isPort: z.boolean(),
    channelId: z.string(),
    actorId: z.string(),
    before: watchRules.rules,
    after: watchRules.rules,
  }),
  /** A digest's: digests/digest-message.ts writes them, and reads them for who posts them. */
  z.looseObject({ kind: z.enum(['digest', 'digest-notice']) }),
  /** In the thread of the message whose outbox id is `parent`. */
  z.looseObject({ kind: z.literal('digest-detail'), parent: z.string() }),
]);
export type Outgoing = z.infer<typeof outgoing>;

export interface NewMessage {
  id: string;
  workspaceId: string;
  watchId: string | null;
  channelId: string;
  message: Outgoing;
  /** The domain clock. */
  now: Date;
  /** The real clock: what waits in the outbox waits for Slack. */
  realNow: Date;
}

export const toOutboxRow = (row: NewMessage): Insertable<Schema['outbox']> => pendingMessage(row);

/** A poll that is due at once has been answered after about this. */
export const pollTakesMs = 2_500;

/** One waiting update is enough: it shows the card as it is when it goes out. */
export async function queueCardUpdate(
  db: Kysely<Schema>,
  { watch, id, now, realNow }: { watch: Watch; id: string; now: Date; realNow: Date },
): Promise<void> {
  await queueCardUpdates(db, [
    toOutboxRow({
      id,
      workspaceId: watch.workspaceId,
      watchId: watch.id,
      channelId: watch.channelId,
      message: { kind: 'card-update' },
      now,
      realNow,
    }),
  ]);
}

/** Of these watches, what Refresh has put off until its poll is done goes out now; what Slack made wait does not. */
export async function expediteCardUpdates(
  db: Kysely<Schema>,
  { watchIds, realNow }: { watchIds: readonly string[]; realNow: Date },
): Promise<void> {
  if (watchIds.length === 0) return;
  const putOff = new Date(realNow.getTime() + pollTakesMs);
  await sql`
    with waiting as materialized (
      select id from outbox
      where kind = 'card-update' and status = 'pending' and error is null and watch_id in (${sql.join([...watchIds])})
        and due_at > ${realNow} and due_at <= ${putOff}
      order by id for update skip locked
    )
    update outbox set due_at = ${realNow} from waiting where outbox.id = waiting.id`.execute(db);
}

export async function queueCardUpdates(
  db: Kysely<Schema>,
  rows: readonly Insertable<Schema['outbox']>[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('outbox')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('watch_id')
        .where(sql<boolean>`kind = 'card-update' and status = 'pending'`)
        .doNothing(),
    )
    .execute();
}
