import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WorkspaceStore, WorkspaceTables } from '../../database/workspace-store.ts';
import type { WorkCtx } from '../ctx.ts';

export type Table = keyof WorkspaceTables;

/**
 * The columns that hold a person's id, or the id of a channel, which may be their direct message. The type demands every
 * table, and a test finds a column that is missing.
 */
export const personColumns: {
  readonly [Of in Table]: readonly (keyof WorkspaceTables[Of] & string)[];
} = {
  accounts: ['updated_by'],
  assistant_tokens: ['person_id'],
  call_counts: [],
  call_details: [],
  leases: [],
  channels: ['updated_by'],
  audit: ['actor_id', 'channel_id'],
  vessel_names: ['updated_by'],
  vessel_references: ['updated_by'],
  fleets: ['updated_by'],
  fleet_vessels: [],
  port_groups: ['updated_by'],
  imports: ['user_id'],
  history: [],
  finished_calls: [],
  watched_times: ['channel_id', 'owner_id'],
  subjects: [],
  watches: ['channel_id', 'owner_id', 'outsiders_allowed_by'],
  promises: ['channel_id', 'owner_id'],
  followings: [],
  alerts: ['assignee_id', 'assigned_by', 'acknowledged_by'],
  digests: ['channel_id', 'owner_id', 'outsiders_allowed_by', 'chosen_by'],
  digest_numbers: ['channel_id'],
  outbox: ['channel_id'],
};

// Object.keys returns strings; these are the names of the tables.
export const tables = Object.keys(personColumns) as readonly Table[];

/** JSON that may name people. */
export const documentColumns = { audit: ['before', 'after'], outbox: ['payload'] } as const;

export const isOneOf = (column: string, values: readonly string[]): RawBuilder<SqlBool> =>
  values.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values.map((value) => sql`${value}`))})`;

/** Undefined for a table that names nobody. */
export function namesPerson(table: Table, ids: readonly string[]): RawBuilder<SqlBool> | undefined {
  const columns = personColumns[table];
  if (columns.length === 0) return undefined;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => isOneOf(column, ids)),
    sql` or `,
  )})`;
}

/** Selects the ids of those of a person's watches, or of all that match. */
export const watchesWhere = (store: WorkspaceStore, where: RawBuilder<SqlBool>): RawBuilder<unknown> =>
  sql`(${store.selectFrom('watches').select('watches.id').where(where)})`;

/**
 * The person's id, and the ids of their direct message with the bot. Slack opens none with somebody who has left; what they
 * had there names it.
 */
export async function idsOf(userId: string, { services: { slack, store } }: WorkCtx): Promise<string[]> {
  const opened = await slack.directMessageOf(userId).catch(() => undefined);
  const watches = store
    .selectFrom('watches')
    .select('channel_id')
    .where('owner_id', '=', userId)
    .where('destination', '=', 'direct-message');
  const watched = store
    .selectFrom('watched_times')
    .select('channel_id')
    .distinct()
    .where('owner_id', '=', userId)
    .where('channel_id', 'like', 'D%');
  const changes = store
    .selectFrom('audit')
    .select('channel_id')
    .distinct()
    .where('actor_id', '=', userId)
    .where('is_personal', '=', true)
    .where('channel_id', 'like', 'D%');
  const rows = [
    ...(await watches.execute()),
    ...(await watched.execute()),
    ...(await changes.execute()),
  ].flatMap(({ channel_id }) => channel_id ?? []);
  return [...new Set([userId, ...(opened === undefined ? [] : [opened]), ...rows])];
}
