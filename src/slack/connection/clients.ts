import type { Logger as BoltLogger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';

export interface SlackClients {
  /** Reads may be repeated: one short retry. A person waits meanwhile, so they are given 2 s. */
  reads: WebClient;
  /** Posts may not: with retries a post whose answer is cut would stand there twice. */
  posts: WebClient;
  /** What watches post, apart from what people wait for. */
  background: WebClient;
}

/** Neither waits out a rate limit by itself: that would pause the queue for everybody. */
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
