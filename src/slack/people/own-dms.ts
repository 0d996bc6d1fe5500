import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

/** Is the channel the person's direct message with the bot? False if Slack does not answer. */
export type IsOwnDm = (userId: string, channelId: string) => Promise<boolean>;

interface OwnDms {
  /** A person's direct message with the bot. Rejects if Slack does not answer. */
  of(userId: string): Promise<string>;
  isOwn: IsOwnDm;
}

/** Cached: a direct message's id never changes. `conversations.info` would need another scope. */
export function createOwnDms({ client }: { client: WebClient }): OwnDms {
  const known = new LRUCache<string, string>({ max: 10_000 });
  const of = async (userId: string) => {
    const earlier = known.get(userId);
    if (earlier !== undefined) return earlier;
    const { channel } = await client.conversations.open({ users: userId });
    if (!channel?.id) throw new Error('Slack opened no direct message');
    known.set(userId, channel.id);
    return channel.id;
  };
  return {
    of,
    async isOwn(userId, channelId) {
      return (await of(userId).catch(() => undefined)) === channelId;
    },
  };
}
