import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Database } from '../../src/database/connect.ts';
import { createSecretBox, type SecretBox } from '../../src/database/secrets.ts';
import type { OAuthCalls } from '../../src/workspaces/bot-token.ts';
import { createInstallations } from '../../src/workspaces/installations.ts';
import type { Granted } from '../../src/workspaces/save-installation.ts';

export const hourMs = 3_600_000;
export const start = Date.parse('2026-11-22T12:00:00Z');

/** An install of workspace T1, outside of any organisation. */
export const granted = (change: Partial<Granted> = {}): Granted => ({
  isOrgWide: false,
  enterpriseId: undefined,
  teamId: 'T1',
  name: 'Harbour & Co',
  botUserId: 'U0BOT',
  botId: 'B0BOT',
  appId: 'A1',
  installerId: 'U0ADA',
  scopes: ['chat:write', 'commands'],
  token: 'xoxb-first',
  refreshToken: undefined,
  expiresAt: undefined,
  installedAt: new Date(start),
  ...change,
});

/** An org-wide install of E1. */
export const orgWide = (change: Partial<Granted> = {}): Granted =>
  granted({
    isOrgWide: true,
    enterpriseId: 'E1',
    teamId: undefined,
    name: 'Harbour Group',
    token: 'xoxb-org',
    ...change,
  });

/** Slack's side: which tokens it accepts, and refresh tokens that work once. */
export interface FakeOAuth extends OAuthCalls {
  accepted: Set<string>;
  refreshes: number;
  /** The workspaces of every organisation. */
  teams: Set<string>;
  /** How often they were listed. */
  listings: number;
  /** The next listings do this instead. */
  listingFault: (() => Promise<never>) | undefined;
  /** The next refreshes do this instead. */
  fault: (() => Promise<never>) | undefined;
}

export function createFakeOAuth(): FakeOAuth {
  const used = new Set<string>();
  const oauth: FakeOAuth = {
    accepted: new Set(),
    refreshes: 0,
    teams: new Set(['T1', 'T7', 'T8']),
    listings: 0,
    listingFault: undefined,
    fault: undefined,
    async refresh(refreshToken) {
      oauth.refreshes += 1;
      if (oauth.fault) return await oauth.fault();
      if (used.has(refreshToken)) return 'refused';
      used.add(refreshToken);
      const token = `xoxb-refreshed-${oauth.refreshes}`;
      oauth.accepted.add(token);
      return { token, refreshToken: `xoxe-${oauth.refreshes}`, lifetimeMs: 12 * hourMs };
    },
    accepts: async (token) => oauth.accepted.has(token),
    async listTeams() {
      oauth.listings += 1;
      if (oauth.listingFault) return await oauth.listingFault();
      return new Set(oauth.teams);
    },
  };
  return oauth;
}

/** Of all processes that don't say otherwise. */
export const key = randomBytes(32);
let ids = 0;

/** One process. All share the key. */
export function openInstallations(
  { db }: Pick<Database, 'db'>,
  options: {
    oauth: OAuthCalls;
    clock: { now: number };
    box?: SecretBox;
    wait?: (ms: number) => Promise<unknown>;
  },
) {
  const { oauth, clock, box = createSecretBox([key]), wait } = options;
  return createInstallations({
    db,
    box,
    oauth,
    realNow: () => clock.now,
    newId: () => {
      ids += 1;
      return `id ${ids}`;
    },
    logger: pino({ level: 'silent' }),
    ...(wait && { wait }),
  });
}
