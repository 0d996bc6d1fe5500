import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

/** The number of a removed digest is not reused, and the digest can be restored for a while. */
export const digestNumbers: Migration = {
  up: (db) =>
    runStatements(db, [
      'alter table digests add column removed_at timestamptz',
      'alter table digests add column chosen_by text',
      `create table digest_numbers (
        workspace_id text not null references workspaces on delete cascade,
        channel_id text not null,
        last integer not null,
        primary key (workspace_id, channel_id)
      )`,
      `insert into digest_numbers (workspace_id, channel_id, last)
        select workspace_id, channel_id, max(number) from digests group by workspace_id, channel_id`,
    ]),
};
