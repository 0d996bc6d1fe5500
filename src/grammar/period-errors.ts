import type { UserError } from '../errors.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';
import type { Direction } from './period.ts';

export interface PeriodHelp extends LineHelp {
  /** Both directions if left out. */
  direction?: Direction;
}

/** `fixes`: periods to offer instead. */
export const badPeriod = (message: string, help: PeriodHelp, fixes: readonly string[] = []): UserError =>
  wordsError('bad-period', message, help, { hint: hintFor(help.direction), fixes });

export function wrongDirection(typed: string, direction: Direction, help: LineHelp): UserError {
  const isPast = direction === 'past';
  const reason = isPast ? 'lies ahead: statistics look back' : 'is over: predictions lie ahead';
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
