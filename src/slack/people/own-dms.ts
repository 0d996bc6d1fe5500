import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

/** Whether a channel is the direct message of a person with the bot. Where Slack does not say, it is not. */
export type IsOwnDm = (userId: string, channelId: string) => Promise<boolean>;

/** Asked once a person: a direct message keeps its id. `conversations.info` would need a scope more. */
export function createOwnDms({ client }: { client: WebClient }): IsOwnDm {
  const known = new LRUCache<string, string>({ max: 10_000 });
  return async (userId, channelId) => {
    if (!channelId.startsWith('D')) return false;
    const earlier = known.get(userId);
    if (earlier) return earlier === channelId;
    const { channel } = await client.conversations.open({ users: userId }).catch(() => ({ channel: null }));
    if (channel?.id) known.set(userId, channel.id);
    return channel?.id === channelId;
  };
}
