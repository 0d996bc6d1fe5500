import { UserError } from '../errors.ts';
import { quote } from '../grammar/line.ts';
import { lineOfRows, readRows, type VesselRows } from '../grammar/vessel-rows.ts';
import type { ParsedLine, ParseLine } from './command.ts';

type Parse = (line: string) => ParsedLine;

/** A text of several lines is one line; if it can't be read so, it may be a table of vessels, pasted from elsewhere. */
export const withRows =
  (parseLine: ParseLine): ParseLine =>
  (text, context) => {
    try {
      return parseLine(text, context);
    } catch (error) {
      const rows = error instanceof UserError ? readRows(text, context.vessels) : undefined;
      // One row may be a sentence in columns.
      if (!rows || (!text.includes('\n') && error instanceof UserError && error.choices.length > 0))
        throw error;
      const parse: Parse = (line) => parseLine(line, { ...context, isOfTable: true });
      return parseEnding(rows, parse) ?? parseRows(rows, parse);
    }
  };

/** The last row may be an option: `eta 6h`. */
function parseEnding({ ending, ...rows }: VesselRows, parse: Parse): ParsedLine | undefined {
  if (ending === undefined) return undefined;
  const whole = { ...rows, unread: rows.unread.slice(0, -1), count: rows.count - 1 };
  const parseWhole: Parse = (line) => parse(`${line} ${ending}`);
  try {
    parseWhole(lineOfRows(whole));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
  return parseRows(whole, parseWhole);
}

function parseRows(rows: VesselRows, parse: Parse): ParsedLine {
  const { unread, count, hasOtherWords, firstRow } = rows;
  try {
    const prepared = parse(lineOfRows(rows));
    const { line, repeatable } = prepared;
    if (unread.length > 0) {
      const others = count - unread.length;
      const label = `The other ${others === 1 ? 'one' : others}`;
      throw unreadRows(rows, { choices: [{ label, line }] });
    }
    if (repeatable || !hasOtherWords) return prepared;
    throw new UserError({
      code: 'unexpected-words',
      message: `I can read a vessel in each of these ${count} lines, but not the words beside it.`,
      choices: [{ label: 'Leave them out', line }],
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Without a command, the words before the first vessel are a row or a column too.
    if (error.code === 'unknown-command' && rows.head !== '') {
      const first = firstRow === undefined ? [] : [firstRow];
      const bare = { ...rows, head: '', unread: [...first, ...unread], count: count + first.length };
      return parseRows(bare, parse);
    }
    throw error.code === 'too-many-vessels' && unread.length > 0 ? unreadRows(rows, error) : error;
  }
}

const maxQuoted = 3;

function unreadRows(
  { unread, count }: VesselRows,
  { choices = [], form }: Partial<Pick<UserError, 'choices' | 'form'>>,
): UserError {
  const quoted = unread.slice(0, maxQuoted).map(quote).join(', ');
  const more = unread.length > maxQuoted ? ` and ${unread.length - maxQuoted} more` : '';
  const have = unread.length === 1 ? 'has' : 'have';
  return new UserError({
    code: 'unknown-vessel',
    message: `${unread.length} of ${count} lines ${have} no vessel that I know: ${quoted}${more}.`,
    choices,
    ...(form && { form }),
  });
}
