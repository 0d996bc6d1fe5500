import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { millisecondsInDay } from 'date-fns/constants';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { startOfMonth } from 'date-fns/startOfMonth';
import type { TimeSpan } from './resolve-period.ts';

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
