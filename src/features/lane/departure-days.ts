import { dateRange } from '../../messages/formatting/times.ts';

/** `23 Aug – 21 Nov 2026`, in UTC. */
export function departureDays(period: { begin: Date; end: Date }, fetchedAt: Date): string {
  // The period is half-open: if it ends at midnight, the day before is its last. `this year` has no later departures.
  const end = Math.min(period.end.getTime() - 1, fetchedAt.getTime());
  const lastMoment = new Date(Math.max(period.begin.getTime(), end));
  return dateRange(period.begin, lastMoment, 'UTC');
}
