import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { primaryKeys, type TableName } from './schema.ts';
import { type AcrossWorkspaces, type AllWorkspaces, acrossWorkspaces } from './workspace-store.ts';

/** Takes a few milliseconds, in which SQLite holds up everything else. */
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
