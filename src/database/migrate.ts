import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { messageOf, StoreUnavailable } from '../errors.ts';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';
import { StoreError } from './store-error.ts';

/**
 * Runs missing migrations, forward only, in one transaction under the dialect's lock (PostgreSQL: an advisory lock).
 * Throws StoreError if the database has migrations that this code does not know.
 */
export async function migrate(db: Kysely<Schema>, target = 'latest'): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (target === 'latest' ? migrator.migrateToLatest() : migrator.migrateTo(target));
  if (error === undefined) return;
  const newer = await newerMigrations(db);
  if (newer.length > 0) {
    throw new StoreError(
      `This database belongs to a newer Landfall: it has run ${newer.join(', ')}, which this version does not know. ` +
        'Start the newer version, or restore a backup made by this one.',
      { cause: error },
    );
  }
  throw new StoreError(`The database could not be brought up to date: ${reasonOf(error)}`, { cause: error });
}

export const migrationNames: readonly string[] = Object.keys(migrations).sort();

/** Undefined if no migration has run. Rejects in a database without tables. */
export async function lastMigration(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  return rows[0]?.name;
}

async function newerMigrations(db: Kysely<Schema>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name).filter((name) => !migrationNames.includes(name));
  } catch {
    return []; // The database can't be queried: the first error says why.
  }
}

/** Drivers put the address and the reason in their messages, never the password. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return messageOf(error);
}
