const rowsAtOnce = 1_500;

/** By default, the rows of a chunk fit into one statement if they have up to 21 columns: SQLite takes 32,766 values. */
export function inChunks<Row>(rows: readonly Row[], size = rowsAtOnce): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
