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
  /** Messages that wait to be sent. */
  waiting: number;
  /** Open alerts that were assigned to the person. */
  assigned: number;
  /** Names, references, fleets, groups of ports, settings and promises: for everybody, so they stay. */
  saved: number;
  /** In the log of changes; others read them. */
  changes: number;
}

type Where = RawBuilder<SqlBool>;

const savedBy = ['vessel_names', 'vessel_references', 'fleets', 'port_groups', 'channels'] as const;

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
  let saved = await count('promises', of('owner_id'), sql<SqlBool>`watch_id is null`);
  for (const table of savedBy) saved += await count(table, of('updated_by'));
  return {
    things,
    tokens: await count('assistant_tokens', of('person_id')),
    imports: await count('imports', of('user_id'), sql<SqlBool>`imported_at is null`),
    waiting: await count('outbox', of('channel_id'), sql<SqlBool>`status in ('pending', 'sending', 'held')`),
    assigned: await count(
      'alerts',
      of('assignee_id'),
      sql<SqlBool>`assignee_id is not null and acknowledged_at is null`,
    ),
    saved,
    changes: await count('audit', of('actor_id'), userId === undefined ? all : sql<SqlBool>`is_personal = 0`),
  };
}
