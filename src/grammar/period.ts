import type { UserError } from '../errors.ts';
import { formatDay, type IsoMonth, nameOfMonth, type PeriodDay } from './dates.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';

/** A stretch of time as typed. resolve-period.ts turns relative words into dates. */
export type Period =
  /** `hours` and `days` of 24 hours from now; `months` of the calendar. */
  | { kind: 'last' | 'next'; amount: number; unit: 'hours' | 'days' | 'months' }
  /** A calendar week (from Monday) or month: the last, this, or the next one. */
  | { kind: 'week' | 'month'; offset: -1 | 0 | 1 }
  | { kind: 'day'; day: PeriodDay }
  /** Both days included. */
  | { kind: 'days'; from: PeriodDay; to: PeriodDay }
  /** Both months included. */
  | { kind: 'months'; from: IsoMonth; to: IsoMonth }
  /** 1 to 12: the latest month of that name that has begun. Only in the past. */
  | { kind: 'named'; month: number }
  /** From the beginning of that day until now. */
  | { kind: 'since'; day: PeriodDay }
  /** From now to the end of that day. */
  | { kind: 'until'; day: PeriodDay };

/** `future` refuses periods that are in the past, such as `yesterday`; `past` refuses periods in the future. */
export type Direction = 'past' | 'future';

/** The canonical words: `next 3 days`, `2026-01..2026-03`, `since 2026-08-01`. */
export function formatPeriod(period: Period): string {
  switch (period.kind) {
    case 'last':
    case 'next':
      return `${period.kind} ${period.amount} ${period.amount === 1 ? period.unit.slice(0, -1) : period.unit}`;
    case 'week':
    case 'month':
      return `${{ [-1]: 'last', 0: 'this', 1: 'next' }[period.offset]} ${period.kind}`;
    case 'day':
      return formatDay(period.day);
    case 'days':
      return `${formatDay(period.from)}..${formatDay(period.to)}`;
    case 'months':
      return period.from === period.to ? period.from : `${period.from}..${period.to}`;
    case 'named':
      return nameOfMonth(period.month);
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

export function wrongDirection(typed: string, direction: Direction, help: LineHelp): UserError {
  const isPast = direction === 'past';
  const reason = isPast
    ? 'is in the future: statistics cover the past'
    : 'is in the past: predictions cover the future';
  const fixed = isPast ? 'last 30 days' : 'next 3 days';
  return badPeriod(`${quote(typed)} ${reason}.`, { ...help, direction }, [fixed]);
}

function hintFor(direction: Direction | undefined): string {
  const past = '“last 30 days”, “since 2026-08-01” or “2026-01..2026-03”';
  const future = '“next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”';
  if (direction === 'past') return `A period is written like ${past}.`;
  if (direction === 'future') return `A period is written like ${future}.`;
  return `A period is written like ${future}, or like ${past}.`;
}
