import { pageLine } from '../../answers/slack/answer-actions.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { type ExportFormat, formatExport, takeExport } from '../../grammar/options.ts';
import type { ParsedLine } from '../command.ts';
import { exportLine, notATable } from './export-line.ts';

type Parse = (line: string) => ParsedLine;

/**
 * Any line that only reads can end in `as csv` or `as json`. In `vessel name 9461477 sold as csv` the words are part of a
 * name. `parse` parses a line without them. Throws UserError.
 */
export function parseWithExport(
  words: string,
  { visibility, parse }: { visibility: ParsedLine['visibility']; parse: Parse },
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
  throw asked.prepared?.onlyAsks ? notATable(asked.prepared.line) : notExportable(rest);
}

function tryParse(line: string, parse: Parse): { prepared?: ParsedLine; error?: UserError } {
  try {
    return { prepared: parse(line) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

/** The lines that the error offers keep their `as csv`. */
function withExport(error: UserError, format: ExportFormat, parse: Parse): UserError {
  const { code, message, hint, choices, example, form, isPersonal } = error;
  return new UserError({
    ...{ code, message, isPersonal },
    choices: choices.map(({ label, line }) => {
      const canBeExported = line !== 'landfall' && tryParse(line, parse).prepared?.isExportable;
      return { label, line: canBeExported ? formatExport(line, format) : line };
    }),
    ...(hint !== undefined && { hint }),
    ...(example !== undefined && { example }),
    ...(form && { form }),
  });
}

const publicFile = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "A file goes to you alone, in a direct message, so it can't be public.",
    choices: [{ label: `/${line}`, line }],
    example: line,
  });

const notExportable = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${quote(line)} changes something: only an answer with a table can be exported.`,
    example: 'portcalls Rotterdam as csv',
  });
