import type { Watch } from '../features/watches/store/watch.ts';
import type { Outgoing } from './outbox-rows.ts';

/** What goes to Slack, and where. The id stands in the message's metadata, so that it can be found again. */
export interface Post {
  id: string;
  workspaceId: string;
  channelId: string;
  message: Outgoing;
  /** When there was something to say, on the domain clock. */
  createdAt: Date;
  /** As it is now; null for a notice, and for a summary. */
  watch: Watch | null;
  /** Of what a summary speaks of, as far as it was posted. */
  members: { watchId: string; ts: string }[];
  /** Of the message in whose thread it stands; of a digest's details only. */
  threadTs?: string;
  /** It may have gone out before: it says so. */
  isPossiblyRepeated: boolean;
}

/** How messages leave; knows Slack, as the outbox does not. Each request to Slack ends within 10 s. */
export interface Poster {
  /** Gives back the message's `ts`. Throws PostError, or anything else when nobody knows whether it went out. */
  post(post: Post): Promise<{ ts: string }>;
  /** Looks for a message that may have gone out at `attemptedAt` or later (real clock). */
  find(post: Post, attemptedAt: Date): Promise<{ ts: string } | 'absent' | 'refused'>;
}

/** Slack has said no, so nothing was posted. Does not cover answers that never came. */
export class PostError extends Error {
  override readonly name = 'PostError';
  /** Slack's own: `channel_not_found`, `ratelimited`. */
  readonly code: string;
  /** It will be refused again until a person does something: the watch is paused. */
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(details: { code: string; isPermanent: boolean; retryAfterMs?: number }) {
    super(`Slack refused a message: ${details.code}`);
    this.code = details.code;
    this.isPermanent = details.isPermanent;
    this.retryAfterMs = details.retryAfterMs;
  }
}
