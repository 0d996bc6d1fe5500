import { isDay } from '../grammar/dates.ts';
import { cleanLine } from '../grammar/line.ts';
import { isMoment } from '../grammar/moment.ts';
import { readPort } from '../grammar/port.ts';
import { findWholeNumbers } from '../grammar/vessel.ts';
import { referenceKey, type VesselDirectory } from '../grammar/vessel-directory.ts';
import { containersIn, isKnown, withoutFrame, withoutVoyage } from '../grammar/vessel-words.ts';

/** What a pasted table without headings says besides which vessels these are. */
export interface PastedBookings {
  /** As cells with headings, which the import reads. */
  cells: string;
  /** Those that aren't stored. */
  references: readonly string[];
  /** The number of rows with a date beside a port. */
  dates: number;
}

/** Undefined if every reference is stored and no date stands beside a port. */
export function pastedBookings(text: string, vessels: VesselDirectory): PastedBookings | undefined {
  const lines = text.replace(/^\s*\/?vessels?\s+/i, '').split('\n');
  const inColumns = rowsOf(lines, /\t|\||\s{2,}/);
  const rows = inColumns.length > 0 ? inColumns : rowsOf(lines, /[,;]/);
  const [first] = rows;
  if (!first || isHeadings(first, vessels)) return undefined;
  const columns = columnsOf(rows, vessels);
  const columnsOfKind = (kind: Kind) => columns.flatMap((each, index) => (each === kind ? [index] : []));
  const [port, due] = [columnsOfKind('port').at(-1), columnsOfKind('date').at(-1)];
  const typed = columnsOfKind('reference').flatMap((index) => rows.map((row) => row[index] ?? ''));
  const references = typed.filter((cell) => isReference(cell) && vessels.referenced(cell).length === 0);
  const dates =
    port === undefined || due === undefined ? 0 : rows.filter((row) => row[port] && row[due]).length;
  if (references.length + dates === 0) return undefined;
  const headings = columns.map((kind, index) => headingOf(kind, index, { port, due }));
  const hasVessels = columns.some((kind) => kind === 'vessel' || kind === 'number');
  const ofRows = rows.map((row) => [
    ...(hasVessels ? [] : [vesselsOf(row, vessels)]),
    ...columns.map((kind, index) => cellFor(kind, row[index] ?? '', vessels)),
  ]);
  return {
    cells: [[...(hasVessels ? [] : ['IMO']), ...headings], ...ofRows].map((row) => row.join('\t')).join('\n'),
    references: [...new Map(references.map((each) => [referenceKey(each), each])).values()],
    dates,
  };
}

/** Sentences have no cells. */
const rowsOf = (lines: readonly string[], separator: RegExp): string[][] =>
  lines
    .map((line) => line.split(separator).map(cleanLine))
    .filter((cells) => cells.filter(Boolean).length > 1);

type Kind = 'vessel' | 'number' | 'reference' | 'port' | 'date';

/** Of at least half of the cells; undefined for a column of anything else, or of several kinds. */
function columnsOf(rows: readonly (readonly string[])[], vessels: VesselDirectory): (Kind | undefined)[] {
  return Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, index) => {
    const cells = rows.map((row) => row[index] ?? '').filter(Boolean);
    const kinds = cells.flatMap((cell) => kindOf(cell, vessels) ?? []);
    const [kind, ...others] = new Set(kinds);
    return others.length === 0 && 2 * kinds.length >= cells.length ? kind : undefined;
  });
}

function kindOf(cell: string, vessels: VesselDirectory): Kind | undefined {
  const name = withoutFrame(cell, vessels);
  if (vessels.named(name).length > 0) return 'vessel';
  if (vessels.referenced(name).length > 0) return 'reference';
  if (findWholeNumbers(cell).length === 1 && !/[a-z]{2}/i.test(cell.replace(/imo/i, ''))) return 'number';
  if (containersIn(cell).length > 0) return undefined;
  const date = withoutDueWord(cell);
  if (isDay(date) || (/\d/.test(date) && isMoment(date))) return 'date';
  if (isReference(cell)) return 'reference';
  return readPort(cell).kind === 'none' ? undefined : 'port';
}

/** `BK-4421`, `EGLV 149600123456`, `4500123456`; not the voyage `FY448W`, and not the dangerous goods `UN1263`. */
const isReference = (cell: string): boolean =>
  /^(?:[a-z]{2,5}[-/. ]?\d{3,}[\w-]*|\d{8,15})$/i.test(cell) &&
  !/^(?:un ?\d{4}|[a-z]{0,3}\d{2,4}[nsew])$/i.test(cell) &&
  withoutVoyage(`- ${cell}`) !== '-';

const isHeadings = (cells: readonly string[], vessels: VesselDirectory): boolean =>
  cells.every((cell) => !/\d/.test(cell) && !isKnown(withoutFrame(cell, vessels), vessels));

/** Of several ports or dates, the last are where and when the cargo is due. */
function headingOf(
  kind: Kind | undefined,
  index: number,
  { port, due }: { port: number | undefined; due: number | undefined },
): string {
  switch (kind) {
    case 'vessel':
      return 'Vessel';
    case 'number':
      return 'IMO';
    case 'reference':
      return 'Reference';
    case 'port':
      return index === port ? 'Port' : 'Other port';
    case 'date':
      return index === due && port !== undefined ? 'Due' : 'Date';
    case undefined:
      return '';
  }
}

/** Names and dates without the words around them: those of a name would become part of it. */
function cellFor(kind: Kind | undefined, cell: string, vessels: VesselDirectory): string {
  if (kind === 'vessel') return withoutFrame(cell, vessels);
  return kind === 'date' ? withoutDueWord(cell) : cell;
}

/** `promised 11 Dec` → `11 Dec` */
const withoutDueWord = (cell: string): string =>
  cell.replace(/^(?:due|by|promised|latest|needed|required)(?: by)?:?\s+/i, '');

/** The number of the only vessel that a row's reference names. */
function vesselsOf(row: readonly string[], vessels: VesselDirectory): string {
  const [imo, ...others] = new Set(row.flatMap((cell) => vessels.referenced(cell)).map((each) => each.imo));
  return imo === undefined || others.length > 0 ? '' : String(imo);
}
