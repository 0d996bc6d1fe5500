import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import { deleteInBatches, inChunks } from '../database/batches.ts';
import type { Schema } from '../database/schema.ts';
import type { AllWorkspaces, WorkspaceStore } from '../database/workspace-store.ts';

/** One change. Holds no secrets. */
export interface AuditEntry {
  id: string;
  at: Date;
  actorId: string;
  /** Such as `watch.stop`. */
  action: string;
  /** What was changed, in plain words: `DS CYPRESS`. */
  subject: string;
  /** The channel of the changed watch, digest or setting. Of a personal one: the direct message, or the owner's id. */
  channelId?: string;
  /** Only its owner sees what was changed. */
  isPersonal?: boolean;
  /** Before and after: values that JSON can hold. */
  before?: unknown;
  after?: unknown;
  /** The owners before and after the change, whose Home tabs are then drawn again. Not stored. */
  ownerIds?: readonly string[];
}

/** By whom and when something is changed. */
export interface Change {
  actorId: string;
  now: Date;
}

/** Must be called in the transaction of the change, so that neither is stored without the other. */
export async function recordChanges(store: WorkspaceStore, entries: readonly AuditEntry[]): Promise<void> {
  for (const chunk of inChunks(entries)) await store.insertInto('audit', chunk.map(rowOf)).execute();
}

const rowOf = ({ id, at, actorId, action, subject, channelId, isPersonal, before, after }: AuditEntry) => ({
  id,
  at,
  actor_id: actorId,
  action,
  subject,
  channel_id: channelId ?? null,
  is_personal: isPersonal ?? false,
  before: before === undefined ? null : JSON.stringify(before),
  after: after === undefined ? null : JSON.stringify(after),
});

export type RecordEntries = (...entries: readonly AuditEntry[]) => Promise<void>;

/** Runs a change and writes its audit rows in one transaction. */
export type AuditedTransaction = <T>(
  work: (transaction: WorkspaceStore, record: RecordEntries) => Promise<T>,
) => Promise<T>;

export function createAuditedTransaction(
  store: WorkspaceStore,
  onCommitted: (entry: AuditEntry) => void = () => undefined,
): AuditedTransaction {
  return async (work) => {
    const recorded: AuditEntry[] = [];
    const done = await store.transaction((transaction) =>
      work(transaction, async (...entries) => {
        await recordChanges(transaction, entries);
        recorded.push(...entries);
      }),
    );
    for (const entry of recorded) onCommitted(entry);
    return done;
  };
}

export type AuditLog = ReturnType<typeof createAuditLog>;

/** Reads the audit log of one workspace. Does not check that the reader is an admin. */
export function createAuditLog(store: WorkspaceStore) {
  const entries = store
    .selectFrom('audit')
    // The entry of the fleet names the change. This one would say that somebody watches the fleet privately.
    .where(sql<SqlBool>`not (action = 'watch.follow' and is_personal = 1)`);
  return {
    /** Newest first; `total` counts all pages. */
    async list(
      {
        channelId,
        actorId,
        since,
        where,
      }: { channelId?: string; actorId?: string; since?: Date; where?: Expression<SqlBool> },
      { limit, offset = 0 }: { limit: number; offset?: number },
    ): Promise<{ changes: AuditEntry[]; total: number }> {
      let query = entries;
      if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
      if (since) query = query.where('at', '>=', since);
      if (where) query = query.where(where);
      const { total } = await query
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const newest = query.selectAll().orderBy('at', 'desc').orderBy('id', 'desc');
      const rows = await newest.limit(limit).offset(offset).execute();
      return { changes: rows.map(readEntry), total };
    },
    async find(id: string): Promise<AuditEntry | undefined> {
      const row = await entries.selectAll().where('id', '=', id).executeTakeFirst();
      return row && readEntry(row);
    },
  };
}

export async function forgetChanges(db: AllWorkspaces, before: Date, mayGoOn?: () => boolean): Promise<void> {
  await deleteInBatches(db, { work: 'retention', table: 'audit', where: sql`at < ${before}`, mayGoOn });
}

const readEntry = (row: Selectable<Schema['audit']>): AuditEntry => ({
  id: row.id,
  at: row.at,
  actorId: row.actor_id,
  action: row.action,
  subject: row.subject,
  ...(row.channel_id === null ? {} : { channelId: row.channel_id }),
  ...(row.is_personal && { isPersonal: true }),
  ...(row.before === null ? {} : { before: row.before }),
  ...(row.after === null ? {} : { after: row.after }),
});

/** Makes the second of two concurrent changes wait, so it sees what the first one wrote. Call it in a transaction. */
export async function lockWorkspace(transaction: WorkspaceStore): Promise<void> {
  // A stronger lock would hold up every insert that refers to the workspace.
  await transaction.selectFrom('workspaces').select('id').forNoKeyUpdate().execute();
}
