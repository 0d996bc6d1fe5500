import type { Schema } from './schema.ts';

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
  history: ['workspace_id', 'kind', 'key', 'polled_at'],
  finished_calls: ['workspace_id', 'imo', 'list', 'number'],
  watched_times: ['workspace_id', 'kind', 'key', 'watch_id', 'begun_at'],
  subjects: ['id'],
  watches: ['id'],
  followings: ['watch_id', 'subject_id'],
  alerts: ['id'],
  digests: ['id'],
  digest_numbers: ['workspace_id', 'channel_id'],
  outbox: ['sequence'],
};

// Object.keys returns strings; these are the names of the tables.
export const tableNames = Object.keys(primaryKeys) as readonly TableName[];
