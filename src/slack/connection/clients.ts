import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../../log.ts';

export type SlackClients = ReturnType<typeof createSlackClients>;

/** The clients don't wait for a rate limit to end: that would delay the requests of all people. */
export function createSlackClients(options: {
  /** The token may change: see workspaces/installations.ts. */
  getToken: () => Promise<string>;
  apiUrl: string;
  /** For the token of an organisation, with which Slack has to be told the team. */
  teamId?: string | undefined;
  fetch: typeof globalThis.fetch;
  logger: BoltLogger;
}) {
  const { apiUrl, teamId, logger } = options;
  const common = {
    slackApiUrl: apiUrl,
    fetch: withToken(options),
    logger,
    rejectRateLimitedCalls: true,
    ...(teamId !== undefined && { teamId }),
  };
  const quickRetry = { retries: 1, minTimeout: 100, maxTimeout: 200 };
  // A post whose answer was lost would appear twice.
  const noRetry = { retries: 0 };
  return {
    /** Only 2 s, since a person waits. */
    reads: new WebClient(undefined, { ...common, timeout: 2_000, retryConfig: quickRetry }),
    posts: new WebClient(undefined, { ...common, timeout: 5_000, retryConfig: noRetry }),
    background: new WebClient(undefined, { ...common, timeout: 10_000, retryConfig: noRetry }),
  };
}

/** Adds the current token to requests of the Web API; files are uploaded to other addresses, without one. */
function withToken({
  getToken,
  apiUrl,
  fetch,
}: Parameters<typeof createSlackClients>[0]): typeof globalThis.fetch {
  return async (input, init) => {
    if (!String(input).startsWith(apiUrl)) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await getToken()}`);
    return fetch(input, { ...init, headers });
  };
}

/**
 * One level lower: Bolt's debug lines hold whole payloads, and its info lines repeat ours. Lines with what somebody typed
 * into a form are left out: it may be the account of the analytics service.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const textOf = (part: unknown) => (part instanceof Error ? `${part.name}: ${part.message}` : String(part));
  const line = (parts: unknown[]) => parts.map(textOf).join(' ');
  return {
    debug(...parts) {
      if (!logger.isLevelEnabled('trace')) return;
      const text = line(parts);
      // Slack calls it `values`, however the payload is encoded.
      logger.trace({}, text.includes('values') ? 'the payload of a form' : text);
    },
    info: (...parts) => logger.debug({}, line(parts)),
    warn: (...parts) => logger.warn({}, line(parts)),
    error: (...parts) => logger.error({}, line(parts)),
    setLevel: () => {},
    getLevel: () => (logger.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}
