import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Person } from '../../workspaces/person.ts';
import { type Installation, isOutside } from '../connection/installation.ts';

export interface People {
  of(userId: string): Promise<Person>;
}

/** What Slack knows of a user, asked once an hour; a failure counts as an ordinary user in UTC for a minute. */
export function createPeople(options: {
  client: WebClient;
  installation: Installation;
  realNow: () => number;
  logger: Logger;
}): People {
  const { client, installation, realNow, logger } = options;
  const known = new LRUCache<string, Promise<Person>>({
    max: 5_000,
    ttl: 3_600_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });

  const ask = async (userId: string): Promise<Person> => {
    const { user = {} } = await client.users.info({ user: userId });
    return {
      name: user.profile?.display_name || user.real_name || user.name || userId,
      zone: user.tz || 'UTC',
      isAdmin: Boolean(user.is_admin || user.is_owner),
      isOutside:
        Boolean(user.is_stranger) ||
        isOutside({ teamId: user.team_id, enterpriseId: user.enterprise_user?.enterprise_id }, installation),
      isGone: Boolean(user.is_bot || user.deleted),
    };
  };

  return {
    of(userId) {
      const earlier = known.get(userId);
      if (earlier) return earlier;
      const person = ask(userId).catch((error: unknown) => {
        logger.warn({ reason: String(error) }, 'users.info failed: going on with defaults');
        known.set(userId, person, { ttl: 60_000 });
        return { name: 'somebody', zone: 'UTC', isAdmin: false, isOutside: false, isGone: false };
      });
      known.set(userId, person);
      return person;
    },
  };
}
