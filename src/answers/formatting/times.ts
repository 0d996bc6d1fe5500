import { tzOffset } from '@date-fns/tz/tzOffset';
import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInSecond,
} from 'date-fns/constants';
import { createCache } from '../../cache.ts';

/**
 * Local time (LT), and UTC where it differs: `Mon 23 Nov 15:05 LT (14:05 UTC)`; only UTC if the port's zone is unknown.
 * The year is shown for dates that are half a year or more away.
 */
export function portTime(time: Date, zone: string | undefined, now: Date): string {
  const inLocalTime = `${zonedTime(time, zone ?? 'UTC', now)} ${zone === undefined ? 'UTC' : 'LT'}`;
  const local = wallClock(time, zone);
  if (local.getTime() === time.getTime()) return inLocalTime;
  const utcDay = local.getUTCDate() === time.getUTCDate() ? '' : `${weekday(time)} `;
  return `${inLocalTime} (${utcDay}${clock(time)} UTC)`;
}

/** For people outside of the trade: `Mon 23 Nov, 15:05 local time`; in UTC if the port's zone is unknown. */
export const timeInProse = (time: Date, zone: string | undefined, now: Date): string =>
  `${zonedTime(time, zone ?? 'UTC', now).replace(/ (?=\S+$)/, ', ')} ${zone === undefined ? 'UTC' : 'local time'}`;

/** For a column of local times, with UTC in a column of its own: `Mon 23 Nov 15:05`, unbroken. */
export const portTimeInColumn = (time: Date, zone: string | undefined, now: Date): string =>
  unbroken(zone === undefined ? `${zonedTime(time, 'UTC', now)} UTC` : zonedTime(time, zone, now));

/** For a list of one port's calls: `Sun 05:20 LT`, with the date unless it is within the next five days. */
export const shortPortTime = (time: Date, zone: string | undefined, now: Date): string =>
  `${shortTime(time, zone, now)} ${clockName(zone)}`;

/** The same without the name of the clock, for a table that has it in a header. */
export function shortTime(time: Date, zone: string | undefined, now: Date): string {
  const local = wallClock(time, zone);
  return `${nearDay(local, wallClock(now, zone))} ${clock(local)}`;
}

/** Local time, or UTC where the zone is unknown. */
export const clockName = (zone: string | undefined): 'LT' | 'UTC' => (zone === undefined ? 'UTC' : 'LT');

/**
 * `in 2 d 5 h`, `in 24 h`, `3 h past ETA`: a vessel may be late, so a passed ETA doesn't mean an arrival. As for
 * `countdown`, days begin at 25 hours.
 */
export function untilEta(time: Date, now: Date): string {
  const minutes = Math.round((time.getTime() - now.getTime()) / millisecondsInMinute);
  if (minutes === 0) return 'now';
  const hours = Math.abs(minutes) / 60;
  const words = hours >= 24 && hours < 25 ? '24 h' : duration(Math.abs(minutes));
  return unbroken(minutes > 0 ? `in ${words}` : `${words} past ETA`);
}

/** In days from 25 hours on, else in whole hours: `in 20 d`, `in 5 h`, `in under 1 h`, `6 h past ETA`. */
export function countdown(eta: Date, now: Date): string {
  const ms = eta.getTime() - now.getTime();
  const hours = Math.floor(Math.abs(ms) / millisecondsInHour);
  const whole = hours > 24 ? `${Math.round(hours / 24)} d` : `${hours} h`;
  if (ms <= 0) return unbroken(hours < 1 ? 'past ETA' : `${whole} past ETA`);
  return unbroken(hours < 1 ? 'in under 1 h' : `in ${whole}`);
}

/** No line break can part a figure and its unit, or the words of a time. */
export const unbroken = (words: string): string => words.replaceAll(' ', '\u00a0');

/** `3 h ago`, `just now`. */
export const ago = (minutes: number): string => (minutes < 1 ? 'just now' : `${duration(minutes)} ago`);

/** What is left of a time, so the rest is cut off. Two units at most: `2 d 5 h`, `19 h`, `2 h 10 min`, `40 min`. */
export function duration(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = Math.floor(minutes % 60);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours >= 3) return `${hours} h`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}

/** How far a time has moved, or how long something lasted: from 3 hours on, to the nearest hour. */
export const roundedDuration = (minutes: number): string =>
  duration(minutes < 180 ? minutes : Math.round(minutes / 60) * 60);

/** `40 s`, `59 min`. */
export function waitInWords(ms: number): string {
  if (ms < millisecondsInMinute) return `${Math.max(1, Math.ceil(ms / millisecondsInSecond))} s`;
  return duration(Math.ceil(ms / millisecondsInMinute));
}

/** The time of a request or an answer: `09:05 UTC`, with the day unless it is today. */
export const utcTime = (time: Date, now: Date): string =>
  `${isSameDay(time, now) ? clock(time) : zonedTime(time, 'UTC', now)} UTC`;

/** `Mon 23 Nov 08:00`, in local time. */
export function zonedTime(time: Date, zone: string, now: Date): string {
  const local = wallClock(time, zone);
  return `${dayOf(local, hasYear(time, now))} ${clock(local)}`;
}

/** `1 Oct 2026`. */
export const fullDate = (time: Date, zone: string): string => dateOf(wallClock(time, zone), true);

/** `1 Oct 2026 00:00 UTC`. */
export const fullUtcTime = (time: Date): string => `${dateOf(time, true)} ${clock(time)} UTC`;

/** `23 Aug – 21 Nov 2026`, `1–31 Oct 2026`, both days included; the first year is shown only if it differs. */
export function dateRange(from: Date, to: Date, zone: string): string {
  const [first, last] = [wallClock(from, zone), wallClock(to, zone)];
  const isOneYear = first.getUTCFullYear() === last.getUTCFullYear();
  return joinDays(first, last, (day) => day === last || !isOneYear);
}

/** `21–24 Nov`, `28 Nov – 2 Dec`: days of a port's calendar, both included. */
export function dayRange(from: Date, to: Date, zone: string, now: Date): string {
  const [first, last] = [wallClock(from, zone), wallClock(to, zone)];
  if (isSameDay(first, last)) return dayOf(last, hasYear(to, now));
  return joinDays(first, last, (day) => hasYear(day, now));
}

/**
 * A period that hasn't ended, `end` not included: `21–24 Nov` if it is whole days. Else its times are shown, so that
 * nobody reads `22–23 Nov` for tonight: `by Mon 23 Nov 06:00 LT`, `Fri 27 Nov 06:00–14:00 LT`, `Sun 22 Nov 18:00 – Mon 23
 * Nov 06:00 LT`.
 */
export function spanInWords(
  { begin, end }: { begin: Date; end: Date },
  zone: string | undefined,
  now: Date,
): string {
  const isMidnight = (time: Date) => clock(wallClock(time, zone)) === '00:00';
  const hasBegun = begin <= now;
  const lastMoment = new Date(end.getTime() - 1);
  if (isMidnight(end) && (hasBegun || isMidnight(begin)))
    return dayRange(begin, lastMoment, zone ?? 'UTC', now);
  const until = `${zonedTime(end, zone ?? 'UTC', now)} ${clockName(zone)}`;
  if (hasBegun) return `by ${until}`;
  const [first, last] = [wallClock(begin, zone), wallClock(lastMoment, zone)];
  const from = zonedTime(begin, zone ?? 'UTC', now);
  if (!isSameDay(first, last)) return `${from} – ${until}`;
  return `${from}–${isMidnight(end) ? '24:00' : clock(wallClock(end, zone))} ${clockName(zone)}`;
}

/**
 * The same period at several ports. Where its days differ: in UTC if it ends everywhere at once, such as the next 3 days,
 * else as typed, such as `tomorrow` in Shanghai and Los Angeles.
 */
export function spansInWords(
  spans: readonly { span: { begin: Date; end: Date }; zone: string | undefined }[],
  { now, typed }: { now: Date; typed: string | undefined },
): string | undefined {
  const [first] = spans;
  const words = new Set(spans.map(({ span, zone }) => spanInWords(span, zone, now)));
  if (words.size === 1) return [...words][0];
  const isOneTime = new Set(spans.map(({ span }) => span.end.getTime())).size === 1;
  return first && isOneTime ? spanInWords(first.span, undefined, now) : typed;
}

/** `UTC+5:30`, at this time. */
export function utcOffset(time: Date, zone: string): string {
  const minutes = (wallClock(time, zone).getTime() - time.getTime()) / millisecondsInMinute;
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.round(Math.abs(minutes) % 60)];
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
}

/** The local day: `2026-11-23`. */
export const isoDay = (time: Date, zone: string): `${number}-${number}-${number}` =>
  // toISOString begins with such a date.
  wallClock(time, zone).toISOString().slice(0, 10) as `${number}-${number}-${number}`;

/** `2026-11-23 15:05`, as spreadsheets read it. */
export const isoLocalTime = (time: Date, zone: string): string =>
  wallClock(time, zone).toISOString().slice(0, 16).replace('T', ' ');

/** A local day under the bar of a chart: `Sun` if it is today or within the next five days, else `29 Nov`. */
export function dayLabel(day: string, zone: string | undefined, now: Date): string {
  const [local, localNow] = [new Date(day), wallClock(now, zone)];
  return isNear(local, localNow) ? weekday(local) : dateOf(local, hasYear(local, localNow));
}

export const monthName = (year: number, month: number): string => `${longMonths[month - 1]} ${year}`;

/** `Oct`, for 10. */
export const shortMonth = (month: number): string => months[month - 1] ?? '';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const longMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const months = longMonths.map((month) => month.slice(0, 3));

/** The local time in the UTC fields of a new date; in UTC if this system doesn't know the zone. */
export const wallClock = (time: Date, zone = 'UTC'): Date =>
  new Date(time.getTime() + (zone === 'UTC' ? 0 : offsetMinutes(time, zone)) * millisecondsInMinute);

const quarter = 15 * millisecondsInMinute;
const offsets = createCache<number>({});

/** An answer shows a dozen times, and asking Intl takes longer than the rest of one. No zone changes within a quarter. */
function offsetMinutes(time: Date, zone: string): number {
  const key = `${zone} ${Math.floor(time.getTime() / quarter)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const minutes = tzOffset(zone, time) || 0;
  offsets.set(key, minutes);
  return minutes;
}

// The functions below read the UTC fields of their dates.

const isSameDay = (first: Date, second: Date): boolean => dayNumber(first) === dayNumber(second);

const dayNumber = (local: Date): number => Math.floor(local.getTime() / millisecondsInDay);

const clock = (local: Date): string =>
  `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const weekday = (local: Date): string => weekdays[local.getUTCDay()] ?? '';

const dateOf = (local: Date, withYear: boolean): string =>
  `${local.getUTCDate()} ${months[local.getUTCMonth()]}${withYear ? ` ${local.getUTCFullYear()}` : ''}`;

const dayOf = (local: Date, withYear: boolean): string => `${weekday(local)} ${dateOf(local, withYear)}`;

const nearDay = (local: Date, localNow: Date): string =>
  isNear(local, localNow) ? weekday(local) : dayOf(local, hasYear(local, localNow));

function isNear(local: Date, localNow: Date): boolean {
  const daysAhead = dayNumber(local) - dayNumber(localNow);
  return daysAhead >= 0 && daysAhead <= 5;
}

const hasYear = (time: Date, now: Date): boolean =>
  Math.abs(time.getTime() - now.getTime()) > 182 * millisecondsInDay;

function joinDays(first: Date, last: Date, withYear: (day: Date) => boolean): string {
  const end = dateOf(last, withYear(last));
  if (isSameDay(first, last)) return end;
  const monthOf = (local: Date) => local.toISOString().slice(0, 7);
  return monthOf(first) === monthOf(last)
    ? `${first.getUTCDate()}–${end}`
    : `${dateOf(first, withYear(first))} – ${end}`;
}

/** The days of a half-open period, for the name of a file. */
export const periodName = ({ begin, end }: { begin: Date; end: Date }, zone: string): string =>
  dayNames(isoDay(begin, zone), isoDay(new Date(Math.max(begin.getTime(), end.getTime() - 1)), zone));

export const dayNames = (first: string, last: string): string =>
  first === last ? first : `${first}-to-${last}`;
