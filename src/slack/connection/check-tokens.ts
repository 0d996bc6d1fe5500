import { WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../config/config.ts';

interface TokenCheck {
  /** `Harbour & Co, as landfall`. */
  workspace: string;
  /** Scopes that the manifest asks for and the installed app lacks. */
  missingScopes: string[];
}

const CHECK_TIMEOUT_MS = 10_000;

/** Asks Slack whether both tokens are good. Throws the Web API's own error where one is not. */
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
