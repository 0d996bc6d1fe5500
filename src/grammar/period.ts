import type { UserError } from '../errors.ts';
import { type DayOfYear, formatDay, type IsoMonth, isoMonth, nameOfMonth, type PeriodDay } from './dates.ts';
import { type LineHelp, quote, wordsError } from './line.ts';
import { type Direction, formatMoment, type Moment } from './moment.ts';
import type { DayPart } from './times.ts';

/** A stretch of time as typed. `run` turns relative words into dates. */
export type Period =
  /** `hours` and `days` of 24 hours from now; `months` of the calendar. */
  | { kind: 'last' | 'next'; amount: number; unit: 'hours' | 'days' | 'months' }
  /** Whole ones of the calendar; the current one isn't over. */
  | { kind: 'last-full'; amount: number; unit: FullUnit }
  /**
   * Of the calendar, counted from this one: 1 is the next. A week begins on Monday; a weekend belongs to the week before it
   * ends. “In 2 weeks” is the whole week then: nobody plans a call for one day so far ahead.
   */
  | { kind: CalendarUnit; offset: number }
  /** From 18:00, or now if it is later, to 06:00. */
  | { kind: 'tonight' }
  | { kind: 'day'; day: PeriodDay }
  | { kind: 'part-of-day'; day: PeriodDay; part: DayPart }
  /** `oct 26` of the past: 26 October, or October of that year if it is this one or the last, so that it is asked. */
  | { kind: 'day-or-month'; day: DayOfYear }
  /** Both days included. */
  | { kind: 'days'; from: PeriodDay; to: PeriodDay }
  | { kind: 'times'; from: Required<Moment>; to: Required<Moment> }
  /** Seven days, whatever weekday the first is. */
  | { kind: 'week-from'; day: PeriodDay }
  /** Both months included. */
  | { kind: 'months'; from: IsoMonth; to: IsoMonth }
  /**
   * Without a year it is the latest that has begun; if the future is asked for, the first that isn't over. `last` is included.
   * Months go from 1 to 12, weeks are those of ISO 8601.
   */
  | Named
  /** In the year that is so many after the current one: `q3 last year`. */
  | { kind: 'of-year'; of: Named; offset: number }
  /** As much of that year as is over of the current one. */
  | { kind: 'year-to-date'; year: number }
  /** From that moment until now; without `minutes` (after midnight), from the beginning of that day. */
  | { kind: 'since'; day: PeriodDay; minutes?: number }
  /** From now to that moment; without `minutes`, to the end of that day. */
  | { kind: 'until'; day: PeriodDay; minutes?: number }
  | { kind: 'since-start' | 'until-end'; of: Period };

type Named =
  | { kind: 'named'; month: number; last?: number }
  | { kind: 'named-part'; part: MonthPart; month: number; year?: number }
  | { kind: 'named-quarter'; quarter: number; year?: number }
  | { kind: 'named-half'; half: number }
  | { kind: 'named-week'; week: number; last?: number; year?: number };

/** Whether it may be that of any year. */
export const lacksYear = (period: Period): period is Named =>
  period.kind.startsWith('named') && !('year' in period);

/** Months are those of the last one's year. */
export function inYear(period: Named, year: number): Period {
  if (period.kind === 'named') {
    const { month, last = month } = period;
    const from = isoMonth({ year: last < month ? year - 1 : year, month });
    return { kind: 'months', from, to: isoMonth({ year, month: last }) };
  }
  if (period.kind !== 'named-half') return { ...period, year };
  const monthOf = (month: number) => isoMonth({ year, month });
  return { kind: 'months', from: monthOf(6 * period.half - 5), to: monthOf(6 * period.half) };
}

export type FullUnit = Exclude<CalendarUnit, 'weekend'>;
export type CalendarUnit = 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/** The first and the last day; undefined for the end of the month. */
export const monthParts = {
  early: { first: 1, last: 10 },
  mid: { first: 11, last: 20 },
  late: { first: 21, last: undefined },
  'first half of': { first: 1, last: 15 },
  'second half of': { first: 16, last: undefined },
  'first week of': { first: 1, last: 7 },
  'second week of': { first: 8, last: 14 },
  'third week of': { first: 15, last: 21 },
  'fourth week of': { first: 22, last: 28 },
} as const;
export type MonthPart = keyof typeof monthParts;

/** The canonical words: `next 3 days`, `2026-01..2026-03`, `since 2026-08-01`, `week 48`. */
export function formatPeriod(period: Period): string {
  switch (period.kind) {
    case 'last':
    case 'next':
      return `${period.kind} ${period.amount} ${period.amount === 1 ? period.unit.slice(0, -1) : period.unit}`;
    case 'last-full':
      return `last ${period.amount} full ${period.unit}s`;
    case 'week':
    case 'weekend':
    case 'month':
    case 'quarter':
    case 'year':
      return formatUnit(period);
    case 'tonight':
      return 'tonight';
    case 'day':
      return formatDay(period.day);
    case 'day-or-month':
      return `${nameOfMonth(period.day.month).slice(0, 3)} ${period.day.date}`;
    case 'part-of-day':
      return `${period.day === 'today' ? 'this' : formatDay(period.day)} ${period.part}`;
    case 'days':
      return `${formatDay(period.from)}..${formatDay(period.to)}`;
    case 'times':
      return `${formatMoment(period.from)}..${formatMoment(period.to)}`;
    case 'week-from':
      return `week commencing ${formatDay(period.day)}`;
    case 'months':
      return period.from === period.to ? period.from : `${period.from}..${period.to}`;
    case 'named':
      return [period.month, period.last ?? []].flat().map(nameOfMonth).join('..');
    case 'named-part':
      return ofYear(`${period.part} ${nameOfMonth(period.month)}`, period);
    case 'named-quarter':
      return ofYear(`q${period.quarter}`, period);
    case 'named-half':
      return `h${period.half}`;
    case 'named-week':
      return ofYear(`week ${[period.week, period.last ?? []].flat().join('..')}`, period);
    case 'of-year':
      return `${formatPeriod(period.of)} ${formatUnit({ kind: 'year', offset: period.offset })}`;
    case 'year-to-date':
      return `${period.year} ytd`;
    case 'since':
    case 'until':
      return `${period.kind} ${formatMoment(period)}`;
    case 'since-start':
      return `since ${formatPeriod(period.of)}`;
    case 'until-end':
      return `until end of ${formatPeriod(period.of)}`;
  }
}

function formatUnit({ kind, offset }: { kind: CalendarUnit; offset: number }): string {
  if (offset > 1) return `in ${offset} ${kind}s`;
  return `${offset < 0 ? 'last' : offset === 0 ? 'this' : 'next'} ${kind}`;
}

const ofYear = (words: string, { year }: { year?: number }): string =>
  year === undefined ? words : `${words} ${year}`;

export const hasTimeOfDay = (period: Period): boolean =>
  period.kind === 'times' ||
  period.kind === 'part-of-day' ||
  ('minutes' in period && period.minutes !== undefined);

/** For figures that are counted by days. */
export function wholeDays(period: Period): Period {
  switch (period.kind) {
    case 'times': {
      const [from, to] = [period.from.day, period.to.day];
      return formatDay(from) === formatDay(to) ? { kind: 'day', day: from } : { kind: 'days', from, to };
    }
    case 'part-of-day':
      return { kind: 'day', day: period.day };
    case 'since':
    case 'until':
      return { kind: period.kind, day: period.day };
    default:
      return period;
  }
}

export interface PeriodHelp extends LineHelp {
  /** Both directions if left out. */
  direction?: Direction;
}

/** `fixes`: periods to offer instead. */
export const badPeriod = (message: string, help: PeriodHelp, fixes: readonly string[] = []): UserError =>
  wordsError('bad-period', message, help, { hint: hintFor(help.direction), fixes });

/** For `oct 26`, `jul 26 - oct 26`: what it is as days, and the first and the last as months. */
export const dayOrYear = (
  typed: string,
  { days, months }: { days: Period; months: readonly [DayOfYear, DayOfYear] },
  help: LineHelp,
): UserError => {
  const [from, to] = [monthOf(months[0]), monthOf(months[1])];
  const message = `${quote(typed)} can be read in two ways: is ${months[1].date} the day or the year?`;
  return wordsError('bad-period', message, help, {
    fixes: [formatPeriod(days), formatPeriod({ kind: 'months', from, to })],
  });
};

/** October 2026 for 26 October. */
export const monthOf = ({ month, date }: DayOfYear): IsoMonth => isoMonth({ year: 2000 + date, month });

/** `typed`: the period's words, if they differ from the canonical ones. `fix`: what to offer instead. */
export function wrongDirection(
  period: Period,
  {
    typed = formatPeriod(period),
    direction,
    help,
    fix = nearestIn(direction, period),
  }: { typed?: string; direction: Direction; help: LineHelp; fix?: Period },
): UserError {
  const reason =
    direction === 'past'
      ? 'is in the future: statistics cover the past'
      : 'is in the past: predictions cover the future';
  return badPeriod(`${quote(typed)} ${reason}.`, { ...help, direction }, [formatPeriod(fix)]);
}

/** `this week` for `last week`, `next 3 days` for `last 3 days`. */
function nearestIn(direction: Direction, period: Period): Period {
  const isFuture = direction === 'future';
  if ('offset' in period) {
    if (period.offset === 0) return { ...period, offset: isFuture ? 1 : -1 };
    // Until Saturday, this weekend is in the future.
    return { ...period, offset: !isFuture && period.kind === 'weekend' ? -1 : 0 };
  }
  if (period.kind === 'last' || period.kind === 'next')
    return { ...period, kind: isFuture ? 'next' : 'last' };
  if (isFuture && period.kind === 'day' && period.day === 'yesterday') return { kind: 'day', day: 'today' };
  if (isFuture) return { kind: 'next', amount: 3, unit: 'days' };
  const unit = unitOf(period);
  return unit ? { kind: unit, offset: -1 } : { kind: 'last', amount: 30, unit: 'days' };
}

/** The calendar's unit, if the period is one. */
export function unitOf(period: Period): CalendarUnit | undefined {
  switch (period.kind) {
    case 'week':
    case 'weekend':
    case 'month':
    case 'quarter':
    case 'year':
      return period.kind;
    case 'named':
      return period.last === undefined ? 'month' : undefined;
    case 'named-week':
      return period.last === undefined ? 'week' : undefined;
    case 'named-quarter':
      return 'quarter';
    case 'of-year':
      return unitOf(period.of);
    case 'months':
      return period.from === period.to ? 'month' : undefined;
    default:
      return undefined;
  }
}

/** Ways to write a period, in the words of a sentence. */
export const periodExamples: Record<Direction, string> = {
  past: '“last 30 days”, “last quarter”, “week 46”, “oct-nov” or “since 2026-08-01”',
  future: '“tomorrow”, “next 3 days”, “week 48”, “24-28 nov” or “fri 06:00-14:00”',
};

function hintFor(direction: Direction | undefined): string {
  const { past, future } = periodExamples;
  return `A period is written like ${direction ? periodExamples[direction] : `${future}, or like ${past}`}.`;
}

/** For the help of a command; mrkdwn. */
export const periodHelp: Record<
  Direction,
  { note: string; options: readonly { typed: string; help: string }[] }
> = {
  future: {
    note: "Periods are in the port's own time",
    options: [
      {
        typed: 'today, tmrw, friday, 25 nov, 25/11, mon-wed, 25-28 nov',
        help: 'whole days; without a year, the next such days; in 3/12 your language in Slack says which is the month',
      },
      { typed: 'next friday', help: 'that of the next week, which begins on Monday' },
      { typed: 'tonight', help: 'from 18:00, or now if it is later, to 06:00' },
      {
        typed: 'weekend, next weekend',
        help: 'Saturday and Sunday of this week or the next; on a Sunday, weekend is today',
      },
      {
        typed: 'this week, next week',
        help: 'Monday to Sunday; also this month, next quarter, this year, december, q4',
      },
      {
        typed: 'week 48, KW 48/2026, w/c 30 nov',
        help: 'calendar weeks by ISO 8601; seven days from that day',
      },
      {
        typed: 'tomorrow morning, fri 06:00-14:00',
        help: 'times of day; morning from 06:00, afternoon from 12:00, evening from 18:00, night from 18:00 to 06:00',
      },
      { typed: 'next 3 days, 48h', help: 'from now, in days of 24 hours' },
      { typed: 'in 2 weeks', help: 'the whole week two weeks from now; “within 2 weeks” is all until then' },
      {
        typed: 'early december, q4, nov-jan',
        help: 'early is to the 10th, mid to the 20th, late from the 21st; also “first half of december”',
      },
      {
        typed: 'until friday, until sunday 18:00, eow',
        help: 'from now to the end of that day, that time, or the week',
      },
    ],
  },
  past: {
    note: 'Periods are in UTC',
    options: [
      {
        typed: 'last week, last month, last quarter, last year',
        help: 'whole weeks (Monday to Sunday), months, quarters and years',
      },
      {
        typed: 'this week, this month, this quarter, this year',
        help: 'the current one, as far as there are journeys',
      },
      {
        typed: 'october, q3, week 46, h1',
        help: 'the latest that has begun; 2026-10, q3 2026, week 46 2026, 2025: of that year',
      },
      { typed: 'last 30 days, 12 months, the last week (7 days)', help: 'up to now' },
      {
        typed: 'since 2026-08-01, since week 40, ytd',
        help: 'from the beginning of that day, week or year until now',
      },
      {
        typed: '2026-01..2026-03, oct-dec, 1-15 oct',
        help: 'the first and the last are included; no times of day',
      },
    ],
  },
};
