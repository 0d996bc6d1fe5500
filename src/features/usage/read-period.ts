import { attempt, UserError } from '../../errors.ts';
import { type IsoMonth, monthsAfter, type PeriodDay } from '../../grammar/dates.ts';
import type { LineHelp } from '../../grammar/line.ts';
import { nearestPeriodOf } from '../../grammar/nearest-period.ts';
import { parseMonth } from '../../grammar/parse-month.ts';
import { parsePeriod } from '../../grammar/parse-period.ts';
import { type Period, unitOf } from '../../grammar/period.ts';

/** Left out, it is the current month or the newest one. */
export const isMonth = (period: Period | undefined): boolean =>
  period === undefined || unitOf(period) === 'month';

/**
 * A month, or other days of the past. Of the report (not `isBot`), `10/26` and `oct 26` are October 2026; of the bot's own
 * calls they may be a day. Throws UserError bad-month, bad-period or bad-date.
 */
export function readPeriod(
  typed: string,
  { isBot, earliest, help }: { isBot: boolean; earliest: IsoMonth; help: LineHelp },
): Period {
  const month = attempt(() => parseMonth(typed, { ...help, earliest }));
  if (!(month instanceof UserError) && (!isBot || !/\d/.test(typed))) return month;
  const period = attempt(() =>
    parsePeriod(typed, { ...help, direction: 'past' }, (words) => nearestPeriodOf(words, 'past')),
  );
  if (period instanceof UserError) {
    if (!(month instanceof UserError)) return month;
    throw isBot ? period : month;
  }
  // It is too early.
  if (month instanceof UserError && period.kind === 'months' && isMonth(period)) throw month;
  return month instanceof UserError || period.kind !== 'day' || typeof period.day === 'string'
    ? period
    : { kind: 'day-or-month', day: period.day };
}

const mostMonths = 3;

/** The months to offer instead: those that the words name, or else this one and the last; at most three. */
export function monthsOf(period: Period): readonly Period[] {
  const found = namedMonths(period).slice(-mostMonths);
  const unique = [...new Map(found.map((month) => [JSON.stringify(month), month])).values()];
  return unique.length > 0
    ? unique
    : [
        { kind: 'month', offset: 0 },
        { kind: 'month', offset: -1 },
      ];
}

function namedMonths(period: Period): readonly Period[] {
  switch (period.kind) {
    case 'day':
    case 'day-or-month':
    case 'week-from':
    case 'since':
      return monthOf(period.day);
    case 'days':
      return [...monthOf(period.from), ...monthOf(period.to)];
    case 'months':
      return monthsBetween(period);
    case 'named':
      return namedFrom(period.month, period.last);
    case 'named-part':
      return namedFrom(period.month);
    case 'named-quarter':
      return period.year === undefined ? namedFrom(3 * period.quarter - 2, 3 * period.quarter) : [];
    default:
      return [];
  }
}

function monthOf(day: PeriodDay): Period[] {
  if (typeof day !== 'string') return [{ kind: 'named', month: day.month }];
  if (!/^\d{4}-/.test(day)) return [];
  // An ISO day begins with its month.
  const month = day.slice(0, 7) as IsoMonth;
  return [{ kind: 'months', from: month, to: month }];
}

const namedFrom = (month: number, last = month): Period[] =>
  Array.from({ length: ((last - month + 12) % 12) + 1 }, (_, index) => ({
    kind: 'named' as const,
    month: ((month + index - 1) % 12) + 1,
  }));

function monthsBetween({ from, to }: { from: IsoMonth; to: IsoMonth }): Period[] {
  return Array.from({ length: mostMonths }, (_, index) => monthsAfter(to, index + 1 - mostMonths))
    .filter((month) => month >= from)
    .map((month) => ({ kind: 'months' as const, from: month, to: month }));
}
