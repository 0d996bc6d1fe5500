import { UserError } from '../../../errors.ts';
import { quote } from '../../../grammar/line-help.ts';
import type { Prepared } from '../../command.ts';
import { canStandTogether } from '../words.ts';

/** One line that is to be in a digest, in its canonical form. Throws UserError. */
export function readDigestLine(
  typed: string,
  read: (line: string) => Pick<Prepared, 'line' | 'repeatable' | 'privacy'>,
): string {
  const { line, repeatable, privacy } = read(typed);
  if (repeatable && privacy !== 'closed') return line;
  throw new UserError({
    code: 'not-allowed',
    message:
      privacy === 'closed'
        ? `Only you can see the answer to ${quote(line)}, so it can't be in a digest.`
        : `${quote(line)} changes something: a digest can only contain lines that ask.`,
    example,
  });
}

/** Undefined where all of them can be behind one colon; else the first that can not. */
export function firstUnfit(lines: readonly string[]): number | undefined {
  const index = lines.findIndex((_, end) => !canStandTogether(lines.slice(0, end + 1)));
  return index < 0 ? undefined : index;
}

export const unfitLine = (): UserError =>
  new UserError({
    code: 'unclosed-quote',
    message: 'A semicolon inside a name would end its line.',
    example,
  });

const example = 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage';
