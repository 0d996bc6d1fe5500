import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { PostError } from '../../outbox/poster.ts';
import { SlackRefusal } from './deliver.ts';
import { permanentErrors, unknownOutcomeErrors } from './permanent-errors.ts';

/**
 * Turns Slack's refusal into the outbox's PostError. An error with an unknown outcome (a cut connection, a timeout,
 * 5xx, or Slack's own uncertainty) stays as it is.
 */
export function asPostError(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError) {
    return new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: error.retryAfter * 1000 });
  }
  const code = slackCode(error);
  if (code === undefined || unknownOutcomeErrors.has(code)) return error;
  return new PostError({ code, isPermanent: permanentErrors.has(code) });
}

/** Slack's own error code, if it sent one. */
export function slackCode(error: unknown): string | undefined {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof SlackRefusal) return error.reason;
  return undefined;
}
