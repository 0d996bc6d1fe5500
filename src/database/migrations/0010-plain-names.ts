import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const plainNames: Migration = {
  up: (db) =>
    runStatements(db, [
      'alter table digests rename column told to baseline',
      'alter table digests rename column by_hand to is_manual',
    ]),
};
