import { randomSecret } from '../ids.ts';

/** What an installer has allowed. */
export interface Consent {
  /** The workspace's or the organisation's id. */
  placeId: string;
  isOrgWide: boolean;
  installerId: string;
  scopes: string[];
  /** As the app asked. Undefined if it named none. */
  redirectUri: string | undefined;
}

const LIFETIME_MS = 10 * 60_000;
const MAX_OPEN = 1000;

export type Codes = ReturnType<typeof createCodes>;

/** Authorization codes: each works once, within 10 minutes. */
export function createCodes(now: () => number) {
  const open = new Map<string, { consent: Consent; expiresAt: number }>();
  return {
    issue(consent: Consent): string {
      const code = `${consent.placeId}.${randomSecret()}`;
      open.set(code, { consent, expiresAt: now() + LIFETIME_MS });
      const oldest = open.size > MAX_OPEN ? open.keys().next().value : undefined;
      if (oldest) open.delete(oldest);
      return code;
    },
    /** Undefined for a code that is unknown, used or expired. A failed exchange uses it up too. */
    take(code: string): Consent | undefined {
      const entry = open.get(code);
      open.delete(code);
      return entry && entry.expiresAt > now() ? entry.consent : undefined;
    },
  };
}
