import { parse } from 'csv-parse/sync';
import { maxListNameLength } from '../../grammar/list-name.ts';
import { maxNameLength } from '../../grammar/vessel-name.ts';
import { splitReferences } from '../../grammar/vessel-reference.ts';
import type { Imo } from '../../reference/imo.ts';

type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

/** A vessel has at least one of a name, fleets and references. */
export interface VesselRow {
  imo: Imo;
  name: string | null;
  fleets: string[];
  references: string[];
}

/** A row that was left out; lines count from 1. */
interface SkippedRow {
  line: number;
  reason: string;
}

/** Returns the number, or what is wrong with the text. */
type ReadImo = (text: string) => Imo | string;

/** `refused`: a sentence that says why the file can't be used. `windows-1252` is a guess, so accents may be wrong. */
type VesselCsv =
  | { vessels: VesselRow[]; skippedRows: SkippedRow[]; encoding: Encoding }
  | { refused: string };

/**
 * Reads a table with commas, semicolons or tabs, with or without a line of headings. The number and the name may come
 * in either order; without headings the third column holds the fleets, and the fourth the references. Bad rows are skipped and reported.
 */
export function readVesselCsv(
  bytes: Uint8Array,
  { readImo, maxRows = 50_000 }: { readImo: ReadImo; maxRows?: number },
): VesselCsv {
  const decoded = decodeTable(bytes);
  if (!decoded) return { refused: 'The file is not a text file.' };
  const rows = splitRows(decoded.text, maxRows + 1);
  if (!rows) return { refused: 'The file is not a table of values separated by commas, semicolons or tabs.' };
  if (rows.length > maxRows) return { refused: `The file has more than ${maxRows} rows.` };
  const columns = findColumns(rows[0]?.record ?? []);
  const readRows: { vessel: VesselRow; line: number }[] = [];
  const skippedRows: SkippedRow[] = [];
  for (const { record, line } of columns.hasHeadings ? rows.slice(1) : rows) {
    const vessel = readRow(record, columns, readImo);
    if (typeof vessel === 'string') skippedRows.push({ line, reason: vessel });
    else readRows.push({ vessel, line });
  }
  const { vessels, outdatedRows } = keepLastNames(readRows);
  const inOrder = [...skippedRows, ...outdatedRows].sort((first, second) => first.line - second.line);
  return { vessels, skippedRows: inOrder, encoding: decoded.encoding };
}

/** A vessel with several names gets the last one, and the fleets and references of all its rows. The other names are reported. */
function keepLastNames(rows: readonly { vessel: VesselRow; line: number }[]) {
  const lastNamed = new Map(rows.flatMap((row) => (row.vessel.name === null ? [] : [[row.vessel.imo, row]])));
  const outdatedRows: SkippedRow[] = [];
  const vessels = rows.flatMap(({ vessel, line }) => {
    const named = lastNamed.get(vessel.imo);
    if (vessel.name === null || !named || vessel.name === named.vessel.name) return [vessel];
    outdatedRows.push({ line, reason: `line ${named.line} has another name for IMO ${vessel.imo}` });
    return vessel.fleets.length + vessel.references.length > 0 ? [{ ...vessel, name: null }] : [];
  });
  return { vessels, outdatedRows };
}

/** Writes a table with headings, which `readVesselCsv` reads back unchanged. */
export function writeVesselCsv(vessels: readonly VesselRow[]): string {
  const rows = vessels.map(({ imo, name, fleets, references }) =>
    [imo, ...[name ?? '', formatCell(fleets), formatCell(references)].map(cellOf)].join(','),
  );
  return ['imo,name,fleets,references', ...rows, ''].join('\r\n');
}

/** An apostrophe keeps spreadsheets from running a name as a formula. If the name has one already, it gets another. */
function cellOf(text: string): string {
  const plain = /^'*[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const readCell = (cell: string): string => cell.trim().replace(/^'(?='*[=+@-])/, '');

/** `NORTH | "A | B"`: a name that contains a bar gets quotes. */
const formatCell = (names: readonly string[]): string =>
  names.map((name) => (/[|"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(' | ');

function parseCell(cell: string): string[] {
  const parts = cell.match(/\s*"(?:[^"]|"")*"\s*|[^|]+/g) ?? [];
  const names = parts.map((part) => {
    const name = part.trim();
    return name.startsWith('"') && name.endsWith('"') && name.length > 1
      ? name.slice(1, -1).replaceAll('""', '"').trim()
      : name;
  });
  return [...new Set(names.filter((name) => name !== ''))];
}

interface Columns {
  imo: number;
  name: number;
  /** -1 if there is no such column. */
  fleets: number;
  /** -1 if there is no such column. */
  references: number;
  hasHeadings: boolean;
}

function findColumns(first: readonly string[]): Columns {
  const headings = first.map((cell) => cell.trim().toLowerCase());
  const imo = headings.findIndex((cell) => /\bimo\b/.test(cell) && !/\d/.test(cell));
  if (imo < 0) return { imo: 0, name: 1, fleets: 2, references: 3, hasHeadings: false };
  const fleets = headings.findIndex((cell) => /^fleets?$/.test(cell));
  const references = headings.findIndex((cell) => /^(?:ref(?:erence)?s?|bookings?)$/.test(cell));
  const name = headings.findIndex((cell, index) => index !== imo && /\b(name|vessel|ship)\b/.test(cell));
  // Without a column of names, the first of the others that has no other meaning.
  const unnamed = [0, 1].find((index) => ![imo, fleets, references].includes(index)) ?? -1;
  return { imo, name: name < 0 ? unnamed : name, fleets, references, hasHeadings: true };
}

/** The vessel, or what is wrong with the row. Without headings the number may be in either column. */
function readRow(record: readonly string[], columns: Columns, readImo: ReadImo): VesselRow | string {
  const cells = [record[columns.imo] ?? '', record[columns.name] ?? ''].map((cell) => cell.trim());
  const isSwapped = !columns.hasHeadings && !/\d{7}/.test(cells[0] ?? '') && /\d{7}/.test(cells[1] ?? '');
  const [number = '', typed = ''] = isSwapped ? cells.toReversed() : cells;
  const name = readCell(typed).replace(/\s+/g, ' ');
  const fleets = parseCell(readCell(record[columns.fleets] ?? ''));
  const references = splitReferences(parseCell(readCell(record[columns.references] ?? '')).join(','));
  if (number === '') return 'no IMO number';
  const imo = readImo(number);
  if (typeof imo === 'string') return imo;
  if (name === '' && fleets.length + references.length === 0) return 'no name';
  if (name.length > maxNameLength) return `a name of more than ${maxNameLength} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such names are refused.
  if (/[\u0000-\u001f\u007f]/.test(name + fleets.join(''))) return 'a name with control characters';
  const tooLong = fleets.some((fleet) => fleet.length > maxListNameLength || fleet === '.' || fleet === '..');
  if (tooLong) return `a fleet's name of more than ${maxListNameLength} characters, or of dots alone`;
  return { imo, name: name === '' ? null : name, fleets, references };
}

/** Undefined if the text is not a table. `maxRows` bounds the memory: a file of empty rows would take a gigabyte. */
function splitRows(text: string, maxRows: number): { record: string[]; line: number }[] | undefined {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const delimiter = [';', '\t'].find((sign) => firstLine.includes(sign)) ?? ',';
  try {
    const rows = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 10_000,
      to: maxRows,
    });
    // With `info` each row is `{ record, info }`, which the package's types leave open.
    const typed = rows as unknown as { record: string[]; info: { lines: number } }[];
    return typed.map(({ record, info }) => ({ record, line: info.lines }));
  } catch {
    return undefined;
  }
}

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
