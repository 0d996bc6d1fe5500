import type { ColumnType, Generated } from 'kysely';

/**
 * Every table. All hold the workspace's id, and the credential's where they hold what the service said.
 * Times are `Date`, given by the caller: the database's own clock is never asked. Sealed columns hold
 * what database/secrets.ts made; JSON columns are written as text, and read by the part that owns them.
 */
export interface Schema {
  workspaces: WorkspacesTable;
  credentials: CredentialsTable;
  tokens: TokensTable;
  channels: ChannelsTable;
  audit: AuditTable;
  vessel_names: { workspace_id: string; imo: number; name: string; updated_at: Date; updated_by: string };
  fleets: { workspace_id: string; key: string; name: string; updated_at: Date; updated_by: string };
  fleet_vessels: { workspace_id: string; fleet_key: string; imo: number };
  subjects: SubjectsTable;
  watches: WatchesTable;
  followings: FollowingsTable;
  history: HistoryTable;
  outbox: OutboxTable;
  digests: DigestsTable;
  /** The last number that was given to a digest of a channel. */
  digest_numbers: { workspace_id: string; channel_id: string; last: number };
  /** What one process at a time does; the lease is on the real clock. */
  claims: { workspace_id: string; key: string; holder: string; lease_until: Date };
}

/** What `due.ts` needs of a table of due work. `due_at` is on the domain clock, the lease on the real one. */
export interface DueColumns {
  id: string;
  due_at: Date;
  lease_until: Date | null;
  lease_token: string | null;
  attempts: number;
}

/** Written as text, read as what JSON holds. */
type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null, string | null>;

interface WorkspacesTable {
  id: string;
  name: string;
  created_at: Date;
  /** Counts the changes of vessel names, so that every process knows when its copy is old. */
  names_revision: Generated<number>;
  /** What guests may do: workspaces/guests.ts. */
  guests: Generated<string>;
}

interface CredentialsTable {
  id: string;
  workspace_id: string;
  base_url: string;
  sealed_account: string;
  /** `fraction` or `percent` once it has been seen. */
  probability_scale: string | null;
  /** Calls a day that background work may make; null: no bound. */
  daily_calls: number | null;
  updated_at: Date;
}

interface TokensTable {
  credential_id: string;
  workspace_id: string;
  sealed_record: string | null;
  lease_holder: string | null;
  lease_until: Date | null;
}

/** What a channel's members chose; a channel without a row has the defaults. */
interface ChannelsTable {
  workspace_id: string;
  channel_id: string;
  mode: string;
  visibility: Generated<string>;
  who_may_add: Generated<string>;
  updated_at: Date;
  updated_by: string;
}

interface AuditTable {
  id: string;
  workspace_id: string;
  at: Date;
  actor_id: string;
  action: string;
  subject: string;
  channel_id: string | null;
  before: NullableJson;
  after: NullableJson;
}

/** What is polled: once, however many watches follow it. */
interface SubjectsTable extends DueColumns {
  workspace_id: string;
  credential_id: string;
  kind: string;
  key: string;
  interval_minutes: number;
  /** Of the last poll that was answered. */
  polled_at: Date | null;
  failing_since: Date | null;
  /** Set at the first poll that is answered; the nearest ETA of what it told. */
  nearest_eta: Date | null;
}

interface WatchesTable {
  id: string;
  workspace_id: string;
  credential_id: string;
  channel_id: string;
  owner_id: string;
  title: string;
  rules: Json;
  snooze: NullableJson;
  /** `active`, `paused` (its message can't be posted) or `ended` (its rule «until next port»). */
  status: string;
  pause_reason: string | null;
  /** What it last told, and when. */
  news: ColumnType<unknown, string | null | undefined, string | null>;
  acknowledgement: NullableJson;
  card_ts: string | null;
  created_at: Date;
}

/** One watch's interest in one subject, with what its followers were last told of it. */
interface FollowingsTable {
  workspace_id: string;
  watch_id: string;
  subject_id: string;
  state: NullableJson;
  version: number;
}

/** Every prediction polled. `kind` and `key` are those of a vessel or a port, whatever subject was polled. */
interface HistoryTable {
  workspace_id: string;
  credential_id: string;
  kind: string;
  key: string;
  polled_at: Date;
  predictions: Json;
}

interface OutboxTable extends DueColumns {
  /** The order of writing. */
  sequence: Generated<number>;
  workspace_id: string;
  /** Whose message it is: a watch's, or a digest's. */
  watch_id: string | null;
  digest_id: Generated<string | null>;
  channel_id: string;
  kind: string;
  payload: Json;
  status: string;
  created_at: Date;
  attempted_at: Date | null;
  ts: string | null;
  error: string | null;
}

/** `due_at` is its next run. */
interface DigestsTable extends DueColumns {
  workspace_id: string;
  /** A channel's, or a user's for a digest to oneself. */
  channel_id: string;
  /** Within the channel, from 1. */
  number: number;
  owner_id: string;
  title: string;
  lines: Json;
  schedule: Json;
  zone: string;
  /** Not sent when nothing is new. */
  only_news: boolean;
  /** `active` or `paused`, by a person or because its message can't be posted. */
  status: string;
  pause_reason: string | null;
  /** What its readers were last told. */
  told: NullableJson;
  /** Runs that nobody was up for, to be reported in the next. */
  missed: NullableJson;
  last_run_at: Date | null;
  /** Somebody wants it now: it is sent even when it is paused, or when nothing is new. */
  by_hand: Generated<boolean>;
  created_at: Date;
  /** On the domain clock. It is there no more, but can be restored. */
  removed_at: Generated<Date | null>;
  /** Who last chose its lines or its owner; null: the owner. */
  chosen_by: Generated<string | null>;
}
