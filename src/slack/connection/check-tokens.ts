import { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/config.ts';

/** Tries both tokens. Throws the Web API's own error if Slack refuses one. */
export async function checkTokens(
  { apiUrl, botToken, appToken }: SlackConfig,
  scopes: readonly string[],
): Promise<{ workspace: string; missingScopes: string[] }> {
  const options = { slackApiUrl: apiUrl, timeout: 10_000, retryConfig: { retries: 0 } };
  const auth = await new WebClient(botToken, options).auth.test();
  if (appToken) await new WebClient(appToken, options).apps.connections.open();
  const granted = auth.response_metadata?.scopes;
  return {
    workspace: `${auth.team ?? 'a workspace'}, as ${auth.user ?? 'a bot'}`,
    missingScopes: granted ? scopes.filter((scope) => !granted.includes(scope)) : [],
  };
}
