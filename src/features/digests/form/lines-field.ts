import { UserError } from '../../../errors.ts';
import { FieldErrors, fieldText, readFields } from '../../../messages/field-errors.ts';
import { firstUnfit, readDigestLine, unfitLine } from '../commands/parse-digest-line.ts';
import type { DigestsContext } from '../services.ts';
import { type DigestForm, digestFormIds, type Parsed } from '../views/digest-form.ts';
import { canStandTogether } from '../words.ts';

interface Reading extends Pick<DigestsContext, 'parseLine' | 'vessels'> {
  /** The digest is sent to one person alone. */
  isOwn: boolean;
}

interface TypedLine {
  id: number;
  text: string;
}

/** In their canonical form. Throws FieldErrors with all that is wrong. */
export function readLines(typed: readonly TypedLine[], reading: Reading): string[] {
  const readers = typed.map(({ id, text }) => [digestFormIds.line(id), () => readLine(text, reading)]);
  const read: Record<string, string> = readFields(Object.fromEntries(readers));
  const lines = typed.map(({ id }) => read[digestFormIds.line(id)] ?? '');
  const unfit = firstUnfit(lines);
  const one = unfit === undefined ? undefined : typed[unfit];
  if (one) throw new FieldErrors({ [digestFormIds.line(one.id)]: unfitLine().message });
  return lines;
}

/** What is understood of each as it is typed. */
export function parseLines(typed: readonly TypedLine[], reading: Reading): DigestForm['lines'] {
  return typed.map(({ id, text }) => ({ id, text, parsed: parseTyped(text, reading) }));
}

function parseTyped(text: string, reading: Reading): Parsed {
  if (text.trim() === '') return { kind: 'nothing', text: hint };
  try {
    return { kind: 'right', text: readLine(text, reading) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'wrong', text: fieldText(error) };
  }
}

/** Help is no answer that somebody wants each morning. */
function withoutHelp({ code, message, hint, choices }: UserError): UserError {
  const useful = choices.filter(({ line }) => line !== 'landfall');
  return new UserError({ code, message, choices: useful, ...(hint !== undefined && { hint }) });
}

const hint =
  'Any command that only asks: portcalls, nextport (of a vessel, fleet:NAME, list:NAME, or watched), lane, usage.';

function readLine(typed: string, reading: Reading): string {
  if (typed.trim() === '')
    throw new UserError({ code: 'missing-argument', message: 'Fill in a command, or remove the line.' });
  if (!canStandTogether([typed.trim().replace(/^\//, '')]))
    throw new UserError({
      code: 'unexpected-words',
      message: 'A semicolon separates two lines: put each in its own field.',
    });
  try {
    return readDigestLine(typed, (line) => {
      const prepared = reading.parseLine(line, reading);
      if (prepared.privacy === 'personal' && !reading.isOwn) throw dependsOnAsker();
      return prepared;
    });
  } catch (error) {
    throw error instanceof UserError ? withoutHelp(error) : error;
  }
}

const dependsOnAsker = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'The answer depends on who asks, so this line works only in a digest that is sent to you alone.',
  });
