import { UserError } from '../../../errors.ts';
import { fieldText } from '../../../messages/field-errors.ts';
import { lineError, readDigestLine } from '../check-lines.ts';
import type { DigestsContext } from '../use-cases.ts';
import { type DigestForm, lineField, type Parsed } from '../views/digest-form.ts';
import { canBeJoined } from '../words.ts';

interface LineContext extends Pick<DigestsContext, 'parseLine' | 'vessels'> {
  isPersonal: boolean;
}

interface TypedLine {
  id: number;
  text: string;
}

/** For each field, a function that gives the canonical line or throws UserError. */
export const lineReaders = (lines: readonly TypedLine[], context: LineContext) =>
  Object.fromEntries(lines.map(({ id, text }) => [lineField(id), () => readLine(text, context)] as const));

/** Shows how each line is understood while it is typed. */
export function parseLines(lines: readonly TypedLine[], context: LineContext): DigestForm['lines'] {
  return lines.map(({ id, text }) => ({ id, text, parsed: parseTyped(text, context) }));
}

function parseTyped(text: string, context: LineContext): Parsed {
  if (text.trim() === '') return { kind: 'nothing', text: hint };
  try {
    return { kind: 'right', text: readLine(text, context) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'wrong', text: fieldText(error) };
  }
}

const hint =
  'Any command that only asks: portcalls, nextport (of a vessel, fleet:NAME, list:NAME, or watched), lane, usage.';

export function readLine(typed: string, { parseLine, vessels, isPersonal }: LineContext): string {
  if (typed.trim() === '')
    throw new UserError({ code: 'missing-argument', message: 'Fill in a command, or remove the line.' });
  if (!canBeJoined([typed.trim().replace(/^\//, '')]))
    throw new UserError({
      code: 'unexpected-words',
      message: 'A semicolon separates two lines: put each in its own field.',
    });
  try {
    return readDigestLine(typed, (line) => {
      const prepared = parseLine(line, { vessels });
      if (prepared.privacy === 'personal' && !isPersonal) throw dependsOnAsker();
      return prepared;
    });
  } catch (error) {
    throw error instanceof UserError ? new UserError(lineError(error)) : error;
  }
}

const dependsOnAsker = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'The answer depends on who asks, so this line works only in a digest that is sent to you alone.',
  });
