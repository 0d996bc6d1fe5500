import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { addMonths } from 'date-fns/addMonths';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { parseISO } from 'date-fns/parseISO';
import { set } from 'date-fns/set';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import {
  type DayOfYear,
  isWeekday,
  type PeriodDay,
  relativeDays,
  type Weekday,
  weekdayOfNextWeek,
  weekdays,
} from './dates.ts';
import type { LineHelp } from './line-help.ts';
import { type Direction, type Period, wrongDirection } from './period.ts';

export interface RelativeTo {
  now: Date;
  /** An IANA name. */
  zone: string;
  /** For a weekday, or a day, month or quarter without a year; `future` if left out. */
  direction?: Direction;
}

/** `begin` is included, `end` is not. */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/**
 * `next 3 days` and `last 36 hours` count days of 24 hours from `now`. All other periods follow the local calendar,
 * even if the clocks change. A weekday, or a day, month or quarter without a year, is the nearest one and may be the current one.
 */
export function resolvePeriod(period: Period, { now, zone, direction = 'future' }: RelativeTo): TimeSpan {
  const localNow = new TZDate(now, zone);
  const firstOf = (month: string) => parseISO(`${month}-01`, { in: tz(zone) });
  const dayOf = (day: PeriodDay, from = localNow, searched = direction) =>
    resolveDay(day, { now, zone, from, direction: searched });
  switch (period.kind) {
    case 'last':
      return span(shifted(localNow, -period.amount, period.unit), now);
    case 'next':
      return span(now, shifted(localNow, period.amount, period.unit));
    case 'week': {
      const day = addDays(localNow, 7 * period.offset);
      return span(startOfISOWeek(day), startOfISOWeek(addDays(day, 7)));
    }
    case 'weekend': {
      const monday = startOfISOWeek(localNow);
      const dayOfWeek = (index: number): TZDate =>
        startOfDay<TZDate, TZDate>(addDays(monday, 7 * period.offset + index));
      const [saturday, sunday] = [dayOfWeek(5), dayOfWeek(6)];
      const isOnSunday = period.offset === 0 && localNow >= sunday;
      return days(isOnSunday && direction === 'future' ? sunday : saturday, sunday);
    }
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
      return days(dayOf(period.day));
    case 'days': {
      // 25 nov..28 nov: the next (or last) 28 Nov, and the 25th before it.
      const to = needsDirection(period.from)
        ? dayOf(period.to)
        : dayOf(period.to, dayOf(period.from), 'future');
      const from = dayOf(period.from, to, 'past');
      if (!needsDirection(period.to) || differenceInCalendarDays(to, from) <= 366) return days(from, to);
      // 29 feb..1 mar: not every 1 Mar has a 29 Feb before it.
      const first = dayOf(period.from);
      return days(first, dayOf(period.to, first, 'future'));
    }
    case 'months':
      return months(firstOf(period.from), firstOf(period.to));
    case 'named':
      return months(nearestMonth(period.month, { from: startOfMonth(localNow), direction }));
    case 'named-quarter': {
      const { quarter: number, year } = period;
      if (year !== undefined) return quarter(new TZDate(year, 3 * number - 3, 1, zone));
      return quarter(nearestMonth(3 * number - 2, { from: startOfQuarter(localNow), direction }));
    }
    case 'since':
      return span(dayOf(period.day), now);
    case 'until':
      return span(now, days(dayOf(period.day)).end);
  }
}

/** Throws UserError bad-period for a period in the other direction, or one that ends before it begins. */
export function resolvePeriodWithin(
  period: Period,
  { now, zone, direction, help }: { now: Date; zone: string; direction: Direction; help: LineHelp },
): TimeSpan {
  const resolved = resolvePeriod(period, { now, zone, direction });
  const isOver = direction === 'future' ? resolved.end <= now : resolved.begin >= now;
  // In November, `october` is rather the last one.
  const isFarOff = period.kind.startsWith('named') && resolved.begin > addMonths(now, 6);
  if (isOver || isFarOff || resolved.end <= resolved.begin) throw wrongDirection(period, { direction, help });
  return resolved;
}

/** The local month (1 to 12) in which a period begins; if it has no year, the latest such month that has begun. */
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

const needsDirection = (day: PeriodDay): boolean => typeof day !== 'string' || isWeekday(day);

/** The first moment of a day. The search for a weekday, or a day without a year, begins at `from`. */
export function resolveDay(day: PeriodDay, { now, zone, ...search }: RelativeTo & { from?: TZDate }): TZDate {
  const today = new TZDate(now, zone);
  const { from = today, direction = 'future' } = search;
  if (typeof day !== 'string') return nearestDayOfYear(day, { from, zone, direction });
  if (isWeekday(day)) return startOfDay(addDays(from, daysUntil(day, { from, direction })));
  const ofNextWeek = weekdayOfNextWeek(day);
  if (ofNextWeek) return resolveDay(ofNextWeek, { now, zone, from: addDays(startOfISOWeek(today), 7) });
  const relative = relativeDays.indexOf(day);
  return startOfDay(relative < 0 ? parseISO(day, { in: tz(zone) }) : addDays(today, relative - 1));
}

/** Negative for the past. */
function daysUntil(weekday: Weekday, { from, direction }: { from: TZDate; direction: Direction }): number {
  const ahead = (weekdays.indexOf(weekday) - from.getDay() + 7) % 7;
  return direction === 'future' || ahead === 0 ? ahead : ahead - 7;
}

function nearestDayOfYear(
  { month, date }: DayOfYear,
  { from, zone, direction }: { from: TZDate; zone: string; direction: Direction },
): TZDate {
  const isFuture = direction === 'future';
  const start = startOfDay(from);
  // Leap days are at most eight years apart.
  const day = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    .map((years) => new TZDate(from.getFullYear() + (isFuture ? years : -years), month - 1, date, zone))
    // In a year without 29 February, TZDate gives 1 March.
    .find((time) => time.getDate() === date && (isFuture ? time >= start : time <= start));
  if (!day) throw new RangeError(`no year has a day ${date} in month ${month}`);
  return day;
}
