import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const usedInstallStates = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      'create table used_install_states (id text primary key, expires_at bigint not null)',
      'create index used_install_states_by_expiry on used_install_states (expires_at)',
    ]),
});
