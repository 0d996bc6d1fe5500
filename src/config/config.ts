import { statSync } from 'node:fs';
import { join } from 'node:path';
import { analyticsSettings, chooseAccounts, chooseAnalytics } from './analytics.ts';
import { botSettings, checkBotSettings } from './bot.ts';
import { chooseProxy, proxySettings, withUsualNames } from './proxy.ts';
import { isLoopback, readValues } from './setting.ts';
import { chooseSlack, slackSettings, slackWarnings } from './slack.ts';

export type { AnalyticsConfig } from './analytics.ts';
export type { ManyWorkspacesConfig, OneWorkspaceConfig, PublicLinks, SlackConfig } from './slack.ts';

/** Every setting, in the order of `.env.example` and docs/settings.md (test/drift.test.ts compares them). */
export const settings = {
  ...slackSettings,
  ...analyticsSettings,
  ...botSettings,
  ...proxySettings,
};

export type Config = ReturnType<typeof createConfig>;

/** The message names every wrong key and what it should be, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `Landfall can't start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** For the programs: ends the process with status 2 if the settings can't be used. */
export function configOrExit(env: Record<string, string | undefined>): Config {
  try {
    return createConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Throws ConfigError, which names all problems. */
export function createConfig(env: Record<string, string | undefined>) {
  const reading = readValues(settings, withUsualNames(env));
  const { values, problems } = reading;
  const isProduction = values.NODE_ENV === 'production';
  const slack = chooseSlack(reading, { isProduction });
  const analytics = chooseAnalytics(reading, { isRealSlack: slack !== 'playground', isProduction });
  const accounts = chooseAccounts(reading, analytics);
  checkBotSettings(reading);
  if (problems.length > 0) throw new ConfigError(problems);
  const isPlaygroundByDefault = slack === 'playground' && values.SLACK_API_URL !== 'playground';
  const dataDir = values.LANDFALL_DATA_DIR === ':memory:' ? undefined : values.LANDFALL_DATA_DIR;
  // Separates the playground from a real workspace, and invented data from real data.
  const storeName = slack === 'playground' ? slack : analytics === 'sandbox' ? analytics : 'workspace';
  return Object.freeze({
    slack,
    /** The app, or the one of the playground, is declared an agent. */
    isAgent: values.SLACK_AGENT,
    /** For the doctor, which compares the manifest of the app with ours. */
    slackApp: { configToken: values.SLACK_CONFIG_TOKEN, appId: values.SLACK_APP_ID },
    /** Where browsers and Slack reach the bot; undefined if they don't, or if the settings don't say. */
    publicUrl: values.PUBLIC_URL,
    /** The operator's account; undefined if there is none. */
    analytics,
    /** The accounts that admins may connect; `addresses` has at least one. */
    accounts,
    probabilityScale: values.ANALYTICS_PROBABILITY_SCALE,
    maxInFlight: values.ANALYTICS_MAX_IN_FLIGHT,
    timeoutMs: values.ANALYTICS_TIMEOUT_MS,
    cacheMinutes: {
      predictions: values.ANALYTICS_CACHE_PREDICTIONS_MINUTES,
      statistics: values.ANALYTICS_CACHE_STATISTICS_MINUTES,
      usage: values.ANALYTICS_CACHE_USAGE_MINUTES,
    },
    usageVisibleTo: values.USAGE_FOR,
    /** Undefined if nothing is written to disk (`:memory:`). */
    dataDir,
    /** The directory of the SQLite file; undefined if the store is in memory. */
    storeDir: dataDir && join(dataDir, storeName),
    /** Undefined for SQLite. */
    databaseUrl: values.DATABASE_URL,
    encryptionKey: values.LANDFALL_ENCRYPTION_KEY,
    watches: {
      /** Undefined if the interval depends on the nearest ETA. */
      pollMinutes: values.WATCH_POLL_MINUTES === 'auto' ? undefined : values.WATCH_POLL_MINUTES,
      maxPerChannel: values.WATCH_MAX_PER_CHANNEL,
      /** Undefined for no limit. */
      dailyCalls: values.ANALYTICS_DAILY_CALLS,
      historyDays: values.HISTORY_DAYS,
    },
    digests: { maxPerChannel: values.DIGEST_MAX_PER_CHANNEL },
    leaseMs: values.LEASE_MS,
    /** HOST, unless the playground starts without being named in the settings: then it is loopback. */
    host: isPlaygroundByDefault && !isLoopback(values.HOST) ? '127.0.0.1' : values.HOST,
    port: values.PORT,
    /** Undefined for no metrics. */
    metricsPort: values.METRICS_PORT,
    /** Many workspaces need HTTP. */
    playgroundDelivery: values.PLAYGROUND_WORKSPACES > 1 ? ('http' as const) : values.PLAYGROUND_MODE,
    playgroundWorkspaces: values.PLAYGROUND_WORKSPACES,
    sandbox: { seed: values.SANDBOX_SEED, speed: values.SANDBOX_SPEED, controls: values.SANDBOX_CONTROLS },
    proxy: chooseProxy(reading, { directHosts: slack === 'playground' ? [values.HOST] : [] }),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    /** Risky settings, for the log and the doctor. */
    warnings: [
      ...settingWarnings(values.HOST, accounts.addresses, isPlaygroundByDefault),
      ...slackWarnings(slack, { isStored: dataDir !== undefined || values.DATABASE_URL !== undefined }),
    ],
  });
}

/** One sentence for each risky setting, without secrets. */
function settingWarnings(
  host: string,
  services: readonly string[],
  isPlaygroundByDefault: boolean,
): string[] {
  const warnings: string[] = [];
  const isOpen = (url: URL | null) => url?.protocol === 'http:' && !isLoopback(url.hostname);
  if (services.some((service) => isOpen(URL.parse(service))))
    warnings.push(
      'The address of the service starts with http://, so accounts go over the network unencrypted. Use https://',
    );
  if (isPlaygroundByDefault && !isLoopback(host))
    warnings.push(
      `HOST is ${host}, but the playground listens on 127.0.0.1 only: anybody who reaches it can act as any user. Set SLACK_API_URL=playground to open it anyway.`,
    );
  return warnings;
}

/** Warns if other users can read `.env`, which `npm start` reads. Windows has no such permissions. */
export function envFileWarnings(path = '.env'): string[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file || process.platform === 'win32' || (file.mode & 0o077) === 0) return [];
  const mode = (file.mode & 0o777).toString(8).padStart(3, '0');
  return [`Other users of this machine can read ${path} (mode ${mode}). Run: chmod 600 ${path}`];
}
