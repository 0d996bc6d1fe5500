import type { UsageMonth } from '../../analytics/usage.ts';
import { UserError } from '../../errors.ts';
import { monthName } from '../../messages/formatting/times.ts';

const monthsOf = ({ year, month }: UsageMonth): number => year * 12 + month - 1;

export function addMonths(month: UsageMonth, count: number): UsageMonth {
  const months = monthsOf(month) + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

export const isBefore = (first: UsageMonth, second: UsageMonth): boolean =>
  monthsOf(first) < monthsOf(second);

/** `what`: there is none of it, as in “no usage yet”; `thisMonth`: the line for the current month. */
export const notYet = (
  { year, month }: UsageMonth,
  { what, thisMonth }: { what: string; thisMonth: string },
): UserError =>
  new UserError({
    code: 'bad-month',
    message: `${monthName(year, month)} is in the future: there is no ${what} yet.`,
    choices: [{ label: 'This month', line: thisMonth }],
    example: 'usage last month',
  });
