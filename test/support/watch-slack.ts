import type { Post, Poster } from '../../src/outbox/poster.ts';
import { PostError } from '../../src/outbox/poster.ts';

export interface WatchSlack extends Poster {
  /** The messages in Slack, in order. */
  posted: (Post & { ts: string })[];
  updates: Post[];
  /** Decides the fate of a post: an error comes before the message is posted, `cut` after it. */
  meet: (post: Post) => Error | 'cut' | undefined;
  refuseLookups: boolean;
  lookups: string[];
}

/** The part of Slack that the outbox uses. */
export function createWatchSlack(): WatchSlack {
  const slack: WatchSlack = {
    posted: [],
    updates: [],
    meet: () => undefined,
    refuseLookups: false,
    lookups: [],
    async post(post) {
      const met = slack.meet(post);
      if (met instanceof Error) throw met;
      if (post.message.kind === 'card-update') {
        slack.updates.push(post);
        return { ts: post.watch?.cardTs ?? '' };
      }
      const ts = String(slack.posted.length + 1);
      slack.posted.push({ ...post, ts });
      if (met === 'cut') throw new Error('socket hang up');
      return { ts };
    },
    async find({ id }) {
      slack.lookups.push(id);
      if (slack.refuseLookups) return 'refused';
      const message = slack.posted.find((one) => one.id === id);
      return message ? { ts: message.ts } : 'absent';
    },
  };
  return slack;
}

export const permanent = (code: string) => new PostError({ code, isPermanent: true });
export const rateLimited = (retryAfterMs: number) =>
  new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs });
