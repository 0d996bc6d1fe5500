import { z } from 'zod';
import { number, oneOf, type Reading, type Settings, trueOrFalse, whole } from './setting.ts';

export const serverSettings = {
  HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description:
      'Address to listen on: 0.0.0.0 in a container, or behind a proxy on another machine. The embedded Slack listens on loopback only, unless SLACK_API_URL=playground is set.',
  },
  PORT: {
    schema: whole(0, 65_535).default(3000),
    description:
      'Port to listen on. In HTTP mode Slack posts to /slack/events; the page of the playground is at /.',
  },
  METRICS_PORT: {
    schema: whole(0, 65_535).optional(),
    description:
      'Port, on HOST, that serves /metrics to Prometheus; off unless it is set. Without a password, so let only Prometheus reach it.',
  },
  PLAYGROUND_MODE: {
    schema: oneOf(['socket', 'http']).default('socket'),
    description: 'How the embedded Slack delivers to the bot: Socket Mode, or signed HTTP.',
  },
  PLAYGROUND_WORKSPACES: {
    schema: whole(1, 2).default(1),
    description:
      'Workspaces of the embedded Slack. With 2, each installs the app with “Add to Slack” and connects its own account; the bot then listens on the next port.',
  },
  SANDBOX_SEED: {
    schema: whole(0, 4_294_967_295).default(1),
    description: "Random seed of the sandbox's data.",
  },
  SANDBOX_SPEED: {
    schema: number(0, 100_000).default(1),
    description: "Speed of the sandbox's clock: at 60, an hour takes a minute.",
  },
  SANDBOX_CONTROLS: {
    schema: trueOrFalse,
    description:
      "`true` opens a control API at /_sandbox/ on the sandbox's own server, on loopback only: its state, its clock and its faults.",
  },
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    description: 'Minimum level of the log.',
  },
  LOG_FORMAT: {
    schema: oneOf(['auto', 'json', 'pretty']).default('auto'),
    description:
      'How the log is written: `json`, one object per line, or `pretty`, for people. `auto` is pretty in a terminal.',
  },
  NODE_ENV: {
    schema: z.string().default('development'),
    description:
      'With `production` the playground and the sandbox start only if they are set by name (SLACK_API_URL=playground, ANALYTICS_BASE_URL=sandbox).',
  },
} satisfies Settings;

export function checkPorts({
  values: { PORT, METRICS_PORT },
  problems,
}: Reading<typeof serverSettings>): void {
  if (PORT === METRICS_PORT && PORT !== 0) problems.push('METRICS_PORT should be another port than PORT');
}
