import { createYieldToEventLoop } from '../../database/batches.ts';
import { maxListNameLength } from '../../grammar/vessel.ts';
import { maxNameLength, referenceKey, splitReferences } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { foldTight } from '../../reference/nearest.ts';
import type { Columns } from './import-columns.ts';
import type { PromiseCells } from './import-promises.ts';
import type { TableRow } from './read-table.ts';
import { parseCell, readCell, type VesselRow } from './vessel-csv.ts';

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
  'bad-port': "a port that isn't known",
  'bad-date': "a due date that can't be used",
} as const;

export type SkipKind = keyof typeof skipReasons;

/** A row that was left out; lines count from 1. `detail`: what is wrong with this one. */
export interface SkippedRow {
  line: number;
  kind: SkipKind;
  detail: string;
}

export interface ReadOptions {
  /** Returns the number, or what is wrong with the text. */
  readImo: (text: string) => Imo | string;
  /** The vessels of that name that the workspace knows. */
  imosOf: (name: string) => readonly Imo[];
}

export interface ReadRows {
  vessels: VesselRow[];
  /** The lines that these vessels come from. */
  savedLines: ReadonlySet<number>;
  promises: PromiseCells[];
  skippedRows: SkippedRow[];
}

type Skip = Omit<SkippedRow, 'line'>;

/** Without a number, `imo` is undefined. `promise`: the cells that say where and when the cargo is due. */
type CellsOfRow = Omit<VesselRow, 'imo' | 'name'> & {
  imo: Imo | undefined;
  name: string;
  promise: (Pick<PromiseCells, 'port' | 'due'> & { references: readonly string[] }) | undefined;
};

/** What a row says of its vessel: nothing but a promise if it has neither a name, nor fleets and references. */
interface FoundRow {
  line: number;
  vessel: VesselRow;
  promise: CellsOfRow['promise'];
}

/**
 * A vessel with several names gets the last one, and the fleets and references of all its rows. The other names are
 * reported.
 */
export async function readRows(
  rows: readonly TableRow[],
  columns: Columns,
  options: ReadOptions,
): Promise<ReadRows> {
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
  const found: FoundRow[] = [];
  for (const { line, cells } of read) {
    await yieldToEventLoop();
    const row = 'kind' in cells ? cells : identified(cells, imosOf);
    if ('kind' in row) skippedRows.push({ line, ...row });
    else found.push({ line, ...row });
  }
  const promises = found.flatMap(({ line, vessel: { imo }, promise }) =>
    promise ? referencesOf(promise).map((reference) => ({ line, imo, ...promise, reference })) : [],
  );
  const { rows: saved, otherNames } = withLastNames(found);
  return {
    vessels: saved.map(({ vessel }) => vessel),
    savedLines: new Set(saved.map(({ line }) => line)),
    promises,
    skippedRows: [...skippedRows, ...otherNames].sort((first, second) => first.line - second.line),
  };
}

/** The rows with something to save for their vessel, which has one name in all of them. */
function withLastNames(found: readonly FoundRow[]) {
  const last = new Map<Imo, { line: number; name: string }>();
  for (const { line, vessel } of found)
    if (vessel.name !== null) last.set(vessel.imo, { line, name: vessel.name });
  const otherNames: SkippedRow[] = [];
  const rows = found.flatMap(({ line, vessel }) => {
    const named = last.get(vessel.imo);
    const hasLastName = vessel.name === null || !named || vessel.name === named.name;
    if (!hasLastName)
      otherNames.push({ line, kind: 'other-name', detail: `IMO ${vessel.imo}: see line ${named.line}` });
    const row = { line, vessel: hasLastName ? vessel : { ...vessel, name: null } };
    return isEmpty(row.vessel) ? [] : [row];
  });
  return { rows, otherNames };
}

const isEmpty = ({ name, fleets, references }: Omit<VesselRow, 'imo'>): boolean =>
  !name && fleets.length + references.length === 0;

/** A name stands for the number that it has in the file or, if it has none there, in the workspace. */
function identified(
  { imo, name, fleets, references, promise }: CellsOfRow,
  imosOf: (name: string) => Iterable<Imo>,
): Omit<FoundRow, 'line'> | Skip {
  if (imo !== undefined)
    return { vessel: { imo, name: name === '' ? null : name, fleets, references }, promise };
  const [first, ...others] = imosOf(name);
  if (first === undefined) return { kind: 'unknown-name', detail: name };
  if (others.length > 0) return { kind: 'ambiguous-name', detail: name };
  const vessel = { imo: first, name: null, fleets, references };
  return isEmpty(vessel) && !promise ? { kind: 'nothing-to-save', detail: '' } : { vessel, promise };
}

/** Each booking is promised for itself. */
const referencesOf = ({ references }: NonNullable<CellsOfRow['promise']>): readonly (string | undefined)[] =>
  references.length > 0 ? references : [undefined];

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
  const promised = promiseIn([columns.port, columns.due].map((index) => readCell(cellAt(index))));
  // The bookings depend on the date; a customer may have several.
  const bookings = {
    ...columns,
    references: columns.references.filter((index) => !columns.customers.includes(index)),
  };
  const booked = referencesIn(bookings, (index) => readCell(cellAt(index)));
  const promise = promised && { ...promised, references: booked.length > 0 ? booked : references };
  if (isEmpty({ name, fleets, references }) && !promise) return { kind: 'nothing-to-save', detail: '' };
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
  return { imo, name, fleets, references, promise };
}

/** A row without a due date promises nothing. */
const promiseIn = ([port = '', due = '']: readonly string[]):
  | Pick<PromiseCells, 'port' | 'due'>
  | undefined => (due === '' || nothing.test(due) ? undefined : { port, due });

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
