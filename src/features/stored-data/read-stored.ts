import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { primaryKeys } from '../../database/schema.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import { callLimit } from '../../workspaces/settings.ts';
import type { AskCtx } from '../ctx.ts';
import { idsOf, isOneOf, namesPerson, type Table, tables, watchesWhere } from './person-columns.ts';

/** More rows of a table than this are left out, and the answer says so. */
const maxRows = 10_000;
/** Characters of the whole file. */
const maxLength = 20_000_000;
const rowsAtOnce = 500;
/** Further rows aren't counted. */
const maxCounted = 100_000;

export interface ReadTable {
  table: Table | 'workspaces' | 'installations';
  /** JSON. */
  rows: readonly string[];
  /** All rows that the reader may have, or of the whole workspace; at most `maxCounted`. */
  total: number;
}

export interface Stored {
  tables: readonly ReadTable[];
  /** The limits left out some rows that the reader may have. */
  isCut: boolean;
}

/** Columns that never leave the store. */
const withheld = /^(?:sealed_\w+|hash|login_id|lease_\w+|workspace_id)$/;

type Row = Readonly<Record<string, unknown>>;

const toJson = (row: Row): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !withheld.test(column))));

/** The newest first, where the primary key isn't in the order of time. */
const orders: Partial<Record<Table, readonly string[]>> = { audit: ['at', 'id'], alerts: ['at', 'id'] };

const orderOf = (table: Table): readonly string[] =>
  orders[table] ?? primaryKeys[table].filter((column) => column !== 'workspace_id');

type Where = RawBuilder<SqlBool>;

/** The rows of a workspace in parts, so that other work of this process runs in between. */
function createReader(store: WorkspaceStore) {
  const yieldToEventLoop = createYieldToEventLoop();
  let length = 0;
  let isCut = false;

  async function count(table: Table, where?: Where): Promise<number> {
    const one = store.selectFrom(anyTable(table)).select(sql<number>`1`.as('one')).limit(maxCounted);
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from (${where ? one.where(where) : one}) as counted`.execute(store);
    return Number(rows[0]?.total ?? 0);
  }

  async function read(table: Table, where: Where, toText: (row: Row) => string): Promise<string[]> {
    const order = orderOf(table);
    const key = sql.join(order.map((column) => sql.ref(column)));
    const texts: string[] = [];
    let last: Row | undefined;
    for (;;) {
      let query = store.selectFrom(anyTable(table)).selectAll().where(where).limit(rowsAtOnce);
      for (const column of order) query = query.orderBy(sql.ref(column), 'desc');
      if (last) query = query.where(sql<SqlBool>`(${key}) < (${valuesOf(last, order)})`);
      const part: readonly Row[] = await query.execute();
      for (const row of part) {
        if (texts.length === maxRows || length > maxLength) {
          isCut = true;
          return texts;
        }
        const text = toText(row);
        length += text.length;
        texts.push(text);
      }
      last = part.at(-1);
      if (part.length < rowsAtOnce) return texts;
      await yieldToEventLoop();
    }
  }

  return { count, read, isCut: () => isCut };
}

const valuesOf = (row: Row, columns: readonly string[]) =>
  sql.join(columns.map((column) => sql`${row[column]}`));

/** Any of the tables: nothing here depends on its columns. */
const anyTable = (table: Table) => table as 'digests';

/** What is stored about the person who asks. */
export async function readOwn(ctx: AskCtx): Promise<Stored> {
  const { store } = ctx.services;
  const { userId } = ctx.actor;
  const ids = await idsOf(userId, ctx);
  const reader = createReader(store);
  const own = watchesWhere(store, sql<SqlBool>`owner_id = ${userId}`);
  const read: ReadTable[] = [];
  for (const table of tables) {
    const named = namesPerson(table, ids);
    const where = ownConditions(store, { own, userId, named })[table] ?? named;
    if (!where) continue;
    const rows = await reader.read(table, where, (row) => toJson(ownPart(table, row, userId)));
    if (rows.length > 0) read.push({ table, rows, total: await reader.count(table, where) });
  }
  const set = await setBy(store, userId);
  if (set) read.push({ table: 'workspaces', rows: [toJson(set)], total: 1 });
  const installed = await installationOf(store.allWorkspaces, store.workspaceId);
  if (installed?.installer_id === userId)
    read.push({ table: 'installations', rows: [toJson(installed)], total: 1 });
  return { tables: read, isCut: reader.isCut() };
}

/** The limit of calls, and the pause of all work, if this person set them. */
async function setBy(store: WorkspaceStore, userId: string): Promise<Row | undefined> {
  const { call_limit, ...pause } = await store
    .selectFrom('workspaces')
    .select(['call_limit', 'work_paused_at', 'work_paused_until', 'work_paused_by'])
    .executeTakeFirstOrThrow();
  const own = {
    ...(callLimit.parse(call_limit)?.by === userId && { call_limit }),
    ...(pause.work_paused_by === userId && pause),
  };
  return Object.keys(own).length > 0 ? own : undefined;
}

/** What belongs to a watch or a fleet of theirs, and names nobody itself. */
const ownConditions = (
  store: WorkspaceStore,
  { own, userId, named }: { own: RawBuilder<unknown>; userId: string; named: Where | undefined },
): Partial<Record<Table, Where>> => ({
  alerts: sql<SqlBool>`(${named} or watch_id in ${own})`,
  followings: sql<SqlBool>`watch_id in ${own}`,
  subjects: sql<SqlBool>`id in (${store.selectFrom('followings').select('subject_id').where(sql<SqlBool>`watch_id in ${own}`)})`,
  fleet_vessels: sql<SqlBool>`fleet_key in (${store.selectFrom('fleets').select('fleets.key').where('updated_by', '=', userId)})`,
});

/** What this person has to do with somebody else's watch or digest. */
function ownPart(table: Table, row: Row, userId: string): Row {
  const isThing = table === 'watches' || table === 'digests';
  if (!isThing || row.owner_id === userId) return row;
  const { id, channel_id, outsiders_allowed_by, chosen_by } = row;
  const mine = { outsiders_allowed_by, chosen_by };
  return { id, channel_id, ...Object.fromEntries(Object.entries(mine).filter(([, by]) => by === userId)) };
}

/**
 * What is stored of the workspace, for an admin. Channels that they aren't in, and what is somebody else's alone, are only
 * counted, and so are predictions, which are too many for a file.
 */
export async function readWorkspace(ctx: AskCtx): Promise<Stored> {
  const { store, access } = ctx.services;
  const ids = await idsOf(ctx.actor.userId, ctx);
  const channels = await access.getJoinedChannels(ctx.actor.userId);
  const reader = createReader(store);
  const seen = [...channels, ...ids];
  const conditions = seenBy(store, { seen, ids });
  const toText = (table: Table, row: Row) =>
    toJson(table === 'promises' ? withoutUnseenPlace(row, new Set(seen)) : row);
  const read: ReadTable[] = [];
  for (const table of tables) {
    const where = conditions[table];
    const rows = where ? await reader.read(table, where, (row) => toText(table, row)) : [];
    read.push({ table, rows, total: await reader.count(table) });
  }
  const workspace = await store.selectFrom('workspaces').selectAll().executeTakeFirst();
  const installation = await installationOf(store.allWorkspaces, store.workspaceId);
  for (const [table, row] of [
    ['workspaces', workspace],
    ['installations', installation],
  ] as const)
    if (row) read.push({ table, rows: [toJson(row)], total: 1 });
  return { tables: read, isCut: reader.isCut() };
}

/** Everybody sees a promise of a reference, but neither the place nor the person that added it. */
const withoutUnseenPlace = (row: Row, seen: ReadonlySet<unknown>): Row =>
  seen.has(row.channel_id) ? row : { ...row, channel_id: null, owner_id: null };

/** Undefined: counts only. `seen`: the channels of the admin, and their own ids. */
function seenBy(
  store: WorkspaceStore,
  { seen, ids }: { seen: readonly string[]; ids: readonly string[] },
): { readonly [Of in Table]: Where | undefined } {
  const all = sql<SqlBool>`1 = 1`;
  const there = isOneOf('channel_id', seen);
  const watches = watchesWhere(store, there);
  const ofWatches = sql<SqlBool>`watch_id in ${watches}`;
  const followed = store.selectFrom('followings').select('subject_id').where(ofWatches);
  return {
    accounts: all,
    assistant_tokens: all,
    call_counts: all,
    // Outside of channels, polls and digests are personal.
    call_details: sql<SqlBool>`(${there} or (channel_id = '' and kind in ('command', 'other')))`,
    leases: undefined,
    channels: there,
    audit: sql<SqlBool>`(${there} or (channel_id is null and is_personal = 0))`,
    vessel_names: all,
    vessel_references: all,
    fleets: all,
    fleet_vessels: all,
    port_groups: all,
    imports: isOneOf('user_id', ids),
    history: undefined,
    finished_calls: undefined,
    watched_times: there,
    subjects: sql<SqlBool>`id in (${followed})`,
    watches: there,
    promises: sql<SqlBool>`(watch_id is null or ${ofWatches})`,
    followings: ofWatches,
    alerts: ofWatches,
    digests: there,
    digest_numbers: there,
    outbox: there,
  };
}

/** That of its organisation, if it has none of its own. */
const installationOf = (db: AllWorkspaces, workspaceId: string) =>
  db
    .selectFrom('installations')
    .innerJoin('workspaces', 'workspaces.installation_id', 'installations.id')
    .selectAll('installations')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();

/** A list for each table. */
export function toFile({ tables: read, isCut }: Stored, about: Readonly<Record<string, unknown>>): string {
  const counts = Object.fromEntries(read.map(({ table, total }) => [table, total]));
  const head = { about: { ...about, isCut }, counts };
  const lists = read
    .filter(({ rows }) => rows.length > 0)
    .map(({ table, rows }) => `,\n${JSON.stringify(table)}: [\n${rows.join(',\n')}\n]`);
  return `${JSON.stringify(head, undefined, 1).slice(0, -2)}${lists.join('')}\n}\n`;
}
