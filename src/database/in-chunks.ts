const rowsAtOnce = 1_500;

/** Splits rows of up to 21 columns into chunks that fit into one statement: SQLite takes 32,766 values. */
export function inChunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, index) =>
    rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}
