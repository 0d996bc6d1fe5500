import type { Delivery } from './outgoing-message.ts';

/** What goes to Slack, and where. The id is in the message's metadata, so that it can be found again. */
export interface Post {
  id: string;
  /** A channel's; or a user's, for a direct message. */
  channelId: string;
  delivery: Delivery;
  /** It may have gone out before: it says so. */
  isPossiblyRepeated: boolean;
}

/** How messages leave; knows Slack, as the outbox does not. Each request to Slack ends within 10 s. */
export interface Poster {
  /**
   * Gives back the message's `ts`. Throws PostError (`messageGone` where there is none to update), or anything else
   * when nobody knows whether it went out.
   */
  post(post: Post): Promise<{ ts: string }>;
  /** Looks for a message that may have gone out at `attemptedAt` or later (real clock). */
  find(post: Post, attemptedAt: Date): Promise<{ ts: string } | 'absent' | 'refused'>;
}

/** Slack's code for a message that is not there to be updated. */
export const messageGone = 'message_not_found';

/** Slack has said no, so nothing was posted. Does not cover answers that never came. */
export class PostError extends Error {
  override readonly name = 'PostError';
  /** Slack's own: `channel_not_found`, `ratelimited`. */
  readonly code: string;
  /** It will be refused again until a person does something. */
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(details: { code: string; isPermanent: boolean; retryAfterMs?: number }) {
    super(`Slack refused a message: ${details.code}`);
    this.code = details.code;
    this.isPermanent = details.isPermanent;
    this.retryAfterMs = details.retryAfterMs;
  }
}
