import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import type { DayWord } from './dates.ts';
import type { LineHelp } from './line-help.ts';
import { type Direction, formatPeriod, type Period, wrongDirection } from './period.ts';

/** From `begin` (part of it) to `end` (not part of it). */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/**
 * What a period means at `now` for a reader in `zone` (an IANA name). `hours` and `days` of `next` and `last`
 * are of 3,600 s and 24 h from `now`; all else follows the calendar of the zone, through changes of its clocks.
 */
export function resolvePeriod(period: Period, { now, zone }: { now: Date; zone: string }): TimeSpan {
  const here = new TZDate(now, zone);
  switch (period.kind) {
    case 'last':
      return span(before(here, period.amount, period.unit), now);
    case 'next':
      return span(now, before(here, -period.amount, period.unit));
    case 'week': {
      const monday = addDays(startOfISOWeek(here), 7 * period.offset);
      return span(monday, addDays(monday, 7));
    }
    case 'month': {
      const first = addMonths(startOfMonth(here), period.offset);
      return span(first, addMonths(first, 1));
    }
    case 'day':
      return span(startOf(period.day, here), startOf(period.day, here, 1));
    case 'days':
      return span(startOf(period.from, here), startOf(period.to, here, 1));
    case 'months':
      return span(startOfIso(`${period.from}-01`, zone), addMonths(startOfIso(`${period.to}-01`, zone), 1));
    case 'since':
      return span(startOf(period.day, here), now);
    case 'until':
      return span(now, startOf(period.day, here, 1));
  }
}

/**
 * The same, refused where nothing of it lies in that direction of now, or where it ends before it begins
 * (`since` a day to come). Throws UserError bad-period.
 */
export function resolvePeriodWithin(
  period: Period,
  { now, zone, direction, help }: { now: Date; zone: string; direction: Direction; help: LineHelp },
): TimeSpan {
  const resolved = resolvePeriod(period, { now, zone });
  const over = direction === 'future' ? resolved.end <= now : resolved.begin >= now;
  if (over || resolved.end <= resolved.begin) throw wrongDirection(formatPeriod(period), direction, help);
  return resolved;
}

/** Plain dates: a TZDate prints, and adds, in its own zone, which nobody outside expects. */
const span = (begin: Date, end: Date): TimeSpan => ({ begin: new Date(+begin), end: new Date(+end) });

function before(here: TZDate, amount: number, unit: 'hours' | 'days' | 'months'): Date {
  if (unit === 'months') return addMonths(here, -amount);
  return new Date(+here - amount * (unit === 'hours' ? 3_600_000 : 86_400_000));
}

/** The first moment of a day, or of the one `later` days after it. */
function startOf(day: DayWord, here: TZDate, later = 0): Date {
  const relative = { yesterday: -1, today: 0, tomorrow: 1 };
  const zone = here.timeZone ?? 'UTC';
  if (day === 'yesterday' || day === 'today' || day === 'tomorrow') {
    return startOfDay(addDays(startOfDay(here), relative[day] + later));
  }
  return startOfDay(addDays(startOfIso(day, zone), later));
}

function startOfIso(day: string, zone: string): TZDate {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new TZDate(year, month - 1, date, zone);
}
