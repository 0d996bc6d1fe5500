import { due, workspaceId } from './0001-columns.ts';

/**
 * The tables of the watches, for 0001-schema.ts. `followings` and `alerts` refer to the workspace only by their watch: a
 * further reference would need a further index.
 */
export const watchTables: readonly string[] = [
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
