const rowsAtOnce = 5000;

/** Splits rows of up to 13 columns into chunks that fit into one statement: PostgreSQL takes 65,535 values. */
export function inChunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, index) =>
    rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}
