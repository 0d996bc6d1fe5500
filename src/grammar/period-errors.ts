import { UserError } from '../errors.ts';
import { type LineHelp, quote } from './line-help.ts';
import type { Direction } from './period.ts';

/** A UserError bad-period; `fixed` is what it offers instead. */
export function badPeriod(
  message: string,
  { line, example, direction, fixed }: LineHelp & { direction?: Direction; fixed?: string },
): UserError {
  return new UserError({
    code: 'bad-period',
    message,
    hint: hintOf(direction),
    choices: fixed === undefined ? [] : [{ label: fixed, line: line(fixed) }],
    example,
  });
}

export function wrongDirection(typed: string, direction: Direction, help: LineHelp): UserError {
  return direction === 'future'
    ? badPeriod(`${quote(typed)} is over: predictions lie ahead.`, {
        ...help,
        direction,
        fixed: 'next 3 days',
      })
    : badPeriod(`${quote(typed)} lies ahead: statistics look back.`, {
        ...help,
        direction,
        fixed: 'last 30 days',
      });
}

export const reversedPeriod = (typed: string, fixed: string, { line, example }: LineHelp): UserError =>
  new UserError({
    code: 'bad-period',
    message: `${quote(typed)} ends before it begins.`,
    choices: [{ label: fixed, line: line(fixed) }],
    example,
  });

function hintOf(direction: Direction | undefined): string {
  const past = '“last 30 days”, “since 2026-08-01” or “2026-01..2026-03”';
  const future = '“next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”';
  if (direction === 'past') return `A period is written like ${past}.`;
  if (direction === 'future') return `A period is written like ${future}.`;
  return `A period is written like ${future}, or like ${past}.`;
}
