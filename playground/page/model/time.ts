import { TZDate } from '@date-fns/tz';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import type { PageMessage } from '../../src/page-api/page-api.ts';

/** Milliseconds of a Slack `ts`, which is seconds with a fraction, as text. */
export const tsToMs = (ts: string): number => Math.floor(Number(ts) * 1000);

/** The time that a message shows, in milliseconds. */
export const shownAt = ({ postedAt, ts }: Pick<PageMessage, 'postedAt' | 'ts'>): number =>
  postedAt ?? tsToMs(ts);

/** `14:05` in the reader's zone. */
export const clockTime = (ms: number, zone: string): string => format(ms, zone, { timeStyle: 'short' });

export const fullTime = (ms: number, zone: string): string =>
  format(ms, zone, { dateStyle: 'full', timeStyle: 'medium' });

/** `2026-11-21`: the calendar day in the reader's zone, comparable as text. */
export const dayOf = (ms: number, zone: string): string => dayFormat(zone).format(ms);

/** For reuse over many dates, because creating a format is slow. */
export const dayFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });

/** `Today`, `Yesterday`, or `Saturday 21 November`, with the year unless it is the current one. */
export function dayLabel(ms: number, zone: string, now: number): string {
  const near = nearDay(ms, zone, now);
  if (near) return near;
  const sameYear = dayOf(ms, zone).slice(0, 4) === dayOf(now, zone).slice(0, 4);
  const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return format(ms, zone, sameYear ? date : { ...date, year: 'numeric' });
}

/** `14:05` today, `Yesterday at 14:05`, `21 Nov at 14:05`: for a thread, which has no day dividers. */
export function dayAndTime(ms: number, zone: string, now: number): string {
  const time = clockTime(ms, zone);
  const near = nearDay(ms, zone, now);
  if (near === 'Today') return time;
  return `${near ?? format(ms, zone, { day: 'numeric', month: 'short' })} at ${time}`;
}

/** Slack's words for the days around today. Compares calendar days, not 24-hour spans. */
export function nearDay(ms: number, zone: string, now: number): string | undefined {
  const daysApart = differenceInCalendarDays(new TZDate(ms, zone), new TZDate(now, zone));
  return { '-1': 'Yesterday', 0: 'Today', 1: 'Tomorrow' }[daysApart];
}

export const format = (ms: number, zone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options }).format(ms);
