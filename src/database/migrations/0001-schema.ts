import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../dialect.ts';

/**
 * SQLite uses an index with a condition only in statements that have the same words, so not with a parameter instead.
 * The types that both engines have: see dialect.ts for times, JSON and flags.
 */
export const schema = ({ functions, sequence, statistics }: Engine): Migration => ({
  up: (db) =>
    runStatements(db, [
      ...functions,
      `create table installations (
        id text primary key,
        enterprise_id text,
        team_id text,
        name text not null,
        is_org_wide integer not null,
        bot_user_id text not null,
        bot_id text,
        app_id text,
        installer_id text not null,
        scopes text not null,
        sealed_token text not null,
        token_expires_at bigint,
        installed_at bigint not null,
        revoked_at bigint,
        ${lease}
      )`,
      `create table workspaces (
        id text primary key,
        name text not null,
        enterprise_id text,
        installation_id text references installations on delete set null,
        service_address text,
        created_at bigint not null,
        last_used_at bigint,
        names_revision integer not null default 0,
        guests text not null default 'ask',
        links text not null default 'off',
        paused_at bigint,
        budget_alarm text,
        uninstalled_at bigint
      )`,
      'create index workspaces_by_installation on workspaces (installation_id)',
      'create index workspaces_by_enterprise on workspaces (enterprise_id) where enterprise_id is not null',
      `create table logins (
        id text primary key,
        sealed_record text,
        refused_until bigint,
        probability_scale text,
        ${lease}
      )`,
      `create table accounts (
        workspace_id text primary key references workspaces on delete cascade,
        login_id text not null references logins,
        address text not null,
        sealed_account text not null,
        updated_at bigint not null,
        updated_by text not null
      )`,
      'create index accounts_by_login on accounts (login_id)',
      `create table call_counts (
        ${workspaceId},
        day text not null,
        kind text not null,
        calls integer not null,
        primary key (workspace_id, day, kind)
      )`,
      'create index call_counts_by_day on call_counts (day)',
      `create table call_details (
        ${workspaceId},
        month text not null,
        kind text not null,
        key text not null,
        channel_id text not null,
        calls integer not null,
        primary key (workspace_id, month, kind, key, channel_id)
      )`,
      'create index call_details_by_month on call_details (month)',
      `create table leases (${workspaceId}, key text not null, ${lease}, primary key (workspace_id, key))`,
      `create table assistant_tokens (
        ${workspaceId},
        id text not null,
        hash text not null unique,
        label text not null,
        scope text not null,
        person_id text not null,
        created_at bigint not null,
        expires_at bigint not null,
        last_used_at bigint,
        primary key (workspace_id, id)
      )`,
      'create index assistant_tokens_by_expiry on assistant_tokens (expires_at)',
      `create table channels (
        ${workspaceId},
        channel_id text not null,
        mode text not null,
        visibility text not null default 'private',
        who_may_add text not null default 'members',
        updated_at bigint not null,
        updated_by text not null,
        primary key (workspace_id, channel_id)
      )`,
      `create table audit (
        id text primary key,
        ${workspaceId},
        at bigint not null,
        actor_id text not null,
        action text not null,
        subject text not null,
        channel_id text,
        "before" text,
        "after" text
      )`,
      'create index audit_by_time on audit (workspace_id, at)',
      'create index audit_by_channel on audit (workspace_id, channel_id, at)',
      'create index audit_by_actor on audit (workspace_id, actor_id, at)',
      'create index audit_by_age on audit (at)',
      `create table vessel_names (
        ${workspaceId},
        imo integer not null,
        name text not null,
        updated_at bigint not null,
        updated_by text not null,
        primary key (workspace_id, imo)
      )`,
      `create table vessel_references (
        ${workspaceId},
        imo integer not null,
        "references" text not null,
        updated_at bigint not null,
        updated_by text not null,
        primary key (workspace_id, imo)
      )`,
      `create table fleets (
        ${workspaceId},
        key text not null,
        name text not null,
        updated_at bigint not null,
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
      ...watchTables,
      `create table digests (
        id text primary key,
        ${workspaceId},
        channel_id text not null,
        destination text not null,
        number integer not null,
        owner_id text not null,
        title text not null,
        lines text not null,
        schedule text not null,
        zone text not null,
        only_news integer not null,
        status text not null,
        pause_reason text,
        outsiders_allowed_by text,
        baseline text,
        missed text,
        last_run_at bigint,
        is_manual integer not null default 0,
        created_at bigint not null,
        removed_at bigint,
        chosen_by text,
        ${due},
        unique (workspace_id, channel_id, number)
      )`,
      "create index digests_by_due on digests (workspace_id, due_at, id) where status = 'active' or is_manual = 1",
      'create index digests_by_owner on digests (workspace_id, owner_id)',
      'create index digests_by_removal on digests (removed_at) where removed_at is not null',
      `create table digest_numbers (
        ${workspaceId},
        channel_id text not null,
        last integer not null,
        primary key (workspace_id, channel_id)
      )`,
      `create table outbox (
        sequence ${sequence},
        id text not null unique,
        ${workspaceId},
        thread_key text,
        channel_id text not null,
        kind text not null,
        payload text not null,
        is_in_channel integer not null,
        goes_before text,
        status text not null,
        created_at bigint not null,
        attempted_at bigint,
        ts text,
        error text,
        ${due}
      )`,
      "create index outbox_by_due on outbox (workspace_id, due_at, id) where status in ('pending', 'sending')",
      'create index outbox_by_thread on outbox (thread_key, status, sequence)',
      'create index outbox_by_next on outbox (goes_before) where goes_before is not null',
      `create index outbox_replies_by_thread on outbox (workspace_id, thread_key)
        where status = 'pending' and kind = 'reply' and attempts = 0`,
      `create index outbox_replies_by_channel on outbox (workspace_id, channel_id)
        where status = 'pending' and kind = 'reply' and attempts = 0 and is_in_channel = 1`,
      "create unique index outbox_one_card_update on outbox (thread_key) where kind = 'card-update' and status = 'pending'",
      "create unique index outbox_one_reply_update on outbox (payload) where kind = 'reply-update' and status = 'pending'",
      'create index outbox_in_channel on outbox (workspace_id, channel_id, created_at) where is_in_channel = 1',
      'create index outbox_by_age on outbox (created_at)',
      "create index outbox_unsent on outbox (status, created_at) where status <> 'sent'",
      'create index outbox_by_channel on outbox (workspace_id, status, channel_id)',
      ...statistics,
    ]),
});

/** One by one: SQLite prepares one statement at a time. */
export async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Columns that several tables have. */
export const workspaceId = 'workspace_id text not null references workspaces on delete cascade';
export const lease = 'lease_until bigint, lease_token text';
export const due = `due_at bigint not null, ${lease}, attempts integer not null default 0`;

/**
 * The tables of the watches, for 0001-schema.ts. `followings` and `alerts` refer to the workspace only by their watch: a
 * further reference would need a further index.
 */
const watchTables: readonly string[] = [
  `create table history (
    ${workspaceId},
    kind text not null,
    key text not null,
    polled_at bigint not null,
    predictions text not null,
    primary key (workspace_id, kind, key, polled_at)
  )`,
  'create index history_by_age on history (polled_at)',
  `create table finished_calls (
    ${workspaceId},
    imo integer not null,
    number integer not null,
    previous_port text,
    port text not null,
    last_eta bigint not null,
    ended_at bigint not null,
    readings text not null,
    primary key (workspace_id, imo, number)
  )`,
  'create index finished_calls_by_age on finished_calls (ended_at)',
  `create table subjects (
    id text primary key,
    ${workspaceId},
    kind text not null,
    key text not null,
    interval_minutes double precision not null,
    polled_at bigint,
    failing_since bigint,
    nearest_eta bigint,
    open_calls text,
    ${due},
    unique (workspace_id, kind, key)
  )`,
  'create index subjects_by_due on subjects (workspace_id, due_at, id)',
  `create table watches (
    id text primary key,
    ${workspaceId},
    channel_id text not null,
    destination text not null,
    owner_id text not null,
    title text not null,
    fleet text,
    condition text,
    rules text not null,
    snooze text,
    status text not null,
    pause_reason text,
    outsiders_allowed_by text,
    card_ts text,
    created_at bigint not null
  )`,
  'create index watches_by_channel on watches (workspace_id, channel_id)',
  'create index watches_by_owner on watches (workspace_id, owner_id)',
  'create index watches_by_fleet on watches (workspace_id, fleet, id) where fleet is not null',
  `create table followings (
    workspace_id text not null,
    watch_id text not null references watches on delete cascade,
    subject_id text not null references subjects on delete cascade,
    state text,
    primary key (watch_id, subject_id)
  )`,
  'create index followings_by_subject on followings (subject_id)',
  `create table alerts (
    id text primary key,
    workspace_id text not null,
    watch_id text not null references watches on delete cascade,
    message_id text not null,
    at bigint not null,
    notified_at bigint,
    events text not null,
    is_critical integer not null,
    edit_key text,
    assignee_id text,
    assigned_by text,
    assigned_at bigint,
    acknowledged_by text,
    acknowledged_at bigint,
    closed_at bigint,
    reminded_at bigint,
    ${due}
  )`,
  'create index alerts_by_watch on alerts (watch_id, acknowledged_at, closed_at)',
  'create index alerts_by_message on alerts (message_id)',
  'create unique index alerts_by_edit_key on alerts (watch_id, edit_key) where edit_key is not null',
  'create index alerts_by_age on alerts (at)',
  `create index alerts_by_assignee on alerts (workspace_id, assignee_id, at)
    where assignee_id is not null and acknowledged_at is null`,
  `create index alerts_by_due on alerts (workspace_id, due_at, id)
    where is_critical = 1 and assignee_id is not null and acknowledged_at is null and reminded_at is null`,
];
