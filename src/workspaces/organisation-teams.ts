import { LRUCache } from 'lru-cache';
import type { OAuthCalls } from './bot-token.ts';

const maxAgeMs = 60_000;
/** Slack is asked again soon, but not for each delivery that comes meanwhile. */
const failedForMs = 5_000;
const maxRemembered = 1_000;

export type OrganisationTeams = ReturnType<typeof createOrganisationTeams>;

/**
 * The workspaces of organisations, as Slack lists them. A list counts for a minute, for those that are not in it too: so
 * people of other workspaces can't cause requests, however many they are.
 */
export function createOrganisationTeams({
  tokens,
  oauth,
  realNow,
}: {
  tokens: { get(installationId: string): Promise<string> };
  oauth: Pick<OAuthCalls, 'listTeams'>;
  realNow: () => number;
}) {
  const lists = new LRUCache<string, Promise<ReadonlySet<string>>>({
    max: maxRemembered,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: realNow },
  });

  /** At most a minute old. Throws NotInstalledError, or the reason why Slack gives no list. */
  function list(installationId: string): Promise<ReadonlySet<string>> {
    const known = lists.get(installationId);
    if (known) return known;
    const listed = tokens.get(installationId).then(oauth.listTeams);
    lists.set(installationId, listed);
    listed.catch(() => {
      if (lists.peek(installationId) === listed) lists.set(installationId, listed, { ttl: failedForMs });
    });
    return listed;
  }

  return {
    list,
    /** Asks Slack now. Throws as `list` does. */
    listAfresh(installationId: string): Promise<ReadonlySet<string>> {
      lists.delete(installationId);
      return list(installationId);
    },
    forget: (installationId: string) => void lists.delete(installationId),
  };
}
