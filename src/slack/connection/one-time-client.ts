import type { Logger as BoltLogger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { silentLogger } from '../../log.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { createBoltLogger } from './bolt-logger.ts';

export interface OneTimeOptions {
  apiUrl: string;
  fetch?: typeof globalThis.fetch;
  timeoutMs?: number;
}

/** For a client that asks once: it repeats nothing. */
export const oneTimeOptions = ({ apiUrl, fetch, timeoutMs = 10_000 }: OneTimeOptions) => ({
  slackApiUrl: apiUrl,
  ...(fetch && { fetch }),
  timeout: timeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
});

/** Logs nothing if there is no `logger`. */
export const createOneTimeClient = (
  token: string | undefined,
  { logger = createBoltLogger(silentLogger), ...options }: OneTimeOptions & { logger?: BoltLogger },
): WebClient => new WebClient(token, { ...oneTimeOptions(options), logger });

interface Options {
  apiUrl: string;
  token: string;
}

/** Slack's refusal of a token, such as `invalid_auth`. */
export interface TokenRefused {
  refusal: string;
}

interface TokenOwner {
  workspace: string;
  bot: string;
  /** What the token may do; undefined if Slack doesn't say. */
  scopes: readonly string[] | undefined;
}

/** Asks Slack whose bot token it is. Throws if Slack gives no answer. */
export const checkBotToken = ({ token, ...options }: Options): Promise<TokenOwner | TokenRefused> =>
  orRefusal(async () => {
    const { team, user, response_metadata } = await createOneTimeClient(token, options).auth.test();
    const scopes = response_metadata?.scopes;
    return { workspace: team ?? 'a workspace', bot: user ?? 'a bot', scopes };
  });

/** Asks Slack for the address of a Socket Mode connection, without opening it. Throws if Slack gives no answer. */
export const checkAppToken = ({ token, ...options }: Options): Promise<{ url: string } | TokenRefused> =>
  orRefusal(async () => {
    const { url = '' } = await createOneTimeClient(token, options).apps.connections.open();
    return { url };
  });

/** The manifest of the app as Slack has it now. Needs an app configuration token. Throws if Slack gives no answer. */
export const exportManifest = ({
  configToken,
  appId,
  ...options
}: {
  apiUrl: string;
  configToken: string;
  appId: string;
}): Promise<{ manifest: unknown } | TokenRefused> =>
  orRefusal(async () => {
    const { apps } = createOneTimeClient(configToken, options);
    const { manifest } = await apps.manifest.export({ app_id: appId });
    return { manifest };
  });

/**
 * Undefined if Slack knows the client: it then refuses only the code, which is none. Otherwise Slack's error code. Throws if
 * Slack gives no answer.
 */
export async function checkClient({
  clientId,
  clientSecret,
  apiUrl,
}: {
  clientId: string;
  clientSecret: string;
  apiUrl: string;
}): Promise<string | undefined> {
  const { oauth } = createOneTimeClient(undefined, { apiUrl });
  const answer = await orRefusal(() =>
    oauth.v2.access({ client_id: clientId, client_secret: clientSecret, code: 'none' }),
  );
  return 'refusal' in answer && answer.refusal !== 'invalid_code' ? String(answer.refusal) : undefined;
}

/** Throws if Slack gives no answer. */
async function orRefusal<T>(request: () => Promise<T>): Promise<T | TokenRefused> {
  try {
    return await request();
  } catch (error) {
    const refusal = slackCode(error);
    if (refusal === undefined || refusal.startsWith('http_')) throw error;
    return { refusal };
  }
}
