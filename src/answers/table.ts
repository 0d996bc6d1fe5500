import type { Provenance } from '../reference/prediction.ts';
import { type KnownVessel, referencesInCell, referencesInFile } from './formatting/words.ts';
import type { Reader } from './message.ts';
import type { Text } from './text.ts';

/** Raw: a probability from 0 to 1, an IMO number as a number, a time as a Date. Null and undefined: unknown. */
export type CellValue = string | number | boolean | Date | null | undefined;

/** Several texts are a list for programs, and one cell of a file. */
export type FieldValue = CellValue | readonly string[];

/** How a spreadsheet formats a field, and what assistants expect of it. `local time`: by the clock of a port. */
export type FieldType =
  | 'text'
  | 'texts'
  | 'imo'
  | 'count'
  | 'number'
  | 'share'
  | 'instant'
  | 'local time'
  | 'day'
  | 'boolean';

/** A column of a file, and a field of an assistant's row. People's spreadsheets rely on its key. */
export interface Field<Row> {
  /** In snake_case, units last: `eta`, `eta_local`, `moved_minutes`. */
  key: string;
  /** What it holds, for the docs and for assistants: a phrase without a full stop. */
  about: string;
  type: FieldType;
  /** All texts that it can hold. */
  values?: readonly string[] | undefined;
  value(row: Row): FieldValue;
}

/** One cell of a shown row. `sort`: the figure that Slack sorts by. */
export interface Cell {
  text: Text;
  sort?: number;
}

/** One declaration for the screen, files and assistants. */
export interface Column<Row> {
  /** Left out: it isn't shown. `{port}` stands for a word that the table gets with its rows. */
  header?: string;
  cell(row: Row, reader: Reader): Cell;
  /** A figure: it stands at the right. */
  isFigure: boolean;
  /** Where the row is a line, its header stands before it. */
  isLabelled: boolean;
  /** The fields of files and assistants; empty for a column that is only shown. A table of such columns is only shown. */
  fields: readonly Field<Row>[];
  /** People of other organisations see nothing of it. */
  membersOnly: boolean;
  /** The vessel of a row: then the table has a column of its references too. */
  vesselOf?: (row: Row) => KnownVessel | undefined;
}

/** A column that doesn't know its key yet. */
export type ColumnKind<Row> = (key: string) => Column<Row>;

/** What the docs and assistants know about a table. */
export interface TableShape {
  /** The beginning of a file's name, in kebab-case: `port-calls`. */
  name: string;
  /** What a row is: `A vessel that may call at the port`. */
  about: string;
  columns: readonly Pick<Field<never>, 'key' | 'about' | 'type' | 'values'>[];
}

interface TableContent<Row> {
  /** What the table lists, for people who can't see it. */
  caption: string;
  /** All rows, also those of other pages. */
  rows: readonly Row[];
  /** The rows of this page. Default: all. */
  shown?: readonly Row[];
  /** How many rows, from the first, the verdict has already: the fallback text leaves them out. */
  inVerdict?: number;
  /** How a row is said where no table can stand: in a notification, in the plain twin. Default: its cells. */
  inWords?(row: Row): Text;
  /** The number of rows that there are, if `rows` are only the first of them. */
  total?: number;
  /** For the headers: `{ port: 'NLRTM' }`. */
  words?: Readonly<Record<string, string>>;
  /** What the answer is about, for the name of a file: `NLRTM`, a fleet's name. */
  subject?: readonly string[];
  /** The days that the rows are about, also for that name: `2026-11-24-to-2026-11-26`. */
  period?: string | undefined;
  /** When the service gave a row, if rows differ. Default: the answer's own age. */
  fetchedAt?(row: Row): Date | undefined;
}

/** A table with its rows, and their types closed over. */
export interface TableSection {
  kind: 'table';
  shape: TableShape;
  caption: string;
  rowCount: number;
  shownCount: number;
  inVerdict: number;
  /** The rows of this page in words; undefined if their cells are. */
  inWords: readonly Text[] | undefined;
  total: number;
  subject: readonly string[];
  period: string | undefined;
  /** The same for files and assistants, if this table is only shown. */
  data?: TableSection;
  /** The columns that this reader sees, and the cells of this page. */
  grid(reader: Reader): Grid;
  /** The fields that this reader gets. */
  fields(reader: Reader): readonly Pick<Field<never>, 'key' | 'type'>[];
  /** The values of those fields, a row at a time: a long table need not block the event loop. */
  records(
    reader: Reader,
    provenance: Provenance | undefined,
    which?: 'all' | 'shown',
  ): Iterable<FieldValue[]>;
}

export interface Grid {
  columns: readonly { header: string; isFigure: boolean; isLabelled: boolean; membersOnly: boolean }[];
  rows: readonly (readonly Cell[])[];
}

export interface Table<Row> extends TableShape {
  of(content: TableContent<Row>): TableSection;
}

interface TableDefinition<Row> extends Pick<TableShape, 'name' | 'about'> {
  /** The rows are the service's, so files also say how old each is and whether it is invented. */
  isOfService?: boolean;
  columns: Readonly<Record<string, ColumnKind<Row>>>;
}

/** What every file with rows of the service says in each row. Assistants get the same once, as provenance. */
const serviceFields = [
  { key: 'fetched_at', about: 'when the analytics service gave this row, in UTC', type: 'instant' },
  { key: 'source', about: '`service`; `invented data` from the sandbox', type: 'text' },
] as const;

export function table<Row>({
  name,
  about,
  isOfService = false,
  ...definition
}: TableDefinition<Row>): Table<Row> {
  const columns = withReferences(Object.entries(definition.columns).map(([key, kind]) => kind(key)));
  const shape: TableShape = {
    name,
    about,
    columns: [
      ...columns.flatMap(({ fields }) =>
        fields.map(({ key, about, type, values }) => ({ key, about, type, values })),
      ),
      ...(isOfService ? serviceFields : []),
    ],
  };
  const columnsFor = ({ audience }: Reader) =>
    columns.filter(({ membersOnly }) => !membersOnly || audience !== 'outside');
  const fieldsFor = (reader: Reader) => columnsFor(reader).flatMap(({ fields }) => fields);
  return {
    ...shape,
    of({
      caption,
      rows,
      shown = rows,
      total = rows.length,
      words = {},
      subject = [],
      inVerdict = 0,
      inWords,
      period,
      fetchedAt,
    }) {
      return {
        kind: 'table',
        shape,
        ...{ caption, total, subject, period, inVerdict },
        inWords: inWords && shown.map(inWords),
        rowCount: rows.length,
        shownCount: shown.length,
        grid: forOneReader((reader) => {
          const visible = columnsFor(reader).flatMap((column) => {
            if (column.header === undefined) return [];
            const cells = shown.map((row) => column.cell(row, reader));
            // A column without content on any page says nothing.
            const isEmpty = cells.every(({ text }) => text === '');
            if (isEmpty && rows.every((row) => column.cell(row, reader).text === '')) return [];
            return [{ ...column, header: filled(column.header, words), cells }];
          });
          return {
            columns: visible,
            rows: shown.map((_, index) => visible.map(({ cells }) => cells[index] ?? { text: '' })),
          };
        }),
        fields: (reader) => [...fieldsFor(reader), ...(isOfService ? serviceFields : [])],
        *records(reader, provenance, which = 'all') {
          const fields = fieldsFor(reader);
          const source = reader.source === 'sandbox' ? 'invented data' : 'service';
          for (const row of which === 'all' ? rows : shown) {
            const values = fields.map((field) => field.value(row));
            yield isOfService
              ? [...values, fetchedAt ? fetchedAt(row) : provenance?.fetchedAt, source]
              : values;
          }
        },
      };
    },
  };
}

/** The references of the rows' vessels, at the end; shown only where the vessels are. */
function withReferences<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const of = columns.filter(({ vesselOf }) => vesselOf !== undefined);
  const vesselOf = of[0]?.vesselOf;
  if (!vesselOf) return columns;
  const isShown = of.some(({ header }) => header !== undefined);
  const references: Column<Row> = {
    ...(isShown && { header: 'Ref' }),
    ...{ isFigure: false, isLabelled: false, membersOnly: true },
    cell: (row) => ({ text: referencesInCell(vesselOf(row)?.references) }),
    fields: [
      {
        key: 'references',
        about: 'references of the vessel, the newest first, separated by ` | `',
        type: 'text',
        value: (row) => referencesInFile(vesselOf(row)?.references),
      },
    ],
  };
  return [...columns, references];
}

/** A message shows a table as blocks, and in words too. */
function forOneReader(make: (reader: Reader) => Grid): (reader: Reader) => Grid {
  let last: { reader: Reader; grid: Grid } | undefined;
  return (reader) => {
    if (last?.reader !== reader) last = { reader, grid: make(reader) };
    return last.grid;
  };
}

const filled = (header: string, words: Readonly<Record<string, string>>): string =>
  header.replace(/\{(\w+)\}/g, (placeholder, word: string) => words[word] ?? placeholder);
