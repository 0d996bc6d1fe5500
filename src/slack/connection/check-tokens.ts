import { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/config.ts';

interface TokenCheck {
  /** `Harbour & Co, as landfall`. */
  workspace: string;
  /** In the manifest, but not granted to the installed app. */
  missingScopes: string[];
}

const CHECK_TIMEOUT_MS = 10_000;

/** Tries both tokens. Throws the Web API's own error where Slack refuses one. */
export async function checkTokens(config: SlackConfig, scopes: readonly string[]): Promise<TokenCheck> {
  const options = { slackApiUrl: config.apiUrl, timeout: CHECK_TIMEOUT_MS, retryConfig: { retries: 0 } };
  const auth = await new WebClient(config.botToken, options).auth.test();
  if (config.appToken) await new WebClient(config.appToken, options).apps.connections.open();
  const granted = auth.response_metadata?.scopes;
  return {
    workspace: `${auth.team ?? 'a workspace'}, as ${auth.user ?? 'a bot'}`,
    missingScopes: granted ? scopes.filter((scope) => !granted.includes(scope)) : [],
  };
}
