import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const workspaces: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table workspaces (
        id text primary key,
        name text not null,
        created_at timestamptz not null,
        names_revision integer not null default 0
      )`,
      `create table credentials (
        id text primary key,
        workspace_id text not null references workspaces on delete cascade,
        label text not null,
        base_url text not null,
        sealed_account text not null,
        probability_scale text,
        daily_calls integer,
        updated_at timestamptz not null
      )`,
      'create index on credentials (workspace_id)',
      `create table tokens (
        credential_id text primary key references credentials on delete cascade,
        workspace_id text not null references workspaces on delete cascade,
        sealed_record text,
        lease_holder text,
        lease_until timestamptz
      )`,
      `create table channels (
        workspace_id text not null references workspaces on delete cascade,
        channel_id text not null,
        mode text not null,
        updated_at timestamptz not null,
        updated_by text not null,
        primary key (workspace_id, channel_id)
      )`,
      `create table audit (
        id text primary key,
        workspace_id text not null references workspaces on delete cascade,
        at timestamptz not null,
        actor_id text not null,
        action text not null,
        subject text not null,
        before jsonb,
        after jsonb
      )`,
      'create index on audit (workspace_id, at desc)',
    ]),
};
