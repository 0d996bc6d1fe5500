import { stringify } from 'csv-stringify/sync';
import type { ExportTable } from '../../answers/answer.ts';
import { isoDay } from '../../answers/formatting/times.ts';
import type { CellValue } from '../../answers/table.ts';
import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import type { ExportFormat } from '../../grammar/options.ts';

type Row = readonly CellValue[];

/**
 * The text of a file with the first rows of the table. CSV as in RFC 4180, with a heading; JSON is an array
 * with an object for each row. Lets other work of this process run in between.
 */
export async function writeTable(
  table: ExportTable,
  { format, maxRows }: { format: Exclude<ExportFormat, 'xlsx'>; maxRows: number },
): Promise<string> {
  const { columns } = table;
  const { head, lineOf, separator, tail } = format === 'csv' ? csv(columns) : json(columns);
  const yieldToEventLoop = createYieldToEventLoop();
  const lines: string[] = [];
  for (const row of table.rows()) {
    if (lines.length >= maxRows) break;
    await yieldToEventLoop();
    lines.push(lineOf(row));
  }
  return `${head}${lines.join(separator)}${tail}`;
}

interface Writer {
  head: string;
  lineOf(row: Row): string;
  separator: string;
  tail: string;
}

const csv = (columns: readonly string[]): Writer => ({
  head: csvLine(columns),
  lineOf: csvLine,
  separator: '',
  tail: '',
});

/** With an apostrophe before what a spreadsheet would run as a formula. Numbers stay numbers. */
const csvLine = (row: Row): string =>
  stringify([[...row]], {
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: { boolean: String, date: isoTime, string: disarmed },
  });

/**
 * Where columns are separated by semicolons or tabs, a text is split at those, its quotes don't count, and a line break
 * in it begins a row. The library looks at the beginning of the text only.
 */
const disarmed = (text: string): string =>
  text.replace(/(^ +|[;\t\r\n][ "]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1'");

const json = (columns: readonly string[]): Writer => ({
  head: '[\n',
  lineOf: (row) =>
    JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, jsonValue(row[index])]))),
  separator: ',\n',
  tail: '\n]\n',
});

const jsonValue = (value: CellValue) => (value instanceof Date ? isoTime(value) : (value ?? null));

/** To the second: `2026-11-23T14:05:00Z`. */
const isoTime = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** `port-calls-NLRTM-2026-11-23.csv` or `port-calls-NLRTM-2026-11-24-to-2026-11-26-as-of-2026-11-23.csv`; the last day is the person's today. */
export function fileName(
  { nameParts, period }: ExportTable,
  { format, now, zone }: { format: ExportFormat; now: Date; zone: string },
): string {
  const words = nameParts.map((part) =>
    part.replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^[-.]+|[-.]+$/g, ''),
  );
  const name = words
    .filter(Boolean)
    .join('-')
    .slice(0, maxNameLength)
    // Half of a surrogate pair is not a letter.
    .replace(/[\uD800-\uDBFF]$/, '');
  const asOf = period === undefined ? '' : `-${period}-as-of`;
  return `${name}${asOf}-${isoDay(now, zone)}.${format}`;
}

const maxNameLength = 100;
