import { webApi } from '@slack/bolt';
import type { Playground } from '../../src/playground/playground.ts';
import { quietLogger } from './playground-app.ts';

/** An unmodified WebClient on a local Slack; it tries each call once. */
export const playgroundClient = (playground: Playground): webApi.WebClient =>
  new webApi.WebClient(playground.botToken, {
    slackApiUrl: playground.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quietLogger,
  });
