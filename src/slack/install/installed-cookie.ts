import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { InstalledFacts } from './pages.ts';

const name = 'landfall-installed';
const maxAgeSeconds = 3_600;

const shown = z.object({
  name: z.string(),
  isOrgWide: z.boolean(),
  scopes: z.array(z.string()),
  openUrl: z.string(),
  /** Unix milliseconds. */
  until: z.number(),
});

/**
 * Remembers for an hour what the success page said, since Slack's code and the state work only once. It is signed, and
 * bound to the state of that install. Holds no token.
 */
export function createInstalledCookie(options: { secret: string; isSecure: boolean; realNow: () => number }) {
  const { secret, isSecure, realNow } = options;
  const signatureOf = (content: string, state: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['installed', content, state]))
      .digest('base64url');
  return {
    /** The value of `Set-Cookie`. */
    write({ name: place, isOrgWide, scopes, openUrl }: InstalledFacts, state: string): string {
      const until = realNow() + maxAgeSeconds * 1000;
      const json = JSON.stringify({ name: place, isOrgWide, scopes, openUrl, until });
      const content = Buffer.from(json).toString('base64url');
      const value = `${content}.${signatureOf(content, state)}`;
      const attributes = `HttpOnly; SameSite=Lax; Path=/slack/oauth_redirect; Max-Age=${maxAgeSeconds}`;
      return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
    },
    /** Undefined unless this browser has finished the install with this state. */
    read({ headers }: IncomingMessage, state: string): Omit<InstalledFacts, 'isReload'> | undefined {
      const [, content = '', signature = ''] =
        new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)\\.([\\w-]+)(?:;|$)`).exec(headers.cookie ?? '') ?? [];
      const [given, own] = [Buffer.from(signature), Buffer.from(signatureOf(content, state))];
      if (content === '' || given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
      const facts = shown.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
      return facts.until > realNow() ? { ...facts, scopesBefore: undefined } : undefined;
    },
  };
}
