import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, envFileWarnings, settings } from '../../config/config.ts';
import { proxySettings } from '../../config/proxy.ts';
import { nearest } from '../../reference/nearest.ts';
import { type Finding, fail, pass, warn } from './finding.ts';

export function checkSettings({ warnings }: Config, envFile: string | undefined): Finding[] {
  return [
    pass('Settings can be read'),
    ...warnings.map((text) => warn(text, 'docs/settings.md explains each setting.')),
    ...checkEnvFile(envFile),
  ];
}

/** For settings that keep Landfall from starting. */
export function explainProblems(
  problems: readonly string[],
  { env, envFile }: { env: Record<string, string | undefined>; envFile: string | undefined },
): Finding[] {
  const swapped = swappedTokens(env);
  const rest = problems.filter(
    (problem) => !swapped.some(({ setting }) => problem.startsWith(`${setting} `)),
  );
  return [
    ...swapped.map(({ text, remedy }) => fail(text, remedy)),
    ...rest.map((problem) => fail(problem, 'Set it in .env (see .env.example).')),
    ...checkEnvFile(envFile),
  ];
}

/** What each of Slack's tokens is, by its beginning. */
const tokenKinds = {
  'xoxb-': 'a bot token, which belongs in SLACK_BOT_TOKEN',
  'xapp-': 'an app-level token, which belongs in SLACK_APP_TOKEN',
  'xoxp-': "a person's token, which Landfall doesn't use",
  'xoxe.xoxp-': 'an app configuration token, which belongs in SLACK_CONFIG_TOKEN',
  'xoxe.xoxb-': 'a bot token that expires; only the mode for many workspaces (SLACK_CLIENT_ID) refreshes it',
  'xoxe-': "a refresh token, which Landfall doesn't use",
};

const tokenPlaces = {
  SLACK_BOT_TOKEN: { start: 'xoxb-', page: 'OAuth & Permissions' },
  SLACK_APP_TOKEN: { start: 'xapp-', page: 'Basic Information' },
};

function swappedTokens(env: Record<string, string | undefined>) {
  return Object.entries(tokenPlaces).flatMap(([setting, { start, page }]) => {
    const value = env[setting]?.trim() ?? '';
    const kind = Object.entries(tokenKinds).find(([beginning]) => value.startsWith(beginning));
    if (!kind || kind[0] === start) return [];
    const remedy = `Copy the token that starts with ${start} from “${page}” of your Slack app.`;
    return [{ setting, text: `${setting} holds ${kind[1]}`, remedy }];
  });
}

/** Names of others that may stand in `.env`. */
const foreignNames =
  /^(?:POSTGRES_|NODE_|NPM_|npm_|SSL_CERT_|PG)|^(?:TZ|LANG|PATH|NO_COLOR|FORCE_COLOR|ALL_PROXY|all_proxy)$/;

function checkEnvFile(path: string | undefined): Finding[] {
  if (path === undefined) return [];
  const open = envFileWarnings(path).map((text) => warn(text, `chmod 600 ${path}`));
  return [...open, ...unknownNames(readIfExists(path)).map(({ text, remedy }) => warn(text, remedy))];
}

function unknownNames(text: string): { text: string; remedy: string }[] {
  const known = Object.keys(settings);
  const alsoKnown = new Set([...known, ...Object.keys(proxySettings).map((name) => name.toLowerCase())]);
  const names = known.map((name) => ({ key: name.toLowerCase(), value: name }));
  return Object.keys(parseEnv(text))
    .filter((name) => !alsoKnown.has(name) && !foreignNames.test(name))
    .map((name) => {
      const [near] = nearest(name.toLowerCase(), names, 1);
      return {
        text: `.env sets ${name}, which Landfall doesn't know${near ? `: did you mean ${near}?` : ''}`,
        remedy: near
          ? `Rename it to ${near} in .env.`
          : 'Remove it from .env, or look for its name in docs/settings.md.',
      };
    });
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
