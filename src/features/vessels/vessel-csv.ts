import { parse } from 'csv-parse/sync';
import { maxListNameLength } from '../../grammar/list-name.ts';
import { maxNameLength } from '../../grammar/vessel-name.ts';
import type { Imo } from '../../reference/imo.ts';

type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

/** One row: a vessel's name, if it has one here, and the fleets that it is in. At least one of the two. */
export interface VesselRow {
  imo: Imo;
  name: string | null;
  fleets: string[];
}

type VesselCsv =
  | {
      vessels: VesselRow[];
      /** Rows left out, by their line in the file, from 1. */
      faults: { line: number; reason: string }[];
      /** As it was read: in `windows-1252` the accents of names are a guess. */
      encoding: Encoding;
    }
  /** Nothing of the file can be used: why, in a whole sentence. */
  | { refused: string };

interface VesselCsvOptions {
  /** The number, or what is wrong with the text in its place. */
  readImo: (text: string) => Imo | string;
  maxRows?: number;
}

/**
 * Vessel names of a table: commas, semicolons or tabs, UTF-8, UTF-16 or Windows-1252, in either order of the
 * columns, with or without a line of headings; fleets in a column of that heading, or in the third. Bad rows are reported by line; good ones are read.
 */
export function readVesselCsv(bytes: Uint8Array, { readImo, maxRows = 50_000 }: VesselCsvOptions): VesselCsv {
  const decoded = decodeTable(bytes);
  if (!decoded) return { refused: 'The file is not a text file.' };
  const { text, encoding } = decoded;
  const rows = split(text, maxRows + 1);
  if (!rows) return { refused: 'The file is not a table of values separated by commas, semicolons or tabs.' };
  if (rows.length > maxRows) return { refused: `The file has more than ${maxRows} rows.` };
  const columns = findColumns(rows[0]?.record ?? []);
  const read: { vessel: VesselRow; line: number }[] = [];
  const faults: { line: number; reason: string }[] = [];
  for (const { record, line } of columns.hasHeadings ? rows.slice(1) : rows) {
    const vessel = readRow(record, { columns, readImo });
    if (typeof vessel === 'string') faults.push({ line, reason: vessel });
    else read.push({ vessel, line });
  }
  const { vessels, renamed } = onceNamed(read);
  return { vessels, faults: [...faults, ...renamed].sort((one, other) => one.line - other.line), encoding };
}

/** A vessel keeps the last name that it is given; of the rows before it only the fleets count. */
function onceNamed(rows: readonly { vessel: VesselRow; line: number }[]) {
  const last = new Map<Imo, { name: string | null; line: number }>();
  for (const { vessel, line } of rows) {
    if (vessel.name !== null) last.set(vessel.imo, { name: vessel.name, line });
  }
  const renamed: { line: number; reason: string }[] = [];
  const vessels = rows.flatMap(({ vessel, line }) => {
    const named = last.get(vessel.imo);
    if (vessel.name === null || !named || vessel.name === named.name) return [vessel];
    renamed.push({ line, reason: `line ${named.line} has another name for IMO ${vessel.imo}` });
    return vessel.fleets.length > 0 ? [{ ...vessel, name: null }] : [];
  });
  return { vessels, renamed };
}

/** With a line of headings; read back by `readVesselCsv` as it was. */
export function writeVesselCsv(vessels: readonly VesselRow[]): string {
  const rows = vessels.map(({ imo, name, fleets }) =>
    [String(imo), cellOf(name ?? ''), cellOf(formatFleets(fleets))].join(','),
  );
  return ['imo,name,fleets', ...rows, ''].join('\r\n');
}

/** What a spreadsheet would take for a formula gets an apostrophe before it, and so does what looks so already. */
function cellOf(text: string): string {
  const plain = /^'*[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const readCell = (cell: string): string => cell.trim().replace(/^'(?='*[=+@-])/, '');

/** `NORTH | "A | B"`: within quotes a bar parts nothing. */
const formatFleets = (fleets: readonly string[]): string =>
  fleets.map((name) => (/[|"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(' | ');

function parseFleets(cell: string): string[] {
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
  /** -1: there are none. */
  fleets: number;
  hasHeadings: boolean;
}

function findColumns(first: readonly string[]): Columns {
  const headings = first.map((cell) => cell.trim().toLowerCase());
  const imo = headings.findIndex((cell) => /\bimo\b/.test(cell) && !/\d/.test(cell));
  if (imo < 0) return { imo: 0, name: 1, fleets: 2, hasHeadings: false };
  const fleets = headings.findIndex((cell) => /^fleets?$/.test(cell));
  const name = headings.findIndex((cell, index) => index !== imo && /\b(name|vessel|ship)\b/.test(cell));
  return { imo, name: name < 0 ? (imo === 0 ? 1 : 0) : name, fleets, hasHeadings: true };
}

/** Without headings the number may be in either column. */
function readRow(
  record: readonly string[],
  { columns, readImo }: { columns: Columns; readImo: VesselCsvOptions['readImo'] },
): VesselRow | string {
  const cells = [record[columns.imo] ?? '', record[columns.name] ?? ''].map((cell) => cell.trim());
  const isSwapped = !columns.hasHeadings && !/\d{7}/.test(cells[0] ?? '') && /\d{7}/.test(cells[1] ?? '');
  const [number = '', typed = ''] = isSwapped ? cells.toReversed() : cells;
  const name = readCell(typed).replace(/\s+/g, ' ');
  const fleets = parseFleets(readCell(record[columns.fleets] ?? ''));
  if (number === '') return 'no IMO number';
  const imo = readImo(number);
  if (typeof imo === 'string') return imo;
  if (name === '' && fleets.length === 0) return 'no name';
  if (name.length > maxNameLength) return `a name of more than ${maxNameLength} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(name + fleets.join(''))) return 'a name with control characters';
  const tooLong = fleets.some((fleet) => fleet.length > maxListNameLength || fleet === '.' || fleet === '..');
  if (tooLong) return `a fleet's name of more than ${maxListNameLength} characters, or of dots alone`;
  return { imo, name: name === '' ? null : name, fleets };
}

/** No more than `maxRows` rows are read: a file of empty ones would take a gigabyte. */
function split(text: string, maxRows: number): { record: string[]; line: number }[] | undefined {
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
    return (rows as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      line: info.lines,
    }));
  } catch {
    return undefined;
  }
}

/**
 * Decodes a file of unknown encoding: UTF-16 by its byte order mark, else UTF-8 if it is valid, else Windows-1252, as
 * old spreadsheets write it. Undefined for a file that isn't text, such as a picture.
 */
function decodeTable(bytes: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (isLittle || isBig) {
    const text = decode(bytes, isLittle ? 'utf-16le' : 'utf-16be');
    return text === undefined ? undefined : { text, encoding: 'utf-16' };
  }
  if (bytes.includes(0)) return undefined;
  const text = decode(bytes, 'utf-8');
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const guessed = new TextDecoder('windows-1252').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a picture from a text.
  return /[\u0001-\u0008\u000e-\u001f]/.test(guessed)
    ? undefined
    : { text: guessed, encoding: 'windows-1252' };
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
