import type { Selectable } from 'kysely';
import { z } from 'zod';
import { comparison } from '../../answers/answer.ts';
import { storedDestination } from '../../answers/message.ts';
import { storedAnswer } from '../../answers/stored.ts';
import type { Schema } from '../../database/schema.ts';
import { date, imo, prospect } from '../../reference/prediction.ts';
import type { OwnedKind, OwnedThing } from '../owned/index.ts';
import { type Schedule, schedule } from './schedule.ts';

/** Runs that were not sent, because no process ran them in time. `first` and `last` are scheduled times. */
export const missed = z.object({
  count: z.int().positive(),
  first: date,
  last: date,
  /** Some were planned before the store was restored from a backup, and probably sent. */
  isRestored: z.exactOptional(z.boolean()),
});
export type Missed = z.infer<typeof missed>;

/** What the last digest showed, by canonical line. */
export const baselineLines = z.record(z.string(), comparison);
export type BaselineLines = z.infer<typeof baselineLines>;

/** The verdicts of statistics that the last digest showed, by canonical line, in plain words. */
const verdicts = z.record(z.string(), z.string());

/** `at`: when that digest ran. */
const baseline = z.object({ at: date, lines: baselineLines, verdicts });
export type Baseline = z.infer<typeof baseline>;

/** What buttons do; their values are the digest's id. Messages already posted in Slack hold these ids. */
export const actionIds = {
  run: 'digest:run',
  pause: 'digest:pause',
  resume: 'digest:resume',
  remove: 'digest:remove',
  restore: 'digest:restore',
  /** Asks for a confirmation; the button under the question is `remove`. */
  askToRemove: 'digest:ask-to-remove',
} as const;

export const digestKind: OwnedKind = {
  noun: { singular: 'digest', plural: 'digests' },
  called: (title) => `the digest “${title}”`,
  end: {
    ...{ verb: 'Remove', done: 'removed', action: actionIds.remove },
    effect: 'It will no longer be sent; messages already sent stay.',
  },
  lists: { here: 'digest list', mine: 'digest list mine' },
  howToMakeRoom: 'Remove one of them, add lines to another, or add the digest in another channel.',
};

export interface Digest extends OwnedThing {
  /** Unique in its channel, from 1: the number that people type. */
  number: number;
  /** The person who last chose the lines or the owner. The lines run with no more rights than this person has. */
  chosenBy: string;
  /** Canonical command lines that only read. */
  lines: readonly string[];
  schedule: Schedule;
  /** IANA name. */
  zone: string;
  /** If nothing is new, nothing is sent. */
  onlyNews: boolean;
  status: 'active' | 'paused';
  /** Slack's error code, if Slack refused a message; null if a person paused the digest. */
  pauseReason: string | null;
  /** Meaningless while the digest is paused. */
  nextRunAt: Date;
  /** The next message reports these runs. */
  missed: Missed | null;
  /** A message is still in the outbox, and Slack has refused it at least once. */
  isUndelivered: boolean;
}

/** `is_undelivered` is not a column: queries for digests that will be shown compute it. */
export function readDigest(row: Selectable<Schema['digests']> & { is_undelivered?: number }): Digest {
  return {
    id: row.id,
    channelId: row.channel_id,
    destination: storedDestination.parse(row.destination),
    number: row.number,
    ownerId: row.owner_id,
    chosenBy: row.chosen_by ?? row.owner_id,
    title: row.title,
    lines: z.array(z.string()).parse(row.lines),
    schedule: schedule.parse(row.schedule),
    zone: row.zone,
    onlyNews: row.only_news,
    status: z.enum(['active', 'paused']).parse(row.status),
    pauseReason: row.pause_reason,
    outsidersAllowedBy: row.outsiders_allowed_by,
    nextRunAt: row.due_at,
    missed: missed.nullable().parse(row.missed),
    isUndelivered: row.is_undelivered === 1,
  };
}

/** Null if it can't be read: then the next digest is a first one, and says so. */
export function readBaseline(row: Pick<Selectable<Schema['digests']>, 'baseline'>): Baseline | null {
  return baseline.nullable().catch(null).parse(row.baseline);
}

/** What changed for one vessel: `was` is its predicted call in the last digest, `now` in this one. */
const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new-arrival'), imo, now: prospect }),
  /** It was expected before; its ETA has come within `period`. */
  z.object({ kind: z.literal('now-within'), imo, now: prospect, period: z.string() }),
  /** Reported only while its ETA has not passed. */
  z.object({ kind: z.literal('no-longer-expected'), imo, was: prospect }),
  /** `beyond`: set if the new ETA is outside the line's period, which it holds in words. */
  z.object({
    kind: z.literal('eta-moved'),
    imo,
    was: prospect,
    now: prospect,
    beyond: z.string().optional(),
  }),
  /** Null: nothing was predicted then, or nothing is now. */
  z.object({ kind: z.literal('next-port-changed'), imo, was: prospect.nullable(), now: prospect.nullable() }),
]);
export type News = z.infer<typeof news>;

/** The likeliest next call of a vessel. */
const vesselCall = prospect.extend({ imo });
export type VesselCall = z.infer<typeof vesselCall>;

const lineReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    line: z.string(),
    /** Its verdict, and a warning if the answer is old; null if that is too long. */
    brief: storedAnswer.nullable(),
    /** The whole answer follows in the thread. */
    hasDetail: z.boolean(),
    /** Statistics whose verdict is that of the last digest. */
    isUnchanged: z.boolean(),
    isForecast: z.boolean(),
    /** The verdict itself says what has changed. */
    hasNews: z.boolean(),
    /** Withheld where people of other organisations read. */
    isInternal: z.boolean(),
  }),
  /** `ref`: the reference in the log. */
  z.object({ kind: z.literal('failed'), line: z.string(), reason: z.string(), ref: z.string() }),
]);
export type LineReport = z.infer<typeof lineReport>;

export const digestMessage = z.object({
  kind: z.literal('digest'),
  digestId: z.string(),
  number: z.number(),
  title: z.string(),
  ownerId: z.string(),
  destination: storedDestination,
  zone: z.string(),
  /** Null if a person ran it. */
  scheduledFor: date.nullable(),
  ranAt: date,
  /** Null while it is paused. */
  nextRunAt: date.nullable(),
  /** The answers are compared with those of the digest sent then; null for the first. */
  since: date.nullable(),
  news: z.array(news).readonly(),
  /** The earliest calls of vessels that are not in the news, and the number of all such vessels. */
  calls: z.object({ first: z.array(vesselCall).readonly(), total: z.int() }).default({ first: [], total: 0 }),
  missed: missed.nullable(),
  reports: z.array(lineReport).readonly(),
});
export type DigestMessage = z.infer<typeof digestMessage>;

/** What follows in the thread of a digest. */
const reply = {
  /** The outbox id of the digest's message. */
  parent: z.string(),
  destination: storedDestination,
  zone: z.string(),
  ranAt: date,
};

/** News that the table of the digest's message has no room for. */
export const digestNews = z.object({
  kind: z.literal('digest-news'),
  ...reply,
  news: z.array(news).readonly(),
});
export type DigestNews = z.infer<typeof digestNews>;

/** The whole answer of a line, as it was when the digest ran. */
export const digestDetail = z.object({
  kind: z.literal('digest-detail'),
  ...reply,
  line: z.string(),
  isInternal: z.boolean(),
  stored: storedAnswer,
});
export type DigestDetail = z.infer<typeof digestDetail>;

/** Only for the owner: the digest is paused, because Slack refuses its message. `reason` is Slack's error code. */
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

export type OutgoingDigest = DigestMessage | DigestNews | DigestDetail | DigestNotice;
