import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { WatchMessage } from '../messages/messages.ts';
import type { ChangedBy, Watch } from './watch.ts';

/** Longer than it takes to add a watch. */
const savedWithinMs = 60_000;
/** Longer than it takes to update a card while a person waits. */
const updatedWithinMs = 15_000;

/** The message that waits in the outbox to repair a card without a watch, even if this process dies. */
const messageId = (watchId: string): string => `card/${watchId}`;

type ExpectedCard = Pick<Watch, 'id' | 'workspaceId' | 'channelId'>;

/** Call before a card is posted. The outbox removes the card unless its watch is saved within a minute. */
export async function expectCard(db: Kysely<Schema>, card: ExpectedCard, by: ChangedBy): Promise<void> {
  const message: WatchMessage = { kind: 'card-removal', watchId: card.id, since: by.realNow };
  await enqueue(db, card, message, { ...by, waitMs: savedWithinMs });
}

/** Call in the transaction that deletes the watch. The outbox then posts the final card. */
export async function expectFinalCard(db: Kysely<Schema>, watch: Watch, by: ChangedBy): Promise<void> {
  const { cardTs, title } = watch;
  if (cardTs === null) return;
  const message: WatchMessage = { kind: 'card-stopped', cardTs, title, userId: by.actorId, at: by.now };
  await enqueue(db, watch, message, { ...by, waitMs: updatedWithinMs });
}

/**
 * Deletes the message of `expectCard` or `expectFinalCard`. Call when the card has its watch or is final, or was never
 * posted. False if the message is being sent, or there is none.
 */
export async function forgetCard(db: Kysely<Schema>, watchId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('id', '=', messageId(watchId))
    .where('status', '=', 'pending')
    .where('lease_token', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function enqueue(
  db: Kysely<Schema>,
  { id, workspaceId, channelId }: ExpectedCard,
  message: WatchMessage,
  { now, realNow, waitMs }: ChangedBy & { waitMs: number },
): Promise<void> {
  const dueAt = new Date(realNow.getTime() + waitMs);
  const row = pendingMessage({ id: messageId(id), workspaceId, channelId, message, now, dueAt });
  await db.insertInto('outbox').values(row).execute();
}
