import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../log.ts';
import type { Reader } from '../../messages/message.ts';

export type Audience = Reader['audience'];

export interface Audiences {
  /** Who reads a channel. One that Slack can't describe counts as `outside`. */
  of(channelId: string): Promise<Audience>;
}

/** Cached for 10 minutes per channel, since a channel may become shared. */
export function createAudiences(options: {
  client: WebClient;
  realNow: () => number;
  logger: Logger;
}): Audiences {
  const { client, realNow, logger } = options;
  const known = new LRUCache<string, Promise<Audience>>({
    max: 2_000,
    ttl: 600_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });

  const ask = async (channelId: string): Promise<Audience> => {
    const { channel } = await client.conversations.info({ channel: channelId });
    if (channel?.is_im) return 'private';
    const shared = channel?.is_ext_shared || channel?.is_pending_ext_shared;
    return shared ? 'outside' : 'channel';
  };

  return {
    of(channelId) {
      const earlier = known.get(channelId);
      if (earlier) return earlier;
      const audience = ask(channelId).catch((error: unknown) => {
        logger.info({ reason: String(error) }, 'conversations.info failed: the channel counts as shared');
        known.set(channelId, audience, { ttl: 60_000 });
        return 'outside' as const;
      });
      known.set(channelId, audience);
      return audience;
    },
  };
}
