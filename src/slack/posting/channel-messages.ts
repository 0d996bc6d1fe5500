import type { WebClient } from '@slack/web-api';
import type { ChannelMessages } from '../../features/feature.ts';
import { deliver } from './deliver.ts';
import { asPostError } from './post-errors.ts';
import { createPosts } from './posts.ts';

/** A person waits, and the claim to add a watch expires after 15 s. */
const maxWaitSeconds = 8;

export function createChannelMessages(client: WebClient): ChannelMessages {
  const posts = createPosts(client, undefined, maxWaitSeconds);
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
