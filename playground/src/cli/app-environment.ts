import type { Playground } from '../options.ts';

/** Those that lead an app to a workspace. The app gets none of them from the shell, where they may be real ones. */
const SLACK_VARIABLES = [
  'SLACK_BOT_TOKEN',
  'SLACK_USER_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_API_URL',
];

/** The variables that lead Slack's sample apps, and most others, to their workspace. */
export function appVariables(
  slack: Playground,
  app: { mode: 'socket' | 'http'; port: number; redirects: boolean },
): Record<string, string> {
  const { botToken, appToken, signingSecret, apiUrl, url, oauth } = slack;
  return {
    SLACK_API_URL: apiUrl,
    SLACK_SIGNING_SECRET: signingSecret,
    ...(oauth
      ? { SLACK_CLIENT_ID: oauth.clientId, SLACK_CLIENT_SECRET: oauth.clientSecret }
      : { SLACK_BOT_TOKEN: botToken }),
    ...(app.mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { PORT: String(app.port) }),
    ...(app.redirects && { BOLT_PLAYGROUND_URL: url, NODE_OPTIONS: nodeOptions() }),
  };
}

/** The environment of the shell, with these variables instead of those of other workspaces. */
export function appEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SLACK_VARIABLES.includes(name));
  return { ...Object.fromEntries(inherited), ...variables };
}

/** This module's own extension: it is TypeScript in the repository, and JavaScript in the package. */
function nodeOptions(): string {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  const preload = new URL(`./preload${extension}`, import.meta.url).href;
  return [process.env.NODE_OPTIONS, `--import=${preload}`].filter(Boolean).join(' ');
}
