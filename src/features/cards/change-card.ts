import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { PostError, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { WorkCtx } from '../ctx.ts';
import type { ChangedBy, Watch, WatchWithSubjects } from '../polling/index.ts';
import type { WatchMessage } from './messages.ts';
import { renderCard, renderStoppedCard } from './render-post.ts';

// Cards that are posted and changed while a person waits: each takes a few seconds at most.

/** Posts the card of a new watch. Throws PostError if Slack refuses it, UserError if Slack doesn't answer. */
export async function postCard(watch: WatchWithSubjects, ctx: WorkCtx): Promise<{ ts: string }> {
  const { slack, logger } = ctx.services;
  const message = await renderCard(watch, ctx);
  try {
    return await slack.messages.post({ channelId: watch.channelId, id: watch.id }, message);
  } catch (error) {
    if (error instanceof PostError) throw error;
    logger.warn({ err: error }, "it isn't known whether a card was posted");
    throw new UserError({
      code: 'bad-channel',
      message: 'Slack did not answer, so nothing was saved.',
      hint: 'If a card was posted anyway, it is removed within two minutes. Please try again.',
    });
  }
}

/** Removes a card if its watch could not be saved. Never throws. */
export async function removeCard(card: { channelId: string; ts: string }, ctx: WorkCtx): Promise<void> {
  await tryOrLog(() => ctx.services.slack.messages.remove(card), ctx);
}

/** Shows the final card, which says who stopped the watch. False if that fails; never throws. */
export const closeCard = (
  watch: Pick<Watch, 'title' | 'channelId' | 'destination' | 'cardTs'>,
  actor: { userId: string; at: Date },
  ctx: WorkCtx,
): Promise<boolean> =>
  tryOrLog(async () => {
    const { channelId, cardTs: ts } = watch;
    if (!ts) return;
    const message = await renderStoppedCard(watch, actor, ctx);
    await ctx.services.slack.messages.update({ channelId, ts }, message);
  }, ctx);

/** Logs an error instead of throwing it, because the outbox then changes the card later. */
async function tryOrLog(changeCard: () => Promise<unknown>, { services }: WorkCtx): Promise<boolean> {
  try {
    await changeCard();
    return true;
  } catch (error) {
    services.logger.warn({ err: error }, 'a card could not be changed');
    return false;
  }
}

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
