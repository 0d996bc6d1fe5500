import { join } from 'node:path';
import { z } from 'zod';

/** A whole number written in words of digits, within bounds. */
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `at least ${min}`).max(max, `at most ${max}`));

const number = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .pipe(z.number(`a number from ${min} to ${max}`).min(min, `at least ${min}`).max(max, `at most ${max}`));

/** An http or https address to which paths are added, or the one word that stands for the embedded part. */
const urlOr = (word: 'sandbox' | 'playground') =>
  z
    .string()
    .refine((value) => value === word || /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: `an http or https address, or the word ${word}`,
    })
    .refine((value) => value === word || isBareAddress(URL.parse(value)), {
      error: 'an address without a user, a password, a ? or a # in it',
    });

/** Fetch refuses an address with a password, and would put it into its error message. */
function isBareAddress(url: URL | null): boolean {
  return url === null || `${url.username}${url.password}${url.search}${url.hash}` === '';
}

/** What a header can carry: fetch would put anything else into its error message. */
const headerText = () =>
  z.string().regex(/^[\x21-\x7e]+$/, 'letters, digits and signs of ASCII, without spaces');

const encryptionKeys = z
  .string()
  .regex(
    /^\s*(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)\s*(?:,\s*(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)\s*)*$/,
    '32 bytes in base64 or hex (openssl rand -base64 32), several of them separated by commas',
  );

const minutesOrAuto = z
  .union(
    [
      z.literal('auto'),
      z
        .string()
        .regex(/^\d+(?:\.\d+)?$/)
        .transform(Number)
        .pipe(z.number().min(0.01).max(10_080)),
    ],
    { error: 'auto, or minutes from 0.01 to 10080' },
  )
  .default('auto');

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });

/**
 * Every setting: its check, its default, and what it is for (`.env.example` and docs/settings.md are
 * held against these texts by test/drift.test.ts). An empty value counts as not set.
 */
export const settings = {
  SLACK_BOT_TOKEN: {
    schema: headerText().startsWith('xoxb-', 'a bot token: it starts with xoxb-').optional(),
    secret: true,
    description:
      'Bot token of your Slack app (OAuth & Permissions). Without Slack settings the playground starts.',
  },
  SLACK_SIGNING_SECRET: {
    schema: z.string().min(8, 'the signing secret of your Slack app').optional(),
    secret: true,
    description:
      'Signing secret of your Slack app (Basic Information). Needed unless SLACK_APP_TOKEN is set.',
  },
  SLACK_APP_TOKEN: {
    schema: headerText().startsWith('xapp-', 'an app-level token: it starts with xapp-').optional(),
    secret: true,
    description:
      'App-level token with connections:write. When set, Socket Mode is used and no public address is needed.',
  },
  SLACK_API_URL: {
    schema: urlOr('playground').optional(),
    description:
      "Where Slack's Web API is (default https://slack.com/api/), or `playground` for the embedded Slack.",
  },
  ANALYTICS_BASE_URL: {
    schema: urlOr('sandbox').optional(),
    description:
      'Base address of the Vessel Schedule Analytics Service, or `sandbox` for the embedded one (invented data).',
  },
  ANALYTICS_API_KEY: {
    schema: headerText().optional(),
    secret: true,
    description: 'API key of your account at the service (header X-Api-Key).',
  },
  ANALYTICS_USER_ID: {
    schema: z.string().min(1).optional(),
    description: 'User id of your account at the service.',
  },
  ANALYTICS_PASSWORD: {
    schema: z.string().min(1).optional(),
    secret: true,
    description: 'Password of your account at the service.',
  },
  ANALYTICS_PROBABILITY_SCALE: {
    schema: oneOf(['auto', 'fraction', 'percent']).default('auto'),
    description: 'How the service writes probabilities: 0 to 1, 0 to 100, or found out by looking (auto).',
  },
  ANALYTICS_MAX_IN_FLIGHT: {
    schema: whole(1, 256).default(32),
    description: 'Calls to the service under way at once; lowered by itself when the service says 429.',
  },
  ANALYTICS_TIMEOUT_MS: {
    schema: whole(100, 60_000).default(10_000),
    description: 'Time for one attempt of one call, in milliseconds. A whole command has 15 s.',
  },
  ANALYTICS_CACHE_PREDICTIONS_MINUTES: {
    schema: number(0, 60).default(5),
    description: 'How long a prediction is answered from memory, in minutes (0: never).',
  },
  ANALYTICS_CACHE_STATISTICS_MINUTES: {
    schema: number(0, 1440).default(60),
    description: 'The same for trade lane statistics, which the provider refreshes daily.',
  },
  ANALYTICS_CACHE_USAGE_MINUTES: {
    schema: number(0, 1440).default(10),
    description: 'The same for the usage report.',
  },
  USAGE_FOR: {
    schema: oneOf(['everyone', 'admins']).default('everyone'),
    description: 'Who may ask /usage: everyone, or workspace admins only.',
  },
  LANDFALL_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    description: 'Where the embedded parts keep their state; `:memory:` for nowhere.',
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
      'PostgreSQL database for watches, names and history. Without it the embedded store under LANDFALL_DATA_DIR is used.',
  },
  LANDFALL_ENCRYPTION_KEY: {
    schema: encryptionKeys.optional(),
    secret: true,
    description:
      'Seals secrets in the database: 32 bytes, made with `openssl rand -base64 32`; after a change the new key, a comma, the old one. Needed with DATABASE_URL; the embedded store makes a file of its own.',
  },
  WATCH_POLL_MINUTES: {
    schema: minutesOrAuto,
    description:
      'Minutes between two polls of what is watched: `auto` goes by the nearest ETA (15 minutes to 6 hours); a number, fractions too, is for trials.',
  },
  WATCH_MAX_PER_CHANNEL: {
    schema: whole(1, 100_000).default(1000),
    description: 'The most watches that one channel may have.',
  },
  DIGEST_MAX_PER_CHANNEL: {
    schema: whole(1, 10_000).default(50),
    description: 'The most digests that one channel may have.',
  },
  ANALYTICS_DAILY_CALLS: {
    schema: whole(1, 10_000_000).optional(),
    description:
      'Calls a day that watches may make of the service; when they need more, they poll less often. Without it there is no bound.',
  },
  HISTORY_DAYS: {
    schema: whole(1, 36_500).default(400),
    description: 'How long polled predictions, and who changed what, are kept, in days.',
  },
  LEASE_MS: {
    schema: whole(1000, 600_000).default(30_000),
    description:
      'How long one instance holds a piece of work, in milliseconds, before another may take it over (a crash).',
  },
  HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description: 'Address to listen on. Behind a proxy or in a container 0.0.0.0.',
  },
  PORT: {
    schema: whole(0, 65_535).default(3000),
    description: 'Port to listen on: Slack posts to /slack/events; with the playground its page is at /.',
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
    description: 'How fast time runs in the invented world: 60 makes an hour a minute.',
  },
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    description: 'The least important line that is logged.',
  },
  NODE_ENV: {
    schema: z.string().default('development'),
    description: 'With `production` nothing embedded starts unless it is named.',
  },
} satisfies Record<string, { schema: z.ZodType; secret?: true; description: string }>;

type SettingName = keyof typeof settings;
type Values = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

export interface SlackConfig {
  mode: 'socket' | 'http';
  botToken: string;
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
}

export interface AnalyticsConfig {
  baseUrl: string;
  apiKey: string;
  credentials: { userId: string; password: string };
}

export interface Config {
  /** `playground`: the embedded Slack. */
  slack: SlackConfig | 'playground';
  /** `sandbox`: the embedded service. */
  analytics: AnalyticsConfig | 'sandbox';
  probabilityScale: 'auto' | 'fraction' | 'percent';
  maxInFlight: number;
  timeoutMs: number;
  cacheMinutes: { predictions: number; statistics: number; usage: number };
  usageFor: 'everyone' | 'admins';
  /** Undefined: keep nothing. */
  dataDir: string | undefined;
  /** Undefined: the embedded store. */
  databaseUrl: string | undefined;
  /** Of the embedded store: the playground's is apart from that of a real workspace. Undefined: in memory. */
  storeDir: string | undefined;
  encryptionKey: string | undefined;
  watches: {
    /** Undefined: by the nearest ETA. */
    pollMinutes: number | undefined;
    maxPerChannel: number;
    /** Undefined: no bound. */
    dailyCalls: number | undefined;
    historyDays: number;
  };
  digests: { maxPerChannel: number };
  leaseMs: number;
  host: string;
  port: number;
  playgroundMode: 'socket' | 'http';
  sandbox: { seed: number; speed: number };
  logLevel: string;
}

/** Its message names every faulty key and what it should be, and never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Landfall can't start with these settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Reads an environment. Throws one ConfigError for all faults. */
export function createConfig(env: Record<string, string | undefined>): Config {
  const reading = readValues(env);
  const { values, has, faults } = reading;
  const slack = chooseSlack(reading);
  const analytics = chooseAnalytics(reading, slack !== 'playground');
  if (has('DATABASE_URL') && !has('LANDFALL_ENCRYPTION_KEY'))
    faults.push(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed (make one with openssl rand -base64 32)',
    );
  if (faults.length > 0) throw new ConfigError(faults);
  const dataDir = values.LANDFALL_DATA_DIR === ':memory:' ? undefined : values.LANDFALL_DATA_DIR;
  return Object.freeze({
    slack,
    analytics,
    probabilityScale: values.ANALYTICS_PROBABILITY_SCALE,
    maxInFlight: values.ANALYTICS_MAX_IN_FLIGHT,
    timeoutMs: values.ANALYTICS_TIMEOUT_MS,
    cacheMinutes: {
      predictions: values.ANALYTICS_CACHE_PREDICTIONS_MINUTES,
      statistics: values.ANALYTICS_CACHE_STATISTICS_MINUTES,
      usage: values.ANALYTICS_CACHE_USAGE_MINUTES,
    },
    usageFor: values.USAGE_FOR,
    dataDir,
    storeDir: dataDir && join(dataDir, storeName(slack, analytics)),
    databaseUrl: values.DATABASE_URL,
    encryptionKey: values.LANDFALL_ENCRYPTION_KEY,
    watches: {
      pollMinutes: values.WATCH_POLL_MINUTES === 'auto' ? undefined : values.WATCH_POLL_MINUTES,
      maxPerChannel: values.WATCH_MAX_PER_CHANNEL,
      dailyCalls: values.ANALYTICS_DAILY_CALLS,
      historyDays: values.HISTORY_DAYS,
    },
    digests: { maxPerChannel: values.DIGEST_MAX_PER_CHANNEL },
    leaseMs: values.LEASE_MS,
    host: values.HOST,
    port: values.PORT,
    playgroundMode: values.PLAYGROUND_MODE,
    sandbox: { seed: values.SANDBOX_SEED, speed: values.SANDBOX_SPEED },
    logLevel: values.LOG_LEVEL,
  });
}

/** What is played with is kept apart from a real workspace, and invented data from real data. */
function storeName(slack: Config['slack'], analytics: Config['analytics']): string {
  if (slack === 'playground') return 'playground';
  return analytics === 'sandbox' ? 'sandbox' : 'workspace';
}

interface Reading {
  values: Values;
  /** Is the key set at all, rightly or wrongly? A wrong value is not also a missing one. */
  has: (name: SettingName) => boolean;
  faults: string[];
}

/** Each key is read alone, so that one message can name all that are wrong. */
function readValues(env: Record<string, string | undefined>): Reading {
  const faults: string[] = [];
  const has = (name: string) => Boolean(env[name]?.trim());
  const entries = Object.entries(settings).map(([name, { schema }]) => {
    const result = schema.safeParse(has(name) ? env[name]?.trim() : undefined);
    if (result.success) return [name, result.data];
    faults.push(`${name} should be ${result.error.issues[0]?.message ?? 'something else'}`);
    return [name, schema.safeParse(undefined).data];
  });
  // Object.fromEntries forgets which key has which type; each value comes from that key's own schema.
  return { values: Object.fromEntries(entries) as Values, has, faults };
}

function chooseSlack({ values, has, faults }: Reading): Config['slack'] {
  const given = has('SLACK_BOT_TOKEN') || has('SLACK_SIGNING_SECRET') || has('SLACK_APP_TOKEN');
  const named = values.SLACK_API_URL === 'playground';
  if (named && given)
    faults.push('SLACK_API_URL is playground, so SLACK_BOT_TOKEN and its like must not be set');
  if (!named && !given && values.NODE_ENV === 'production')
    faults.push(
      'SLACK_BOT_TOKEN is needed in production (or SLACK_API_URL=playground for the embedded Slack)',
    );
  if (named || !given) return 'playground';
  if (!has('SLACK_BOT_TOKEN'))
    faults.push('SLACK_BOT_TOKEN is missing, though other Slack settings are given: it starts with xoxb-');
  if (!has('SLACK_APP_TOKEN') && !has('SLACK_SIGNING_SECRET'))
    faults.push('SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)');
  return {
    mode: values.SLACK_APP_TOKEN ? 'socket' : 'http',
    botToken: values.SLACK_BOT_TOKEN ?? '',
    signingSecret: values.SLACK_SIGNING_SECRET,
    appToken: values.SLACK_APP_TOKEN,
    apiUrl: values.SLACK_API_URL ?? 'https://slack.com/api/',
  };
}

/** Invented ETAs never reach a real channel by a forgotten variable: there the sandbox must be named. */
function chooseAnalytics({ values, has, faults }: Reading, realSlack: boolean): Config['analytics'] {
  const account = ['ANALYTICS_API_KEY', 'ANALYTICS_USER_ID', 'ANALYTICS_PASSWORD'] as const;
  const given = account.some(has);
  if (values.ANALYTICS_BASE_URL === 'sandbox') {
    if (given)
      faults.push(
        'ANALYTICS_BASE_URL is sandbox, so ANALYTICS_API_KEY, _USER_ID and _PASSWORD must not be set',
      );
    return 'sandbox';
  }
  if (!has('ANALYTICS_BASE_URL')) {
    if (given)
      faults.push('ANALYTICS_BASE_URL is missing, though an account is given: the address of the service');
    else if (realSlack || values.NODE_ENV === 'production')
      faults.push(
        'ANALYTICS_BASE_URL is missing: the address of the service (or sandbox, for invented data)',
      );
    return 'sandbox';
  }
  for (const name of account) {
    if (!has(name)) faults.push(`${name} is missing: it belongs to the account at ANALYTICS_BASE_URL`);
  }
  return {
    baseUrl: values.ANALYTICS_BASE_URL ?? '',
    apiKey: values.ANALYTICS_API_KEY ?? '',
    credentials: { userId: values.ANALYTICS_USER_ID ?? '', password: values.ANALYTICS_PASSWORD ?? '' },
  };
}
