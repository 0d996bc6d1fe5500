import { joinClipped } from '../../answers/message.ts';
import type { DateOrder } from '../../grammar/line.ts';
import { type ColumnUse, columnUse, findTable } from './import-columns.ts';
import { type ImportedPromise, type PromiseReading, readPromises } from './import-promises.ts';
import { type ReadOptions, readRows, type SkippedRow } from './import-rows.ts';
import {
  type Encoding,
  type ReadWorkbook,
  readTables,
  type TableOfFile,
  type TableRow,
} from './read-table.ts';
import type { VesselRow } from './vessel-csv.ts';

interface TableOptions extends ReadOptions {
  /** As the person writes dates. */
  dateOrder?: DateOrder | undefined;
  now: Date;
  readWorkbook: ReadWorkbook;
  maxRows?: number;
}

/** Where nothing says which number of the dates is the month: a date of the file, and what holds if it comes first. */
export interface DateQuestion extends Pick<ReadVessels, 'promises' | 'skippedRows' | 'usedRows'> {
  example: string;
}

export interface ReadVessels {
  vessels: readonly VesselRow[];
  promises: readonly ImportedPromise[];
  skippedRows: readonly SkippedRow[];
  /** The number of rows below the headings, and of those that are of use. */
  totalRows: number;
  usedRows: number;
  monthFirst?: DateQuestion;
}

/** `windows-1252` is a guess, so accents may be wrong. */
export interface VesselTable extends ReadVessels {
  /** The sheet, if the file has several. */
  sheet?: string;
  encoding: Encoding;
  columns: readonly ColumnUse[];
  /** As in the file, below the headings. */
  rows: readonly TableRow[];
}

/**
 * Reads a workbook, or a table with commas, semicolons or tabs, with or without a line of headings. The number and the
 * name may come in either order; without headings the third column holds the fleets, and the fourth the references. A row
 * without a number is about the vessel of that name, in the file or in the workspace. Bad rows are skipped and reported.
 * `refused`: a sentence that says why the file can't be used.
 */
export async function readVesselTable(
  bytes: Uint8Array,
  { maxRows = 50_000, readWorkbook, dateOrder, now, ...options }: TableOptions,
): Promise<VesselTable | { refused: string }> {
  const file = await readTables(bytes, { maxRows: maxRows + 1, readWorkbook });
  if ('refused' in file) return file;
  const { tables, encoding } = file;
  const found = firstWithVessels(tables);
  if (!found) return { refused: withoutVessels(tables) };
  const { table, columns, firstRow } = found;
  if (table.isCut) return { refused: `The file has more than ${maxRows.toLocaleString('en')} rows.` };
  const rows = table.rows.slice(firstRow);
  const read = await readRows(rows, columns, options);
  const { monthFirst, example = '', ...certain } = await readPromises(read.promises, { dateOrder, now });
  return {
    ...(tables.length > 1 && { sheet: table.name }),
    ...{ encoding, rows, totalRows: rows.length },
    vessels: read.vessels,
    ...merged(read, certain),
    ...(monthFirst && { monthFirst: { ...merged(read, monthFirst), example } }),
    columns: columnUse(
      columns,
      rows.map(({ record }) => record),
    ),
  };
}

/** A table with headings goes before one without. */
function firstWithVessels(tables: readonly TableOfFile[]) {
  const found = tables.flatMap((table) => {
    const read = table.rows.length > 0 ? findTable(table.rows.map(({ record }) => record)) : undefined;
    return read ? [{ table, ...read }] : [];
  });
  return found.find(({ columns }) => columns.hasHeadings) ?? found[0];
}

function withoutVessels(tables: readonly TableOfFile[]): string {
  const [first] = tables.filter(({ rows }) => rows.length > 0);
  const headings = (first?.rows[0]?.record ?? []).map((heading) => heading.trim()).filter(Boolean);
  return headings.length === 0
    ? 'The file is empty.'
    : `The file has no column of vessels, neither IMO numbers nor names: its columns are ${joinClipped(headings, { each: 40, all: 300 })}.`;
}

/** A row whose promise can't be used may still be of use. */
function merged(
  { savedLines, promises, skippedRows }: Awaited<ReturnType<typeof readRows>>,
  reading: PromiseReading,
): Pick<ReadVessels, 'promises' | 'skippedRows' | 'usedRows'> {
  const faulty = new Set(reading.faults.map(({ line }) => line));
  const used = new Set([
    ...savedLines,
    ...promises.map(({ line }) => line).filter((line) => !faulty.has(line)),
  ]);
  return {
    promises: reading.promises,
    skippedRows: [...skippedRows, ...reading.faults].sort((first, second) => first.line - second.line),
    usedRows: used.size,
  };
}
