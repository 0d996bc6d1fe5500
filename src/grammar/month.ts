import { TZDate } from '@date-fns/tz';
import { UserError } from '../errors.ts';
import { type IsoMonth, isoMonth, readMonth, readMonthName } from './dates.ts';
import { type LineHelp, quote } from './line-help.ts';

/** A calendar month as typed: `named` is the newest October that has begun. */
export type Month =
  | { kind: 'month'; month: IsoMonth }
  | { kind: 'named'; month: number }
  | { kind: 'this' }
  | { kind: 'last' };

export interface MonthHelp extends LineHelp {
  /** Months before it are refused, by name. */
  earliest?: IsoMonth;
}

const names = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** `2026-10`, `oct 2026`, `october`, `this month`, `last month`. Throws UserError bad-month. */
export function parseMonth(text: string, help: MonthHelp): Month {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^(?:in|for|of) /, '');
  if (/^(?:this|current|the current)(?: month)?$/.test(typed)) return { kind: 'this' };
  if (/^(?:last|previous|the last)(?: month)?$/.test(typed)) return { kind: 'last' };
  const named = readMonthName(typed);
  if (named !== undefined) return { kind: 'named', month: named };
  const month = readMonth(typed, help);
  if (!month) {
    throw new UserError({
      code: 'bad-month',
      message: `${quote(text)} is no month.`,
      hint: 'A month is written like 2026-10, “oct 2026” or “last month”.',
      choices: [{ label: 'last month', line: help.line('last month') }],
      example: help.example,
    });
  }
  if (help.earliest && month < help.earliest) throw tooEarly(month, help.earliest, help);
  return { kind: 'month', month };
}

/** `2026-10`, `october`, `this month`, `last month`. */
export function formatMonth(month: Month): string {
  if (month.kind === 'month') return month.month;
  return month.kind === 'named' ? (names[month.month - 1] ?? '') : `${month.kind} month`;
}

/** Month 1 to 12, of the calendar in `zone` (an IANA name). */
export function resolveMonth(
  month: Month,
  { now, zone }: { now: Date; zone: string },
): { year: number; month: number } {
  if (month.kind === 'month') {
    const [year = 0, number = 0] = month.month.split('-').map(Number);
    return { year, month: number };
  }
  const here = new TZDate(now, zone);
  const [year, current] = [here.getFullYear(), here.getMonth() + 1];
  if (month.kind === 'this') return { year, month: current };
  if (month.kind === 'last')
    return current === 1 ? { year: year - 1, month: 12 } : { year, month: current - 1 };
  return { year: month.month > current ? year - 1 : year, month: month.month };
}

/** `November 2022`. */
export function monthTitle(month: IsoMonth): string {
  const [year, number = '1'] = month.split('-');
  const name = names[Number(number) - 1] ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`;
}

export const monthOf = ({ year, month }: { year: number; month: number }): IsoMonth => isoMonth(year, month);

function tooEarly(month: IsoMonth, earliest: IsoMonth, { line, example }: LineHelp): UserError {
  return new UserError({
    code: 'bad-month',
    message: `There is nothing for ${monthTitle(month)}: the first month is ${monthTitle(earliest)}.`,
    choices: [{ label: monthTitle(earliest), line: line(earliest) }],
    example,
  });
}
