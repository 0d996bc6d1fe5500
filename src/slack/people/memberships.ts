import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

export type Memberships = (userId: string) => Promise<ReadonlySet<string>>;

const pages = 20;

/** Those of a person's channels that the bot can see, cached for a minute. */
export function createMemberships(options: { client: WebClient; realNow: () => number }): Memberships {
  const { client, realNow } = options;
  const known = new LRUCache<string, Promise<ReadonlySet<string>>>({
    max: 2_000,
    ttl: 60_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });

  async function ask(userId: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    let cursor = '';
    for (let page = 0; page < pages; page += 1) {
      const answer = await client.users.conversations({
        user: userId,
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: 200,
        ...(cursor && { cursor }),
      });
      for (const { id } of answer.channels ?? []) if (id) ids.add(id);
      cursor = answer.response_metadata?.next_cursor ?? '';
      if (!cursor) break;
    }
    return ids;
  }

  return (userId) => {
    const earlier = known.get(userId);
    if (earlier) return earlier;
    const channels = ask(userId).catch((error: unknown) => {
      if (known.peek(userId) === channels) known.delete(userId);
      throw error;
    });
    known.set(userId, channels);
    return channels;
  };
}
