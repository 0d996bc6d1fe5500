import { type RawBuilder, sql } from 'kysely';

type ColumnType = 'text' | 'bigint' | 'integer' | 'double precision';

/** Rows to join with a table. In both engines their columns are called column1, column2 and so on. */
export function valuesList(
  rows: readonly (readonly unknown[])[],
  types: readonly ColumnType[],
): RawBuilder<unknown> {
  // PostgreSQL takes the types of all rows from the first one.
  const cells = (row: readonly unknown[], isFirst: boolean) =>
    row.map((value, index) =>
      isFirst ? sql`cast(${value} as ${sql.raw(types[index] ?? 'text')})` : sql`${value}`,
    );
  return sql`values ${sql.join(rows.map((row, index) => sql`(${sql.join(cells(row, index === 0))})`))}`;
}
