import type { UserError } from '../errors.ts';
import { formatDay, type IsoMonth, nameOfMonth, type PeriodDay } from './dates.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';

/** A stretch of time as typed. resolve-period.ts turns relative words into dates. */
export type Period =
  /** `hours` and `days` of 24 hours from now; `months` of the calendar. */
  | { kind: 'last' | 'next'; amount: number; unit: 'hours' | 'days' | 'months' }
  /** Of the calendar: the last, this, or the next one. A week begins on Monday; a weekend belongs to the week before it ends. */
  | { kind: CalendarUnit; offset: -1 | 0 | 1 }
  /** From 18:00, or now if it is later, to 06:00. */
  | { kind: 'tonight' }
  | { kind: 'day'; day: PeriodDay }
  /** Both days included. */
  | { kind: 'days'; from: PeriodDay; to: PeriodDay }
  /** Both months included. */
  | { kind: 'months'; from: IsoMonth; to: IsoMonth }
  /** 1 to 12: the latest month of that name that has begun; if the future is asked for, the first that isn't over. */
  | { kind: 'named'; month: number }
  /** 1 to 4; without a year it is chosen as for a named month. */
  | { kind: 'named-quarter'; quarter: number; year?: number }
  /** From the beginning of that day until now. */
  | { kind: 'since'; day: PeriodDay }
  /** From now to the end of that day. */
  | { kind: 'until'; day: PeriodDay };

export type CalendarUnit = 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/** `future` refuses periods that are in the past, such as `yesterday`; `past` refuses periods in the future. */
export type Direction = 'past' | 'future';

/** The canonical words: `next 3 days`, `2026-01..2026-03`, `since 2026-08-01`. */
export function formatPeriod(period: Period): string {
  switch (period.kind) {
    case 'last':
    case 'next':
      return `${period.kind} ${period.amount} ${period.amount === 1 ? period.unit.slice(0, -1) : period.unit}`;
    case 'week':
    case 'weekend':
    case 'month':
    case 'quarter':
    case 'year':
      return `${{ [-1]: 'last', 0: 'this', 1: 'next' }[period.offset]} ${period.kind}`;
    case 'tonight':
      return 'tonight';
    case 'day':
      return formatDay(period.day);
    case 'days':
      return `${formatDay(period.from)}..${formatDay(period.to)}`;
    case 'months':
      return period.from === period.to ? period.from : `${period.from}..${period.to}`;
    case 'named':
      return nameOfMonth(period.month);
    case 'named-quarter':
      return period.year === undefined ? `q${period.quarter}` : `q${period.quarter} ${period.year}`;
    case 'since':
    case 'until':
      return `${period.kind} ${formatDay(period.day)}`;
  }
}

export interface PeriodHelp extends LineHelp {
  /** Both directions if left out. */
  direction?: Direction;
}

/** `fixes`: periods to offer instead. */
export const badPeriod = (message: string, help: PeriodHelp, fixes: readonly string[] = []): UserError =>
  wordsError('bad-period', message, help, { hint: hintFor(help.direction), fixes });

/** `typed`: the period's words, if they differ from the canonical ones. */
export function wrongDirection(
  period: Period,
  { typed = formatPeriod(period), direction, help }: { typed?: string; direction: Direction; help: LineHelp },
): UserError {
  const reason =
    direction === 'past'
      ? 'is in the future: statistics cover the past'
      : 'is in the past: predictions cover the future';
  const fixed = formatPeriod(nearestIn(direction, period));
  return badPeriod(`${quote(typed)} ${reason}.`, { ...help, direction }, [fixed]);
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
  return isFuture ? { kind: 'next', amount: 3, unit: 'days' } : { kind: 'last', amount: 30, unit: 'days' };
}

function hintFor(direction: Direction | undefined): string {
  const past = '“last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”';
  const future = '“next 3 days”, “this week”, “tomorrow” or “2026-11-24..2026-11-30”';
  if (direction === 'past') return `A period is written like ${past}.`;
  if (direction === 'future') return `A period is written like ${future}.`;
  return `A period is written like ${future}, or like ${past}.`;
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
        typed: 'today, tomorrow, friday, 25 nov, mon-wed, 25-28 nov',
        help: 'whole days; without a year, the next such days',
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
      { typed: 'next 3 days, next 36 hours', help: 'from now, in days of 24 hours' },
      { typed: 'until friday', help: 'from now to the end of that day' },
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
      { typed: 'october, q3', help: 'the latest that has begun; 2026-10, q3 2026, 2025: of that year' },
      { typed: 'last 30 days, last 3 months, the last week (7 days)', help: 'up to now' },
      { typed: 'since 2026-08-01, since monday', help: 'from the beginning of that day until now' },
      { typed: '2026-01..2026-03, mon-wed, 1-15 oct', help: 'the first and the last are included' },
    ],
  },
};
