import { open, rename, rm } from 'node:fs/promises';
import type { Insertable } from 'kysely';
import { z } from 'zod';
import { messageOf, parseJson, StoreError, StoreUnavailable } from '../errors.ts';
import { connectDatabase, connectTool, type Database, type StoreLocation } from './connect.ts';
import { clearLeases } from './due.ts';
import { lastMigration, migrate, migrationNames } from './migrate.ts';
import { beginRecovery } from './recovery.ts';
import { primaryKeys, type Schema, type TableName, tableNames } from './schema.ts';
import { exists, holdsSecrets } from './secrets.ts';
import { type AllWorkspaces, acrossWorkspaces } from './workspace-store.ts';

/**
 * Writes the whole store to a file that only its owner can read, even while the bot runs. Returns the number of rows.
 * The file appears when it is complete. Throws StoreError, also for an existing file without `overwrite`.
 */
export async function backUp(
  file: string,
  {
    overwrite = false,
    now = Date.now,
    ...location
  }: StoreLocation & { overwrite?: boolean; now?: () => number },
): Promise<number> {
  if (!overwrite && (await exists(file))) {
    throw new StoreError(`${file} already exists: name another file, or add --overwrite to replace it`);
  }
  const { db, close } = await connectTool(location, { isReadOnly: true });
  try {
    return await writeBackup(file, db, new Date(now()));
  } finally {
    await close();
  }
}

async function writeBackup(file: string, db: AllWorkspaces, now: Date): Promise<number> {
  const unwritable = (cause: unknown): never => {
    throw new StoreError(`${file} can't be written: ${messageOf(cause)}`, { cause });
  };
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600).catch(unwritable);
  try {
    const write = async (lines: string) => {
      await handle.write(lines).catch(unwritable);
    };
    const rows = await dumpDatabase(db, { write, now });
    await handle.sync();
    await handle.close();
    await rename(unfinished, file);
    return rows;
  } catch (error) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Fills an empty store from a backup. Secrets in it open only with the key that sealed them. Throws StoreError. */
export async function restore(
  file: string,
  { now = Date.now, ...location }: StoreLocation & { now?: () => number },
): Promise<{ rows: number; hasSecrets: boolean }> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new StoreError(`${file} can't be read`, { cause });
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new StoreError(`${file} is a directory, not a backup`);
    const database = await connectDatabase({ ...location, migrateTo: 'none' });
    try {
      const rows = await restoreDump(database, handle.readLines(), { now: new Date(now()) });
      return { rows, hasSecrets: await holdsSecrets(database.db) };
    } finally {
      await database.close();
    }
  } finally {
    await handle.close();
  }
}

const isTableName = (name: string): name is TableName => Object.hasOwn(primaryKeys, name);

const rowsAtOnce = 500;

const dumpFormat = 'landfall-backup-3';

/** The first line of a dump, with its time. One line per row follows; the last line is the number of rows. */
const headerLine = z.object({
  format: z.string().startsWith('landfall-backup-'),
  migration: z.string(),
  at: z.iso.datetime().transform((at) => new Date(at)),
});
const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const bodyLine = z.union([z.object({ table: z.string(), row }), z.object({ end: z.number() })]);
type Row = z.output<typeof row>;

/**
 * Writes a consistent snapshot of the whole store as lines of JSON, with values as they are stored, which is the same
 * in both engines. Other processes can go on writing. Secrets stay sealed: the key is not in the dump. `now`: before the
 * call, on the real clock. Returns the number of rows.
 */
export async function dumpDatabase(
  db: AllWorkspaces,
  { write, now }: { write: (lines: string) => Promise<void>; now: Date },
): Promise<number> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const migration = await lastMigration(transaction);
      if (migration === undefined)
        throw new StoreError('There is nothing to back up: the store has no tables yet');
      await write(toLine({ format: dumpFormat, migration, at: now.toISOString() }));
      let rows = 0;
      for (const table of tableNames) rows += await dumpTable(transaction, table, write);
      await write(toLine({ end: rows }));
      return rows;
    });
}

async function dumpTable(
  db: AllWorkspaces,
  table: TableName,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  // Any of the tables: nothing here depends on its columns.
  let query = db
    .selectFrom(table as 'workspaces')
    .selectAll()
    .modifyFront(acrossWorkspaces('backup'));
  for (const column of primaryKeys[table]) query = query.orderBy(column as 'id');
  let count = 0;
  let lines: string[] = [];
  for await (const row of query.stream(rowsAtOnce)) {
    count += 1;
    if (lines.push(toLine({ table, row })) < rowsAtOnce) continue;
    await write(lines.join(''));
    lines = [];
  }
  await write(lines.join(''));
  return count;
}

/** `readLines` ends a line at U+2028 and U+2029 too, which JSON may hold as they are. */
const toLine = (value: object): string =>
  `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;

/**
 * Creates the tables as they were when the dump was written, inserts all of its rows or none, and runs later
 * migrations. The store knows then that it was restored at `now`. Returns the number of rows. Throws StoreError if the
 * store is not empty, or if the dump is invalid, incomplete or from a newer Landfall.
 */
export async function restoreDump(
  database: Database,
  lines: AsyncIterable<string>,
  { now }: { now: Date },
): Promise<number> {
  const { db } = database;
  const reader = lines[Symbol.asyncIterator]();
  const header = readHeader((await reader.next()).value);
  await migrate(database, header.migration);
  const rows = await db.transaction().execute(async (transaction) => {
    await checkEmpty(transaction);
    const count = await insertAll(transaction, { [Symbol.asyncIterator]: () => reader });
    // Their processes use the store that was backed up.
    await clearLeases(transaction);
    await beginRecovery(transaction, { backedUpAt: header.at, restoredAt: now });
    return count;
  });
  await migrate(database);
  return rows;
}

function readHeader(line = ''): z.output<typeof headerLine> {
  const header = headerLine.safeParse(parseJson(line));
  if (!header.success) throw new StoreError("This file isn't a backup of Landfall");
  const { format, migration } = header.data;
  const unknown = format === dumpFormat ? migration : format;
  if (format !== dumpFormat || !migrationNames.includes(migration))
    throw new StoreError(`This backup is of a newer Landfall (${unknown}): restore it with that version`);
  return header.data;
}

async function checkEmpty(db: AllWorkspaces): Promise<void> {
  if (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) {
    throw new StoreError('This store is not empty: restore into a new data directory, or a new database');
  }
}

async function insertAll(db: AllWorkspaces, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  let batch: { table: string; rows: Row[] } = { table: '', rows: [] };
  const flush = async () => {
    await insertRows(db, batch);
    batch = { table: '', rows: [] };
  };
  for await (const line of lines) {
    const body = bodyLine.safeParse(parseJson(line));
    if (!body.success) throw new StoreError(`Line ${count + 2} of this backup can't be read`);
    if ('end' in body.data) {
      await flush();
      if (body.data.end === count) return count;
      throw new StoreError(`This backup should hold ${body.data.end} rows and holds ${count}`);
    }
    const { table, row } = body.data;
    if (table !== batch.table || batch.rows.length >= rowsAtOnce) {
      await flush();
      batch.table = table;
    }
    batch.rows.push(row);
    count += 1;
  }
  throw new StoreError('This backup was cut short: its last line is missing');
}

async function insertRows(
  db: AllWorkspaces,
  { table, rows }: { table: string; rows: readonly Row[] },
): Promise<void> {
  if (rows.length === 0) return;
  if (!isTableName(table)) throw new StoreError(`This backup holds a table that is unknown here: ${table}`);
  // The rows come in their order, and get new numbers.
  const values = rows.map(({ sequence: _, ...columns }) => columns);
  try {
    // Any of the tables: the database checks the columns.
    await db
      .insertInto(table as 'workspaces')
      .values(values as unknown as Insertable<Schema['workspaces']>[])
      .execute();
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause;
    throw new StoreError(`This backup holds rows of ${table} that can't be stored: ${messageOf(cause)}`, {
      cause,
    });
  }
}
