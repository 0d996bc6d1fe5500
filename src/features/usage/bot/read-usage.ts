import { millisecondsInDay } from 'date-fns/constants';
import type { UsageMonth } from '../../../analytics/usage.ts';
import { capitalised } from '../../../answers/formatting/words.ts';
import { ServiceTrouble, UserError } from '../../../errors.ts';
import { isoMonth } from '../../../grammar/dates.ts';
import type { Period } from '../../../grammar/period.ts';
import { resolveMonth, type TimeSpan } from '../../../grammar/resolve-period.ts';
import { type CallsOfMonth, dayOf } from '../../../workspaces/call-counts.ts';
import { notInChannel } from '../../../workspaces/permissions.ts';
import type { WorkPause } from '../../../workspaces/work-pause.ts';
import type { AskCtx } from '../../ctx.ts';
import { digestRuns } from '../../digests/index.ts';
import { pausedWork } from '../../owned/index.ts';
import { polledSubjects } from '../../polling/index.ts';
import {
  callsPerRun,
  type DigestRuns,
  type PolledSubject,
  type PolledSubjects,
} from '../../scheduled-calls.ts';
import { readVisibleChannels } from '../../visible-channels.ts';
import { askUsageOf, isBefore, notYet, requestTotals } from '../report.ts';

/** The requests that Landfall itself sent for the workspace in one month. */
export interface BotUsage extends UsageMonth {
  /** When it was read. */
  at: Date;
  /** The month isn't over. */
  isRunning: boolean;
  days: CallsOfMonth['days'];
  causes: readonly Cause[];
  /** The first day that was counted, if the month has days before it; undefined if none was. */
  since: string | undefined;
  /** Left out if the month is over. */
  forecast?: Forecast;
  /** Of all watches and digests, in what is left of the month. */
  pause?: WorkPause;
  /** Requests per day: of all watches, and their budget. */
  plan: { plannedCalls: number; dailyCalls: number | undefined };
  official: OfficialReport;
  known: KnownChannels;
}

/** `not-shown`: it also counts other workspaces. */
type OfficialReport =
  | { kind: 'report'; requests: number; lastUpdatedAt?: Date }
  | { kind: 'unreadable' | 'not-shown' };

/**
 * Months and days are those of UTC. Throws UserError for a month in the future, and for a channel that the person may not
 * know of.
 */
export async function readBotUsage(
  month: Period | undefined,
  ctx: AskCtx,
  channelId?: string,
): Promise<BotUsage> {
  const now = ctx.now();
  const current = resolveMonth({ kind: 'month', offset: 0 }, { now, zone: 'UTC' });
  const shown = month ? resolveMonth(month, { now, zone: 'UTC' }) : current;
  if (isBefore(current, shown)) throw notYet(shown, { what: 'count', thisMonth: 'usage bot' });
  const isRunning = !isBefore(shown, current);
  // First, so that its own requests are counted.
  const official = await askOfficial(shown, ctx);
  const { days, causes: counted } = await ctx.services.calls.ofMonth(isoMonth(shown));
  const known = await readKnown(counted, ctx, channelId);
  if (channelId !== undefined && !isKnown(channelId, known)) throw unknownChannel(ctx);
  const since = await ctx.services.calls.since();
  const polled = await polledSubjects(ctx);
  const until = new Date(Date.UTC(shown.year, shown.month));
  const from = latest(new Date(Date.UTC(shown.year, shown.month - 1)), since);
  const pause = isRunning ? await pausedWork(ctx) : undefined;
  const paused = pause && overlap(pause, { begin: now, end: until });
  const digests = await digestRuns({ from, now, until, paused }, ctx);
  const digestCalls = new Map(
    counted.flatMap(({ kind, key, calls }) => (kind === 'digest' ? [[key, calls] as const] : [])),
  );
  const sources = { now, until, paused, polled, digests, digestCalls };
  return {
    ...shown,
    at: now,
    isRunning,
    days,
    causes: causesOf(counted, { subjects: polled.subjects, digests }),
    since,
    ...(isRunning && { forecast: forecastCalls({ ...sources, ...(await readRecent(now, since, ctx)) }) }),
    ...(paused && { pause }),
    plan: polled,
    official,
    known,
  };
}

/** Requests from `recentFrom` on; not before the first day that was counted. */
async function readRecent(now: Date, since: string | undefined, ctx: AskCtx) {
  const today = Date.parse(dayOf(now.getTime()));
  const recentFrom = latest(new Date(today - (recentDays - 1) * millisecondsInDay), since);
  const tomorrow = dayOf(today + millisecondsInDay);
  return { recentFrom, recent: await ctx.services.calls.ofDays(dayOf(recentFrom.getTime()), tomorrow) };
}

const latest = (time: Date, day: string | undefined): Date =>
  new Date(Math.max(time.getTime(), day === undefined ? 0 : Date.parse(day)));

/** An answer that others read names no channel but its own. Admins may know of public channels too. */
async function readKnown(
  counted: CallsOfMonth['causes'],
  ctx: AskCtx,
  asked: string | undefined,
): Promise<KnownChannels> {
  const { services, actor, place, audience } = ctx;
  const here = place?.destination === 'channel' ? [place.channelId] : [];
  if (audience !== 'private') return { channelIds: here };
  const joined = await services.access.getJoinedChannels(actor.userId);
  if (!actor.isAdmin) return { channelIds: [...joined, ...here] };
  const byCalls = counted.toSorted((one, other) => other.calls - one.calls);
  const all = [
    ...new Set([
      ...(asked ? [asked] : []),
      ...byCalls.flatMap(({ channelId }) => channelId?.split(',') ?? []),
    ]),
  ];
  const { mayKnow } = await readVisibleChannels(all, ctx);
  return { channelIds: [...joined, ...here, ...all.filter(mayKnow)] };
}

const unknownChannel = ({ audience }: AskCtx): UserError =>
  audience === 'private'
    ? notInChannel({ saves: false })
    : new UserError({
        code: 'bad-channel',
        message: 'Others read this answer, so it shows what was used for this channel only.',
        hint: 'Ask without “public”, or in a direct message with Landfall.',
        example: 'usage bot by channel',
      });

const officialTimeoutMs = 4_000;
/** A longer report is not worth the requests. */
const maxOfficialPages = 3;

async function askOfficial(month: UsageMonth, ctx: AskCtx): Promise<OfficialReport> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(officialTimeoutMs)]);
  try {
    const report = await askUsageOf(month, { ...ctx, fresh: false, signal }, maxOfficialPages);
    const { records, lastUpdatedAt, truncated, droppedRecords } = report;
    if (truncated || droppedRecords > 0) return { kind: 'unreadable' };
    const requests = requestTotals(records)?.all ?? 0;
    return { kind: 'report', requests, ...(lastUpdatedAt && { lastUpdatedAt }) };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof UserError && error.code === 'not-allowed') return { kind: 'not-shown' };
    if (error instanceof UserError || error instanceof ServiceTrouble || signal.aborted)
      return { kind: 'unreadable' };
    throw error;
  }
}

/** Requests from now to the end of the month, rounded. */
export interface Forecast {
  watches: number;
  digests: number;
  /** All others. */
  commands: number;
}

/** The days, today included, that the requests of commands are projected from. */
const recentDays = 14;

/**
 * Watches go on as their present ETAs and the budget demand, digests run by their schedules and take as many requests as
 * their runs of this month did, and people ask as often as in the last 14 days.
 */
export function forecastCalls({
  now,
  until,
  paused,
  recent,
  recentFrom,
  polled,
  digests,
  digestCalls,
}: {
  now: Date;
  /** The end of the month. */
  until: Date;
  /** When nothing is polled, from `now` to `until`. */
  paused?: TimeSpan | undefined;
  /** The requests since `recentFrom`. */
  recent: CallsOfMonth['days'];
  recentFrom: Date;
  polled: PolledSubjects;
  digests: readonly DigestRuns[];
  /** This month's requests of a digest, by its id. */
  digestCalls: ReadonlyMap<string, number>;
}): Forecast {
  const daysLeft = Math.max(0, until.getTime() - now.getTime()) / millisecondsInDay;
  const daysPaused = paused ? (paused.end.getTime() - paused.begin.getTime()) / millisecondsInDay : 0;
  const recentMs = now.getTime() - recentFrom.getTime();
  const asked = sumOf(recent.filter(({ kind }) => kind === 'command' || kind === 'other'));
  return {
    watches: Math.round(pollsPerDay(polled) * Math.max(0, daysLeft - daysPaused)),
    digests: Math.round(
      digests.reduce((sum, digest) => sum + digest.left * callsPerRun(digest, digestCalls), 0),
    ),
    // Of less than a day, nothing can be projected.
    commands: Math.round((asked / Math.max(1, recentMs / millisecondsInDay)) * daysLeft),
  };
}

/** The part of a pause in a span; undefined if there is none. */
function overlap({ since, until }: WorkPause, { begin, end }: TimeSpan): TimeSpan | undefined {
  const [first, last] = [Math.max(+since, +begin), Math.min(+(until ?? end), +end)];
  return first < last ? { begin: new Date(first), end: new Date(last) } : undefined;
}

/** Beyond the budget, watches are polled less often, but each at least once a day. */
function pollsPerDay({ subjects, dailyCalls }: PolledSubjects): number {
  const needed = subjects.reduce((sum, { callsPerDay }) => sum + callsPerDay, 0);
  return dailyCalls === undefined ? needed : Math.min(needed, Math.max(dailyCalls, subjects.length));
}

export const sumOf = (counts: readonly { calls: number }[]): number =>
  counts.reduce((sum, { calls }) => sum + calls, 0);

/** What caused requests, with the channels that it belongs to; null stands for direct messages. */
export type Cause = { calls: number } & (
  | { kind: 'command'; name: string; places: readonly { channelId: string | null; calls: number }[] }
  /** `title`: null if it was removed long ago. */
  | { kind: 'digest'; title: string | null; channelId: string | null }
  /**
   * `name`: null if nothing watches it any more. `watchedIn`: the channel of each watch that there is now. `polls`: the
   * channels of the watches that they were made for, since only their people may know of them.
   */
  | {
      kind: 'watch';
      name: string | null;
      watchedIn: readonly (string | null)[];
      polls: readonly { channelIds: readonly string[]; calls: number }[];
    }
  | { kind: 'other' }
);

/** The channels that readers may know of. */
export interface KnownChannels {
  channelIds: readonly string[];
}

/** A row of the table by cause. */
export interface CauseRow {
  kind: Cause['kind'];
  /** Plain text. */
  what: string;
  calls: number;
  /** The known channels. */
  channelIds: readonly string[];
}

/** A row of the list by channel. */
export interface ChannelRow {
  /** A channel, or where there is none, words in plain text. */
  channel: { id: string } | string;
  calls: number;
}

/** Names what was counted, by what there is today. */
export function causesOf(
  counted: CallsOfMonth['causes'],
  { subjects, digests }: { subjects: readonly PolledSubject[]; digests: readonly DigestRuns[] },
): Cause[] {
  const subjectOf = new Map(subjects.map((subject) => [subject.key, subject]));
  const digestOf = new Map(digests.map((digest) => [digest.id, digest]));
  const byKey = Map.groupBy(counted, ({ kind, key }) => `${kind} ${key}`);
  return [...byKey.values()].flatMap((rows) => {
    const [first] = rows;
    return first ? [causeOf(first, rows)] : [];
  });

  function causeOf({ kind, key, channelId }: Counted, rows: readonly Counted[]): Cause {
    const calls = sumOf(rows);
    switch (kind) {
      case 'command':
        return { kind, name: key, calls, places: rows };
      case 'digest':
        return { kind, title: digestOf.get(key)?.title ?? null, channelId, calls };
      case 'watch': {
        const { name = null, watchedIn = [] } = subjectOf.get(key) ?? {};
        const polls = rows.map(({ channelId: ids, calls: count }) => ({
          channelIds: ids?.split(',') ?? [],
          calls: count,
        }));
        return { kind, name, watchedIn, polls, calls };
      }
      case 'other':
        return { kind, calls };
    }
  }
}

type Counted = CallsOfMonth['causes'][number];

/**
 * The most frequent first. What belongs to channels that the reader may not know of, or to one person, has no name of its
 * own.
 */
export const rowsByCause = (causes: readonly Cause[], known: KnownChannels): CauseRow[] =>
  summedUp(causes.flatMap((cause) => causeRows(cause, known)));

function causeRows(cause: Cause, known: KnownChannels): CauseRow[] {
  const { kind, calls } = cause;
  const row = (what: string, channelIds: readonly string[] = [], count = calls) => [
    { kind, what, channelIds, calls: count },
  ];
  switch (cause.kind) {
    case 'command': {
      const places = cause.places.toSorted((a, b) => b.calls - a.calls);
      const channelIds = places.map(({ channelId }) => channelId).filter((id) => isKnown(id, known));
      return row(`/${cause.name}`, channelIds);
    }
    case 'digest': {
      const { title, channelId } = cause;
      if (channelId === null) return row('Personal digests');
      if (!isKnown(channelId, known)) return row('Digests in other channels');
      return row(title === null ? 'Removed digests' : `${title} (digest)`, [channelId]);
    }
    case 'watch': {
      const { name, watchedIn, polls } = cause;
      const channels = watchedIn.filter((id) => isKnown(id, known));
      return polls.flatMap(({ channelIds, calls: count }) => {
        if (channelIds.length === 0) return row('Personal watches', [], count);
        if (!channelIds.some((id) => isKnown(id, known))) return row('Watches in other channels', [], count);
        if (name === null || channels.length === 0) return row('Stopped watches', [], count);
        return row(`${capitalised(name)} (${countedWatches(channels)})`, [...new Set(channels)], count);
      });
    }
    case 'other':
      return row('Other');
  }
}

const countedWatches = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'watch' : `${length} watches`;

/** The most frequent first. Each request is in one row, so the rows add up to all requests. */
export const rowsByChannel = (causes: readonly Cause[], known: KnownChannels): ChannelRow[] =>
  summedUp(causes.flatMap((cause) => channelRows(cause, known)));

function channelRows(cause: Cause, known: KnownChannels): ChannelRow[] {
  const { calls } = cause;
  const rowOf = (channelId: string | null, count = calls): ChannelRow => {
    if (channelId === null) return { channel: 'Direct messages', calls: count };
    return { channel: isKnown(channelId, known) ? { id: channelId } : 'Other channels', calls: count };
  };
  switch (cause.kind) {
    case 'command':
      return cause.places.map(({ channelId, calls: count }) => rowOf(channelId, count));
    case 'digest':
      return [rowOf(cause.channelId)];
    case 'watch': {
      return cause.polls.flatMap(({ channelIds, calls: count }) => {
        // The watch of a channel that the reader doesn't know, or of a person, changes nothing of what they see.
        const [first, ...others] = channelIds.filter((id) => isKnown(id, known));
        if (others.length > 0) return { channel: 'Polls shared by several channels', calls: count };
        return rowOf(first ?? channelIds[0] ?? null, count);
      });
    }
    case 'other':
      return [{ channel: 'Other', calls }];
  }
}

/**
 * What was used for a channel. A poll for several channels counts for each; `shared`: those, among the channels that the
 * reader may know of.
 */
export function causesIn(
  causes: readonly Cause[],
  channelId: string,
  known: KnownChannels,
): { causes: Cause[]; shared: number } {
  const own = causes.flatMap((cause) => ownOf(cause, channelId)).filter(({ calls }) => calls > 0);
  const polls = own.flatMap((cause) => (cause.kind === 'watch' ? cause.polls : []));
  const isShared = ({ channelIds }: { channelIds: readonly string[] }) =>
    channelIds.filter((id) => isKnown(id, known)).length > 1;
  return { causes: own, shared: sumOf(polls.filter(isShared)) };
}

function ownOf(cause: Cause, channelId: string): Cause[] {
  switch (cause.kind) {
    case 'command': {
      const places = cause.places.filter((place) => place.channelId === channelId);
      return [{ ...cause, places, calls: sumOf(places) }];
    }
    case 'digest':
      return cause.channelId === channelId ? [cause] : [];
    case 'watch': {
      const polls = cause.polls.filter(({ channelIds }) => channelIds.includes(channelId));
      return [{ ...cause, polls, calls: sumOf(polls) }];
    }
    case 'other':
      return [];
  }
}

const isKnown = (channelId: string | null, { channelIds }: KnownChannels): channelId is string =>
  channelId !== null && channelIds.includes(channelId);

/** Adds up the rows that differ in nothing but their calls. */
function summedUp<Row extends { calls: number }>(rows: readonly Row[]): Row[] {
  const sums = Map.groupBy(rows, ({ calls: _, ...row }) => JSON.stringify(row));
  // Equal ones in the order of their words, so that the same calls always read the same.
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => same.slice(0, 1).map((row) => ({ ...row, calls: sumOf(same) })))
    .toSorted((a, b) => b.calls - a.calls);
}
