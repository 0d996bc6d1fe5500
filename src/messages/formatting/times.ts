import { tzOffset } from '@date-fns/tz/tzOffset';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * As professionals write it: `Mon 23 Nov 15:05 LT (14:05 UTC)`; UTC only where the port's zone is unknown.
 * The year stands where the date is half a year or more away.
 */
export function portTime(time: Date, zone: string | undefined, now: Date): string {
  const utc = wallClock(time, 'UTC');
  if (zone === undefined) return `${dayOf(utc, now)} ${clockOf(utc)} UTC`;
  const local = wallClock(time, zone);
  const sameDay = local.getUTCDate() === utc.getUTCDate();
  const inUtc = sameDay ? clockOf(utc) : `${weekdays[utc.getUTCDay()]} ${clockOf(utc)}`;
  return `${dayOf(local, now)} ${clockOf(local)} LT (${inUtc} UTC)`;
}

/** For a list of one port's calls: `Sun 05:20 LT`, with the date where the weekday alone would not say which. */
export function shortPortTime(time: Date, zone: string | undefined, now: Date): string {
  const local = wallClock(time, zone ?? 'UTC');
  return `${dayLabel(isoDay(time, zone ?? 'UTC'), zone, now)} ${clockOf(local)} ${zone === undefined ? 'UTC' : 'LT'}`;
}

/** How far an ETA lies ahead: `in 2 d 5 h`, `in 2 h 10 min`; that it has passed says nothing of an arrival. */
export function untilEta(time: Date, now: Date): string {
  const minutes = Math.round((time.getTime() - now.getTime()) / minuteMs);
  if (minutes === 0) return 'now';
  return minutes > 0 ? unbroken(`in ${duration(minutes)}`) : `ETA passed ${unbroken(ago(-minutes))}`;
}

/** So that no figure parts from its unit at the end of a line. */
const unbroken = (words: string): string => words.replaceAll(' ', '\u00a0');

/** `3 h ago`, `just now`. */
export function ago(minutes: number): string {
  return minutes < 1 ? 'just now' : `${duration(minutes)} ago`;
}

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
export function wait(ms: number): string {
  if (ms < 60_000) return `${Math.max(1, Math.ceil(ms / 1000))} s`;
  return duration(Math.ceil(ms / 60_000));
}

/** When something was asked or answered: `09:05 UTC`, with the day where it is not today's. */
export function utcTime(time: Date, now: Date): string {
  const sameDay = time.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  const utc = wallClock(time, 'UTC');
  return sameDay ? `${clockOf(utc)} UTC` : `${dayOf(utc, now)} ${clockOf(utc)} UTC`;
}

/** By the wall clock of that zone: `Mon 23 Nov 08:00`. */
export function zonedTime(time: Date, zone: string, now: Date): string {
  const local = wallClock(time, zone);
  return `${dayOf(local, now)} ${clockOf(local)}`;
}

/** `1 Oct 2026`, of that zone. */
export function fullDate(time: Date, zone: string): string {
  const local = wallClock(time, zone);
  return `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
}

/** `1 Oct 2026 00:00 UTC`. */
export function fullUtcTime(time: Date): string {
  return `${fullDate(time, 'UTC')} ${clockOf(wallClock(time, 'UTC'))} UTC`;
}

/** `23 Aug – 21 Nov 2026`, `1–31 Oct 2026`, both days included; the first year stands where it is another. */
export function dateRange(from: Date, to: Date, zone: string): string {
  const first = fullDate(from, zone);
  const last = fullDate(to, zone);
  if (first === last) return last;
  const [firstDay = '', firstMonth, firstYear] = first.split(' ');
  const [, lastMonth, lastYear] = last.split(' ');
  if (firstYear !== lastYear) return `${first} – ${last}`;
  return firstMonth === lastMonth ? `${firstDay}–${last}` : `${firstDay} ${firstMonth} – ${last}`;
}

/** `21–24 Nov`, `28 Nov – 2 Dec`: days of a port's calendar, both included. */
export function dayRange(from: Date, to: Date, zone: string, now: Date): string {
  const [first, last] = [wallClock(from, zone), wallClock(to, zone)];
  if (isoDay(from, zone) === isoDay(to, zone)) return dayOf(last, now);
  const end = `${last.getUTCDate()} ${months[last.getUTCMonth()]}${yearOf(last, now)}`;
  if (first.getUTCMonth() === last.getUTCMonth() && first.getUTCFullYear() === last.getUTCFullYear())
    return `${first.getUTCDate()}–${end}`;
  return `${first.getUTCDate()} ${months[first.getUTCMonth()]}${yearOf(first, now)} – ${end}`;
}

/** The day of a zone's calendar as a key that sorts: `2026-11-23`. */
export function isoDay(time: Date, zone: string): string {
  return wallClock(time, zone).toISOString().slice(0, 10);
}

/** A day of a port's calendar: `Sun` from its today to five days on, else `Sun 29 Nov`, so that no two are named alike. */
export function dayLabel(day: string, zone: string | undefined, now: Date): string {
  const date = new Date(`${day}T00:00:00Z`);
  const today = new Date(`${isoDay(now, zone ?? 'UTC')}T00:00:00Z`);
  const daysAhead = (date.getTime() - today.getTime()) / dayMs;
  return daysAhead >= 0 && daysAhead <= 5 ? (weekdays[date.getUTCDay()] ?? '') : dayOf(date, now);
}

export function monthName(year: number, month: number): string {
  const names = 'January February March April May June July August September October November December';
  return `${names.split(' ')[month - 1]} ${year}`;
}

/** The zone's wall clock, put into a Date's UTC fields. */
function wallClock(time: Date, zone: string): Date {
  const offset = zone === 'UTC' ? 0 : tzOffset(zone, time);
  return new Date(time.getTime() + (Number.isNaN(offset) ? 0 : offset) * minuteMs);
}

function dayOf(wall: Date, now: Date): string {
  return `${weekdays[wall.getUTCDay()]} ${wall.getUTCDate()} ${months[wall.getUTCMonth()]}${yearOf(wall, now)}`;
}

function yearOf(wall: Date, now: Date): string {
  return Math.abs(wall.getTime() - now.getTime()) > 182 * dayMs ? ` ${wall.getUTCFullYear()}` : '';
}

function clockOf(wall: Date): string {
  return wall.toISOString().slice(11, 16);
}
