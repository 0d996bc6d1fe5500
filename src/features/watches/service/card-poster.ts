import { UserError } from '../../../errors.ts';
import type { Logger } from '../../../log.ts';
import type { Message } from '../../../messages/message.ts';
import { PostError } from '../../../outbox/poster.ts';
import type { ChannelMessages } from '../../feature.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';

/** Posts and changes cards while a person waits. Each method ends within a few seconds. */
export interface CardPoster {
  /** Posts the card of a new watch. Throws PostError if Slack refuses it, UserError if Slack doesn't answer. */
  post(watch: WatchWithFollowings): Promise<{ ts: string }>;
  /** Removes a card if its watch could not be saved. Never throws. */
  remove(card: { channelId: string; ts: string }): Promise<void>;
  /** Shows the final card: who stopped the watch, without buttons. False if Slack refuses it; never throws. */
  close(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<boolean>;
}

interface CardPosterOptions {
  messages: ChannelMessages;
  render(watch: WatchWithFollowings): Promise<Message>;
  renderStopped(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<Message>;
  logger: Logger;
}

/** Later changes of a card go through the outbox. */
export function createCardPoster(options: CardPosterOptions): CardPoster {
  const { messages, render, renderStopped, logger } = options;

  /** The watch itself is saved or deleted already, so an error is only logged. */
  const tryTo = async (changeCard: () => Promise<unknown>) => {
    try {
      await changeCard();
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'a card could not be changed');
      return false;
    }
  };

  return {
    async post(watch) {
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
    async remove(card) {
      await tryTo(() => messages.remove(card));
    },
    close: (watch, actor) =>
      tryTo(async () => {
        const { channelId, cardTs: ts } = watch;
        if (ts) await messages.update({ channelId, ts }, await renderStopped(watch, actor));
      }),
  };
}
