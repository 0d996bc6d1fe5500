import type { Migration } from 'kysely/migration';
import type { Engine } from '../dialect.ts';
import { schema } from './0001-schema.ts';
import { watchedTimes } from './0004-watched-times.ts';
import { runStatements } from './statements.ts';

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
};

export const migrationNames: readonly string[] = Object.keys(migrations).sort();

export const migrationsFor = (engine: Engine): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).map(([name, create]) => [name, create(engine)]));
