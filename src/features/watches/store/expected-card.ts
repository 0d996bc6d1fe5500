import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import type { WatchMessage } from '../messages/messages.ts';
import type { By } from './by.ts';
import type { Watch } from './watch.ts';

/** Longer than a watch takes to be added. */
const savedWithinMs = 60_000;
/** Longer than a card takes to be drawn while somebody waits. */
const drawnWithinMs = 15_000;

/** What is to be done about a card that has no watch waits in the outbox: whoever dies meanwhile, it is done. */
const idOf = (watchId: string): string => `card/${watchId}`;

interface Card {
  /** The watch's. */
  id: string;
  workspaceId: string;
  channelId: string;
}

/** Before it is posted. */
export const expectCard = (db: Kysely<Schema>, card: Card, by: By): Promise<void> =>
  write(db, card, {
    ...by,
    message: { kind: 'card-removal', watchId: card.id, since: by.realNow },
    waitMs: savedWithinMs,
  });

/** In the transaction that takes the watch away. */
export async function expectFinalCard(db: Kysely<Schema>, watch: Watch, by: By): Promise<void> {
  const { cardTs, title } = watch;
  if (cardTs === null) return;
  const message: WatchMessage = { kind: 'card-stopped', cardTs, title, userId: by.actorId, at: by.now };
  await write(db, watch, { ...by, message, waitMs: drawnWithinMs });
}

/** False when somebody is at it already, or there is nothing to forget. */
export async function forgetCard(db: Kysely<Schema>, watchId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('id', '=', idOf(watchId))
    .where('status', '=', 'pending')
    .where('lease_token', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function write(
  db: Kysely<Schema>,
  { id, workspaceId, channelId }: Card,
  { message, waitMs, now, realNow }: By & { message: WatchMessage; waitMs: number },
): Promise<void> {
  const at = { now, realNow: new Date(realNow.getTime() + waitMs) };
  const row = pendingMessage({ id: idOf(id), workspaceId, channelId, message, ...at });
  await db.insertInto('outbox').values(row).execute();
}
