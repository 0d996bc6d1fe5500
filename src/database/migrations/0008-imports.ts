import type { Migration } from 'kysely/migration';
import { runStatements, workspaceId } from './0001-schema.ts';

/** What people were shown of a file or of pasted cells, until they import it. */
export const imports = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      `create table imports (
        ${workspaceId},
        id text not null,
        user_id text not null,
        content text not null,
        created_at bigint not null,
        imported_at bigint,
        primary key (workspace_id, id)
      )`,
      'create index imports_by_age on imports (created_at)',
    ]),
});
