import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { PostError } from '../../outbox/poster.ts';

/** A response URL refused a message. The Web API has error classes of its own. */
export class ResponseUrlError extends Error {
  override readonly name = 'ResponseUrlError';
  readonly code: string;

  constructor(code: string) {
    super(`Slack refused a message: ${code}`);
    this.code = code;
  }
}

/** Slack's own error code, or `http_` and the status of an answer without one; undefined without an answer, and for a rate limit. */
export function slackCode(error: unknown): string | undefined {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof WebAPIHTTPError) return `http_${error.statusCode}`;
  return error instanceof ResponseUrlError ? error.code : undefined;
}

/** Turns Slack's refusal into a PostError. An error with an unknown outcome stays as it is: a timeout, or an HTTP status. */
export function asPostError(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError) {
    return new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: error.retryAfter * 1000 });
  }
  const code = slackCode(error);
  if (code === undefined || code.startsWith('http_') || unknownOutcomeErrors.has(code)) return error;
  return new PostError({ code, isPermanent: permanentErrors.has(code) });
}

/** After these the outcome is unknown: Slack may have done part of the work. */
const unknownOutcomeErrors: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
]);

/** After these Slack accepts the token no more, for any request. */
export const deadTokenCodes: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
]);

/** Slack repeats these until a person acts: invites the bot, unarchives the channel, reinstalls the app. */
const permanentErrors: ReadonlySet<string> = new Set([
  ...deadTokenCodes,
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'access_denied',
  'team_access_not_granted',
]);
