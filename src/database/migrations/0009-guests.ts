import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const guests: Migration = {
  up: (db) => runStatements(db, ["alter table workspaces add column guests text not null default 'ask'"]),
};
