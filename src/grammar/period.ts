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
import type { UserError } from '../errors.ts';
import {
  type DayOfYear,
  formatDay,
  type IsoMonth,
  isWeekday,
  nameOfMonth,
  type PeriodDay,
  relativeDays,
  type Weekday,
  weekdayOfNextWeek,
  weekdays,
} from './dates.ts';
import { type LineHelp, quote, wordsError } from './line.ts';

/** A stretch of time as typed. `run` turns relative words into dates. */
export type Period =
  /** `hours` and `days` of 24 hours from now; `months` of the calendar. */
  | { kind: 'last' | 'next'; amount: number; unit: 'hours' | 'days' | 'months' }
  /** Of the calendar: the last, this, or the next one. A week begins on Monday; a weekend belongs to the week before it ends. */
  | { kind: CalendarUnit; offset: -1 | 0 | 1 }
  /** From 18:00, or now if it is later, to 06:00. */
  | { kind: 'tonight' }
  | { kind: 'day'; day: PeriodDay }
  /** Both days included. */
  | { kind: 'days'; from: PeriodDay; to: PeriodDay }
  /** Both months included. */
  | { kind: 'months'; from: IsoMonth; to: IsoMonth }
  /** 1 to 12: the latest month of that name that has begun; if the future is asked for, the first that isn't over. */
  | { kind: 'named'; month: number }
  /** 1 to 4; without a year it is chosen as for a named month. */
  | { kind: 'named-quarter'; quarter: number; year?: number }
  /** From the beginning of that day until now. */
  | { kind: 'since'; day: PeriodDay }
  /** From now to the end of that day. */
  | { kind: 'until'; day: PeriodDay };

export type CalendarUnit = 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/** `future` refuses periods that are in the past, such as `yesterday`; `past` refuses periods in the future. */
export type Direction = 'past' | 'future';

/** The canonical words: `next 3 days`, `2026-01..2026-03`, `since 2026-08-01`. */
export function formatPeriod(period: Period): string {
  switch (period.kind) {
    case 'last':
    case 'next':
      return `${period.kind} ${period.amount} ${period.amount === 1 ? period.unit.slice(0, -1) : period.unit}`;
    case 'week':
    case 'weekend':
    case 'month':
    case 'quarter':
    case 'year':
      return `${{ [-1]: 'last', 0: 'this', 1: 'next' }[period.offset]} ${period.kind}`;
    case 'tonight':
      return 'tonight';
    case 'day':
      return formatDay(period.day);
    case 'days':
      return `${formatDay(period.from)}..${formatDay(period.to)}`;
    case 'months':
      return period.from === period.to ? period.from : `${period.from}..${period.to}`;
    case 'named':
      return nameOfMonth(period.month);
    case 'named-quarter':
      return period.year === undefined ? `q${period.quarter}` : `q${period.quarter} ${period.year}`;
    case 'since':
    case 'until':
      return `${period.kind} ${formatDay(period.day)}`;
  }
}

export interface PeriodHelp extends LineHelp {
  /** Both directions if left out. */
  direction?: Direction;
}

/** `fixes`: periods to offer instead. */
export const badPeriod = (message: string, help: PeriodHelp, fixes: readonly string[] = []): UserError =>
  wordsError('bad-period', message, help, { hint: hintFor(help.direction), fixes });

/** `typed`: the period's words, if they differ from the canonical ones. */
export function wrongDirection(
  period: Period,
  { typed = formatPeriod(period), direction, help }: { typed?: string; direction: Direction; help: LineHelp },
): UserError {
  const reason =
    direction === 'past'
      ? 'is in the future: statistics cover the past'
      : 'is in the past: predictions cover the future';
  const fixed = formatPeriod(nearestIn(direction, period));
  return badPeriod(`${quote(typed)} ${reason}.`, { ...help, direction }, [fixed]);
}

/** `this week` for `last week`, `next 3 days` for `last 3 days`. */
function nearestIn(direction: Direction, period: Period): Period {
  const isFuture = direction === 'future';
  if ('offset' in period) {
    if (period.offset === 0) return { ...period, offset: isFuture ? 1 : -1 };
    // Until Saturday, this weekend is in the future.
    return { ...period, offset: !isFuture && period.kind === 'weekend' ? -1 : 0 };
  }
  if (period.kind === 'last' || period.kind === 'next')
    return { ...period, kind: isFuture ? 'next' : 'last' };
  if (isFuture && period.kind === 'day' && period.day === 'yesterday') return { kind: 'day', day: 'today' };
  return isFuture ? { kind: 'next', amount: 3, unit: 'days' } : { kind: 'last', amount: 30, unit: 'days' };
}

function hintFor(direction: Direction | undefined): string {
  const past = '“last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”';
  const future = '“next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”';
  if (direction === 'past') return `A period is written like ${past}.`;
  if (direction === 'future') return `A period is written like ${future}.`;
  return `A period is written like ${future}, or like ${past}.`;
}

/** For the help of a command; mrkdwn. */
export const periodHelp: Record<
  Direction,
  { note: string; options: readonly { typed: string; help: string }[] }
> = {
  future: {
    note: "Periods are in the port's own time",
    options: [
      {
        typed: 'today, tomorrow, friday, 25 nov, mon-wed, 25-28 nov',
        help: 'whole days; without a year, the next such days',
      },
      { typed: 'next friday', help: 'that of the next week, which begins on Monday' },
      { typed: 'tonight', help: 'from 18:00, or now if it is later, to 06:00' },
      {
        typed: 'weekend, next weekend',
        help: 'Saturday and Sunday of this week or the next; on a Sunday, weekend is today',
      },
      {
        typed: 'this week, next week',
        help: 'Monday to Sunday; also this month, next quarter, this year, december, q4',
      },
      { typed: 'next 3 days, next 36 hours', help: 'from now, in days of 24 hours' },
      { typed: 'until friday', help: 'from now to the end of that day' },
    ],
  },
  past: {
    note: 'Periods are in UTC',
    options: [
      {
        typed: 'last week, last month, last quarter, last year',
        help: 'whole weeks (Monday to Sunday), months, quarters and years',
      },
      {
        typed: 'this week, this month, this quarter, this year',
        help: 'the current one, as far as there are journeys',
      },
      { typed: 'october, q3', help: 'the latest that has begun; 2026-10, q3 2026, 2025: of that year' },
      { typed: 'last 30 days, last 3 months, the last week (7 days)', help: 'up to now' },
      { typed: 'since 2026-08-01, since monday', help: 'from the beginning of that day until now' },
      { typed: '2026-01..2026-03, mon-wed, 1-15 oct', help: 'the first and the last are included' },
    ],
  },
};

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
