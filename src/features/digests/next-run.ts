import { TZDate } from '@date-fns/tz';
import { tzOffset } from '@date-fns/tz/tzOffset';
import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import { getISODay } from 'date-fns/getISODay';
import { startOfDay } from 'date-fns/startOfDay';
import type { Schedule } from './schedule.ts';

/** Two months' ends are 31 days apart; the rest is for zones that skip a whole day. */
const daysSearched = 40;

/**
 * The first run after `after` by the wall clock of `zone` (an IANA name). A local time that does not exist
 * runs at the first that does, one that exists twice at the first; two that fall together are one run.
 */
export function nextRun({ days, minutes }: Schedule, zone: string, after: Date): Date {
  // Wall times are written as if they were UTC, where every day has every time once.
  const today = startOfDay(new TZDate(wallClock(after.getTime(), zone), 'UTC'));
  for (let ahead = -1; ahead < daysSearched; ahead += 1) {
    const day = addDays(today, ahead);
    if (!isRunDay(days, day)) continue;
    // Later on the wall clock is never earlier in truth, so the first that lies ahead is the next.
    for (const minute of minutes) {
      const run = firstInstantOf(addMinutes(day, minute).getTime(), zone);
      if (run > after.getTime()) return new Date(run);
    }
  }
  throw new Error(`no run within ${daysSearched} days in ${zone}`);
}

function isRunDay(days: Schedule['days'], day: Date): boolean {
  if (days.kind === 'week') return days.weekdays.includes(getISODay(day));
  return days.dates.some((wanted) => Math.min(wanted, getDaysInMonth(day)) === day.getDate());
}

/** The first instant at which a clock in `zone` shows `wall` or more: a TZDate takes the second, or an hour later. */
function firstInstantOf(wall: number, zone: string): number {
  const before = offsetMs(wall - millisecondsInDay, zone);
  const after = offsetMs(wall + millisecondsInDay, zone);
  const earliest = wall - Math.max(before, after);
  const latest = wall - Math.min(before, after);
  if (wallClock(earliest, zone) >= wall) return earliest;
  // Between the two the clock is put forward once at most, so it reaches `wall` at one instant and stays beyond.
  let [low, high] = [earliest, latest];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (wallClock(middle, zone) >= wall) high = middle;
    else low = middle;
  }
  return high;
}

const wallClock = (instant: number, zone: string): number => instant + offsetMs(instant, zone);

const offsetMs = (instant: number, zone: string): number =>
  tzOffset(zone, new Date(instant)) * millisecondsInMinute;
