import { z } from 'zod';
import { storedDestination } from '../../messages/destination.ts';
import { date } from '../../reference/stored-values.ts';
import { missed } from './digest.ts';
import { news } from './facts.ts';

const lineReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    line: z.string(),
    /** Plain words, the verdict first: what is in the digest itself. */
    brief: z.array(z.string()).readonly(),
    /** The whole answer follows in the thread. */
    hasDetail: z.boolean(),
  }),
  /** `ref` is in the log too. */
  z.object({ kind: z.literal('failed'), line: z.string(), reason: z.string(), ref: z.string() }),
]);
export type LineReport = z.infer<typeof lineReport>;

/** One run as data, for whoever posts it; how it looks is the view's matter. */
export const digestMessage = z.object({
  kind: z.literal('digest'),
  digestId: z.string(),
  number: z.number(),
  title: z.string(),
  ownerId: z.string(),
  destination: storedDestination,
  zone: z.string(),
  /** Null: somebody ran it now. */
  scheduledFor: date.nullable(),
  ranAt: date,
  /** Null while it is paused. */
  nextRunAt: date.nullable(),
  /** When it was run before, if it was: what is new is new since then. */
  since: date.nullable(),
  news: z.array(news).readonly(),
  missed: missed.nullable(),
  reports: z.array(lineReport).readonly(),
});
export type DigestMessage = z.infer<typeof digestMessage>;

/** A whole answer, in the thread of its digest. `message` is what the runner of lines made of it. */
export const digestDetail = z.object({
  kind: z.literal('digest-detail'),
  /** The outbox id of the digest's message. */
  parent: z.string(),
  line: z.string(),
  message: z.unknown(),
});
export type DigestDetail = z.infer<typeof digestDetail>;

/** To the owner alone: the digest is paused, since Slack refuses its message with `reason`. */
export const digestNotice = z.object({
  kind: z.literal('digest-notice'),
  digestId: z.string(),
  number: z.number(),
  title: z.string(),
  channelId: z.string(),
  destination: storedDestination,
  reason: z.string(),
});
export type DigestNotice = z.infer<typeof digestNotice>;

export type OutgoingDigest = DigestMessage | DigestDetail | DigestNotice;
