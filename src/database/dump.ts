import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { lastMigration, migrate, migrationNames } from './migrate.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';

/** Each table comes after those that it refers to. The type demands an entry for every table. */
const tables: Record<keyof Schema, true> = {
  workspaces: true,
  credentials: true,
  tokens: true,
  channels: true,
  audit: true,
  vessel_names: true,
  fleets: true,
  fleet_vessels: true,
  subjects: true,
  watches: true,
  followings: true,
  history: true,
  digests: true,
  digest_numbers: true,
  outbox: true,
  claims: true,
};

export const tableNames: readonly string[] = Object.keys(tables);

const rowsAtOnce = 500;

const dumpFormat = 'landfall-backup-1';

/** The first line of a dump. One line per row follows; the last line is the number of rows. */
const headerLine = z.object({ format: z.literal(dumpFormat), migration: z.string(), at: z.string() });
const bodyLine = z.union([
  z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) }),
  z.object({ end: z.number() }),
]);

/**
 * Writes a consistent snapshot of the whole store as lines of JSON. Other processes can go on writing. A dump of one engine can
 * be restored into the other. Secrets stay sealed: the key is not in the dump. Returns the number of rows.
 */
export async function dumpDatabase(
  db: Kysely<Schema>,
  { write, now }: { write: (lines: string) => Promise<void>; now: Date },
): Promise<number> {
  const migration = await lastMigration(db).catch(() => undefined);
  if (migration === undefined)
    throw new StoreError('There is nothing to back up: the store has no tables yet');
  await write(`${JSON.stringify({ format: dumpFormat, migration, at: now.toISOString() })}\n`);
  let rows = 0;
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      // Times are written in the session's zone, which should be the same in every dump.
      await sql`set local time zone 'UTC'`.execute(transaction);
      for (const table of tableNames) rows += await dumpTable(transaction, table, write);
    });
  await write(`${JSON.stringify({ end: rows })}\n`);
  return rows;
}

async function dumpTable(
  db: Kysely<Schema>,
  table: string,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  const cursor = sql.ref(`dump_${table}`);
  await sql`
    declare ${cursor} no scroll cursor for
    select row_to_json(t)::text as line from ${sql.table(table)} as t`.execute(db);
  let count = 0;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsAtOnce)} from ${cursor}`.execute(db);
    if (rows.length === 0) break;
    count += rows.length;
    await write(rows.map(({ line }) => `{"table":"${table}","row":${line}}\n`).join(''));
  }
  await sql`close ${cursor}`.execute(db);
  return count;
}

/**
 * Creates the tables as they were when the dump was written, inserts all of its rows or none, and runs later migrations.
 * Returns the number of rows. Throws StoreError if the store is not empty, or if the dump is invalid, incomplete or from a newer Landfall.
 */
export async function restoreDump(db: Kysely<Schema>, lines: AsyncIterable<string>): Promise<number> {
  const reader = lines[Symbol.asyncIterator]();
  const header = readHeader((await reader.next()).value);
  await migrate(db, header.migration);
  const rows = await db.transaction().execute(async (transaction) => {
    await checkEmpty(transaction);
    const count = await insertAll(transaction, { [Symbol.asyncIterator]: () => reader });
    await sql`
      select setval(pg_get_serial_sequence('outbox', 'sequence'), coalesce(max(sequence), 1))
      from outbox`.execute(transaction);
    return count;
  });
  await migrate(db);
  return rows;
}

function readHeader(line: unknown): z.output<typeof headerLine> {
  const header = headerLine.safeParse(parse(line));
  if (!header.success) throw new StoreError("This file isn't a backup of Landfall");
  if (!migrationNames.includes(header.data.migration)) {
    throw new StoreError(
      `This backup is of a newer Landfall (${header.data.migration}): restore it with that version`,
    );
  }
  return header.data;
}

async function checkEmpty(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql`select id from workspaces limit 1`.execute(db);
  if (rows.length > 0) {
    throw new StoreError('This store is not empty: restore into a new data directory, or a new database');
  }
}

async function insertAll(db: Kysely<Schema>, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  let batch: { table: string; rows: unknown[] } = { table: '', rows: [] };
  const flush = async () => {
    await insertRows(db, batch);
    batch = { table: '', rows: [] };
  };
  for await (const line of lines) {
    const body = bodyLine.safeParse(parse(line));
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
  db: Kysely<Schema>,
  { table, rows }: { table: string; rows: unknown[] },
): Promise<void> {
  if (rows.length === 0) return;
  if (!tableNames.includes(table))
    throw new StoreError(`This backup holds a table that is unknown here: ${table}`);
  await sql`
    insert into ${sql.table(table)} select *
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db);
}

function parse(line: unknown): unknown {
  try {
    return typeof line === 'string' ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}
