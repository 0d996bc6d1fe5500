const rowsAtOnce = 5000;

/** Rows in parts that fit into one statement: PostgreSQL takes 65,535 values, so up to 13 columns. */
export function inChunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, index) =>
    rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}
