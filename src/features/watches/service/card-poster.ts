import type { Logger } from '../../../log.ts';
import type { Message } from '../../../messages/message.ts';
import { PostError } from '../../../outbox/poster.ts';
import type { ChannelMessages } from '../../feature.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { CardOutcomeUnknownError } from './card-outcome-unknown.ts';

/** How cards reach Slack while somebody waits for it. Each call ends within a few seconds. */
export interface CardPoster {
  /** The first message of a watch, which nothing is known of yet. Throws PostError where Slack says no, and CardOutcomeUnknownError where it says nothing. */
  post(watch: WatchWithFollowings): Promise<{ ts: string }>;
  /** Of a watch that could not be saved after all. Never throws. */
  remove(card: { channelId: string; ts: string }): Promise<void>;
  /**
   * The final card of a watch that is gone: it says who stopped it, and has no buttons. False where Slack did not
   * take it; never throws.
   */
  close(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<boolean>;
}

interface CardPosterOptions {
  messages: ChannelMessages;
  render(watch: WatchWithFollowings): Promise<Message>;
  renderStopped(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<Message>;
  logger: Logger;
}

/** What changes later is the outbox's matter. */
export function createCardPoster(options: CardPosterOptions): CardPoster {
  const { messages, render, renderStopped, logger } = options;

  /** What has been saved stands, whatever becomes of its card. */
  const quietly = async (work: () => Promise<unknown>) => {
    try {
      await work();
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
        throw new CardOutcomeUnknownError('Slack did not answer', { cause: error });
      }
    },
    async remove(card) {
      await quietly(() => messages.remove(card));
    },
    close: (watch, actor) =>
      quietly(async () => {
        const { channelId, cardTs: ts } = watch;
        if (ts) await messages.update({ channelId, ts }, await renderStopped(watch, actor));
      }),
  };
}
