import { webApi } from '@slack/bolt';
import type { Playground } from '../../src/index.ts';
import { quietLogger } from './app.ts';

/** An unmodified WebClient for the local Slack, without retries. */
export const playgroundClient = (playground: Playground): webApi.WebClient =>
  new webApi.WebClient(playground.botToken, {
    slackApiUrl: playground.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quietLogger,
  });
