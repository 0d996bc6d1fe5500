import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { millisecondsInDay } from 'date-fns/constants';

// Days of a port's calendar, such as `2026-11-23`. They may last 23 or 25 hours.

export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * millisecondsInDay).toISOString().slice(0, 10);

/** How many days later. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / millisecondsInDay);

/** Both included; none if `last` is earlier. */
export const daysOf = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => dayAfter(first, index));

/** The same local time, that many days ago. */
export const sameTimeBefore = (now: Date, zone: string, days: number): Date =>
  new Date(addDays(new TZDate(now, zone), -days).getTime());
