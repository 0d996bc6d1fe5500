import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AskCtx, WorkCtx } from '../ctx.ts';
import type { Pausable } from '../services.ts';
import { readVisibleChannels } from '../visible-channels.ts';
import { idsOf, isOneOf, type Table, watchesWhere } from './person-columns.ts';

/** What forgetting would change, in numbers. */
export interface Plan {
  /** Watches and digests. */
  things: readonly (Pick<Pausable, 'noun' | 'lists'> & { personal: number; inChannels: number })[];
  tokens: number;
  imports: number;
  /** Messages to the person, sent or not, as far as they are recorded. */
  messages: number;
  /** Open alerts that were assigned to the person. */
  assigned: number;
  /** What was saved for everybody, so it stays. */
  saved: readonly { noun: string; plural: string; count: number }[];
  /** Entries in the log of changes; others read them. */
  changes: number;
}

type Where = RawBuilder<SqlBool>;

const savedBy = [
  { table: 'vessel_names', noun: 'name of a vessel', plural: 'names of vessels' },
  { table: 'vessel_references', noun: 'vessel with references', plural: 'vessels with references' },
  { table: 'fleets', noun: 'fleet', plural: 'fleets' },
  { table: 'port_groups', noun: 'group of ports', plural: 'groups of ports' },
  { table: 'channels', noun: 'channel with settings', plural: 'channels with settings' },
] as const;

/**
 * Counts for a person; without one, for the whole workspace. `seenBy`: the admin who asks about somebody else, and gets only
 * the numbers of channels that they may know of.
 */
export async function readPlan(
  userId: string | undefined,
  ctx: WorkCtx,
  { seenBy }: { seenBy?: AskCtx | undefined } = {},
): Promise<Plan> {
  const { store } = ctx.services;
  const ids = userId === undefined ? [] : await idsOf(userId, ctx);
  const all = sql<SqlBool>`1 = 1`;
  const of = (column: string): Where => (userId === undefined ? all : isOneOf(column, ids));
  const channels = seenBy && (await channelsOfPerson(ids, seenBy));
  const there: Where = channels ? isOneOf('channel_id', channels) : all;
  const count = async (table: Table, ...conditions: readonly Where[]): Promise<number> => {
    // Any of the tables: nothing here depends on its columns.
    let query = store.selectFrom(table as 'digests').select(({ fn }) => fn.countAll<number>().as('total'));
    for (const condition of conditions) query = query.where(condition);
    return Number((await query.executeTakeFirstOrThrow()).total);
  };
  /** Zero for an admin who asks about somebody else. */
  const countPersonal = async (...args: Parameters<typeof count>) => (seenBy ? 0 : await count(...args));
  const things = [];
  for (const { noun, lists } of ctx.registry.pausables) {
    const table = noun.plural as 'watches' | 'digests'; // see OwnedKind
    const exists = table === 'digests' ? sql<SqlBool>`removed_at is null` : all;
    const theirs = [of('owner_id'), exists] as const;
    things.push({
      ...{ noun, lists },
      personal: await countPersonal(table, ...theirs, sql<SqlBool>`destination = 'direct-message'`),
      inChannels: await count(table, ...theirs, there, sql<SqlBool>`destination = 'channel'`),
    });
  }
  const promises = await count('promises', of('owner_id'), there, sql<SqlBool>`watch_id is null`);
  const saved = [{ noun: 'promise', plural: 'promises', count: promises }];
  for (const { table, ...words } of savedBy)
    saved.push({ ...words, count: await count(table, of('updated_by'), table === 'channels' ? there : all) });
  return {
    things,
    tokens: await countPersonal('assistant_tokens', of('person_id')),
    imports: await countPersonal('imports', of('user_id'), sql<SqlBool>`imported_at is null`),
    messages: await countPersonal('outbox', of('channel_id')),
    assigned: await count(
      'alerts',
      of('assignee_id'),
      sql<SqlBool>`assignee_id is not null and acknowledged_at is null`,
      channels ? sql<SqlBool>`watch_id in ${watchesWhere(store, there)}` : all,
    ),
    saved,
    changes: await count(
      'audit',
      of('actor_id'),
      userId === undefined ? all : sql<SqlBool>`is_personal = 0`,
      channels ? sql<SqlBool>`(channel_id is null or ${there})` : all,
    ),
  };
}

/** Where this person has or changed something, as far as the admin may know of the channel. */
async function channelsOfPerson(ids: readonly string[], admin: AskCtx): Promise<string[]> {
  const { store } = admin.services;
  const found = new Set<string>();
  for (const [table, column] of places) {
    // Any of the tables: each has `channel_id`.
    const query = store
      .selectFrom(table as 'audit')
      .select('channel_id')
      .distinct();
    // Direct messages, and people who have one, aren't places that an admin may know of.
    for (const { channel_id } of await query.where(isOneOf(column, ids)).execute())
      if (channel_id !== null && /^[CG]/.test(channel_id)) found.add(channel_id);
  }
  const { mayKnow } = await readVisibleChannels([...found], admin);
  return [...found].filter(mayKnow);
}

const places = [
  ['watches', 'owner_id'],
  ['digests', 'owner_id'],
  ['promises', 'owner_id'],
  ['channels', 'updated_by'],
  ['audit', 'actor_id'],
] as const;
