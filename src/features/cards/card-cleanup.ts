import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import type { ChangedBy, Watch } from '../polling/watch.ts';
import type { WatchMessage } from './messages.ts';

/** Longer than it takes to add a watch. */
const removeAfterMs = 60_000;
/** Longer than it takes to update a card while a person waits. */
const finalCardAfterMs = 15_000;

/** The id of the message that waits in the outbox to clean up a card without a watch, even if this process dies. */
const cleanupId = (watchId: string): string => `card/${watchId}`;

type WatchIds = Pick<Watch, 'id' | 'channelId'>;

/** Call before a card is posted. After a minute, the outbox removes the card unless this is cancelled. */
export async function scheduleCardRemoval(
  store: WorkspaceStore,
  watch: WatchIds,
  by: ChangedBy,
): Promise<void> {
  const message: WatchMessage = { kind: 'card-removal', watchId: watch.id, since: by.realNow };
  await enqueue(store, watch, message, { ...by, waitMs: removeAfterMs });
}

/** Call in the transaction that deletes the watch. After 15 s, the outbox shows the final card unless cancelled. */
export async function scheduleFinalCard(store: WorkspaceStore, watch: Watch, by: ChangedBy): Promise<void> {
  const { cardTs, title } = watch;
  if (cardTs === null) return;
  const message: WatchMessage = { kind: 'card-stopped', cardTs, title, userId: by.actorId, at: by.now };
  await enqueue(store, watch, message, { ...by, waitMs: finalCardAfterMs });
}

/**
 * Cancels the removal or the final card. Call when the card has its watch, is final or was never posted. Returns false
 * if the outbox has begun the cleanup, or none is scheduled.
 */
export async function cancelCardCleanup(store: WorkspaceStore, { id }: Pick<Watch, 'id'>): Promise<boolean> {
  const { numDeletedRows } = await store
    .deleteFrom('outbox')
    .where('id', '=', cleanupId(id))
    .where('status', '=', 'pending')
    .where('lease_token', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function enqueue(
  store: WorkspaceStore,
  { id, channelId }: WatchIds,
  message: WatchMessage,
  { now, realNow, waitMs }: ChangedBy & { waitMs: number },
): Promise<void> {
  const dueAt = new Date(realNow.getTime() + waitMs);
  const row = pendingMessage({ id: cleanupId(id), channelId, message, now, dueAt });
  await store.insertInto('outbox', row).execute();
}
