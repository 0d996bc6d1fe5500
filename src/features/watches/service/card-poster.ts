import { UserError } from '../../../errors.ts';
import type { Logger } from '../../../log.ts';
import type { Message } from '../../../messages/message.ts';
import { PostError } from '../../../outbox/poster.ts';
import type { ChannelMessages } from '../../services.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';

export type CardPoster = ReturnType<typeof createCardPoster>;

interface CardPosterOptions {
  messages: ChannelMessages;
  render(watch: WatchWithSubjects): Promise<Message>;
  renderStopped(watch: WatchWithSubjects, actor: { userId: string; at: Date }): Promise<Message>;
  logger: Logger;
}

/** Posts and changes cards while a person waits: each method takes a few seconds at most. */
export function createCardPoster({ messages, render, renderStopped, logger }: CardPosterOptions) {
  /** Logs an error instead of throwing it, because the outbox then changes the card later. */
  const tryOrLog = async (changeCard: () => Promise<unknown>) => {
    try {
      await changeCard();
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'a card could not be changed');
      return false;
    }
  };

  return {
    /** Posts the card of a new watch. Throws PostError if Slack refuses it, UserError if Slack doesn't answer. */
    async post(watch: WatchWithSubjects): Promise<{ ts: string }> {
      const message = await render(watch);
      try {
        return await messages.post({ channelId: watch.channelId, id: watch.id }, message);
      } catch (error) {
        if (error instanceof PostError) throw error;
        logger.warn({ err: error }, "it isn't known whether a card was posted");
        throw new UserError({
          code: 'bad-channel',
          message: 'Slack did not answer, so nothing was saved.',
          hint: 'If a card was posted anyway, it is removed within two minutes. Please try again.',
        });
      }
    },

    /** Removes a card if its watch could not be saved. Never throws. */
    async remove(card: { channelId: string; ts: string }): Promise<void> {
      await tryOrLog(() => messages.remove(card));
    },

    /** Shows the final card, which says who stopped the watch. False if that fails; never throws. */
    close: (watch: WatchWithSubjects, actor: { userId: string; at: Date }): Promise<boolean> =>
      tryOrLog(async () => {
        const { channelId, cardTs: ts } = watch;
        if (ts) await messages.update({ channelId, ts }, await renderStopped(watch, actor));
      }),
  };
}
