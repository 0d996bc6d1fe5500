import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { CardOutcomeUnknownError } from '../../features/watches/service/card-outcome-unknown.ts';
import type { CardPoster } from '../../features/watches/service/card-poster.ts';
import type { WatchWithFollowings } from '../../features/watches/store/watch-list.ts';
import type { Message } from '../../messages/message.ts';
import { PostError } from '../../outbox/poster.ts';
import { deliver } from './deliver.ts';
import { asPostError } from './post-errors.ts';
import { createPosts } from './posts.ts';

export interface CardPosterOptions {
  /** The client of what people wait for. */
  client: WebClient;
  render(watch: WatchWithFollowings): Promise<Message>;
  /** The last face of a card. */
  renderStopped(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<Message>;
  logger: Logger;
}

/** Of a rate limit: a turn to add a watch lasts fifteen seconds, and a person waits meanwhile. */
const longestWaitSeconds = 8;

/** Cards while somebody waits for them; what changes later is the outbox's matter. */
export function createCardPoster(options: CardPosterOptions): CardPoster {
  const { client, render, renderStopped, logger } = options;
  const posts = createPosts(client, undefined, longestWaitSeconds);

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
        const { result } = await deliver(message, (rendering) =>
          posts.post({ channel: watch.channelId, id: watch.id }, rendering),
        );
        return { ts: result };
      } catch (error) {
        const why = asPostError(error);
        if (why instanceof PostError) throw why;
        logger.warn({ err: error }, 'nobody knows whether a card was posted');
        throw new CardOutcomeUnknownError('Slack did not answer', { cause: error });
      }
    },
    async remove({ channelId, ts }) {
      await quietly(() => client.chat.delete({ channel: channelId, ts }));
    },
    close: (watch, actor) =>
      quietly(async () => {
        const { channelId: channel, cardTs: ts } = watch;
        if (!ts) return;
        const message = await renderStopped(watch, actor);
        await deliver(message, (rendering) => posts.update({ channel, ts }, rendering));
      }),
  };
}
