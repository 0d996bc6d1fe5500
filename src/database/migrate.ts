import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { reasonOf, StoreError } from '../errors.ts';
import type { Engine } from './dialect.ts';
import { runStatements, schema } from './migrations/0001-schema.ts';
import { watchedTimes } from './migrations/0004-watched-times.ts';
import { messagesAndAudit } from './migrations/0005-messages-and-audit.ts';
import { promises } from './migrations/0006-promises.ts';
import { portGroups } from './migrations/0007-port-groups.ts';
import { imports } from './migrations/0008-imports.ts';
import { limits } from './migrations/0009-limits.ts';
import type { AllWorkspaces } from './workspace-store.ts';

/**
 * Runs missing migrations, forward only, in one transaction under the dialect's lock (PostgreSQL: an advisory lock).
 * Throws StoreError if the database has migrations that this code does not know.
 */
export async function migrate(
  { db, engine }: { db: AllWorkspaces; engine: Engine },
  target = 'latest',
): Promise<void> {
  // If the database can't be queried, migrating says why.
  const done = await doneMigrations(db).catch(() => []);
  const unknown = done.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new StoreError(
      `This database belongs to a newer Landfall: it has run ${unknown.join(', ')}, which this version does not know. ` +
        'Start the newer version, or restore a backup made by this one.',
    );
  }
  const provider = { getMigrations: async () => migrationsFor(engine) };
  const migrator = new Migrator({ db, provider });
  const { error } = await (target === 'latest' ? migrator.migrateToLatest() : migrator.migrateTo(target));
  if (error === undefined) return;
  throw new StoreError(`The database could not be brought up to date: ${reasonOf(error)}`, { cause: error });
}

/** Undefined if no migration has run. */
export const lastMigration = async (db: AllWorkspaces): Promise<string | undefined> =>
  (await doneMigrations(db)).at(-1);

/** In their order. */
async function doneMigrations(db: AllWorkspaces): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** How the tables stand to this version of the code, which knows these migrations. `none`: there are no tables yet. */
export async function tableState(
  db: AllWorkspaces,
  known: readonly string[] = migrationNames,
): Promise<'none' | 'older' | 'current' | 'newer'> {
  const done = await doneMigrations(db);
  if (done.length === 0) return 'none';
  if (done.some((name) => !known.includes(name))) return 'newer';
  return done.at(-1) === known.at(-1) ? 'current' : 'older';
}

/** For tools, which migrate nothing. Throws StoreError if the tables are missing, or of another version of this code. */
export async function checkTables(db: AllWorkspaces): Promise<void> {
  const migration = await lastMigration(db);
  if (migration === undefined) throw new StoreError('The store has no tables yet: start Landfall first');
  if (migration !== migrationNames.at(-1))
    throw new StoreError(
      `This store belongs to another version of Landfall (${migration}): use that version, or start this one first`,
    );
}

const usedInstallStates = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      'create table used_install_states (id text primary key, expires_at bigint not null)',
      'create index used_install_states_by_expiry on used_install_states (expires_at)',
    ]),
});

const recovery = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      'alter table workspaces add column backed_up_at bigint',
      'alter table workspaces add column restored_at bigint',
      'alter table watches add column restored_from bigint',
      'alter table followings add column restored_from bigint',
    ]),
});

/** Forward only, in the order of their names. A released migration is never changed. */
const migrations: Record<string, (engine: Engine) => Migration> = {
  '0001-schema': schema,
  '0002-used-install-states': usedInstallStates,
  '0003-recovery': recovery,
  '0004-watched-times': watchedTimes,
  '0005-messages-and-audit': messagesAndAudit,
  '0006-promises': promises,
  '0007-port-groups': portGroups,
  '0008-imports': imports,
  '0009-limits': limits,
};

export const migrationNames: readonly string[] = Object.keys(migrations).sort();

const migrationsFor = (engine: Engine): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).map(([name, create]) => [name, create(engine)]));
