import { join } from 'node:path';
import { type AnalyticsConfig, chooseAnalytics } from './analytics.ts';
import { isLoopback } from './loopback.ts';
import { readValues } from './reading.ts';
import { settings } from './settings.ts';
import { chooseSlack, type SlackConfig } from './slack.ts';
import { checkStorage } from './storage.ts';
import { settingWarnings } from './warnings.ts';

export type { AnalyticsConfig } from './analytics.ts';
export type { SlackConfig } from './slack.ts';

export interface Config {
  /** `playground`: the embedded Slack. */
  slack: SlackConfig | 'playground';
  /** `sandbox`: the embedded service. */
  analytics: AnalyticsConfig | 'sandbox';
  probabilityScale: 'auto' | 'fraction' | 'percent';
  maxInFlight: number;
  timeoutMs: number;
  cacheMinutes: { predictions: number; statistics: number; usage: number };
  usageVisibleTo: 'everyone' | 'admins';
  /** Undefined (`:memory:`): nothing is written to disk. */
  dataDir: string | undefined;
  /** Undefined: the embedded store. */
  databaseUrl: string | undefined;
  /** The embedded store's directory: one each for the playground, the sandbox and real data. Undefined: in memory. */
  storeDir: string | undefined;
  encryptionKey: string | undefined;
  watches: {
    /** Undefined: by the nearest ETA. */
    pollMinutes: number | undefined;
    maxPerChannel: number;
    /** Undefined: no limit. */
    dailyCalls: number | undefined;
    historyDays: number;
  };
  digests: { maxPerChannel: number };
  leaseMs: number;
  /** HOST, but loopback for a playground that the settings don't name. */
  host: string;
  port: number;
  /** How the embedded Slack reaches the bot: Socket Mode or HTTP. */
  playgroundDelivery: 'socket' | 'http';
  sandbox: { seed: number; speed: number; controls: boolean };
  logLevel: string;
  /** What is risky in these settings, for the log and the doctor. */
  warnings: readonly string[];
}

/** The message names every faulty key and what it should be, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Landfall can't start with these settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Throws one ConfigError for all faults. */
export function createConfig(env: Record<string, string | undefined>): Config {
  const reading = readValues(settings, env);
  const { values, faults } = reading;
  const isProduction = values.NODE_ENV === 'production';
  const slack = chooseSlack(reading, { isProduction });
  const analytics = chooseAnalytics(reading, { isRealSlack: slack !== 'playground', isProduction });
  checkStorage(reading);
  if (faults.length > 0) throw new ConfigError(faults);
  const isPlaygroundByDefault = slack === 'playground' && values.SLACK_API_URL !== 'playground';
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
    usageVisibleTo: values.USAGE_FOR,
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
    host: isPlaygroundByDefault && !isLoopback(values.HOST) ? '127.0.0.1' : values.HOST,
    port: values.PORT,
    playgroundDelivery: values.PLAYGROUND_MODE,
    sandbox: { seed: values.SANDBOX_SEED, speed: values.SANDBOX_SPEED, controls: values.SANDBOX_CONTROLS },
    logLevel: values.LOG_LEVEL,
    warnings: settingWarnings({
      serviceUrl: analytics === 'sandbox' ? undefined : analytics.baseUrl,
      host: values.HOST,
      isPlaygroundByDefault,
    }),
  });
}

/** Separates the playground from a real workspace, and invented data from real data. */
function storeName(slack: Config['slack'], analytics: Config['analytics']): string {
  if (slack === 'playground') return 'playground';
  return analytics === 'sandbox' ? 'sandbox' : 'workspace';
}
