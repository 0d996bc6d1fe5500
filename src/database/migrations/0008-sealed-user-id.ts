import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

/** The label held the account's user id, unsealed; nothing read it. */
export const sealedUserId: Migration = {
  up: (db) => runStatements(db, ['alter table credentials drop column label']),
};
