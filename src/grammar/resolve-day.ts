import { TZDate, tz } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { getDay } from 'date-fns/getDay';
import { parseISO } from 'date-fns/parseISO';
import { startOfDay } from 'date-fns/startOfDay';
import { type DayOfYear, isWeekday, type PeriodDay, type Weekday, weekdays } from './dates.ts';
import type { Direction } from './period.ts';

interface Search {
  now: Date;
  /** An IANA name. */
  zone: string;
  /** The search for a weekday, or a day without a year, begins here; now if omitted. */
  from?: TZDate;
  /** `future` if omitted. */
  direction?: Direction;
}

/**
 * The first moment of a day by the calendar of a zone. A weekday, or a day without a year, is the nearest such
 * day in that direction, the day of `from` included.
 */
export function resolveDay(day: PeriodDay, { now, zone, ...search }: Search): TZDate {
  const today = new TZDate(now, zone);
  const { from = today, direction = 'future' } = search;
  if (typeof day !== 'string') return nearestDayOfYear(day, { from, zone, direction });
  if (isWeekday(day)) return startOfDay(addDays(from, daysUntil(day, { from, direction })));
  if (day === 'today') return startOfDay(today);
  if (day === 'tomorrow') return startOfDay(addDays(today, 1));
  if (day === 'yesterday') return startOfDay(addDays(today, -1));
  return startOfDay(parseISO(day, { in: tz(zone) }));
}

function daysUntil(weekday: Weekday, { from, direction }: { from: Date; direction: Direction }): number {
  const ahead = (weekdays.indexOf(weekday) - getDay(from) + 7) % 7;
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
    // 29 February becomes 1 March in a year without one.
    .find((each) => each.getDate() === date && (isFuture ? each >= start : each <= start));
  if (!day) throw new RangeError(`no year has a day ${date} in month ${month}`);
  return day;
}
