import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WorkCtx } from '../ctx.ts';
import type { Pausable } from '../services.ts';
import { idsOf, isOneOf, type Table } from './person-columns.ts';

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
  /** In the log of changes; others read them. */
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

/** For a person; without one, for the whole workspace. */
export async function readPlan(userId: string | undefined, ctx: WorkCtx): Promise<Plan> {
  const { store } = ctx.services;
  const ids = userId === undefined ? [] : await idsOf(userId, ctx);
  const all = sql<SqlBool>`1 = 1`;
  const of = (column: string): Where => (userId === undefined ? all : isOneOf(column, ids));
  const count = async (table: Table, ...conditions: readonly Where[]): Promise<number> => {
    // Any of the tables: nothing here depends on its columns.
    let query = store.selectFrom(table as 'digests').select(({ fn }) => fn.countAll<number>().as('total'));
    for (const condition of conditions) query = query.where(condition);
    return Number((await query.executeTakeFirstOrThrow()).total);
  };
  const things = [];
  for (const { noun, lists } of ctx.registry.pausables) {
    const table = noun.plural as 'watches' | 'digests'; // see OwnedKind
    const exists = table === 'digests' ? sql<SqlBool>`removed_at is null` : all;
    const countIn = (destination: string) =>
      count(table, of('owner_id'), exists, sql<SqlBool>`destination = ${destination}`);
    things.push({
      ...{ noun, lists },
      personal: await countIn('direct-message'),
      inChannels: await countIn('channel'),
    });
  }
  const promises = await count('promises', of('owner_id'), sql<SqlBool>`watch_id is null`);
  const saved = [{ noun: 'promise', plural: 'promises', count: promises }];
  for (const { table, ...words } of savedBy)
    saved.push({ ...words, count: await count(table, of('updated_by')) });
  return {
    things,
    tokens: await count('assistant_tokens', of('person_id')),
    imports: await count('imports', of('user_id'), sql<SqlBool>`imported_at is null`),
    messages: await count('outbox', of('channel_id')),
    assigned: await count(
      'alerts',
      of('assignee_id'),
      sql<SqlBool>`assignee_id is not null and acknowledged_at is null`,
    ),
    saved,
    changes: await count('audit', of('actor_id'), userId === undefined ? all : sql<SqlBool>`is_personal = 0`),
  };
}
