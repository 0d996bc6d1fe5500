import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { type DayOfYear, type DayWord, type PeriodDay, type Weekday, weekdays } from './dates.ts';
import type { LineHelp } from './line-help.ts';
import { resolveMonth } from './month.ts';
import { type Direction, formatPeriod, type Period, wrongDirection } from './period.ts';

/** From `begin` (part of it) to `end` (not part of it). */
export interface TimeSpan {
  begin: Date;
  end: Date;
}

/**
 * What a period means at `now` for a reader in `zone` (an IANA name). `hours` and `days` of `next` and `last`
 * are of 3,600 s and 24 h from `now`; all else follows the calendar of the zone, through changes of its clocks.
 * A weekday, and a day without a year, is the nearest such day in that direction; today is one.
 */
export function resolvePeriod(
  period: Period,
  { now, zone, direction = 'future' }: { now: Date; zone: string; direction?: Direction },
): TimeSpan {
  const here = new TZDate(now, zone);
  const dated = (day: PeriodDay, from = isoOf('today', here), way = direction) =>
    isOpen(day) ? nearestSuch(day, from, way) : isoOf(day, here);
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
      return span(startOf(dated(period.day), zone), startOf(dated(period.day), zone, 1));
    case 'days': {
      // 25 nov..28 nov: the next (or last) 28 Nov, and the 25th before it.
      const to = isOpen(period.from) ? dated(period.to) : dated(period.to, dated(period.from), 'future');
      const from = dated(period.from, to, 'past');
      if (!isOpen(period.to) || Date.parse(to) - Date.parse(from) <= yearMs)
        return span(startOf(from, zone), startOf(to, zone, 1));
      // 29 feb..1 mar: not every 1 Mar has a 29 Feb before it.
      const first = dated(period.from);
      return span(startOf(first, zone), startOf(dated(period.to, first, 'future'), zone, 1));
    }
    case 'months':
      return span(startOf(`${period.from}-01`, zone), addMonths(startOf(`${period.to}-01`, zone), 1));
    case 'named': {
      const { year, month } = resolveMonth(period, { now, zone });
      const first = new TZDate(year, month - 1, 1, zone);
      return span(first, addMonths(first, 1));
    }
    case 'since':
      return span(startOf(dated(period.day), zone), now);
    case 'until':
      return span(now, startOf(dated(period.day), zone, 1));
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
  const resolved = resolvePeriod(period, { now, zone, direction });
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

const isOpen = (day: PeriodDay): day is DayOfYear | Weekday =>
  typeof day !== 'string' || weekdays.some((name) => name === day);

/** `2026-11-24` by the zone's calendar. */
function isoOf(day: DayWord, here: TZDate): string {
  const relative = { yesterday: -1, today: 0, tomorrow: 1 };
  if (day !== 'yesterday' && day !== 'today' && day !== 'tomorrow') return day;
  const local = new Date(Date.UTC(here.getFullYear(), here.getMonth(), here.getDate() + relative[day]));
  return local.toISOString().slice(0, 10);
}

const yearMs = 366 * 86_400_000;

/** 29 February is at most eight years away. */
const mostDays = 8 * 366;

/** The first such day from that one on, itself included, ahead or back. */
function nearestSuch(day: DayOfYear | Weekday, from: string, direction: Direction): string {
  const date = new Date(`${from}T00:00:00Z`);
  const isSuch = () =>
    typeof day === 'string'
      ? weekdays[date.getUTCDay()] === day
      : date.getUTCMonth() + 1 === day.month && date.getUTCDate() === day.date;
  for (let count = 0; count < mostDays && !isSuch(); count += 1)
    date.setUTCDate(date.getUTCDate() + (direction === 'future' ? 1 : -1));
  return date.toISOString().slice(0, 10);
}

/** The first moment of a day, or of the one `later` days after it. */
function startOf(day: string, zone: string, later = 0): TZDate {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return startOfDay(addDays(new TZDate(year, month - 1, date, zone), later));
}
