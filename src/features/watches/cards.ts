import { UserError } from '../../errors.ts';
import { PostError } from '../../outbox/outgoing-message.ts';
import type { WorkCtx } from '../ctx.ts';
import { renderOf } from './messages/render-post.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';

// Cards that are posted and changed while a person waits: each takes a few seconds at most.

/** Posts the card of a new watch. Throws PostError if Slack refuses it, UserError if Slack doesn't answer. */
export async function postCard(watch: WatchWithSubjects, ctx: WorkCtx): Promise<{ ts: string }> {
  const { slack, logger } = ctx.services;
  const message = await renderOf(ctx).card(watch);
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
  watch: WatchWithSubjects,
  actor: { userId: string; at: Date },
  ctx: WorkCtx,
): Promise<boolean> =>
  tryOrLog(async () => {
    const { channelId, cardTs: ts } = watch;
    if (!ts) return;
    const message = await renderOf(ctx).stoppedCard(watch, actor);
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
