import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { addYears } from 'date-fns/addYears';
import { millisecondsInDay } from 'date-fns/constants';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import { startOfMonth } from 'date-fns/startOfMonth';
import type { Lane } from '../../analytics/journey-statistics.ts';
import type { Comparison } from '../../answers/answer.ts';
import { isoDay } from '../../answers/formatting/times.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { UserError } from '../../errors.ts';
import { joinWords, type LineHelp } from '../../grammar/line.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import { formatVersus, type Versus } from '../../grammar/versus.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { AskCtx } from '../ctx.ts';
import { askLane, compareCarriers, type LaneStatistics } from './statistics.ts';

interface ComparedSpans {
  earlier: TimeSpan;
  later: TimeSpan;
}

export type LaneVersus = Awaited<ReturnType<typeof askVersus>>;

/** How the carriers of a lane performed in two periods. Throws only if the service answers for neither. */
export async function askVersus(lane: Omit<Lane, 'begin' | 'end'>, spans: ComparedSpans, ctx: AskCtx) {
  const results = await Promise.allSettled([
    askLane({ ...lane, ...spans.earlier }, ctx),
    askLane({ ...lane, ...spans.later }, ctx),
  ]);
  ctx.signal.throwIfAborted();
  const [earlier, later] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  );
  const [first, ...others] = [later, earlier].filter((answer) => answer !== undefined);
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const answers: [LaneStatistics, ...LaneStatistics[]] = [first, ...others];
  // If one period has no journeys, the service may know the port in the other by another code.
  const { origin, destination } = answers.find(hasJourneys) ?? first;
  const periods = { earlier: earlier?.period ?? spans.earlier, later: later?.period ?? spans.later };
  const overlap = {
    begin: max([periods.earlier.begin, periods.later.begin]),
    end: min([periods.earlier.end, periods.later.end]),
  };
  return {
    origin,
    destination,
    insteadOf: [...new Set(answers.filter(hasJourneys).flatMap(({ insteadOf }) => insteadOf))],
    /** Half-open, as the service answered. */
    ...periods,
    /** The part that is in both periods. */
    ...(overlap.begin < overlap.end && { overlap }),
    periodsDiffer: answers.some(({ periodsDiffer }) => periodsDiffer),
    /** Some journeys of the later period may not have reached the destination yet. */
    isRecent: +spans.later.end > +first.fetchedAt - longestJourneyDays * millisecondsInDay,
    ...compareCarriers({ earlier: statisticsOf(earlier), later: statisticsOf(later) }),
    /** Carriers in the line that the service has nothing of in either period. */
    missing: first.missing.filter((scac) => others.every(({ missing }) => missing.includes(scac))),
    /** Set if the service did not answer for one of the periods: that period, and the answer for the other. */
    ...(!earlier && later && { unanswered: 'earlier' as const, only: later }),
    ...(!later && earlier && { unanswered: 'later' as const, only: earlier }),
    ...mergeProvenance(answers),
  };
}

/** About as long as liner services take from one end of a trade to the other, Asia to Europe round the Cape. */
export const longestJourneyDays = 45;

const statisticsOf = (answer: LaneStatistics | undefined) =>
  answer ? [...answer.ranked, ...answer.unranked] : [];

const hasJourneys = (answer: LaneStatistics): boolean => statisticsOf(answer).length > 0;

/** What digests compare: on each lane, the carriers whose delays have clearly changed. */
export function comparisonOf(
  lanes: readonly Pick<LaneVersus, 'origin' | 'destination' | 'compared' | 'unanswered'>[],
): Comparison {
  const questions = lanes.map(({ origin, destination, compared, unanswered }) => {
    const marked = compared.filter(({ change }) => change !== 'unclear');
    const rows = marked.map(({ carrier, change }) => ({ id: `${carrier} ${change}` }));
    // The service may answer for another code of the same port.
    const id = `carriers ${canonicalPort(origin)} ${canonicalPort(destination)}`;
    return { id: lanes.length === 1 ? 'carriers' : id, isList: true, rows: unanswered ? null : rows };
  });
  return { questions };
}

/** The service's own default. */
const defaultPeriod: Period = { kind: 'last', amount: 90, unit: 'days' };

/**
 * Both periods in whole days of UTC, in the order of time however they were typed. `help.line` takes the words for both.
 * Throws UserError if they are the same.
 */
export function comparedSpans(
  { period = defaultPeriod, versus }: { period?: Period | undefined; versus: Versus },
  { now, help }: { now: Date; help: LineHelp },
): ComparedSpans {
  const spanOf = (typed: Period, line: LineHelp['line']) =>
    fromMidnight(
      resolvePeriodWithin(typed, { now, zone: 'UTC', direction: 'past', help: { ...help, line } }),
      now,
    );
  const span = spanOf(period, (fixed) => help.line(joinWords(fixed, formatVersus(versus))));
  if (versus === 'previous') {
    const strideDays = period.kind === 'weekend' ? 7 : undefined;
    const { current, previous } = previousSpan(span, { now, strideDays });
    return { earlier: previous, later: current };
  }
  if (versus === 'year earlier') {
    const later = { begin: span.begin, end: min([span.end, now]) };
    const [begin, end] = [later.begin, later.end].map(aYearBefore);
    return { earlier: { begin: begin ?? later.begin, end: end ?? later.end }, later };
  }
  const other = spanOf(versus, (fixed) => help.line(joinWords(formatPeriod(period), `versus ${fixed}`)));
  if (+span.begin === +other.begin && +span.end === +other.end) throw samePeriod(versus, help);
  const isLater = +span.begin - +other.begin || +span.end - +other.end;
  return isLater > 0 ? { earlier: other, later: span } : { earlier: span, later: other };
}

/** The same time of the year before, in UTC; 29 February has the 28th. */
const aYearBefore = (time: Date): Date => new Date(+addYears(new TZDate(time, 'UTC'), -1));

const samePeriod = (period: Period, help: LineHelp): UserError =>
  new UserError({
    code: 'bad-period',
    message: 'Both periods are the same.',
    hint: 'Compare with another period, such as the one before.',
    choices: [
      { label: 'versus previous', line: help.line(joinWords(formatPeriod(period), 'versus previous')) },
    ],
    example: 'lane Singapore Xiamen last quarter versus previous',
  });

/** The days of a span, as a period that can be typed. */
export const daysOf = ({ begin, end }: TimeSpan): Period => ({
  kind: 'days',
  from: isoDay(begin, 'UTC'),
  to: isoDay(new Date(end.getTime() - 1), 'UTC'),
});

/**
 * The span of as many days that ends where this one begins, or that begins `strideDays` before it; for whole months of
 * the calendar in UTC, as many whole months. If `now` cuts the span off, both get the same days: 1–23 November goes with
 * 1–23 October.
 */
export function previousSpan(
  { begin, end }: TimeSpan,
  { now, strideDays = daysIn({ begin, end }) }: { now: Date; strideDays?: number | undefined },
): { current: TimeSpan; previous: TimeSpan } {
  const current = { begin, end: end > now ? now : end };
  const months = wholeMonths({ begin, end });
  const start = new Date(
    +(months > 0 ? addMonths(new TZDate(begin, 'UTC'), -months) : addDays(begin, -strideDays)),
  );
  const isCut = current.end !== end;
  // February may be shorter than the part of March that is over.
  const until =
    months > 0 && !isCut ? +begin : Math.min(+begin, +start + daysIn(current) * millisecondsInDay);
  return { current, previous: { begin: start, end: new Date(until) } };
}

/**
 * The same span from a midnight of UTC on: `last 30 days` begins within a day, and is then 30 days with today's. Days
 * can be typed, shown and compared; hours can't.
 */
export function fromMidnight({ begin, end }: TimeSpan, now: Date): TimeSpan {
  const midnight = Math.ceil(+begin / millisecondsInDay) * millisecondsInDay;
  const isToday = midnight >= Math.min(+end, +now);
  return { begin: new Date(isToday ? midnight - millisecondsInDay : midnight), end };
}

/** A day that has begun counts. */
const daysIn = ({ begin, end }: TimeSpan): number => Math.ceil((+end - +begin) / millisecondsInDay);

/** 0 if the span isn't whole months. */
function wholeMonths({ begin, end }: TimeSpan): number {
  const [first, last] = [new TZDate(begin, 'UTC'), new TZDate(end, 'UTC')];
  return isStartOfMonth(first) && isStartOfMonth(last) ? differenceInCalendarMonths(last, first) : 0;
}

const isStartOfMonth = (time: TZDate): boolean => +startOfMonth(time) === +time;
