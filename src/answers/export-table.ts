import { type Answer, tablesOf } from './answer.ts';
import type { Reader } from './message.ts';
import type { CellValue, FieldType, FieldValue } from './table.ts';

/** A table to be written to a file, with all rows of the answer. */
export interface ExportTable {
  /** The table's name and what it is about, for the name of the file: `port-calls`, `NLRTM`. */
  nameParts: readonly string[];
  /** The days that the rows are about, also for that name: `2026-11-24-to-2026-11-26`. */
  period?: string;
  columns: readonly string[];
  /** By column, for a workbook. */
  types?: readonly FieldType[];
  rowCount: number;
  /** The number of rows that there are, if the export has fewer. */
  total?: number;
  /** Computes the cells of one row at a time, so that a long table need not block the event loop. */
  rows(): Iterable<readonly CellValue[]>;
}

/** The tables of an answer. Sections of one table, such as ranked carriers and the others, are one. */
export function exportTables(answer: Answer, reader: Reader): ExportTable[] {
  if (answer.membersOnly !== undefined && reader.audience === 'outside') return [];
  const sections = answer.files ?? tablesOf(answer);
  return [...Map.groupBy(sections, ({ shape }) => shape.name).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const fields = first.fields(reader);
    const rowCount = same.reduce((sum, each) => sum + each.rowCount, 0);
    const total = same.reduce((sum, each) => sum + each.total, 0);
    return {
      nameParts: [first.shape.name, ...first.subject],
      ...(first.period !== undefined && { period: first.period }),
      columns: fields.map(({ key }) => key),
      types: fields.map(({ type }) => type),
      rowCount,
      ...(total > rowCount && { total }),
      *rows() {
        for (const section of same)
          for (const values of section.records(reader, answer.provenance)) yield values.map(inOneCell);
      },
    };
  });
}

const inOneCell = (value: FieldValue): CellValue => (isList(value) ? value.join('; ') : value);

const isList = (value: FieldValue): value is readonly string[] => Array.isArray(value);
