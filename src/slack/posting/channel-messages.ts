import type { WebClient } from '@slack/web-api';
import type { ChannelMessages } from '../../features/feature.ts';
import { deliver } from './deliver.ts';
import { asPostError } from './post-errors.ts';
import { createPosts } from './posts.ts';

/** Of a rate limit: a turn to add a watch lasts fifteen seconds, and a person waits meanwhile. */
const longestWaitSeconds = 8;

/** `client`: that of what people wait for. */
export function createChannelMessages(client: WebClient): ChannelMessages {
  const posts = createPosts(client, undefined, longestWaitSeconds);
  return {
    async post({ channelId: channel, id }, message) {
      try {
        const { result } = await deliver(message, (rendering) => posts.post({ channel, id }, rendering));
        return { ts: result };
      } catch (error) {
        throw asPostError(error);
      }
    },
    async update({ channelId: channel, ts }, message) {
      await deliver(message, (rendering) => posts.update({ channel, ts }, rendering));
    },
    async remove({ channelId: channel, ts }) {
      await client.chat.delete({ channel, ts });
    },
    async linkTo({ channelId: channel, ts }) {
      const answer = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
      return answer?.permalink;
    },
  };
}
