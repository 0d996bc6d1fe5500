import { type Imo, isPortGroup, type Locode } from '../reference/codes.ts';
import { isKnownPort } from '../reference/ports.ts';
import { cleanLine, joinWords } from './line.ts';
import { readPort } from './port.ts';
import { findWholeNumbers } from './vessel.ts';
import type { VesselDirectory } from './vessel-directory.ts';
import { withoutContainers, withoutFrame, withoutMarks } from './vessel-words.ts';

/** Vessels pasted from a spreadsheet or a mail, one row for each. */
export interface VesselRows {
  /** The words before the first vessel: `nextport`, but also an unknown name. */
  head: string;
  /** The first row if it has no vessel: a command, or a header. */
  firstRow?: string | undefined;
  imos: readonly Imo[];
  /** The rows without a vessel that is known here, except the first. */
  unread: readonly string[];
  /** The last row if it has no vessel: it may be an option. */
  ending?: string | undefined;
  /** The number of rows, without the first if it has no vessel. */
  count: number;
  /** That of each row with a vessel, in a column of its own. */
  port?: Locode | undefined;
  /** Some words stand beside a vessel in the same column, so they may mean something. */
  hasOtherWords: boolean;
}

/** Undefined for a text that isn't a table or list of vessels. */
export function readRows(text: string, vessels: VesselDirectory): VesselRows | undefined {
  if (!/[\n\t]/.test(text)) return undefined;
  const [firstCells, ...otherCells] = text
    .split('\n')
    .map(cellsOf)
    .filter(({ length }) => length > 0);
  if (!firstCells) return undefined;
  const { head, first } = takeHead(firstCells, vessels);
  const [second, ...others] = otherCells.map((cells) => readRow(cells, vessels));
  const hasHeader = second !== undefined && first.imos.length === 0 && isHeader(second);
  const rows = second === undefined || hasHeader ? others : [second, ...others];
  const found = [first, ...rows].filter(({ imos }) => imos.length > 0);
  const isTable = found.length > 1 || found.some(({ cells }) => cells.length > 1);
  if (!isTable) return undefined;
  const unread = rows.filter(({ imos }) => imos.length === 0).map(({ cells }) => cells.join(' '));
  return {
    ...{ head, unread },
    firstRow: first.imos.length === 0 ? firstCells.join(' ') : undefined,
    imos: [...new Set(found.flatMap(({ imos }) => imos))],
    ending: rows.at(-1)?.imos.length === 0 ? unread.at(-1) : undefined,
    count: found.length + unread.length,
    port: ofLoading.test(firstCells.join(' ')) ? undefined : onlyPort(found.map(({ cells }) => cells)),
    hasOtherWords: found.some((row) => row.hasOtherWords),
  };
}

const ofLoading = /\b(?:pol|from|load\p{L}*|origin)\b/iu;

function onlyPort(rows: readonly (readonly string[])[]): Locode | undefined {
  const ports = rows.map((cells) => {
    const found = cells.flatMap((cell) => {
      const read = readPort(withoutMarks(cell));
      return read.kind === 'one' && !isPortGroup(read.port) && isKnownPort(read.port) ? [read.port] : [];
    });
    return found.length === 1 ? found[0] : undefined;
  });
  const [port] = ports;
  return ports.every((each) => each === port) ? port : undefined;
}

/** One line with all vessels. A number in brackets may follow a name that is unknown here. */
export function lineOfRows({ head, firstRow, port, imos: [first, ...others] }: VesselRows): string {
  const mayBeNamed = head !== '' && firstRow === undefined;
  const vessels = [mayBeNamed ? `(${first})` : first, ...others].join(', ');
  return joinWords(head, vessels, head === '' && port !== undefined ? `at ${port}` : '');
}

interface Row extends Pick<VesselRows, 'imos' | 'hasOtherWords'> {
  cells: readonly string[];
}

/** Columns end in tabs, bars or several spaces. Commas and semicolons also stand within one. */
const cellsOf = (row: string): string[] =>
  row
    .split(/\t|\||\s{2,}/)
    .map(cleanLine)
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell));

/** `nextport EVER GIVEN`, and its other cells, are `nextport` and a row. An unknown name stays in the head. */
function takeHead([cell = '', ...others]: readonly string[], vessels: VesselDirectory) {
  const [words = ''] = cell.split(/[,;]|\(?(?:imo[\s:#.-]*)?\d{7}/i);
  const parts = words.trim().split(' ');
  const from = parts.findIndex((_, index) => oneVessel(parts.slice(index).join(' '), vessels) !== undefined);
  const before = parts.slice(0, from).join(' ');
  if (from >= 0) return { head: before, first: readRow([cell.slice(before.length), ...others], vessels) };
  const first = readRow([cell, ...others], vessels);
  return {
    head: headOf(words.trim(), { cell, isHeader: isHeader(first) }),
    first,
  };
}

/** `nextport Vessel` → `nextport`; without the first column if the vessel is in another: `nextport 24/11`. */
function headOf(words: string, { cell, isHeader }: { cell: string; isHeader: boolean }): string {
  if (isHeader) return words.replace(columnName, '');
  return words === cell ? words.replace(/(?:(?:^|\s)\S*\d\S*)+$/, '') : words;
}

const columnName = /(?:^|\s)(?:(?:vessel|ship)(?: name)?|name|imo(?: no| number)?|no|#)\.?$/i;

function readRow(cells: readonly string[], vessels: VesselDirectory): Row {
  const columns = cells.map((cell) => {
    const pieces = cell.split(/[,;]/).map(withoutMarks).filter(Boolean);
    return pieces.map((piece) => ({ piece, ...readPiece(piece, vessels) }));
  });
  const pieces = columns.flat();
  const numbers = pieces.flatMap((piece) => piece.numbers);
  const known = pieces.flatMap(({ piece, vessel }) => (vessel ? [{ ...vessel, piece }] : []));
  const named = known.filter(({ isNamed }) => isNamed);
  // A vessel may be called HAMBURG, but beside another it is a port.
  const likely = named.filter(({ piece }) => readPort(piece).kind === 'none');
  const readings = [numbers, ...[likely, named, known].map((some) => some.map(({ imo }) => imo))];
  const isMixed = (column: typeof pieces) =>
    column.some(({ isVessel }) => isVessel) && !column.every(({ isVessel }) => isVessel);
  return {
    cells,
    imos: readings.find(({ length }) => length > 0) ?? [],
    hasOtherWords:
      columns.some(isMixed) || pieces.some((piece) => piece.numbers.length > 0 && !piece.isVessel),
  };
}

function readPiece(text: string, vessels: VesselDirectory) {
  const piece = withoutContainers(text, vessels).trim();
  const vessel = oneVessel(piece, vessels);
  const numbers = vessel === undefined ? findWholeNumbers(piece) : [];
  const [before = '', after = ''] = piece.split(/\(?(?:imo[\s:#.-]*)?\d{7}\)?/i).map((words) => words.trim());
  const isNumber =
    numbers.length === 1 &&
    (after === '' ? !/\d/.test(before) : before === '' && oneVessel(after, vessels) !== undefined);
  return { vessel, numbers, isVessel: vessel !== undefined || isNumber };
}

/** The only vessel with this name, or else with this reference. */
function oneVessel(words: string, vessels: VesselDirectory): { imo: Imo; isNamed: boolean } | undefined {
  const name = withoutFrame(words, vessels);
  const named = vessels.named(name);
  const [first, ...others] = named.length > 0 ? named : vessels.referenced(name);
  return first && others.length === 0 ? { imo: first.imo, isNamed: named.length > 0 } : undefined;
}

/** Column names have no figures. */
const isHeader = ({ imos, cells }: Row): boolean =>
  imos.length === 0 && /[,;]/.test(cells.join(';')) && !/\d/.test(cells.join());
