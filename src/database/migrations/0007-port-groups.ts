import type { Migration } from 'kysely/migration';
import { runStatements, workspaceId } from './0001-schema.ts';

/** Ports that a workspace has put into groups with names, and watches that follow them. */
export const portGroups = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      `create table port_groups (
        ${workspaceId},
        name text not null,
        ports text not null,
        updated_at bigint not null,
        updated_by text not null,
        primary key (workspace_id, name)
      )`,
      'alter table watches add column port_group text',
      'create index watches_by_port_group on watches (workspace_id, port_group, id) where port_group is not null',
    ]),
});
