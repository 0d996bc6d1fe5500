import { type Kysely, sql } from 'kysely';
import { lastMigration } from './migrate.ts';
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

export const dumpFormat = 'landfall-backup-1';

/** The first line of a dump. One line per row follows; the last line is the number of rows. */
export interface DumpHeader {
  format: string;
  migration: string;
  at: string;
}

/**
 * Writes a consistent snapshot of the whole store as lines of JSON; others can go on writing. A dump of one engine can
 * be restored into the other. Secrets stay sealed: the key is not in the dump. Returns the number of rows.
 */
export async function dumpDatabase(
  db: Kysely<Schema>,
  { write, now }: { write: (lines: string) => Promise<void>; now: Date },
): Promise<number> {
  const migration = await lastMigration(db).catch(() => undefined);
  if (migration === undefined)
    throw new StoreError('There is nothing to back up: the store has no tables yet');
  const header: DumpHeader = { format: dumpFormat, migration, at: now.toISOString() };
  await write(`${JSON.stringify(header)}\n`);
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
