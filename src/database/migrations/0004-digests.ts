import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

export const digests: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table digests (
        id text primary key,
        workspace_id text not null references workspaces on delete cascade,
        channel_id text not null,
        number integer not null,
        owner_id text not null,
        title text not null,
        lines jsonb not null,
        schedule jsonb not null,
        zone text not null,
        only_news boolean not null,
        status text not null,
        pause_reason text,
        told jsonb,
        missed jsonb,
        last_run_at timestamptz,
        by_hand boolean not null default false,
        created_at timestamptz not null,
        due_at timestamptz not null,
        lease_until timestamptz,
        lease_token text,
        attempts integer not null default 0,
        unique (workspace_id, channel_id, number)
      )`,
      "create index on digests (due_at) where status = 'active' or by_hand",
      'create index on digests (workspace_id, owner_id)',
      'alter table outbox add column digest_id text references digests on delete cascade',
      "create index on outbox (digest_id, sequence) where status in ('pending', 'sending')",
    ]),
};
