import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { addMonths } from 'date-fns/addMonths';
import { addYears } from 'date-fns/addYears';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { endOfMonth } from 'date-fns/endOfMonth';
import { getISOWeeksInYear } from 'date-fns/getISOWeeksInYear';
import { getISOWeekYear } from 'date-fns/getISOWeekYear';
import { parseISO } from 'date-fns/parseISO';
import { set } from 'date-fns/set';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import { type IsoMonth, isWeekday, monthsAfter, type PeriodDay } from './dates.ts';
import type { LineHelp } from './line.ts';
import {
  type Direction,
  type Moment,
  needsDirection,
  type RelativeTo,
  resolveDay,
  timeOfDay,
} from './moment.ts';
import {
  dayOrYear,
  formatPeriod,
  inYear,
  type MonthPart,
  monthOf,
  monthParts,
  type Period,
  wrongDirection,
} from './period.ts';
import { dayParts } from './times.ts';

/** `begin` is included, `end` is not. */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/**
 * `next 3 days` and `last 36 hours` count days of 24 hours from `now`. All other periods follow the local calendar,
 * even if the clocks change. A weekday, or a day, month or quarter without a year, is the nearest one and may be the current one.
 */
export function resolvePeriod(period: Period, at: RelativeTo): TimeSpan {
  const { now, zone, direction = 'future' } = at;
  const localNow = new TZDate(now, zone);
  const firstOf = (month: string) => parseISO(`${month}-01`, { in: tz(zone) });
  const dayOf = (day: PeriodDay) => resolveDay(day, at);
  switch (period.kind) {
    case 'last':
      return span(shifted(localNow, -period.amount, period.unit), now);
    case 'next':
      return span(now, shifted(localNow, period.amount, period.unit));
    case 'last-full': {
      const { end } = resolvePeriod({ kind: period.unit, offset: -1 }, at);
      return span(resolvePeriod({ kind: period.unit, offset: -period.amount }, at).begin, end);
    }
    case 'week': {
      const day = addDays(localNow, 7 * period.offset);
      return span(startOfISOWeek(day), startOfISOWeek(addDays(day, 7)));
    }
    case 'weekend':
      return weekend(localNow, { offset: period.offset, direction });
    case 'month':
      return months(addMonths(startOfMonth(localNow), period.offset));
    case 'quarter':
      return quarter(addMonths(startOfQuarter(localNow), 3 * period.offset));
    case 'year': {
      const firstDay = startOfYear(localNow);
      const january = addMonths(firstDay, 12 * period.offset);
      return months(january, addMonths(january, 11));
    }
    case 'tonight':
      return tonight(localNow, direction);
    case 'day':
    case 'day-or-month':
      return days(dayOf(period.day));
    case 'part-of-day': {
      const { from, to } = dayParts[period.part];
      return spanOfTimes({ day: period.day, minutes: from }, { day: period.day, minutes: to }, at);
    }
    case 'days':
      return days(...bothDays(period, at));
    case 'times':
      return spanOfTimes(period.from, period.to, at);
    case 'week-from': {
      const first = dayOf(period.day);
      return days(first, addDays(first, 6));
    }
    case 'months':
      return months(firstOf(period.from), firstOf(period.to));
    case 'named':
      return months(...namedMonths(period, { from: startOfMonth(localNow), direction }));
    case 'named-part': {
      const { month, year, part } = period;
      const from = startOfMonth(localNow);
      const first =
        year === undefined ? nearestMonth(month, { from, direction }) : new TZDate(year, month - 1, 1, zone);
      return partOfMonth(first, part);
    }
    case 'named-quarter': {
      const { quarter: number, year } = period;
      if (year !== undefined) return quarter(new TZDate(year, 3 * number - 3, 1, zone));
      return quarter(nearestMonth(3 * number - 2, { from: startOfQuarter(localNow), direction }));
    }
    case 'named-half': {
      const january = startOfYear(localNow);
      const from = addMonths(january, localNow.getMonth() < 6 ? 0 : 6);
      const first = nearestMonth(6 * period.half - 5, { from, direction });
      return months(first, addMonths(first, 5));
    }
    case 'named-week':
      return namedWeek(period, { localNow, zone, direction });
    case 'of-year':
      return resolvePeriod(inYear(period.of, localNow.getFullYear() + period.offset), at);
    case 'year-to-date': {
      const today = addYears(localNow, period.year - localNow.getFullYear());
      return span(startOfYear(today), today);
    }
    case 'since':
      return span(timeOfDay(dayOf(period.day), period.minutes ?? 0), now);
    case 'until':
      return span(now, untilMoment(period, at));
    case 'since-start':
      return span(resolvePeriod(period.of, at).begin, now);
    case 'until-end':
      return span(now, resolvePeriod(period.of, at).end);
  }
}

/** `25 nov..28 nov`: the next (or last) 28 Nov, and the 25th before it. */
function bothDays(
  { from, to }: { from: PeriodDay; to: PeriodDay },
  at: RelativeTo & { from?: TZDate },
): [first: TZDate, last: TZDate] {
  const dayOf = (day: PeriodDay, others: Partial<typeof at> = {}) => resolveDay(day, { ...at, ...others });
  const last = needsDirection(from) ? dayOf(to) : dayOf(to, { from: dayOf(from), direction: 'future' });
  const first = dayOf(from, { from: last, direction: 'past' });
  if (!needsDirection(to) || differenceInCalendarDays(last, first) <= 366) return [first, last];
  // 29 feb..1 mar: not every 1 Mar has a 29 Feb before it.
  const begin = dayOf(from);
  return [begin, dayOf(to, { from: begin, direction: 'future' })];
}

/** For weekdays, if these times are over, of the next week. */
function spanOfTimes(from: Required<Moment>, to: Required<Moment>, at: RelativeTo): TimeSpan {
  const spanFrom = (start: TZDate) => {
    const [first, last] = bothDays({ from: from.day, to: to.day }, { ...at, from: start });
    return span(timeOfDay(first, from.minutes), timeOfDay(last, to.minutes));
  };
  const today = new TZDate(at.now, at.zone);
  const nearest = spanFrom(today);
  const isOver = nearest.end <= at.now && isWeekday(to.day) && at.direction !== 'past';
  return isOver ? spanFrom(addDays(today, 1)) : nearest;
}

function untilMoment({ day, minutes }: Moment, at: RelativeTo): Date {
  if (minutes === undefined) return days(resolveDay(day, at)).end;
  return spanOfTimes({ day, minutes: 0 }, { day, minutes }, at).end;
}

/** Throws UserError bad-period for a period in the other direction, or one that ends before it begins. */
export function resolvePeriodWithin(
  period: Period,
  { now, zone, direction, help }: { now: Date; zone: string; direction: Direction; help: LineHelp },
): TimeSpan {
  const resolved = resolvePeriod(period, { now, zone, direction });
  if (period.kind === 'day-or-month') {
    const { day } = period;
    const month = monthOf(day);
    const { begin } = resolvePeriod({ kind: 'months', from: month, to: month }, { now, zone });
    if (begin <= now && begin > addYears(now, -2))
      throw dayOrYear(formatPeriod(period), { days: { kind: 'day', day }, months: [day, day] }, help);
  }
  const isOver = direction === 'future' ? resolved.end <= now : resolved.begin >= now;
  // In November, `october` is rather the last one.
  const named = period.kind === 'since-start' || period.kind === 'until-end' ? period.of : period;
  const isFarOff =
    named.kind.startsWith('named') &&
    resolvePeriod(named, { now, zone, direction }).begin > addMonths(now, 6);
  if (isOver || isFarOff || resolved.end <= resolved.begin) {
    const fix = direction === 'past' ? sameOfThePast(period, { now, zone }) : undefined;
    throw wrongDirection(period, { direction, help, ...(fix && { fix }) });
  }
  return resolved;
}

/** The latest such months that have begun, for `jan-mar 2027`. */
function sameOfThePast(period: Period, at: Omit<RelativeTo, 'direction'>): Period | undefined {
  if (period.kind !== 'months' && period.kind !== 'named-quarter') return undefined;
  const begun = (years: number): Period | undefined => {
    const earlier = yearsBefore(period, years);
    return resolvePeriod(earlier, { ...at, direction: 'past' }).begin < at.now ? earlier : undefined;
  };
  return Array.from({ length: maxYearsAhead }, (_, index) => begun(index + 1)).find(Boolean);
}

/** The grammar knows years to 2100. */
const maxYearsAhead = 100;

function yearsBefore(period: Period, years: number): Period {
  if (period.kind === 'named-quarter' && period.year !== undefined)
    return { ...period, year: period.year - years };
  if (period.kind !== 'months') return period;
  const before = (of: IsoMonth) => monthsAfter(of, -12 * years);
  return { kind: 'months', from: before(period.from), to: before(period.to) };
}

/** The local month (1 to 12) of a period's beginning; if it has no year, the latest such month that has begun. */
export function resolveMonth(
  period: Period,
  at: Omit<RelativeTo, 'direction'>,
): { year: number; month: number } {
  const begin = new TZDate(resolvePeriod(period, { ...at, direction: 'past' }).begin, at.zone);
  return { year: begin.getFullYear(), month: begin.getMonth() + 1 };
}

/** Plain dates: a TZDate prints and adds in its own zone, which callers don't expect. */
const span = (begin: Date, end: Date): TimeSpan => ({ begin: new Date(+begin), end: new Date(+end) });

/** Whole days, including the last. */
const days = (first: TZDate, last = first): TimeSpan => span(first, startOfDay(addDays(last, 1)));

/** Whole months, including the last. */
const months = (first: TZDate, last = first): TimeSpan =>
  span(startOfMonth(first), startOfMonth(addMonths(last, 1)));

const quarter = (first: TZDate): TimeSpan => months(first, addMonths(first, 2));

/** On a Sunday it is today, where the future is asked for. */
function weekend(now: TZDate, { offset, direction }: { offset: number; direction: Direction }): TimeSpan {
  const monday = startOfISOWeek(now);
  const dayOfWeek = (index: number): TZDate =>
    startOfDay<TZDate, TZDate>(addDays(monday, 7 * offset + index));
  const [saturday, sunday] = [dayOfWeek(5), dayOfWeek(6)];
  const isOnSunday = offset === 0 && now >= sunday;
  return days(isOnSunday && direction === 'future' ? sunday : saturday, sunday);
}

/** `oct..dec`: in the future until the first December that isn't over, else from the latest October that has begun. */
function namedMonths(
  { month, last = month }: { month: number; last?: number },
  search: { from: TZDate; direction: Direction },
): [first: TZDate, last: TZDate] {
  const length = (last - month + 12) % 12;
  const end =
    search.direction === 'future'
      ? nearestMonth(last, search)
      : addMonths(nearestMonth(month, search), length);
  return [addMonths(end, -length), end];
}

function partOfMonth(month: TZDate, part: MonthPart): TimeSpan {
  const { first, last } = monthParts[part];
  const end = last === undefined ? endOfMonth(month) : addDays(month, last - 1);
  return days(addDays(month, first - 1), end);
}

/** ISO 8601: the first week of a year has 4 January in it. */
function namedWeek(
  { week, last = week, year }: { week: number; last?: number; year?: number },
  { localNow, zone, direction }: { localNow: TZDate; zone: string; direction: Direction },
): TimeSpan {
  const spanIn = (isoYear: number): TimeSpan => {
    const firstWeek = startOfISOWeek(new TZDate(isoYear, 0, 4, zone));
    const first = addDays(firstWeek, 7 * (week - 1));
    return days(first, addDays(first, 7 * (last - week) + 6));
  };
  if (year !== undefined) return spanIn(year);
  const isFuture = direction === 'future';
  const isoYear = getISOWeekYear(localNow);
  // Years with 53 weeks are at most seven years apart.
  const spans = [0, 1, 2, 3, 4, 5, 6, 7]
    .map((years) => isoYear + (isFuture ? years : -years))
    .filter((each) => last <= getISOWeeksInYear(new TZDate(each, 5, 1, zone)))
    .map(spanIn);
  const found = spans.find(({ begin, end }) => (isFuture ? end > localNow : begin <= localNow));
  if (!found) throw new RangeError(`no year has a week ${last}`);
  return found;
}

/** Before 06:00 it is the night that has begun; in the past, the last one that has. */
function tonight(now: TZDate, direction: Direction): TimeSpan {
  const at = (day: TZDate, hour: number) => set(startOfDay(day), { hours: hour });
  const [morning, evening] = [at(now, 6), at(now, 18)];
  if (direction === 'past') {
    return now < evening ? span(at(addDays(now, -1), 18), morning) : span(evening, at(addDays(now, 1), 6));
  }
  if (now < morning) return span(now, morning);
  return span(now < evening ? evening : now, at(addDays(now, 1), 6));
}

/** The month (1 to 12) nearest to `from`, which is the first of a month or quarter. It may be that one. */
function nearestMonth(month: number, { from, direction }: { from: TZDate; direction: Direction }): TZDate {
  const ahead = (month - 1 - from.getMonth() + 12) % 12;
  return addMonths(from, direction === 'future' || ahead === 0 ? ahead : ahead - 12);
}

function shifted(time: TZDate, amount: number, unit: 'hours' | 'days' | 'months'): TZDate {
  if (unit === 'months') return addMonths(time, amount);
  return addHours(time, unit === 'hours' ? amount : 24 * amount);
}
