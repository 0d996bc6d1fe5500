import { UserError } from '../errors.ts';
import type { Delivery } from './outgoing-message.ts';

export interface Post {
  /** Stored in the message's metadata, so that the message can be found again. */
  id: string;
  /** A channel's id, or a user's for a direct message. */
  channelId: string;
  delivery: Delivery;
  /** The message may have gone out before, and its text says so. */
  isPossiblyRepeated: boolean;
}

/** The outbox's way to Slack. Each request ends within 10 s. */
export interface Poster {
  /** Returns the message's `ts`. Throws PostError if Slack refuses, anything else if the outcome is unknown. */
  post(post: Post): Promise<{ ts: string }>;
  /** Looks for a message that may have gone out at `attemptedAt` (real clock) or later. `unknown`: the search gave up. */
  find(post: Post, attemptedAt: Date): Promise<{ ts: string } | 'absent' | 'unknown'>;
}

/** Slack's code for an update of a message that does not exist. */
export const messageGone = 'message_not_found';

/** Slack refused a request, so nothing was posted. Does not cover requests without an answer. */
export class PostError extends Error {
  override readonly name = 'PostError';
  /** Slack's error code: `channel_not_found`, `ratelimited`. */
  readonly code: string;
  /** Slack will refuse it again until a person does something. */
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(details: { code: string; isPermanent: boolean; retryAfterMs?: number }) {
    super(`Slack refused a message: ${details.code}`);
    this.code = details.code;
    this.isPermanent = details.isPermanent;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Tells a person why Slack refused their message; undefined if the error is no refusal. */
export function postRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof PostError)) return undefined;
  switch (error.code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return badChannel(
        "Landfall can't post in that channel, so nothing was saved.",
        "Type /invite @Landfall there, then try again. It can't post in direct messages between people.",
      );
    case 'is_archived':
      return badChannel('That channel is archived, so nothing was saved.', 'Choose another one.');
    case 'restricted_action':
    case 'restricted_action_read_only_channel':
    case 'restricted_action_thread_only_channel':
      return badChannel(
        "Only some people may post in that channel, and Landfall isn't one of them, so nothing was saved.",
        'A workspace admin can allow it to post there; or choose another channel.',
      );
    case 'ratelimited':
    case 'rate_limited':
      return badChannel(
        'Slack accepts no more messages for this channel right now, so nothing was saved.',
        'Please try again in a minute.',
      );
    default:
      return badChannel(
        `Slack refused the first message of the watch (${error.code}), so nothing was saved.`,
        'Choose another channel, or tell whoever runs this bot.',
      );
  }
}

const badChannel = (message: string, hint: string) => new UserError({ code: 'bad-channel', message, hint });
