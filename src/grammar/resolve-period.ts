import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { addMonths } from 'date-fns/addMonths';
import { addWeeks } from 'date-fns/addWeeks';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { parseISO } from 'date-fns/parseISO';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { isWeekday, type PeriodDay } from './dates.ts';
import type { LineHelp } from './line-help.ts';
import { type Direction, formatPeriod, type Period } from './period.ts';
import { wrongDirection } from './period-errors.ts';
import { resolveDay } from './resolve-day.ts';

/** From `begin` (included) to `end` (excluded). */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/**
 * `next 3 days` and `last 36 hours` count days of 24 hours from `now`; all other periods follow the calendar of `zone`
 * (an IANA name), also if its clocks change. A weekday, and a day without a year, is the nearest such day in that
 * direction; it may be today.
 */
export function resolvePeriod(
  period: Period,
  { now, zone, direction = 'future' }: { now: Date; zone: string; direction?: Direction },
): TimeSpan {
  const here = new TZDate(now, zone);
  const firstOf = (month: string) => parseISO(`${month}-01`, { in: tz(zone) });
  const dayOf = (day: PeriodDay, from = here, searched = direction) =>
    resolveDay(day, { now, zone, from, direction: searched });
  switch (period.kind) {
    case 'last':
      return span(moved(here, -period.amount, period.unit), now);
    case 'next':
      return span(now, moved(here, period.amount, period.unit));
    case 'week': {
      const day = addWeeks(here, period.offset);
      return span(startOfISOWeek(day), startOfISOWeek(addWeeks(day, 1)));
    }
    case 'month':
      return months(addMonths(startOfMonth(here), period.offset));
    case 'day':
      return days(dayOf(period.day));
    case 'days': {
      // 25 nov..28 nov: the next (or last) 28 Nov, and the 25th before it.
      const to = isOpen(period.from) ? dayOf(period.to) : dayOf(period.to, dayOf(period.from), 'future');
      const from = dayOf(period.from, to, 'past');
      if (!isOpen(period.to) || differenceInCalendarDays(to, from) <= 366) return days(from, to);
      // 29 feb..1 mar: not every 1 Mar has a 29 Feb before it.
      const first = dayOf(period.from);
      return days(first, dayOf(period.to, first, 'future'));
    }
    case 'months':
      return months(firstOf(period.from), firstOf(period.to));
    case 'named': {
      const monthsAgo = (here.getMonth() + 13 - period.month) % 12;
      return months(addMonths(startOfMonth(here), -monthsAgo));
    }
    case 'since':
      return span(dayOf(period.day), now);
    case 'until':
      return span(now, days(dayOf(period.day)).end);
  }
}

/**
 * Throws UserError bad-period if no part of the period is on that side of now, or if it ends before it begins (`since`
 * a day in the future).
 */
export function resolvePeriodWithin(
  period: Period,
  { now, zone, direction, help }: { now: Date; zone: string; direction: Direction; help: LineHelp },
): TimeSpan {
  const resolved = resolvePeriod(period, { now, zone, direction });
  const isOver = direction === 'future' ? resolved.end <= now : resolved.begin >= now;
  if (isOver || resolved.end <= resolved.begin) throw wrongDirection(formatPeriod(period), direction, help);
  return resolved;
}

/** The month (1 to 12) in which a period begins, by the calendar of the zone. */
export function resolveMonth(
  period: Period,
  at: { now: Date; zone: string },
): { year: number; month: number } {
  const begin = new TZDate(resolvePeriod(period, at).begin, at.zone);
  return { year: begin.getFullYear(), month: begin.getMonth() + 1 };
}

/** Plain dates: a TZDate prints and adds in its own zone, which callers don't expect. */
const span = (begin: Date, end: Date): TimeSpan => ({ begin: new Date(+begin), end: new Date(+end) });

/** Whole days, including the last. */
const days = (first: TZDate, last = first): TimeSpan => span(first, startOfDay(addDays(last, 1)));

/** Whole months, including the last. */
const months = (first: TZDate, last = first): TimeSpan =>
  span(startOfMonth(first), startOfMonth(addMonths(last, 1)));

function moved(time: TZDate, amount: number, unit: 'hours' | 'days' | 'months'): TZDate {
  if (unit === 'months') return addMonths(time, amount);
  return addHours(time, unit === 'hours' ? amount : 24 * amount);
}

const isOpen = (day: PeriodDay): boolean => typeof day !== 'string' || isWeekday(day);
