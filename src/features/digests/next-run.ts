import { tzOffset } from '@date-fns/tz/tzOffset';
import type { Schedule } from './schedule.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Two months' ends are 31 days apart; the rest is for zones that leave a whole day out. */
const searchedDays = 40;

/**
 * The first run after `after` by the wall clock of `zone` (an IANA name). A local time that does not exist
 * runs at the first that does, one that exists twice at the first; two that fall together are one run.
 */
export function nextRun({ days, minutes }: Schedule, zone: string, after: Date): Date {
  const today = wallClock(after.getTime(), zone);
  const firstDay = today - (today % dayMs) - dayMs;
  for (let day = firstDay; day < firstDay + searchedDays * dayMs; day += dayMs) {
    if (!isRunDay(days, new Date(day))) continue;
    // Later on the wall clock is never earlier in truth, so the first that lies ahead is the next.
    for (const minute of minutes) {
      const run = firstInstantOf(day + minute * minuteMs, zone);
      if (run > after.getTime()) return new Date(run);
    }
  }
  throw new Error(`no run within ${searchedDays} days in ${zone}`);
}

function isRunDay(days: Schedule['days'], day: Date): boolean {
  if (days.kind === 'week') return days.weekdays.includes(day.getUTCDay() || 7);
  const lastDate = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const date = day.getUTCDate();
  return days.dates.some((wanted) => Math.min(wanted, lastDate) === date);
}

/** The first instant at which a clock in `zone` shows `wall` or more; wall times are written as if they were UTC. */
function firstInstantOf(wall: number, zone: string): number {
  const before = offsetMs(wall - dayMs, zone);
  const after = offsetMs(wall + dayMs, zone);
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

const offsetMs = (instant: number, zone: string): number => tzOffset(zone, new Date(instant)) * minuteMs;
