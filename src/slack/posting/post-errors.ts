import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { PostError } from '../../outbox/poster.ts';
import { SlackRefusal } from './deliver.ts';
import { doubtfulErrors, permanentErrors } from './permanent-errors.ts';

/**
 * Slack's refusal as what the outbox goes by; what leaves it open whether a message went out (a cut
 * connection, a timeout, 5xx, Slack's own doubt) is given back as it came.
 */
export function asPostError(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError) {
    return new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: error.retryAfter * 1000 });
  }
  const code = slackCode(error);
  if (code === undefined || doubtfulErrors.has(code)) return error;
  return new PostError({ code, isPermanent: permanentErrors.has(code) });
}

/** Slack's own word for why, where it gave one. */
export function slackCode(error: unknown): string | undefined {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof SlackRefusal) return error.reason;
  return undefined;
}
