import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { dateRange } from '../../messages/formatting/times.ts';

/** The part of a half-open period that has departures: `this year` has none after the answer. */
export function departuresWithin({ begin, end }: TimeSpan, fetchedAt: Date): TimeSpan {
  return { begin, end: max([begin, min([end, fetchedAt])]) };
}

/** `23 Aug – 21 Nov 2026`, in UTC. */
export function departureDays(period: TimeSpan, fetchedAt: Date): string {
  const { begin, end } = departuresWithin(period, fetchedAt);
  // If it ends at midnight, the day before is its last.
  const lastMoment = new Date(Math.max(begin.getTime(), end.getTime() - 1));
  return dateRange(begin, lastMoment, 'UTC');
}
