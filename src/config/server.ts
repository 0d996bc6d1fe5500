import { z } from 'zod';
import { number, oneOf, onOrOff, whole } from './checks.ts';
import type { Settings } from './reading.ts';

/** The process, and the embedded parts. */
export const serverSettings = {
  HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description:
      'Address to listen on. Behind a proxy or in a container 0.0.0.0. The embedded Slack listens on loopback only, unless SLACK_API_URL=playground is set.',
  },
  PORT: {
    schema: whole(0, 65_535).default(3000),
    description: 'Port to listen on. Slack posts to /slack/events; the page of the playground is at /.',
  },
  PLAYGROUND_MODE: {
    schema: oneOf(['socket', 'http']).default('socket'),
    description: 'How the embedded Slack delivers to the bot: Socket Mode, or signed HTTP.',
  },
  SANDBOX_SEED: {
    schema: whole(0, 4_294_967_295).default(1),
    description: 'Seed of the invented world.',
  },
  SANDBOX_SPEED: {
    schema: number(0, 100_000).default(1),
    description: 'How fast time passes in the invented world: with 60 an hour takes a minute.',
  },
  SANDBOX_CONTROLS: {
    schema: onOrOff(),
    description:
      "`true` opens /_sandbox/ on the sandbox's own server, on loopback only: its state, its clock and its faults, over HTTP.",
  },
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    description: 'The lowest level that is logged.',
  },
  NODE_ENV: {
    schema: z.string().default('development'),
    description:
      'With `production` nothing embedded starts unless named (SLACK_API_URL=playground, ANALYTICS_BASE_URL=sandbox).',
  },
} satisfies Settings;
