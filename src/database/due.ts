import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Logger } from '../log.ts';
import { defaultLeaseMs, isFree, leaseEnd, maxLeaseMs, withoutLease } from './leases.ts';
import type { DueColumns, Schema } from './schema.ts';
import { type AllWorkspaces, acrossWorkspaces, type WorkspaceStore } from './workspace-store.ts';

/** The tables of due work: those that have `DueColumns`. */
export type DueTable = {
  [Name in keyof Schema]: Schema[Name] extends DueColumns ? Name : never;
}[keyof Schema];

/** The rows of one kind of due work: those of the table that satisfy `where`. */
export interface DueRows {
  table: DueTable;
  /** The clock of the table's `due_at`. */
  clock: 'domain' | 'real';
  /** A further condition, in which the table is called `due`. */
  where?: RawBuilder<SqlBool>;
}

/** Claims up to `limit` due rows of a workspace, oldest first, for `leaseMs`. */
export async function claimDue<Table extends DueTable>(options: {
  store: WorkspaceStore;
  table: Table;
  /** The clock of the table's `due_at`. */
  now: Date;
  limit: number;
  leaseMs?: number;
  /** Unique to each claim. */
  leaseToken: string;
  /** A further condition, in which the table is called `due`. */
  where?: RawBuilder<SqlBool>;
}): Promise<Selectable<Schema[Table]>[]> {
  const { store, table, now, limit, leaseMs = defaultLeaseMs, leaseToken } = options;
  const { where = sql<SqlBool>`true` } = options;
  // Any of these tables: claimDue uses only their common columns.
  const common = table as 'subjects';
  const claimed = store
    .selectFrom(`${common} as due`)
    .select('due.id')
    .where('due.due_at', '<=', now)
    .where(isFree('due'))
    .where(where)
    .orderBy('due.due_at')
    .orderBy('due.id')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const { rows } = await sql<Selectable<Schema['subjects']>>`
    with claimed as materialized ${claimed}
    update ${sql.table(table)} set lease_until = ${leaseEnd(leaseMs)}, lease_token = ${leaseToken}
    where ${store.isOwn(table)} and id in (select id from claimed) returning *`.execute(store);
  const sorted = rows.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime() || (a.id < b.id ? -1 : 1));
  // All columns of the table that was asked for.
  return sorted as unknown as Selectable<Schema[Table]>[];
}

/**
 * The ids of the workspaces that have due rows which nobody holds, and for which work may be done. It skips from workspace to workspace in the index by
 * workspace and `due_at`, so many due rows of one workspace take no longer than one.
 */
export async function dueWorkspaces(
  db: AllWorkspaces,
  { table, now, where = sql<SqlBool>`true` }: { table: DueTable; now: Date; where?: RawBuilder<SqlBool> },
): Promise<string[]> {
  const rowsOf = (isOfWorkspace: RawBuilder<SqlBool>) =>
    sql`select workspace_id from ${sql.table(table)} as due where ${isOfWorkspace} and ${where}`;
  const first = (isOfWorkspace: RawBuilder<SqlBool>) =>
    sql`(${rowsOf(isOfWorkspace)} order by workspace_id limit 1)`;
  const isDue = sql<SqlBool>`due.workspace_id = workspace.id and due.due_at <= ${now} and ${isFree('due')}`;
  const { rows } = await sql<{ id: string }>`
    with recursive workspace (id) as (
      select ${first(sql`true`)}
      union all
      select ${first(sql`due.workspace_id > workspace.id`)} from workspace where workspace.id is not null
    )
    select workspace.id from workspace
    join workspaces on workspaces.id = workspace.id and paused_at is null and uninstalled_at is null
    left join installations on installations.id = installation_id
    where revoked_at is null and exists (${rowsOf(isDue)}) order by workspace.id
    ${acrossWorkspaces('due workspaces')}`.execute(db);
  return rows.map(({ id }) => id);
}

interface ClaimedRow {
  table: DueTable;
  id: string;
  leaseToken: string;
  attempts: number;
}

/**
 * Ends the claim of a row, which is due again at `dueAt`. False if the lease was lost: then nothing changes, and the
 * caller must not commit the work.
 */
export async function release(
  store: WorkspaceStore,
  { attempts, dueAt, ...claimed }: ClaimedRow & { dueAt: Date },
): Promise<boolean> {
  return await changeClaimed(store, claimed, { ...withoutLease, due_at: dueAt, attempts });
}

/**
 * Ends the claim of a row that failed. Nobody can claim it during its back-off, which starts at `leaseMs` and doubles
 * to ten minutes. `due_at` stays, so a digest keeps the planned time of its run. Does nothing if the lease was lost.
 */
export async function backOff(
  store: WorkspaceStore,
  { attempts, leaseMs = defaultLeaseMs, ...claimed }: ClaimedRow & { leaseMs?: number },
): Promise<void> {
  const waitMs = backoffMs(attempts, { firstMs: leaseMs, maxMs: maxLeaseMs });
  const columns = { lease_until: leaseEnd(waitMs), lease_token: null, attempts };
  await changeClaimed(store, claimed, columns);
}

/** False if the lease was lost: then nothing changes. */
export async function changeClaimed(
  store: WorkspaceStore,
  { table, id, leaseToken }: Omit<ClaimedRow, 'attempts'>,
  columns: object,
): Promise<boolean> {
  // Any of these tables: `columns` holds only their common columns.
  const update = store.updateTable(table as 'subjects').set(columns);
  const { numUpdatedRows } = await update
    .where('id', '=', id)
    .where('lease_token', '=', leaseToken)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Milliseconds to wait after `attempts` failures in a row: doubles from `firstMs` to `maxMs`. */
export function backoffMs(attempts: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, attempts - 1)));
}

interface LeaseOptions {
  store: WorkspaceStore;
  table: DueTable;
  /** The rows of the claim. */
  rows: readonly { id: string }[];
  leaseToken: string;
  logger: Logger;
  leaseMs?: number;
}

/**
 * Renews the leases of a claim while `work` is under way, so nobody else takes over work that lasts longer than one
 * lease. Rows that were released or lost during the work are not claimed again.
 */
export async function holdLease<Result>(
  { store, table, rows, leaseToken, logger, leaseMs = defaultLeaseMs }: LeaseOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const held = store
    // Any of these tables: they all have these columns.
    .selectFrom(table as 'subjects')
    .select('id')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('lease_token', '=', leaseToken)
    .orderBy('id')
    .forUpdate()
    // The work of a locked row is being committed.
    .skipLocked();
  let renewing: Promise<unknown> | undefined;
  const renew = () => {
    // At most one renewal at a time; the last one is awaited below.
    renewing ??= store
      .updateTable(table as 'subjects')
      .set({ lease_until: leaseEnd(leaseMs) })
      .where('id', 'in', held)
      .execute()
      .catch((error: unknown) => logger.warn({ table, err: error }, 'a lease was not renewed'))
      .finally(() => {
        renewing = undefined;
      });
  };
  const timer = setInterval(renew, leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}

/** Waits until all work has settled, so none goes on in the background. Then it throws the first error. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * After a clock rollback, due rows would wait until the clock reads again what it read when they were planned. Call the
 * function that this returns before each round: it lets no row wait beyond `latest()`, which may name columns of the row.
 */
export function createWaitLimit({
  store,
  table,
  where = sql<SqlBool>`true`,
}: Omit<DueRows, 'clock'> & { store: WorkspaceStore }) {
  const hasRolledBack = createRollbackCheck();
  // Any of these tables: it uses only their common columns.
  const common = table as 'subjects';
  return async (
    now: Date,
    latest: () => Date | RawBuilder<Date> | Promise<RawBuilder<Date>>,
  ): Promise<void> => {
    if (!hasRolledBack(now)) return;
    const dueAt = await latest();
    const late = store
      .selectFrom(`${common} as due`)
      .select('due.id')
      .where('due.due_at', '>', dueAt)
      .where(where)
      .orderBy('due.id')
      .forUpdate()
      // Whoever has locked a row plans it by the clock of now.
      .skipLocked();
    await store.updateTable(common).set({ due_at: dueAt }).where('id', 'in', late).execute();
  };
}

/**
 * Returns a function that is true if the clock reads earlier than at the last call: work planned before that may be due
 * too late. It is also true at its first call, since the clock may have been set back while no process ran.
 */
export function createRollbackCheck(): (now: Date) => boolean {
  let last = Number.POSITIVE_INFINITY;
  return (now) => {
    const hasRolledBack = now.getTime() < last;
    last = now.getTime();
    return hasRolledBack;
  };
}
