import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { type DumpHeader, dumpFormat, tableNames } from './dump.ts';
import { migrate, migrationNames } from './migrate.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';

const rowsAtOnce = 500;

const headerLine = z.object({ format: z.string(), migration: z.string(), at: z.string() });
const bodyLine = z.union([
  z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) }),
  z.object({ end: z.number() }),
]);

/**
 * Fills an empty store from the lines of a dump, all or nothing, then migrates it. Returns the number of rows. Throws
 * StoreError if the store is not empty, or if the dump is invalid, incomplete or from a newer Landfall.
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

function readHeader(line: unknown): DumpHeader {
  const header = headerLine.safeParse(parse(line));
  if (!header.success || header.data.format !== dumpFormat)
    throw new StoreError('This file is no backup of Landfall');
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
  let waiting: { table: string; rows: unknown[] } = { table: '', rows: [] };
  const flush = async () => {
    await insertRows(db, waiting);
    waiting = { table: '', rows: [] };
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
    if (table !== waiting.table || waiting.rows.length >= rowsAtOnce) {
      await flush();
      waiting.table = table;
    }
    waiting.rows.push(row);
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
