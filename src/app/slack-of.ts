import type { Playground } from 'bolt-playground';
import type { Config, SlackConfig } from '../config/config.ts';

/** Slack as the bot uses it: that of the settings, or the playground. */
export function slackOf(
  { slack, playgroundDelivery: mode }: Config,
  playground: Playground | undefined,
): SlackConfig {
  if (!playground) {
    if (slack === 'playground') throw new Error('the playground has not been started');
    return slack;
  }
  const { botToken, signingSecret, appToken, apiUrl, oauth } = playground;
  // The address of the bot's server, once it listens, becomes the public one.
  if (oauth) return { kind: 'many', ...oauth, signingSecret, apiUrl, publicUrl: '', links: {} };
  const inSocketMode = mode === 'socket' ? { appToken } : { appToken: undefined };
  return { kind: 'one', mode, botToken, signingSecret, ...inSocketMode, apiUrl };
}

/** The playground listens on HOST and PORT and serves the health pages, so the bot needs a port only for HTTP. */
export function listenOf({ slack, host, port }: Config, used: SlackConfig) {
  if (slack !== 'playground') return { host, port };
  if (used.kind === 'many') return { host, port: port === 0 ? 0 : port + 1 };
  return used.mode === 'http' ? { host: '127.0.0.1', port: 0 } : undefined;
}

/** The names under which browsers and assistants reach this process. */
export const hostsOf = ({ publicUrl, host }: Config): string[] => [
  'localhost',
  '127.0.0.1',
  '[::1]',
  host.includes(':') ? `[${host}]` : host,
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
];
