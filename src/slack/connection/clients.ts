import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../../log.ts';

export type SlackClients = ReturnType<typeof createSlackClients>;

/** The clients don't wait for a rate limit to end: that would delay the requests of all people. */
export function createSlackClients(options: {
  botToken: string;
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  logger: BoltLogger;
}) {
  const { botToken, apiUrl, fetch, logger } = options;
  const common = { slackApiUrl: apiUrl, fetch, logger, rejectRateLimitedCalls: true };
  const quickRetry = { retries: 1, minTimeout: 100, maxTimeout: 200 };
  // A post whose answer was lost would appear twice.
  const noRetry = { retries: 0 };
  return {
    /** Only 2 s, since a person waits. */
    reads: new WebClient(botToken, { ...common, timeout: 2_000, retryConfig: quickRetry }),
    posts: new WebClient(botToken, { ...common, timeout: 5_000, retryConfig: noRetry }),
    background: new WebClient(botToken, { ...common, timeout: 10_000, retryConfig: noRetry }),
  };
}

/** One level lower: Bolt's debug lines hold whole payloads, and its info lines repeat ours. */
export function createBoltLogger(logger: Logger): BoltLogger {
  const textOf = (part: unknown) => (part instanceof Error ? `${part.name}: ${part.message}` : String(part));
  const line = (parts: unknown[]) => parts.map(textOf).join(' ');
  return {
    debug: (...parts) => logger.isLevelEnabled('trace') && logger.trace({}, line(parts)),
    info: (...parts) => logger.debug({}, line(parts)),
    warn: (...parts) => logger.warn({}, line(parts)),
    error: (...parts) => logger.error({}, line(parts)),
    setLevel: () => {},
    getLevel: () => (logger.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}
