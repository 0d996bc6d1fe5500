import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../log.ts';
import type { Person } from '../../workspaces/person.ts';
import { homeOf, type Installation } from '../connection/installation.ts';

const unknownPerson: Person = {
  name: 'somebody',
  zone: undefined,
  isAdmin: false,
  isGuest: false,
  isOutside: true,
  isGone: false,
  isUnknown: true,
};

export interface People {
  of(userId: string): Promise<Person>;
}

/** Cached for an hour, and for a minute after a failure. */
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
      zone: user.tz || undefined,
      isAdmin: Boolean(user.is_admin || user.is_owner),
      isGuest: Boolean(user.is_restricted || user.is_ultra_restricted),
      isOutside:
        Boolean(user.is_stranger) ||
        homeOf({ teamId: user.team_id, enterpriseId: user.enterprise_user?.enterprise_id }, installation) ===
          'outside',
      isGone: Boolean(user.is_bot || user.deleted),
      isUnknown: false,
    };
  };

  return {
    of(userId) {
      const earlier = known.get(userId);
      if (earlier) return earlier;
      const person = ask(userId).catch((error: unknown) => {
        logger.warn({ reason: String(error) }, 'users.info failed: the person is unknown');
        known.set(userId, person, { ttl: 60_000 });
        return unknownPerson;
      });
      known.set(userId, person);
      return person;
    },
  };
}
