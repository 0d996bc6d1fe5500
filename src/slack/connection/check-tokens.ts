import { WebClient } from '@slack/web-api';
import { silentLogger } from '../../log.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { createBoltLogger } from './bolt-logger.ts';

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
export function checkBotToken({ apiUrl, token }: Options): Promise<TokenOwner | TokenRefused> {
  return orRefusal(async () => {
    const { team, user, response_metadata } = await createSlackTool({ apiUrl, token }).auth.test();
    const scopes = response_metadata?.scopes;
    return { workspace: team ?? 'a workspace', bot: user ?? 'a bot', scopes };
  });
}

/** Asks Slack for the address of a Socket Mode connection, without opening it. Throws if Slack gives no answer. */
export function checkAppToken({ apiUrl, token }: Options): Promise<{ url: string } | TokenRefused> {
  return orRefusal(async () => {
    const { url = '' } = await createSlackTool({ apiUrl, token }).apps.connections.open();
    return { url };
  });
}

/** A client that asks once and logs nothing. */
export const createSlackTool = ({ apiUrl, token }: Options): WebClient =>
  new WebClient(token, {
    slackApiUrl: apiUrl,
    timeout: 10_000,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: createBoltLogger(silentLogger),
  });

/** Throws if Slack gives no answer. */
export async function orRefusal<T>(request: () => Promise<T>): Promise<T | TokenRefused> {
  try {
    return await request();
  } catch (error) {
    const refusal = slackCode(error);
    if (refusal === undefined || refusal.startsWith('http_')) throw error;
    return { refusal };
  }
}
