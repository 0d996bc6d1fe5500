import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { ReadSheet, UnreadWorkbook } from '../../answers/workbook.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';

export type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

export interface TableRow {
  record: string[];
  /** From 1. */
  line: number;
}

/** A sheet of a workbook, or a whole text file. `isCut`: it has more rows than were read. */
export interface TableOfFile {
  name: string;
  rows: readonly TableRow[];
  isCut: boolean;
}

export type ReadWorkbook = (
  bytes: Uint8Array,
  options: { maxRows: number },
) => Promise<readonly ReadSheet[] | UnreadWorkbook>;

/** The rows that aren't empty, in all at most `maxRows`. `refused`: a sentence that says why the file isn't a table. */
export async function readTables(
  bytes: Uint8Array,
  { maxRows, readWorkbook }: { maxRows: number; readWorkbook: ReadWorkbook },
): Promise<{ tables: readonly TableOfFile[]; encoding: Encoding } | { refused: string }> {
  if (isArchive(bytes)) {
    const sheets = await readWorkbook(bytes, { maxRows });
    return 'refused' in sheets
      ? { refused: unread[sheets.refused] }
      : { tables: withoutCut(sheets, maxRows), encoding: 'utf-8' };
  }
  if (isOldWorkbook(bytes)) return { refused: unread.old };
  const decoded = decodeTable(bytes);
  if (!decoded) return { refused: 'The file is not a text file.' };
  const rows = await splitRows(decoded.text, maxRows);
  return rows
    ? { tables: [{ name: '', rows, isCut: rows.length >= maxRows }], encoding: decoded.encoding }
    : { refused: 'The file is not a table of values separated by commas, semicolons or tabs.' };
}

const unread = {
  unreadable:
    "The file isn't an Excel workbook that I can read: it may be damaged, or of another program. Open it, and save it as .xlsx or CSV.",
  'too-large':
    'The workbook is too large to read. Save the sheet with the vessels as CSV, and share that file.',
  old: 'The file is an old Excel workbook (.xls), or it has a password. Save it as .xlsx without a password, or as CSV.',
};

/** Only the last sheet that has rows can lack some. */
function withoutCut(sheets: readonly ReadSheet[], maxRows: number): TableOfFile[] {
  const total = sheets.reduce((sum, { rows }) => sum + rows.length, 0);
  const last = sheets.findLastIndex(({ rows }) => rows.length > 0);
  return sheets.map((sheet, index) => ({ ...sheet, isCut: total >= maxRows && index === last }));
}

/** A few milliseconds of work. */
const charactersAtOnce = 16_384;

/** Undefined if the text is not a table. Ends at `maxRows`: a file of empty rows would take a gigabyte. */
async function splitRows(text: string, maxRows: number): Promise<TableRow[] | undefined> {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  // Excel may say the separator in a line before the table.
  const [, said] = /^"?sep=([;,\t])"?$/i.exec(firstLine) ?? [];
  const delimiter = said ?? delimiterOf(text);
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: 10_000,
    ...(said !== undefined && { from_line: 2 }),
  });
  const yieldToEventLoop = createYieldToEventLoop();
  const rows: TableRow[] = [];
  try {
    for await (const row of Readable.from(piecesOf(text)).pipe(parser)) {
      // With `info` each row is `{ record, info }`, which the package's types leave open.
      const { record, info } = row as { record: string[]; info: { lines: number } };
      rows.push({ record, line: info.lines });
      if (rows.length >= maxRows) break;
      await yieldToEventLoop();
    }
    return rows;
  } catch {
    return undefined;
  }
}

/** The one in most of the first lines: a title above the table may have none, or a comma. */
function delimiterOf(text: string): string {
  const unquoted = text.slice(0, charactersAtOnce).replace(/"[^"]*"/g, '');
  const lines = unquoted.split(/[\r\n]+/).slice(0, 10);
  const count = (sign: string) => lines.filter((line) => line.includes(sign)).length;
  return [';', '\t', ','].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  const yieldToEventLoop = createYieldToEventLoop();
  for (let from = 0; from < text.length; from += charactersAtOnce) {
    await yieldToEventLoop();
    yield text.slice(from, from + charactersAtOnce);
  }
}

/** Excel's .xlsx is a ZIP archive. */
const isArchive = ([first, second, third]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 0x03;

/** The container of .xls, and of an .xlsx with a password. */
const isOldWorkbook = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0;

/**
 * Decodes a file of unknown encoding: UTF-16 if it has a byte order mark, else UTF-8 if it is valid, else
 * Windows-1252, which old spreadsheets write. Undefined for a file that isn't text, such as a picture.
 */
function decodeTable(bytes: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const [first, second] = bytes;
  const isLittleEndian = first === 0xff && second === 0xfe;
  if (isLittleEndian || (first === 0xfe && second === 0xff)) {
    const text = decode(bytes, isLittleEndian ? 'utf-16le' : 'utf-16be');
    return text === undefined ? undefined : { text, encoding: 'utf-16' };
  }
  if (bytes.includes(0)) return undefined;
  const text = decode(bytes, 'utf-8');
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const guessed = new TextDecoder('windows-1252').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters mean that the file is not a text.
  const isText = !/[\u0001-\u0008\u000e-\u001f]/.test(guessed);
  return isText ? { text: guessed, encoding: 'windows-1252' } : undefined;
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
