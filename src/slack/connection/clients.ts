import type { Logger as BoltLogger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';

export interface SlackClients {
  /** Reads: one quick retry, and only 2 s, since a person waits. */
  reads: WebClient;
  /** Posts: no retries, since a post whose answer was lost would appear twice. */
  posts: WebClient;
  /** Posts of background work; no retries either. */
  background: WebClient;
}

/** None of them waits for a rate limit to end: that would pause its queue for everybody. */
export function createSlackClients(options: {
  botToken: string;
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  logger: BoltLogger;
}): SlackClients {
  const { botToken, apiUrl, fetch, logger } = options;
  const common = { slackApiUrl: apiUrl, fetch, logger, timeout: 5_000, rejectRateLimitedCalls: true };
  const retryConfig = { retries: 1, minTimeout: 100, maxTimeout: 200 };
  return {
    reads: new WebClient(botToken, { ...common, timeout: 2_000, retryConfig }),
    posts: new WebClient(botToken, { ...common, retryConfig: { retries: 0 } }),
    background: new WebClient(botToken, { ...common, timeout: 10_000, retryConfig: { retries: 0 } }),
  };
}
