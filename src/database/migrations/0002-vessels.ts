import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const vessels: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table vessel_names (
        workspace_id text not null references workspaces on delete cascade,
        imo integer not null,
        name text not null,
        updated_at timestamptz not null,
        updated_by text not null,
        primary key (workspace_id, imo)
      )`,
      `create table fleets (
        workspace_id text not null references workspaces on delete cascade,
        key text not null,
        name text not null,
        updated_at timestamptz not null,
        updated_by text not null,
        primary key (workspace_id, key)
      )`,
      `create table fleet_vessels (
        workspace_id text not null,
        fleet_key text not null,
        imo integer not null,
        primary key (workspace_id, fleet_key, imo),
        foreign key (workspace_id, fleet_key) references fleets on delete cascade
      )`,
    ]),
};
