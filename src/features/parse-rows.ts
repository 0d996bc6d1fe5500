import { counted, listed, uncapitalised } from '../answers/formatting/words.ts';
import { limits } from '../answers/message.ts';
import { attempt, UserError } from '../errors.ts';
import { quote } from '../grammar/line.ts';
import { lineOfRows, readRows, type VesselRows } from '../grammar/vessel-rows.ts';
import type { ParsedLine, ParseLine } from './command.ts';
import { type PastedBookings, pastedBookings } from './pasted-bookings.ts';

type Parse = (line: string) => ParsedLine;

/** A text of several lines is one line; if it can't be read so, it may be a table of vessels, pasted from elsewhere. */
export const withRows =
  (parseLine: ParseLine): ParseLine =>
  (text, context) => {
    try {
      return parseLine(text, context);
    } catch (error) {
      const isAsked = error instanceof UserError && error.form?.name === importFormName;
      const rows = error instanceof UserError && !isAsked ? readRows(text, context.vessels) : undefined;
      // One row may be a sentence in columns.
      if (!rows || (!text.includes('\n') && error instanceof UserError && error.choices.length > 0))
        throw error;
      const parse: Parse = (line) => parseLine(line, { ...context, isOfTable: true });
      const isBare = rows.head === '' || firstCell.test(rows.head);
      const bookings = context.isTyped && isBare ? pastedBookings(text, context.vessels) : undefined;
      const answered = (of: VesselRows) => parseEnding(of, parse) ?? parseRows(of, parse);
      if (!bookings) return answered(rows);
      throw unstored(
        bookings,
        attempt(() => answered({ ...rows, head: '' })),
      );
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

/** The kind of thing, or a reference: no command. */
const firstCell = /^(?:\/?vessels?|\S*\d\S*)$/i;

/** The form's name that the import has. */
const importFormName = 'import';

/** An answer about the vessels alone would leave out what stands beside them. */
function unstored({ cells, references, dates }: PastedBookings, asked: ParsedLine | UserError): UserError {
  const target = { cells };
  const fits = JSON.stringify(target).length <= limits.buttonValue;
  const missing = references.length === 1 ? "that isn't stored" : "that aren't stored";
  const found = [
    ...(references.length > 0
      ? [`${counted(references.length, 'reference')} ${missing} (${quotedOf(references)})`]
      : []),
    ...(dates > 0 ? [counted(dates, 'date beside a port', 'dates beside ports')] : []),
  ];
  return new UserError({
    code: 'unexpected-words',
    message: `This table has ${listed(found)}. Do you want to import it?${asked instanceof UserError ? ` ${asked.message}` : ''}`,
    hint: `Nothing is saved before you have seen what was read.${fits ? '' : ' That is too much for a button: paste the table into the form, or share it as a file.'}`,
    choices:
      asked instanceof UserError
        ? asked.choices.map(({ label, line }) => ({ label: `Show ${uncapitalised(label)}`, line }))
        : [{ label: 'Only show where they are', line: asked.line }],
    areSeveral: true,
    form: { label: 'Import …', name: importFormName, target: fits ? target : {} },
  });
}

const maxQuoted = 3;

function quotedOf(texts: readonly string[]): string {
  const more = texts.length > maxQuoted ? ` and ${texts.length - maxQuoted} more` : '';
  return `${texts.slice(0, maxQuoted).map(quote).join(', ')}${more}`;
}

function unreadRows(
  { unread, count }: VesselRows,
  { choices = [], form }: Partial<Pick<UserError, 'choices' | 'form'>>,
): UserError {
  const have = unread.length === 1 ? 'has' : 'have';
  return new UserError({
    code: 'unknown-vessel',
    message: `${unread.length} of ${count} lines ${have} no vessel that I know: ${quotedOf(unread)}.`,
    choices,
    ...(form && { form }),
  });
}
