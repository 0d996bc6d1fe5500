import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { setMonth } from 'date-fns/setMonth';
import { subMonths } from 'date-fns/subMonths';
import { subYears } from 'date-fns/subYears';
import { UserError } from '../errors.ts';
import { type IsoMonth, readMonth, readMonthName } from './dates.ts';
import { type LineHelp, quote } from './line-help.ts';

/** A calendar month as typed: `named` is the latest one of that name that has begun. */
export type Month =
  | { kind: 'month'; month: IsoMonth }
  | { kind: 'named'; month: number }
  | { kind: 'this' }
  | { kind: 'last' };

interface MonthHelp extends LineHelp {
  /** Earlier months are refused. */
  earliest?: IsoMonth;
}

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
      message: `${quote(text)} isn't a valid month.`,
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
  return month.kind === 'named'
    ? format(new Date(2000, month.month - 1), 'MMMM').toLowerCase()
    : `${month.kind} month`;
}

/** Month 1 to 12, of the calendar in `zone` (an IANA name). */
export function resolveMonth(month: Month, at: { now: Date; zone: string }): { year: number; month: number } {
  const date = dateIn(month, at);
  return { year: date.getFullYear(), month: date.getMonth() + 1 };
}

/** A day of that month. */
function dateIn(month: Month, { now, zone }: { now: Date; zone: string }): Date {
  const today = new TZDate(now, zone);
  switch (month.kind) {
    case 'month':
      return parseISO(month.month);
    case 'this':
      return today;
    case 'last':
      return subMonths(today, 1);
    case 'named':
      return subYears(setMonth(today, month.month - 1), month.month > today.getMonth() + 1 ? 1 : 0);
  }
}

/** `November 2022`. */
export const monthTitle = (month: IsoMonth): string => format(parseISO(month), 'MMMM yyyy');

function tooEarly(month: IsoMonth, earliest: IsoMonth, { line, example }: LineHelp): UserError {
  return new UserError({
    code: 'bad-month',
    message: `There is nothing for ${monthTitle(month)}: the first month is ${monthTitle(earliest)}.`,
    choices: [{ label: monthTitle(earliest), line: line(earliest) }],
    example,
  });
}
