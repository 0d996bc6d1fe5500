import { type SqlBool, sql } from 'kysely';
import { ZodError } from 'zod';
import { forgottenPerson } from '../../answers/text.ts';
import { changeInBatches } from '../../database/batches.ts';
import { tableNames } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type Change, lockWorkspace } from '../../workspaces/audit.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import type { WorkCtx } from '../ctx.ts';
import {
  documentColumns,
  idsOf,
  isOneOf,
  namesPerson,
  personColumns,
  type Table,
  tables,
} from './person-columns.ts';

// Each change is a transaction of its own and small, so that nothing else waits. What a crash or `mayGoOn` leaves, the next
// call deletes.

interface Forgetting {
  /** The id of the audit entry: the same each time the button of one question is pressed. */
  entryId: string;
  by: Change;
  mayGoOn: () => boolean;
}

/** Returns false if something is left. */
export async function forgetPerson(
  userId: string,
  { entryId, by: asked, mayGoOn }: Forgetting,
  ctx: WorkCtx,
): Promise<boolean> {
  const { store } = ctx.services;
  const isOwn = asked.actorId === userId;
  const by = isOwn ? { ...asked, actorId: forgottenPerson } : asked;
  const ids = await idsOf(userId, ctx);
  const subject = isOwn ? 'themselves' : 'somebody else';
  const entry = { id: entryId, action: 'person.forget', subject, ownerIds: [userId] };
  await begin(entry, by, ctx, async (transaction) => {
    // Assistants must not go on using them.
    await transaction.deleteFrom('assistant_tokens').where('person_id', '=', userId).execute();
    await transaction.deleteFrom('imports').where('user_id', '=', userId).execute();
  });
  if (!(await endThings({ ownerId: userId }, { by, mayGoOn }, ctx))) return false;
  const change = (table: Table, where: ReturnType<typeof isOneOf>, columns?: Record<string, unknown>) =>
    changeInBatches(store, { table, where, mayGoOn, ...(columns && { change: columns }) });
  const theirs = isOneOf('channel_id', ids);
  const isAssigned = sql<SqlBool>`assignee_id = ${userId} and acknowledged_at is null`;
  const isAnnounced = sql<SqlBool>`kind = 'assignment' and status <> 'sent' and payload like ${`%"assigneeId":"${userId}"%`}`;
  const steps = [
    () => change('alerts', isAssigned, { assignee_id: null, assigned_by: null, assigned_at: null }),
    () => change('outbox', sql<SqlBool>`(${theirs} or (${isAnnounced}))`),
    () => change('digest_numbers', theirs),
    () => change('watched_times', theirs),
    () => change('audit', sql<SqlBool>`is_personal = 1 and ${theirs}`),
    ...tables.map((table) => () => renameIn(table, ids, change)),
    ...Object.entries(documentColumns).map(([table, columns]) => () => {
      const named = columns.map((column) => sql`${sql.ref(column)} like ${`%"${userId}"%`}`);
      // Object.entries returns strings; these are the names of tables.
      return change(
        table as Table,
        sql<SqlBool>`(${sql.join(named, sql` or `)})`,
        renamedIn(columns, userId),
      );
    }),
  ];
  for (const step of steps) if (!(await step())) return false;
  await forgetAdmin(store, userId);
  await forgetInstaller(store, userId);
  return true;
}

type ChangeRows = (
  table: Table,
  where: ReturnType<typeof isOneOf>,
  columns: Record<string, unknown>,
) => Promise<boolean>;

async function renameIn(table: Table, ids: readonly string[], change: ChangeRows): Promise<boolean> {
  const where = namesPerson(table, ids);
  if (!where) return true;
  const columns = personColumns[table].map((column) => {
    const renamed = sql`case when ${isOneOf(column, ids)} then ${forgottenPerson} else ${sql.ref(column)} end`;
    return [column, renamed];
  });
  return await change(table, where, Object.fromEntries(columns));
}

/** Only as a whole string of the JSON: the id may be the beginning of another one. */
const renamedIn = (columns: readonly string[], userId: string): Record<string, unknown> =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      sql`replace(${sql.ref(column)}, ${JSON.stringify(userId)}, ${JSON.stringify(forgottenPerson)})`,
    ]),
  );

/** Who set the limit of calls, and who paused the work. */
const forgetAdmin = (store: WorkspaceStore, userId: string) =>
  store
    .updateTable('workspaces')
    .set({
      ...renamedIn(['call_limit'], userId),
      work_paused_by: sql`case when ${isOneOf('work_paused_by', [userId])} then ${forgottenPerson} else work_paused_by end`,
    })
    .execute();

/** Its row belongs to no workspace; that of an organisation serves several. */
const forgetInstaller = ({ allWorkspaces, workspaceId }: WorkspaceStore, userId: string) =>
  allWorkspaces
    .updateTable('installations')
    .set({ installer_id: forgottenPerson })
    .where('installer_id', '=', userId)
    .where('id', 'in', (from) =>
      from.selectFrom('workspaces').select('installation_id').where('workspaces.id', '=', workspaceId),
    )
    .execute();

/** The account stays, and what the operator's limit of calls counts today. */
const kept: ReadonlySet<string> = new Set(['accounts', 'leases']);

/** Deletes everything but the installation and the account. Returns false if something is left. */
export async function forgetWorkspace({ entryId, by, mayGoOn }: Forgetting, ctx: WorkCtx): Promise<boolean> {
  const { store, now } = ctx.services;
  const entry = { id: entryId, action: 'workspace.forget', subject: 'the workspace' };
  await begin(entry, by, ctx, async (transaction) => {
    await transaction.deleteFrom('assistant_tokens').execute();
    const revision = sql<number>`names_revision + 1`;
    const work = { work_paused_at: null, work_paused_until: null, work_paused_by: null };
    const settings = { guests: 'ask', links: 'off', call_limit: null, budget_alarm: null, ...work };
    await transaction
      .updateTable('workspaces')
      .set({ ...settings, names_revision: revision })
      .execute();
  });
  if (!(await endThings({}, { by, mayGoOn }, ctx))) return false;
  const conditions: Partial<Record<Table, ReturnType<typeof isOneOf>>> = {
    audit: sql<SqlBool>`id <> ${entryId}`,
    // They close the cards.
    outbox: sql<SqlBool>`kind <> 'card-stopped'`,
    call_counts: sql<SqlBool>`day < ${dayOf(now().getTime())}`,
  };
  // What refers to others goes before them.
  for (const table of tableNames.toReversed().filter(isOfWorkspaces)) {
    if (kept.has(table)) continue;
    const where = conditions[table] ?? sql<SqlBool>`1 = 1`;
    if (!(await changeInBatches(store, { table, where, mayGoOn }))) return false;
  }
  return true;
}

const isOfWorkspaces = (table: string): table is Table => table in personColumns;

/** Records it, once, with the first of what it deletes. */
const begin = (
  entry: { id: string; action: string; subject: string; ownerIds?: readonly string[] },
  { actorId, now: at }: Change,
  { services: { audited } }: WorkCtx,
  work: (transaction: WorkspaceStore) => Promise<void>,
): Promise<void> =>
  audited(async (transaction, record) => {
    // Two presses at the same time, on two instances.
    await lockWorkspace(transaction);
    await work(transaction);
    const recorded = transaction.selectFrom('audit').select('id').where('id', '=', entry.id);
    if (!(await recorded.executeTakeFirst())) await record({ ...entry, at, actorId });
  });

/** Ends the watches and digests of an owner, or all. */
async function endThings(
  { ownerId }: { ownerId?: string },
  { by, mayGoOn }: Pick<Forgetting, 'by' | 'mayGoOn'>,
  ctx: WorkCtx,
): Promise<boolean> {
  const { store, logger } = ctx.services;
  for (const { noun, end } of ctx.registry.pausables) {
    const table = noun.plural as 'watches' | 'digests'; // see OwnedKind
    const where = ownerId === undefined ? sql<SqlBool>`1 = 1` : isOneOf('owner_id', [ownerId]);
    const rows = await store.selectFrom(table).select('id').where(where).orderBy('id').execute();
    for (const { id } of rows) {
      if (!mayGoOn()) return false;
      await end(id, by, ctx).catch((error: unknown) => {
        if (!(error instanceof ZodError)) throw error;
        logger.warn({ err: error, [noun.singular]: id }, 'an unreadable row is deleted as it is');
      });
    }
    if (!(await changeInBatches(store, { table, where, mayGoOn }))) return false;
  }
  return true;
}
