import { UserError } from '../../errors.ts';
import type { ParsedLine } from '../../features/command.ts';
import type { Ask } from './ask.ts';

/** Refresh and Share run a line again, so an old or forged button must not change anything through them. */
export function refuseChanging(surface: Ask['surface'], { line, repeatable }: ParsedLine): void {
  if (repeatable || (surface !== 'refresh' && surface !== 'share')) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This can't be ${surface === 'share' ? 'shared' : 'refreshed'}, so nothing was done.`,
    hint: 'Type it behind a slash instead.',
    example: line,
  });
}
