import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Prediction, PredictionsAnswer } from '../../analytics/answers.ts';
import { isoDay } from '../../answers/formatting/times.ts';
import { StoreUnavailable } from '../../errors.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { When } from '../../predictions/when.ts';
import type { Locode } from '../../reference/codes.ts';
import { canonicalPort, portOf } from '../../reference/ports.ts';
import type { AskCtx } from '../ctx.ts';
import { portHistory } from '../history/index.ts';
import { filterHere } from '../scope.ts';
import { fetchPort } from './ask.ts';

/** Without a period. */
const defaultDays = 10;
/** All days of a shorter period are listed; a longer one ends with its last predicted call. */
const maxEmptyDays = 20;

export type PortDays = Awaited<ReturnType<typeof askPortDays>>;

export interface PortDay extends LikelyCalls {
  /** Of the port's calendar: `2026-11-23`. */
  day: string;
  /** If there is enough history. */
  norm?: NormOfDay;
  isAbove: boolean;
}

/**
 * The likely calls of each local day that the period touches, or of the next ten. Calls of any probability count. Vessels
 * whose ETA has passed or isn't given may call on any day, so they stand apart.
 */
export async function askPortDays(port: Locode, { period }: { period: TimeSpan | undefined }, ctx: AskCtx) {
  const now = ctx.now();
  const { predictions, scale, ...of } = await fetchPort(port, ctx);
  const zone = portOf(of.port)?.zone ?? 'UTC';
  const { first, listed, counted } = countByDay(predictions, { zone, now, period });
  // The terminal has no history. The author of a workflow may not learn what the person that it names watches.
  const norm =
    ctx.place && !ctx.place.isShared
      ? await readNorm(
          {
            codes: [...new Set([port, of.port, canonicalPort(port)])],
            leads: daysBetween(isoDay(now, zone), first) + counted.days.length,
            ...{ zone, now, scale },
          },
          portHistory({ store: ctx.services.store, filter: () => filterHere(ctx) }),
        )
      : undefined;
  const days = counted.days.map((each): PortDay => {
    const ofLead = norm?.kind === 'known' ? norm.byLead[daysBetween(isoDay(now, zone), each.day)] : undefined;
    return { ...each, ...(ofLead && { norm: ofLead }), isAbove: isAboveNorm(each.likely, ofLead) };
  });
  return {
    ...of,
    ...counted,
    days,
    norm: norm && normState(norm),
    listed,
    /** The service has no predictions for this port. */
    isUnknown: predictions.length === 0,
  };
}

const normState = (norm: Norm) => (norm.kind === 'known' ? { kind: norm.kind, days: norm.days } : norm);

/** Pure. Each list is sorted by time. */
export function countByDay(
  predictions: readonly Prediction[],
  { zone, now, period }: { zone: string; now: Date; period: TimeSpan | undefined },
) {
  const today = isoDay(now, zone);
  const begin = period ? isoDay(period.begin, zone) : today;
  const first = begin > today ? begin : today;
  // A period ends before its last moment.
  const end = period ? isoDay(new Date(period.end.getTime() - 1), zone) : dayAfter(today, defaultDays - 1);
  const groupOf = ({ eta }: Prediction): string => {
    if (!eta) return 'undated';
    return eta < now ? 'overdue' : isoDay(eta, zone);
  };
  const groups = Map.groupBy(predictions, groupOf);
  const likelyOf = (of: readonly Prediction[] = []) =>
    likelyCallsOf(of.map(({ probability }) => probability));
  const lastPredicted = [...groups.keys()]
    .filter((day) => day >= first && day <= end && isDay(day))
    .sort()
    .at(-1);
  const lastShown = [dayAfter(first, maxEmptyDays - 1), lastPredicted ?? first].sort().at(-1) ?? end;
  const days = daysOf(first, lastShown < end ? lastShown : end);
  const isListed = (day: string) => isDay(day) && day >= first && day <= end;
  const whenOf = (group: string): When => {
    if (group === 'undated') return 'unknown';
    if (group === 'overdue') return first === today ? 'within' : 'before';
    if (isListed(group)) return 'within';
    return group < first ? 'before' : 'after';
  };
  return {
    first,
    listed: predictions.map((prediction) => ({ ...prediction, when: whenOf(groupOf(prediction)) })),
    counted: {
      days: days.map((day) => ({ day, ...likelyOf(groups.get(day)) })),
      total: likelyOf([...groups].flatMap(([group, of]) => (isListed(group) ? of : []))),
      overdue: likelyOf(groups.get('overdue')),
      undated: likelyOf(groups.get('undated')),
      /** After the last day. */
      later: likelyOf([...groups].flatMap(([group, of]) => (isDay(group) && group > end ? of : []))),
    },
  };
}

const isDay = (group: string): boolean => /^\d/.test(group);

// Days of a port's calendar, such as `2026-11-23`. They may last 23 or 25 hours.

export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * millisecondsInDay).toISOString().slice(0, 10);

/** How many days later. */
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / millisecondsInDay);

/** Both included; none if `last` is earlier. */
export const daysOf = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => dayAfter(first, index));

/** The same local time, that many days ago. */
export const sameTimeBefore = (now: Date, zone: string, days: number): Date =>
  new Date(addDays(new TZDate(now, zone), -days).getTime());

/** One stored answer of the service about a port. */
export interface PortPoll {
  at: Date;
  scale: PredictionsAnswer['scale'];
  predictions: readonly Prediction[];
}

/** The polls of watched ports. */
export interface PortHistory {
  /** For each time, the last poll before it and the first one after it, if they are within `withinMs`. */
  findPolls(port: Locode, near: { times: readonly Date[]; withinMs: number }): Promise<readonly Date[]>;
  /** One after the other, since the answers about a large port are long. */
  readPolls(port: Locode, times: readonly Date[]): AsyncIterable<PortPoll>;
}

/** The likely calls of a day, as polls of past days predicted them as many days ahead. */
interface NormOfDay {
  median: number;
  /** Nine of ten past days had no more. */
  high: number;
}

export type Norm =
  /** `byLead`: for today, tomorrow and so on. */
  | { kind: 'known'; days: number; byLead: NormOfDay[] }
  /** `days`: those with a poll. */
  | { kind: 'too-few'; days: number; isWatched: boolean }
  | { kind: 'unavailable' };

/** The norm needs as many past days. */
export const minDays = 14;
const maxDays = 60;
/** A poll at another time of the day would know more, or less, of the days ahead. */
const withinMs = 3 * millisecondsInHour;
/** A watched port is polled at least once a day. */
const watchedWithinMs = 2 * millisecondsInDay;

interface Asked {
  /** The codes of the port. */
  codes: readonly Locode[];
  /** IANA name. */
  zone: string;
  now: Date;
  /** Polls of the other scale may have been misread. */
  scale: PredictionsAnswer['scale'];
  /** As many days, today included. */
  leads: number;
}

/**
 * The service predicts only the next port of each vessel, so a later day always has fewer likely calls. That's why a day
 * is compared with days that were as far ahead: by one poll for each of the past 60 days, at this time of the day.
 */
export async function readNorm(
  { codes, zone, now, scale, leads }: Asked,
  history: PortHistory,
): Promise<Norm> {
  try {
    const { code, polls } = await findDailyPolls({ codes, zone, now }, history);
    const samples: number[][] = [];
    if (code !== undefined)
      for await (const poll of history.readPolls(code, polls))
        if (poll.scale === scale) samples.push(likelyByLead(poll, { zone, leads }));
    if (samples.length >= minDays)
      return { kind: 'known', days: samples.length, byLead: normOf(samples, leads) };
    const recent = await Promise.all(
      codes.map((each) => history.findPolls(each, { times: [now], withinMs: watchedWithinMs })),
    );
    return { kind: 'too-few', days: samples.length, isWatched: recent.flat().length > 0 };
  } catch (error) {
    // The service has answered, so there is an answer without the norm.
    if (error instanceof StoreUnavailable) return { kind: 'unavailable' };
    throw error;
  }
}

/** The code of the port with the most polls; for each past day, the poll nearest to this time of the day. */
async function findDailyPolls(
  { codes, zone, now }: Pick<Asked, 'codes' | 'zone' | 'now'>,
  history: PortHistory,
): Promise<{ code?: Locode; polls: Date[] }> {
  const times = Array.from({ length: maxDays }, (_, index) => sameTimeBefore(now, zone, index + 1));
  const found = await Promise.all(
    codes.map(async (code) => {
      const near = await history.findPolls(code, { times, withinMs });
      return { code, polls: times.flatMap((time) => nearestOfDay(time, near, zone) ?? []) };
    }),
  );
  return found.toSorted((one, other) => other.polls.length - one.polls.length)[0] ?? { polls: [] };
}

/** On the same local day. */
function nearestOfDay(time: Date, polls: readonly Date[], zone: string): Date | undefined {
  const distance = (poll: Date) => Math.abs(poll.getTime() - time.getTime());
  return polls
    .filter((poll) => distance(poll) <= withinMs && isoDay(poll, zone) === isoDay(time, zone))
    .toSorted((one, other) => distance(one) - distance(other))[0];
}

/** The sum of probabilities for the day of the poll, the next day and so on. */
export function likelyByLead(
  { at, predictions }: Pick<PortPoll, 'at' | 'predictions'>,
  { zone, leads }: Pick<Asked, 'zone' | 'leads'>,
): number[] {
  const today = isoDay(at, zone);
  const sums = Array.from({ length: leads }, () => 0);
  for (const { eta, probability } of predictions) {
    if (!eta || eta < at) continue;
    const lead = daysBetween(today, isoDay(eta, zone));
    const sum = sums[lead];
    if (sum !== undefined) sums[lead] = sum + probability;
  }
  return sums;
}

/** `samples`: for each past day, the likely calls by lead. */
export function normOf(samples: readonly (readonly number[])[], leads: number): NormOfDay[] {
  return Array.from({ length: leads }, (_, lead) => {
    const sorted = samples.map((sample) => sample[lead] ?? 0).toSorted((one, other) => one - other);
    const middle = [Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2)];
    return {
      median: middle.reduce((sum, index) => sum + (sorted[index] ?? 0), 0) / 2,
      high: sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0,
    };
  });
}

/** A day with less than one likely call isn't busy, even if the norm is lower. */
export const isAboveNorm = (likely: number, norm: NormOfDay | undefined): boolean =>
  norm !== undefined && likely >= 1 && tenths(likely) > tenths(norm.high);

/** As the figures are shown. */
const tenths = (calls: number): number => Math.round(calls * 10);

/** How many of some vessels call, if each calls with its own probability. */
export interface LikelyCalls {
  /** The sum of the probabilities. */
  likely: number;
  /** In eight of ten cases, at least `low` and at most `high` vessels call, if they don't influence each other. */
  low: number;
  high: number;
  /** The number of vessels that may call. */
  vessels: number;
}

/** One case in ten is below the range, and one above. */
const tail = 0.1;

/** Probabilities go from 0 to 1; a rounding error beyond counts as 0 or 1. */
export function likelyCallsOf(probabilities: readonly number[]): LikelyCalls {
  const trials = probabilities.map((probability) => Math.min(1, Math.max(0, probability)));
  const chances = chancesOfCounts(trials);
  return {
    likely: trials.reduce((sum, probability) => sum + probability, 0),
    low: quantile(chances, tail),
    high: quantile(chances, 1 - tail),
    vessels: trials.length,
  };
}

/**
 * The Poisson binomial distribution: the chance that exactly n of the independent trials succeed, at index n. Exact, in
 * steps that grow with the square of the number of trials.
 */
export function chancesOfCounts(probabilities: readonly number[]): number[] {
  // In place: an array for each of a thousand vessels would hold up everything else.
  const chances = new Float64Array(probabilities.length + 1);
  chances[0] = 1;
  for (const [index, probability] of probabilities.entries())
    for (let count = index + 1; count >= 0; count -= 1)
      chances[count] =
        (chances[count] ?? 0) * (1 - probability) + (count > 0 ? (chances[count - 1] ?? 0) : 0) * probability;
  return [...chances];
}

/** The smallest number that isn't exceeded with this chance. Allows for rounding. */
function quantile(chances: readonly number[], chance: number): number {
  let sum = 0;
  const found = chances.findIndex((each) => {
    sum += each;
    return sum >= chance - 1e-9;
  });
  return found < 0 ? chances.length - 1 : found;
}
