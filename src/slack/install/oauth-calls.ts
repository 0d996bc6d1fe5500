import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { z } from 'zod';
import type { ManyWorkspacesConfig } from '../../config/config.ts';
import type { OAuthCalls } from '../../workspaces/bot-token.ts';
import { createOneTimeClient, type OneTimeOptions } from '../connection/clients.ts';
import { deadTokenCodes, slackCode } from '../posting/deliver.ts';

interface ClientOptions extends OneTimeOptions {
  logger: BoltLogger;
}

/** Lifetimes are in seconds. */
const refreshAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
});

/** Slack's answers to a refresh token that will never work again. */
const deadRefreshTokenCodes: ReadonlySet<string> = new Set([
  'invalid_refresh_token',
  'invalid_grant',
  'token_revoked',
  'token_expired',
  'account_inactive',
]);

/** What Slack does for installed workspaces. No request is repeated: a refresh token works once. */
export function createOAuthCalls(
  { clientId, clientSecret, apiUrl }: Pick<ManyWorkspacesConfig, 'clientId' | 'clientSecret' | 'apiUrl'>,
  { fetch, logger }: Required<Pick<ClientOptions, 'fetch' | 'logger'>>,
): OAuthCalls {
  const options = { apiUrl, fetch, logger };
  const client = createClient(undefined, options);
  return {
    async refresh(refreshToken) {
      try {
        const answer = await client.oauth.v2.access({
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        });
        const { access_token, refresh_token, expires_in } = refreshAnswer.parse(answer);
        return { token: access_token, refreshToken: refresh_token, lifetimeMs: expires_in * 1000 };
      } catch (error) {
        if (deadRefreshTokenCodes.has(slackCode(error) ?? '')) return 'refused';
        throw error;
      }
    },
    accepts: (token) => acceptsToken(token, options),
    async listTeams(token) {
      const reader = createClient(token, { ...options, timeoutMs: listTimeoutMs });
      const ids = new Set<string>();
      let cursor = '';
      do {
        const page = teamsPage.parse(
          await reader.auth.teams.list({ limit: 1_000, ...(cursor && { cursor }) }),
        );
        for (const { id } of page.teams) ids.add(id);
        cursor = page.response_metadata?.next_cursor ?? '';
      } while (cursor);
      return ids;
    },
  };
}

/** A delivery waits for it, and has to be acknowledged within 3 s. */
const listTimeoutMs = 2_000;

const teamsPage = z.object({
  teams: z.array(z.object({ id: z.string() })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const createClient = (token: string | undefined, { logger, ...options }: ClientOptions) =>
  createOneTimeClient(token, { ...options, logger: withoutBodies(logger) });

/** The debug lines of Slack's libraries hold whole requests, with the client secret, codes and refresh tokens. */
export const withoutBodies = (logger: BoltLogger): BoltLogger => ({
  ...logger,
  debug: () => {},
  getLevel: () => LogLevel.INFO,
});

/** False if Slack accepts the token no more; undefined if it doesn't say. */
export async function acceptsToken(token: string, options: ClientOptions): Promise<boolean | undefined> {
  try {
    await createClient(token, options).auth.test();
    return true;
  } catch (error) {
    return deadTokenCodes.has(slackCode(error) ?? '') ? false : undefined;
  }
}
