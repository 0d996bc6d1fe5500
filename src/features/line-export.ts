import { pageLine } from '../answers/slack/answer-message.ts';
import { type Choice, type Correction, ownLines, UserError } from '../errors.ts';
import { type ExportFormat, formatExport, quote, takeExport } from '../grammar/line.ts';
import type { Command, ParsedLine } from './command.ts';
import { exportExample, exportLine, notATable } from './export/index.ts';
import type { How } from './prepare.ts';

export type Parse = (line: string, how?: How) => ParsedLine;

/**
 * Any line that only reads can end in `as csv` or `as json`; in others these words may belong to a value. `parse` parses a
 * line without them. Throws UserError.
 */
export function parseWithExport(
  words: string,
  {
    visibility,
    parse,
    commands,
  }: { visibility: ParsedLine['visibility']; parse: Parse; commands: readonly Command[] },
): ParsedLine {
  const { rest, format, visibility: inner = visibility } = takeExport(words);
  if (!format) return parse(words);
  const asked = tryParse(rest, parse);
  if (asked.prepared?.isExportable) {
    // A file has all rows, so its line has no page.
    const first = tryParse(pageLine(asked.prepared.line, 1), parse).prepared ?? asked.prepared;
    const exported = { ...asked.prepared, ...exportLine(first, format) };
    if (inner === 'public') throw publicFile(exported.line);
    return exported;
  }
  const whole = tryParse(words, parse);
  if (whole.prepared) return whole.prepared;
  if (asked.error) throw withExport(asked.error, format, parse);
  // Such as the error of a digest about its last line.
  if (whole.error?.code === 'not-allowed') throw whole.error;
  throw asked.prepared?.onlyAsks
    ? notATable(asked.prepared.line, commands)
    : notExportable(rest, exportExample(commands));
}

export function tryParse(line: string, parse: Parse): { prepared?: ParsedLine; error?: UserError } {
  try {
    return { prepared: parse(line) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

/** The lines that the error offers keep their `as csv`. */
function withExport(error: UserError, format: ExportFormat, parse: Parse): UserError {
  const exported = <Offered extends Choice | Correction>(offered: Offered): Offered => {
    const { line } = offered;
    const canBeExported = line !== ownLines.all && tryParse(line, parse).prepared?.isExportable;
    return canBeExported ? { ...offered, line: formatExport(line, format) } : offered;
  };
  const { message, choices, correction } = error;
  return new UserError({
    ...{ ...error, message },
    choices: choices.map(exported),
    correction: correction && exported(correction),
  });
}

const publicFile = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "A file goes to you alone, in a direct message, so it can't be public.",
    choices: [{ label: 'Send it to me', line }],
    example: line,
  });

const notExportable = (line: string, example: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${quote(line)} changes something: only an answer with a table can be exported.`,
    example,
  });
