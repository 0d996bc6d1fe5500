import { joinClipped } from '../../answers/message.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { maxListNameLength } from '../../grammar/vessel.ts';
import { maxNameLength, referenceKey, splitReferences } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { fold, foldTight } from '../../reference/nearest.ts';
import { type Encoding, readTable, type TableRow } from './read-table.ts';

/** A vessel has at least one of a name, fleets and references. */
export interface VesselRow {
  imo: Imo;
  name: string | null;
  fleets: readonly string[];
  references: readonly string[];
}

/** Why a row was left out, after `3 rows have`. */
export const skipReasons = {
  'no-vessel': "no IMO number and no vessel's name",
  'bad-imo': 'a wrong IMO number',
  'unknown-name': "no IMO number, and a name that isn't known here",
  'ambiguous-name': 'no IMO number, and a name of several vessels',
  'nothing-to-save': 'a vessel and nothing to save for it',
  'bad-name': "a name that can't be used",
  'bad-fleet': "a fleet that can't be used",
  'other-name': 'another name for a vessel than a later row',
} as const;

export type SkipKind = keyof typeof skipReasons;

/** A row that was left out; lines count from 1. `detail`: what is wrong with this one. */
export interface SkippedRow {
  line: number;
  kind: SkipKind;
  detail: string;
}

interface ReadOptions {
  /** Returns the number, or what is wrong with the text. */
  readImo: (text: string) => Imo | string;
  /** The vessels of that name that the workspace knows. */
  imosOf: (name: string) => readonly Imo[];
  maxRows?: number;
}

/** `refused`: a sentence that says why the file can't be used. `windows-1252` is a guess, so accents may be wrong. */
type VesselCsv =
  | { vessels: VesselRow[]; skippedRows: SkippedRow[]; encoding: Encoding; columns: ColumnUse | undefined }
  | { refused: string };

/**
 * Reads a table with commas, semicolons or tabs, with or without a line of headings. The number and the name may come
 * in either order; without headings the third column holds the fleets, and the fourth the references. A row without a
 * number is about the vessel of that name, in the file or in the workspace. Bad rows are skipped and reported.
 */
export async function readVesselCsv(
  bytes: Uint8Array,
  { readImo, imosOf, maxRows = 50_000 }: ReadOptions,
): Promise<VesselCsv> {
  const table = await readTable(bytes, maxRows + 1);
  if ('refused' in table) return table;
  const { rows, encoding } = table;
  if (rows.length > maxRows) return { refused: `The file has more than ${maxRows} rows.` };
  const found = findTable(rows.map(({ record }) => record));
  if (!found) {
    const headings = (rows[0]?.record ?? []).map((heading) => heading.trim());
    return {
      refused: `The file has no column of vessels, neither IMO numbers nor names: its columns are ${joinClipped(headings, { each: 40, all: 300 })}.`,
    };
  }
  const { columns, firstRow } = found;
  const below = rows.slice(firstRow);
  const records = below.map(({ record }) => record);
  const read = await readRows(below, columns, { readImo, imosOf });
  return { ...read, encoding, columns: columnUse(columns, records) };
}

type Skip = Omit<SkippedRow, 'line'>;

/** Without a number, `imo` is undefined. */
type CellsOfRow = Omit<VesselRow, 'imo' | 'name'> & { imo: Imo | undefined; name: string };

/**
 * A vessel with several names gets the last one, and the fleets and references of all its rows. The other names are
 * reported.
 */
async function readRows(
  rows: readonly TableRow[],
  columns: Columns,
  options: ReadOptions,
): Promise<{ vessels: VesselRow[]; skippedRows: SkippedRow[] }> {
  const yieldToEventLoop = createYieldToEventLoop();
  const read: { line: number; cells: CellsOfRow | Skip }[] = [];
  const inFile = new Map<string, Set<Imo>>();
  for (const { record, line } of rows) {
    await yieldToEventLoop();
    const cells = readRow(record, columns, options);
    read.push({ line, cells });
    if ('kind' in cells || cells.imo === undefined || cells.name === '') continue;
    const key = foldTight(cells.name);
    inFile.set(key, (inFile.get(key) ?? new Set()).add(cells.imo));
  }
  const imosOf = (name: string) => inFile.get(foldTight(name)) ?? options.imosOf(name);
  const skippedRows: SkippedRow[] = [];
  const found: { line: number; vessel: VesselRow }[] = [];
  const lastNamed = new Map<Imo, { line: number; name: string }>();
  for (const { line, cells } of read) {
    await yieldToEventLoop();
    const vessel = 'kind' in cells ? cells : identified(cells, imosOf);
    if ('kind' in vessel) skippedRows.push({ line, ...vessel });
    else found.push({ line, vessel });
    if (!('kind' in vessel) && vessel.name !== null) lastNamed.set(vessel.imo, { line, name: vessel.name });
  }
  const vessels = found.flatMap(({ line, vessel }) => {
    const last = lastNamed.get(vessel.imo);
    if (vessel.name === null || !last || vessel.name === last.name) return [vessel];
    skippedRows.push({ line, kind: 'other-name', detail: `IMO ${vessel.imo}: see line ${last.line}` });
    return vessel.fleets.length + vessel.references.length === 0 ? [] : [{ ...vessel, name: null }];
  });
  return { vessels, skippedRows: skippedRows.sort((first, second) => first.line - second.line) };
}

/** A name stands for the number that it has in the file or, if it has none there, in the workspace. */
function identified(
  { imo, name, fleets, references }: CellsOfRow,
  imosOf: (name: string) => Iterable<Imo>,
): VesselRow | Skip {
  if (imo !== undefined) return { imo, name: name === '' ? null : name, fleets, references };
  const [first, ...others] = imosOf(name);
  if (first === undefined) return { kind: 'unknown-name', detail: name };
  if (others.length > 0) return { kind: 'ambiguous-name', detail: name };
  return fleets.length + references.length === 0
    ? { kind: 'nothing-to-save', detail: '' }
    : { imo: first, name: null, fleets, references };
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

/** A comma separates bookings, but may be part of a customer's name. */
function referencesIn({ references, customers }: Columns, cellAt: (index: number) => string): string[] {
  const texts = references.flatMap((index) => {
    const parts = parseCell(cellAt(index)).flatMap((part) => part.split(/[\r\n]+/));
    const filled = parts.filter((part) => !nothing.test(part.trim()));
    return customers.includes(index)
      ? filled.map((part) => part.trim().replace(/\s+/g, ' ')).filter(Boolean)
      : splitReferences(filled.join(','));
  });
  return [...new Map(texts.map((text) => [referenceKey(text), text])).values()];
}

/** What spreadsheets have where there is nothing yet. */
const nothing = /^(?:[-\u2013\u2014?.]+|n\/?a|tb[acdn]|unknown|none)$/i;

/** Without headings the number may be in either of two columns. */
function readRow(
  record: readonly string[],
  columns: Columns,
  { readImo, imosOf }: ReadOptions,
): CellsOfRow | Skip {
  const cellAt = (index: number): string => (record[index] ?? '').trim();
  const cells = [cellAt(columns.imo), cellAt(columns.name)];
  const isSwapped = !columns.hasHeadings && !/\d{7}/.test(cells[0] ?? '') && /\d{7}/.test(cells[1] ?? '');
  const [typedNumber = '', typed = ''] = isSwapped ? cells.toReversed() : cells;
  // Programs write whole numbers with decimals: 9461477.0.
  const number = typedNumber.replace(/(?<=\d)[.,]0+$/, '');
  const whole = readCell(typed).replace(/\s+/g, ' ');
  const name = imosOf(whole).length > 0 ? whole : withoutVoyage(whole, columns);
  const fleets = parseCell(readCell(cellAt(columns.fleets)));
  const references = referencesIn(columns, (index) => readCell(cellAt(index)));
  const imo = number === '' || nothing.test(number) ? undefined : readImo(number);
  if (typeof imo === 'string') return { kind: 'bad-imo', detail: imo };
  if (imo === undefined && (name === '' || nothing.test(name))) return { kind: 'no-vessel', detail: '' };
  if (name === '' && fleets.length + references.length === 0) return { kind: 'nothing-to-save', detail: '' };
  if (name.length > maxNameLength)
    return { kind: 'bad-name', detail: `a name of more than ${maxNameLength} characters` };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such names are refused.
  if (/[\u0000-\u001f\u007f]/.test(name + fleets.join('')))
    return { kind: 'bad-name', detail: 'a name with control characters' };
  const tooLong = fleets.some((fleet) => fleet.length > maxListNameLength || fleet === '.' || fleet === '..');
  if (tooLong)
    return {
      kind: 'bad-fleet',
      detail: `a fleet's name of more than ${maxListNameLength} characters, or of dots alone`,
    };
  return { imo, name, fleets, references };
}

/** `MSC DIANA / 448W`, `MSC DIANA V.448W`: no vessel's name has these. */
const marked = /(?:\s*\/\s*[a-z]{0,3}\d[\w-]*|\s+v(?:oy(?:age)?)?\.\s*[a-z]{0,3}\d[\w-]*)$/i;
/** `MSC DIANA 448W`, only in a column of vessels and voyages. */
const unmarked = /[\s(/-]+[a-z]{0,3}\d[\w-]*\)?$/i;

/** A cell's name of a vessel without the voyage after it. */
function withoutVoyage(name: string, { hasVoyages }: { hasVoyages: boolean }): string {
  const cut = name.replace(marked, '');
  const rest = hasVoyages && cut === name ? name.replace(unmarked, '') : cut;
  return rest.trim() || name;
}

/** What the columns of a table hold, by their position; -1 for none. */
interface Columns {
  imo: number;
  name: number;
  fleets: number;
  /** Bookings, customers and the like; none, one or several columns. */
  references: readonly number[];
  /** Those of the references that hold the names of customers. */
  customers: readonly number[];
  /** The cells with the name have a voyage too. */
  hasVoyages: boolean;
  hasHeadings: boolean;
  /** As in the file; empty without headings. */
  headings: readonly string[];
}

const isImo = (heading: string): boolean =>
  /\bimo\b/.test(heading) && !/\d|\b(?:class|un|dg|dgr|hazard)\b/.test(heading);

const vesselWord = '(?:vessel|ship|vsl|mv|m v|schiff|navire|buque)';
const vesselHeading = new RegExp(
  `^(?:(?:mother|main|feeder|ocean|carrying|planned|actual) )?(?:${vesselWord}(?: ?s? ?name)?|name(?: of (?:the )?${vesselWord})?|schiffsname|${vesselWord} (?:and |n )?voy(?:age)?(?: (?:no|nr|number))?)$`,
);

const owner =
  '(?:our|your|my|their|customers?|clients?|carriers?|lines?|internal|external|master|house|forwarders?|agents?|consignees?|m|h)';
const subject =
  '(?:bookings?|bkg|bkgs|buchung|b l|bl|bol|mbl|hbl|m b l|h b l|bills? of lading|waybill|sea waybill|swb|customers?|clients?|kunde|consignees?|shipments?|consignments?|sendung|orders?|po|p o|purchase orders?|sales orders?|auftrag|jobs?|files?|refs?|references?|referenz)';
const number = '(?:no|nos|nr|num|number|numbers|nummer|id|ids|code|codes|ref|refs|reference|references|name)';
const referenceHeading = new RegExp(`^(?:${owner} )*${subject}(?: ${number})*$`);
// `Bookingnumber`, `Orderno`: written as one word.
const joinedHeading = new RegExp(`^${subject.replaceAll(' ', '')}${number}$`);

const customerHeading = new RegExp(`^(?:${owner} )*(?:customers?|clients?|kunde|consignees?)(?: name)?$`);

const isReference = (heading: string): boolean =>
  referenceHeading.test(heading) || joinedHeading.test(heading);

/** A title may stand above the headings. */
const maxTitleRows = 10;

/** The columns, and the index of the first row below the headings. Undefined as for `findColumns`. */
function findTable(rows: readonly (readonly string[])[]): { columns: Columns; firstRow: number } | undefined {
  const firstData = rows.findIndex((row) => row.some((cell) => /\d{7}/.test(cell)));
  const above = rows.slice(0, Math.min(maxTitleRows, firstData < 0 ? maxTitleRows : Math.max(firstData, 1)));
  const headings = above.findIndex((row) => findColumns(row)?.hasHeadings);
  const columns = findColumns(rows[Math.max(headings, 0)] ?? []);
  return columns && { columns, firstRow: columns.hasHeadings ? headings + 1 : 0 };
}

/**
 * Finds the columns by the headings that people's spreadsheets have. Without headings, the first columns are number and
 * name, fleets and references. Undefined if there are headings, but neither of a number nor of a vessel.
 */
function findColumns(first: readonly string[]): Columns | undefined {
  const headings = first.map((cell) => cell.trim().replace(/\s+/g, ' '));
  const keys = headings.map(fold); // `B/L No.` → `b l no`
  const imo = keys.findIndex(isImo);
  const nameLike = (shape: RegExp) => keys.findIndex((key, index) => index !== imo && shape.test(key));
  const exact = nameLike(vesselHeading);
  const typedName = exact >= 0 ? exact : nameLike(/\b(?:vessel|ship) ?s? name\b/);
  const fleets = keys.findIndex((key) => /^fleets?(?: names?)?$/.test(key));
  const references = keys.flatMap((key, index) => (isReference(key) ? [index] : []));
  const hasNumber = headings.some((heading) => /\d{7}/.test(heading));
  const isTable =
    imo >= 0 || (!hasNumber && [typedName >= 0, fleets >= 0, references.length > 0].some(Boolean));
  const none = { customers: [], hasVoyages: false, headings: [] };
  if (!isTable) return { imo: 0, name: 1, fleets: 2, references: [3], hasHeadings: false, ...none };
  // A short table of two columns, one of them the number: the other is the name, whatever it is called.
  const other = [0, 1].find((index) => ![imo, fleets, ...references].includes(index)) ?? -1;
  const name = typedName >= 0 || imo < 0 || headings.length > 2 ? typedName : other;
  if (imo < 0 && name < 0) return undefined;
  const customers = references.filter((index) => customerHeading.test(keys[index] ?? ''));
  const hasVoyages = /\bvoy/.test(keys[name] ?? '');
  return { imo, name, fleets, references, customers, hasVoyages, hasHeadings: true, headings };
}

export interface ColumnUse {
  /** `“Vessel” as names`: the columns that were read. */
  used: readonly { headings: readonly string[]; as: string }[];
  unused: readonly string[];
}

/** Undefined without headings. Leaves out empty columns without a heading. */
function columnUse(
  { imo, name, fleets, references, hasHeadings, headings }: Columns,
  rows: readonly (readonly string[])[],
): ColumnUse | undefined {
  if (!hasHeadings) return undefined;
  const roles = [
    { indexes: [imo], as: 'IMO number' },
    { indexes: [name], as: 'vessel' },
    { indexes: references, as: 'references' },
    { indexes: [fleets], as: 'fleets' },
  ];
  const headingOf = (index: number): string => headings[index] || `column ${index + 1}`;
  const used = roles
    .map(({ indexes, as }) => ({ headings: indexes.filter((index) => index >= 0).map(headingOf), as }))
    .filter((role) => role.headings.length > 0);
  const taken = new Set(roles.flatMap(({ indexes }) => indexes));
  const isEmpty = (index: number) => !headings[index] && rows.every((row) => !row[index]?.trim());
  const unused = headings.flatMap((_, index) =>
    taken.has(index) || isEmpty(index) ? [] : [headingOf(index)],
  );
  return { used, unused };
}
