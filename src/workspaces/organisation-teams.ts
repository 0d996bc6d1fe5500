import { createReadCache } from '../cache.ts';
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
  const lists = createReadCache({
    read: async (installationId) => oauth.listTeams(await tokens.get(installationId)),
    ttlMs: maxAgeMs,
    failureTtlMs: failedForMs,
    realNow,
    max: maxRemembered,
  });
  return {
    /** At most a minute old. Throws NotInstalledError, or the reason why Slack gives no list. */
    list: (installationId: string): Promise<ReadonlySet<string>> => lists.get(installationId),
    /** Asks Slack now. Throws as `list` does. */
    listAfresh: (installationId: string): Promise<ReadonlySet<string>> =>
      lists.get(installationId, { fresh: true }),
    forget: lists.invalidate,
  };
}
