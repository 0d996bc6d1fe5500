import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const recovery = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      'alter table workspaces add column backed_up_at bigint',
      'alter table workspaces add column restored_at bigint',
      'alter table watches add column restored_from bigint',
      'alter table followings add column restored_from bigint',
    ]),
});
