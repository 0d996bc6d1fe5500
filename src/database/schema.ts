import type { ColumnType, Generated } from 'kysely';

/**
 * Every table but `installations`, `logins` and `used_install_states` has the workspace's id. Times come from the caller; only leases are on the database's
 * clock. dialect.ts says how both engines store times, JSON and flags.
 * The feature that owns a JSON column writes it as text and checks what it reads. secrets.ts fills sealed columns.
 */
export interface Schema {
  /** An “Add to Slack”, of one workspace or of a whole organisation. Empty in one-workspace mode. */
  installations: LeaseColumns & {
    /** The enterprise's id if it is org-wide, otherwise the team's. */
    id: string;
    enterprise_id: string | null;
    team_id: string | null;
    name: string;
    is_org_wide: boolean;
    bot_user_id: string;
    bot_id: string | null;
    app_id: string | null;
    installer_id: string;
    scopes: Json;
    sealed_token: string;
    /** On the real clock; null if the token isn't rotated. */
    token_expires_at: Date | null;
    /** On Slack's clock. */
    installed_at: Date;
    /** Slack said so, on its clock: the bot's token is no longer valid. */
    revoked_at: Date | null;
  };
  workspaces: {
    /** The team's id. */
    id: string;
    name: string;
    enterprise_id: Generated<string | null>;
    /** Null in one-workspace mode. */
    installation_id: Generated<string | null>;
    /** Whose answers are stored. */
    service_address: Generated<string | null>;
    created_at: Date;
    /** When a person last asked anything there, on the real clock. See call-counts.ts. */
    last_used_at: Generated<Date | null>;
    /** Counts changes of vessel names, so every process notices that its copy is out of date. */
    names_revision: Generated<number>;
    guests: Generated<string>;
    links: Generated<string>;
    /** What its admins know of the budget of calls, see polling/call-plan.ts. */
    budget_alarm: ColumnType<unknown, string | null | undefined, string | null>;
    /** The limit of calls for background work that an admin has set. See workspaces/settings.ts. */
    call_limit: ColumnType<unknown, string | null | undefined, string | null>;
    /** An admin paused the background work; `until` may have passed. See workspaces/work-pause.ts. */
    work_paused_at: Generated<Date | null>;
    work_paused_until: Generated<Date | null>;
    work_paused_by: Generated<string | null>;
    /** The operator paused it. */
    paused_at: Generated<Date | null>;
    /** Its rows are being deleted; this one goes last. On the real clock. */
    uninstalled_at: Generated<Date | null>;
    /** The store was restored from a backup, and holds nothing from between these times. On the real clock. */
    backed_up_at: Generated<Date | null>;
    restored_at: Generated<Date | null>;
  };
  /** The states of installs that have been exchanged, see takeInstallState. On the real clock. */
  used_install_states: {
    /** The SHA-256 of the state, in hex. */
    id: string;
    expires_at: Date;
  };
  /** One for each account at the service, which several workspaces may have. Goes with the last of them. */
  logins: LeaseColumns & {
    /** See `loginIdOf`. */
    id: string;
    /** The token or the refusal; null before the first login. */
    sealed_record: string | null;
    /** The service refused the last login, and none is tried before this, on the real clock. Also in the record. */
    refused_until: Generated<Date | null>;
    /** `percent` once the service has sent a percentage; otherwise null. */
    probability_scale: string | null;
  };
  /** Accounts that admins entered. The operator's is only in the settings. */
  accounts: {
    workspace_id: string;
    login_id: string;
    /** The base address of the service, or `sandbox`. */
    address: string;
    sealed_account: string;
    updated_at: Date;
    updated_by: string;
  };
  /** With these, assistants outside of Slack ask as `person_id`, who made them. All times are on the real clock. */
  assistant_tokens: {
    workspace_id: string;
    id: string;
    /** The SHA-256 of the token, in hex; the token itself is not stored. */
    hash: string;
    /** What it is for, as typed. */
    label: string;
    /** `read` or `write`. */
    scope: string;
    person_id: string;
    created_at: Date;
    expires_at: Date;
    /** At most a minute behind. */
    last_used_at: Generated<Date | null>;
  };
  /** Requests to the analytics service. `day` is a date in UTC, such as 2026-11-22; `kind`: see call-counts.ts. */
  call_counts: { workspace_id: string; day: string; kind: string; calls: number };
  /** The same by month, such as 2026-11, and by what caused them. `channel_id` is empty outside of channels. */
  call_details: Record<'workspace_id' | 'month' | 'kind' | 'key' | 'channel_id', string> & { calls: number };
  /** A channel without a row has the defaults. */
  channels: {
    workspace_id: string;
    channel_id: string;
    mode: string;
    visibility: Generated<string>;
    who_may_add: Generated<string>;
    updated_at: Date;
    updated_by: string;
  };
  audit: {
    id: string;
    workspace_id: string;
    at: Date;
    actor_id: string;
    action: string;
    subject: string;
    channel_id: string | null;
    /** Of a watch or digest that only its owner sees. */
    is_personal: Generated<boolean>;
    before: NullableJson;
    after: NullableJson;
  };
  vessel_names: { workspace_id: string; imo: number; name: string; updated_at: Date; updated_by: string };
  /** `references`: as typed, the newest first. */
  vessel_references: {
    workspace_id: string;
    imo: number;
    references: Json;
    updated_at: Date;
    updated_by: string;
  };
  fleets: { workspace_id: string; key: string; name: string; updated_at: Date; updated_by: string };
  fleet_vessels: { workspace_id: string; fleet_key: string; imo: number };
  /** When a vessel has to be at a port. Without a watch, it goes with its reference; with one, the watch's own. */
  promises: {
    workspace_id: string;
    id: string;
    imo: number;
    port: string;
    earliest: Date | null;
    latest: Date;
    /** From 0 to 1. */
    minimum: number | null;
    reference: string | null;
    watch_id: string | null;
    owner_id: string;
    channel_id: string;
    created_at: Date;
  };
  /** `name`: in capitals. `ports`: UN/LOCODEs, as typed. */
  port_groups: { workspace_id: string; name: string; ports: Json; updated_at: Date; updated_by: string };
  /** What a person can import with one button, for a day. `content`: '' once it is imported. On the domain clock. */
  imports: {
    workspace_id: string;
    id: string;
    user_id: string;
    content: string;
    created_at: Date;
    imported_at: Date | null;
  };
  /** Polled once, however many watches of the workspace follow it. */
  subjects: DueColumns & {
    workspace_id: string;
    kind: string;
    key: string;
    interval_minutes: number;
    /** The last successful poll, and the nearest ETA in it. */
    polled_at: Date | null;
    nearest_eta: Date | null;
    failing_since: Date | null;
    /** The calls under way of its vessels, see predictions/calls.ts. Null before the first answer, and for a port. */
    open_calls: NullableJson;
  };
  watches: {
    id: string;
    workspace_id: string;
    channel_id: string;
    /** `channel` or `direct-message`. */
    destination: string;
    owner_id: string;
    title: string;
    /** The key of the fleet whose members it follows. */
    fleet: string | null;
    /** The name of the group whose ports it follows. */
    port_group: string | null;
    /** Limits it to the calls of some vessels at one port, or at each port of its group. */
    condition: NullableJson;
    rules: Json;
    snooze: NullableJson;
    /** `active`, `paused` (its message can't be posted) or `ended` (by its rule “until next port”). */
    status: string;
    pause_reason: string | null;
    /** The person who allowed people of other organisations to see it; null if nobody was asked. */
    outsiders_allowed_by: Generated<string | null>;
    card_ts: string | null;
    created_at: Date;
    /** The time of the backup, from a restore until its card is shown again: somebody may have deleted the one known. */
    restored_from: Generated<Date | null>;
  };
  /** A watch follows a subject; `state` is the baseline, what its followers were last notified of. */
  followings: {
    workspace_id: string;
    watch_id: string;
    subject_id: string;
    state: NullableJson;
    /** The time of the backup, from a restore until the first evaluation after it. */
    restored_from: Generated<Date | null>;
  };
  /** When a watch followed a subject: it decides who may see the history of that time, see history/subject.ts. */
  watched_times: Record<'workspace_id' | 'watch_id' | 'kind' | 'key' | 'channel_id' | 'owner_id', string> & {
    begun_at: Date;
    /** Null while it does. */
    ended_at: Date | null;
  };
  /** A notification: all that one poll found out about one subject, or a part of it. `due_at` is its reminder's. */
  alerts: DueColumns & {
    /** The id of the outbox row that was written for it. */
    workspace_id: string;
    watch_id: string;
    /** The outbox row whose message shows it: another one than its own if replies were merged. */
    message_id: string;
    at: Date;
    /** When Slack took the message, on the domain clock. */
    notified_at: Date | null;
    events: Json;
    is_critical: boolean;
    /** Its events are edited in place while it has a key. At most one alert of a watch has it. */
    edit_key: string | null;
    assignee_id: string | null;
    assigned_by: string | null;
    assigned_at: Date | null;
    acknowledged_by: string | null;
    acknowledged_at: Date | null;
    /** It no longer says anything about its vessels, and nobody was assigned to it. */
    closed_at: Date | null;
    reminded_at: Date | null;
  };
  /** Every prediction polled: of a `vessel`, of a `port`, or `listed`: of a vessel in a list, `9461477 FEEDERS`. */
  history: {
    workspace_id: string;
    kind: string;
    key: string;
    polled_at: Date;
    predictions: Json;
  };
  /** A call of a vessel that ended while it was polled, see predictions/calls.ts. It says nothing about an arrival. */
  finished_calls: {
    workspace_id: string;
    imo: number;
    /** The list whose polls found it; empty for those of the vessel alone. */
    list: string;
    /** Of this vessel in this list, from 1. Two pollers that find the same end write the same number. */
    number: number;
    /** The port of the vessel's call before; null if some calls in between may be unknown. */
    previous_port: string | null;
    /** The likeliest port at the end. */
    port: string;
    last_eta: Date;
    /** The first poll that no longer had the port. */
    ended_at: Date;
    /** What was predicted 72, 48 and 24 hours before the last ETA. */
    readings: Json;
  };
  outbox: DueColumns & {
    /** The order of writing. */
    sequence: Generated<number>;
    workspace_id: string;
    /** The id of the watch or digest that wrote the message; its messages go out in order. */
    thread_key: string | null;
    channel_id: string;
    kind: string;
    payload: Json;
    /** It shows in the channel, not only in its thread. */
    is_in_channel: boolean;
    /** The id of a message that waits until this one has gone out. */
    goes_before: string | null;
    status: string;
    created_at: Date;
    /** It may have gone out since: at the first attempt, or after the backup that was restored. On the real clock. */
    attempted_at: Date | null;
    ts: string | null;
    error: string | null;
  };
  /** `due_at` is the next run. */
  digests: DueColumns & {
    workspace_id: string;
    /** A user's id for a personal digest. */
    channel_id: string;
    /** `channel` or `direct-message`. */
    destination: string;
    /** Within the channel, from 1. */
    number: number;
    owner_id: string;
    title: string;
    lines: Json;
    schedule: Json;
    zone: string;
    /** Nothing is sent if nothing is new. */
    only_news: boolean;
    /** `active`, or `paused` by a person or because its message can't be posted. */
    status: string;
    pause_reason: string | null;
    /** See `watches`. */
    outsiders_allowed_by: Generated<string | null>;
    /** The answers that its readers last got. */
    baseline: NullableJson;
    /** Runs missed while no bot was running; the next message reports them. */
    missed: NullableJson;
    last_run_at: Date | null;
    /** A person asked for this digest now: it is sent even if it is paused, or if nothing is new. */
    is_manual: Generated<boolean>;
    created_at: Date;
    /** On the domain clock. A removed digest can be restored for a while. */
    removed_at: Generated<Date | null>;
    /** The person who last changed its lines or its owner; null for the owner. */
    chosen_by: Generated<string | null>;
  };
  /** The last digest number used in a channel. */
  digest_numbers: { workspace_id: string; channel_id: string; last: number };
  /** See `createLease`. */
  leases: LeaseColumns & { workspace_id: string; key: string };
}

/** A row that one process at a time works on, see due.ts. A lease ends, even if its process has died. */
interface LeaseColumns {
  /** On the database's clock, which all processes share. */
  lease_until: Date | null;
  /** Unique to each claim. */
  lease_token: string | null;
}

/** The columns of due work, see due.ts. `due_at` is on the domain clock, in the outbox on the real clock. */
export interface DueColumns extends LeaseColumns {
  id: string;
  due_at: Date;
  attempts: number;
}

/** Written as text, read as the parsed value. */
type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null, string | null>;

export type TableName = keyof Schema;

/** Each table comes after those that it refers to, with its primary key. The type demands every table. */
export const primaryKeys: { [Table in TableName]: readonly (keyof Schema[Table] & string)[] } = {
  installations: ['id'],
  workspaces: ['id'],
  logins: ['id'],
  used_install_states: ['id'],
  accounts: ['workspace_id'],
  assistant_tokens: ['workspace_id', 'id'],
  call_counts: ['workspace_id', 'day', 'kind'],
  call_details: ['workspace_id', 'month', 'kind', 'key', 'channel_id'],
  leases: ['workspace_id', 'key'],
  channels: ['workspace_id', 'channel_id'],
  audit: ['id'],
  vessel_names: ['workspace_id', 'imo'],
  vessel_references: ['workspace_id', 'imo'],
  fleets: ['workspace_id', 'key'],
  fleet_vessels: ['workspace_id', 'fleet_key', 'imo'],
  port_groups: ['workspace_id', 'name'],
  imports: ['workspace_id', 'id'],
  history: ['workspace_id', 'kind', 'key', 'polled_at'],
  finished_calls: ['workspace_id', 'imo', 'list', 'number'],
  watched_times: ['workspace_id', 'kind', 'key', 'watch_id', 'begun_at'],
  subjects: ['id'],
  watches: ['id'],
  promises: ['workspace_id', 'id'],
  followings: ['watch_id', 'subject_id'],
  alerts: ['id'],
  digests: ['id'],
  digest_numbers: ['workspace_id', 'channel_id'],
  outbox: ['sequence'],
};

// Object.keys returns strings; these are the names of the tables.
export const tableNames = Object.keys(primaryKeys) as readonly TableName[];
