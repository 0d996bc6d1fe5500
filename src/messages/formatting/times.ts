import { TZDate, tz } from '@date-fns/tz';
import { millisecondsInDay, millisecondsInMinute, millisecondsInSecond } from 'date-fns/constants';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { format } from 'date-fns/format';
import { isSameDay } from 'date-fns/isSameDay';
import { isSameMonth } from 'date-fns/isSameMonth';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import type { Locode } from '../../reference/locode.ts';
import { portOf } from '../../reference/ports.ts';
import { dateToken } from '../mrkdwn.ts';

/**
 * Local time (LT) and UTC: `Mon 23 Nov 15:05 LT (14:05 UTC)`; only UTC if the port's zone is unknown. The year is shown for
 * dates that are half a year or more away.
 */
export function portTime(time: Date, zone: string | undefined, now: Date): string {
  if (zone === undefined) return `${zonedTime(time, 'UTC', now)} UTC`;
  const local = inZone(time, zone);
  const utc = format(inZone(time, 'UTC'), local.getDate() === time.getUTCDate() ? 'HH:mm' : 'EEE HH:mm');
  return `${format(local, `${dayPattern(time, now)} HH:mm`)} LT (${utc} UTC)`;
}

interface ExpectedCall {
  port: Locode;
  eta?: Date;
  etaZone?: 'given' | 'assumed-utc';
}

/** `Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h`, with a note for each unknown zone. */
export function etaLine({ eta, port, etaZone }: ExpectedCall, now: Date): string {
  if (eta === undefined) return 'ETA not given';
  const zone = portOf(port)?.zone;
  return [
    portTime(eta, zone, now),
    ...(zone === undefined ? ["port's zone not known here"] : []),
    ...(etaZone === 'assumed-utc' ? ['zone assumed UTC'] : []),
    untilEta(eta, now),
  ].join(' · ');
}

/** The same moment in the reader's own zone, in mrkdwn: `yours: …`. */
export const yourTime = (eta: Date): string => `yours: ${dateToken(eta, fullUtcTime(eta))}`;

/** For a list of one port's calls: `Sun 05:20 LT`, with the date unless it is within the next five days. */
export function shortPortTime(time: Date, zone: string | undefined, now: Date): string {
  const local = inZone(time, zone ?? 'UTC');
  return `${format(local, `${nearDayPattern(local, now)} HH:mm`)} ${zone === undefined ? 'UTC' : 'LT'}`;
}

/** `in 2 d 5 h`, `ETA passed 3 h ago`: a vessel may be late, so a passed ETA doesn't mean an arrival. */
export function untilEta(time: Date, now: Date): string {
  const minutes = Math.round((time.getTime() - now.getTime()) / millisecondsInMinute);
  if (minutes === 0) return 'now';
  return minutes > 0 ? unbroken(`in ${duration(minutes)}`) : `ETA passed ${unbroken(ago(-minutes))}`;
}

/** No line break can part a figure and its unit. */
const unbroken = (words: string): string => words.replaceAll(' ', '\u00a0');

/** `3 h ago`, `just now`. */
export const ago = (minutes: number): string => (minutes < 1 ? 'just now' : `${duration(minutes)} ago`);

/** Two units at most: `2 d 5 h`, `19 h`, `2 h 10 min`, `40 min`. */
export function duration(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = Math.floor(minutes % 60);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours >= 3) return `${hours} h`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}

/** `40 s`, `59 min`. */
export function waitInWords(ms: number): string {
  if (ms < millisecondsInMinute) return `${Math.max(1, Math.ceil(ms / millisecondsInSecond))} s`;
  return duration(Math.ceil(ms / millisecondsInMinute));
}

/** The time of a request or an answer: `09:05 UTC`, with the day unless it is today. */
export function utcTime(time: Date, now: Date): string {
  const isToday = isSameDay(time, now, { in: tz('UTC') });
  return isToday ? `${format(inZone(time, 'UTC'), 'HH:mm')} UTC` : `${zonedTime(time, 'UTC', now)} UTC`;
}

/** `Mon 23 Nov 08:00`, in local time. */
export const zonedTime = (time: Date, zone: string, now: Date): string =>
  format(inZone(time, zone), `${dayPattern(time, now)} HH:mm`);

/** `1 Oct 2026`. */
export const fullDate = (time: Date, zone: string): string => format(inZone(time, zone), 'd MMM yyyy');

/** `1 Oct 2026 00:00 UTC`. */
export const fullUtcTime = (time: Date): string => format(inZone(time, 'UTC'), "d MMM yyyy HH:mm 'UTC'");

/** `23 Aug – 21 Nov 2026`, `1–31 Oct 2026`, both days included; the first year is shown only if it differs. */
export function dateRange(from: Date, to: Date, zone: string): string {
  const [first, last] = [inZone(from, zone), inZone(to, zone)];
  const isOneYear = first.getFullYear() === last.getFullYear();
  return joinDays(first, last, (day) => (day === first && isOneYear ? '' : ' yyyy'));
}

/** `21–24 Nov`, `28 Nov – 2 Dec`: days of a port's calendar, both included. */
export function dayRange(from: Date, to: Date, zone: string, now: Date): string {
  const [first, last] = [inZone(from, zone), inZone(to, zone)];
  if (isSameDay(first, last)) return format(last, dayPattern(last, now));
  return joinDays(first, last, (day) => yearPattern(day, now));
}

/** The local day: `2026-11-23`. */
export const isoDay = (time: Date, zone: string): string => format(inZone(time, zone), 'yyyy-MM-dd');

/** A local day: `Sun` if it is today or within the next five days, else `Sun 29 Nov`. */
export function dayLabel(day: string, zone: string | undefined, now: Date): string {
  const date = parseISO(day, { in: (time) => inZone(time, zone ?? 'UTC') });
  return format(date, nearDayPattern(date, now));
}

export const monthName = (year: number, month: number): string =>
  format(new Date(year, month - 1), 'MMMM yyyy');

/** In UTC if this system doesn't know the zone. */
function inZone(time: Date | number | string, zone: string): TZDate {
  const local = new TZDate(new Date(time), zone);
  return isValid(local) ? local : new TZDate(new Date(time), 'UTC');
}

function nearDayPattern(day: TZDate, now: Date): string {
  const daysAhead = differenceInCalendarDays(day, now);
  return daysAhead >= 0 && daysAhead <= 5 ? 'EEE' : dayPattern(day, now);
}

const dayPattern = (day: Date, now: Date): string => `EEE d MMM${yearPattern(day, now)}`;

const yearPattern = (day: Date, now: Date): string =>
  Math.abs(day.getTime() - now.getTime()) > 182 * millisecondsInDay ? ' yyyy' : '';

function joinDays(first: TZDate, last: TZDate, yearPatternOf: (day: TZDate) => string): string {
  const end = format(last, `d MMM${yearPatternOf(last)}`);
  if (isSameDay(first, last)) return end;
  if (isSameMonth(first, last)) return `${first.getDate()}–${end}`;
  return `${format(first, `d MMM${yearPatternOf(first)}`)} – ${end}`;
}
