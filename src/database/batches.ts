import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { primaryKeys, type TableName } from './schema.ts';
import {
  type AcrossWorkspaces,
  type AllWorkspaces,
  acrossWorkspaces,
  type WorkspaceStore,
  type WorkspaceTables,
} from './workspace-store.ts';

/** SQLite holds up everything else meanwhile, so it is a matter of milliseconds. */
const rowsAtOnce = 200;

/**
 * Deletes the rows that match, each batch in a transaction of its own: a crash loses only the rest, which the next call
 * deletes, and so does a call that `mayGoOn` ends. Leaves out rows that another transaction holds. `db` must not be a
 * transaction. Returns the number of rows.
 */
export async function deleteInBatches(
  db: AllWorkspaces,
  {
    work,
    table,
    where,
    mayGoOn = () => true,
  }: {
    work: AcrossWorkspaces;
    table: TableName;
    where: RawBuilder<SqlBool>;
    mayGoOn?: (() => boolean) | undefined;
  },
): Promise<number> {
  // Any of the tables: nothing here depends on its columns.
  const [name, keyColumns] = [table as 'workspaces', primaryKeys[table] as readonly 'id'[]];
  const key = sql.join(keyColumns.map((column) => sql.ref(column)));
  let total = 0;
  while (true) {
    const { numDeletedRows } = await db
      .with(
        (cte) => cte('batch').materialized(),
        (query) =>
          query.selectFrom(name).select(keyColumns).where(where).limit(rowsAtOnce).forUpdate().skipLocked(),
      )
      .deleteFrom(name)
      .where(sql<SqlBool>`(${key}) in (select ${key} from batch)`)
      .modifyEnd(acrossWorkspaces(work))
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
    if (numDeletedRows < rowsAtOnce || !mayGoOn()) return total;
  }
}

/**
 * Changes or deletes those rows of a workspace that match, each batch in a transaction of its own. Afterwards a row must no
 * longer match, so after a crash the next call does the rest. Waits for rows that another transaction holds. `store` must
 * not be a transaction. Returns false if it had to stop before the end.
 */
export async function changeInBatches(
  store: WorkspaceStore,
  {
    table,
    where,
    change,
    mayGoOn = () => true,
  }: {
    table: keyof WorkspaceTables;
    where: RawBuilder<SqlBool>;
    /** The columns to set; the rows are deleted without them. */
    change?: Record<string, unknown>;
    mayGoOn?: (() => boolean) | undefined;
  },
): Promise<boolean> {
  // Any of the tables: nothing here depends on its columns.
  const [name, keyColumns] = [table as 'digests', primaryKeys[table] as readonly 'id'[]];
  const key = sql.join(keyColumns.map((column) => sql.ref(column)));
  const batch = () => {
    const rows = store.selectFrom(name).select(keyColumns).where(where).limit(rowsAtOnce).forUpdate();
    return sql<SqlBool>`(${key}) in ${keyColumns.reduce((query, column) => query.orderBy(column), rows)}`;
  };
  const yieldToEventLoop = createYieldToEventLoop();
  while (mayGoOn()) {
    const changed = change
      ? (await store.updateTable(name).set(change).where(batch()).executeTakeFirstOrThrow()).numUpdatedRows
      : (await store.deleteFrom(name).where(batch()).executeTakeFirstOrThrow()).numDeletedRows;
    if (changed < rowsAtOnce) return true;
    await yieldToEventLoop();
  }
  return false;
}

const rowsInChunk = 1_500;

/** Splits rows of up to 21 columns into chunks that fit into one statement: SQLite takes 32,766 values. */
export function inChunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsInChunk) }, (_, index) =>
    rows.slice(index * rowsInChunk, (index + 1) * rowsInChunk),
  );
}

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

const maxHoldMs = 2;

/**
 * Returns a function to await between parts of long work: now and then it lets other work of this process run. SQLite
 * answers at once, so even a chain of statements needs this.
 */
export function createYieldToEventLoop(): () => Promise<void> | undefined {
  let startedAt = 0;
  return () => {
    if (performance.now() - startedAt < maxHoldMs) return undefined;
    return setImmediate().then(() => {
      startedAt = performance.now();
    });
  };
}
