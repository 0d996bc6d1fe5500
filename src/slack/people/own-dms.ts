import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

/** Whether a direct message is that of a person with the bot. Where Slack does not say, it is not. */
export type IsOwnDm = (userId: string, channelId: string) => Promise<boolean>;

interface OwnDms {
  /** The direct message of a person with the bot. Rejects where Slack does not say. */
  of(userId: string): Promise<string>;
  isOwn: IsOwnDm;
}

/** Asked once a person: a direct message keeps its id. `conversations.info` would need a scope more. */
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
