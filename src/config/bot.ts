import { z } from 'zod';
import {
  encryptionKeys,
  minutesOrAuto,
  number,
  oneOf,
  type Reading,
  type Settings,
  trueOrFalse,
  whole,
} from './setting.ts';

/** The store, due work, the server, and what is embedded. */
export const botSettings = {
  LANDFALL_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    description:
      'Directory for the SQLite file, its key, and the state of the playground and the sandbox; `:memory:` stores nothing.',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .refine((value) => /^postgres(?:ql)?:$/.test(URL.parse(value)?.protocol ?? ''), {
        error: 'the address of a PostgreSQL database: it starts with postgres://',
      })
      .optional(),
    secret: true,
    description:
      'PostgreSQL database for watches, names and history. Without it, Landfall stores them in a SQLite file under LANDFALL_DATA_DIR.',
  },
  LANDFALL_ENCRYPTION_KEY: {
    schema: encryptionKeys.optional(),
    secret: true,
    description:
      'Seals secrets in the database: 32 bytes, made with `openssl rand -base64 32`. To change it, set the new key, a comma and the old key. Needed with DATABASE_URL; without it, Landfall creates a key file beside the SQLite file.',
  },
  WATCH_POLL_MINUTES: {
    schema: minutesOrAuto,
    description:
      'Minutes between two polls of a watched vessel or port: `auto` follows the nearest ETA (15 minutes to 6 hours); a fixed number, decimals allowed, is for tests.',
  },
  WATCH_MAX_PER_CHANNEL: {
    schema: whole(1, 100_000).default(1000),
    description: 'Maximum number of watches in one channel.',
  },
  DIGEST_MAX_PER_CHANNEL: {
    schema: whole(1, 10_000).default(50),
    description: 'Maximum number of digests in one channel.',
  },
  ANALYTICS_DAILY_CALLS: {
    schema: whole(1, 10_000_000).optional(),
    description:
      'Maximum calls per day (UTC) for the watches, digests and assistants of one workspace. When watches need more, they poll less often; they leave room for what digests used the day before, up to half of it. Once the workspace has sent so many calls, digests and assistants get no new answers until the next day; people who ask in Slack always do. The workspace admins who use Landfall are notified when the watches need 80% of it, and all of it. Admins can set a limit for their own workspace, with /landfall limit; the lower one counts. Without either there is no limit.',
  },
  HISTORY_DAYS: {
    schema: whole(1, 36_500).default(400),
    description: 'How long polled predictions, the audit log and the counts of calls are stored, in days.',
  },
  LEASE_MS: {
    schema: whole(5_000, 600_000).default(30_000),
    description:
      "How long an instance's claim on a job lasts, in milliseconds, at least 5000. If the instance crashes, another takes over when the claim expires.",
  },
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

export function checkBotSettings({ values, has, problems }: Reading<typeof botSettings>): void {
  if (has('DATABASE_URL') && !has('LANDFALL_ENCRYPTION_KEY'))
    problems.push(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed (make one with openssl rand -base64 32)',
    );
  const { PORT, METRICS_PORT } = values;
  if (PORT === METRICS_PORT && PORT !== 0) problems.push('METRICS_PORT should be another port than PORT');
}
