import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const claims: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table claims (
        workspace_id text not null references workspaces on delete cascade,
        key text not null,
        holder text not null,
        lease_until timestamptz not null,
        primary key (workspace_id, key)
      )`,
    ]),
};
