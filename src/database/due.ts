import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Logger } from '../log.ts';
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
  /** A further condition; it calls the table `due`. */
  where?: RawBuilder<SqlBool>;
  /** They wait while admins have paused the background work. Only for the domain clock, which their pause is on. */
  waitsInPause?: true;
}

/** The condition for the workspace of such rows. */
export const isNotPaused = (
  { waitsInPause }: Pick<DueRows, 'waitsInPause'>,
  now: Date,
): RawBuilder<SqlBool> =>
  waitsInPause
    ? sql`(work_paused_at is null or work_paused_at > ${now} or work_paused_until <= ${now})`
    : sql`true`;

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
  /** A further condition; it calls the table `due`. */
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
 * The ids of the workspaces with due rows that nobody holds, if their work may be done. It skips from workspace to
 * workspace in the index by workspace and `due_at`, so many due rows of one workspace take no longer than one.
 */
export async function dueWorkspaces(
  db: AllWorkspaces,
  { table, now, where = sql<SqlBool>`true`, ...rows }: Omit<DueRows, 'clock'> & { now: Date },
): Promise<string[]> {
  const rowsOf = (isOfWorkspace: RawBuilder<SqlBool>) =>
    sql`select workspace_id from ${sql.table(table)} as due where ${isOfWorkspace} and ${where}`;
  const first = (isOfWorkspace: RawBuilder<SqlBool>) =>
    sql`(${rowsOf(isOfWorkspace)} order by workspace_id limit 1)`;
  const isDue = sql<SqlBool>`due.workspace_id = workspace.id and due.due_at <= ${now} and ${isFree('due')}`;
  const { rows: found } = await sql<{ id: string }>`
    with recursive workspace (id) as (
      select ${first(sql`true`)}
      union all
      select ${first(sql`due.workspace_id > workspace.id`)} from workspace where workspace.id is not null
    )
    select workspace.id from workspace
    join workspaces on workspaces.id = workspace.id and paused_at is null and uninstalled_at is null
    left join installations on installations.id = installation_id
    where revoked_at is null and ${isNotPaused(rows, now)} and exists (${rowsOf(isDue)}) order by workspace.id
    ${acrossWorkspaces('due workspaces')}`.execute(db);
  return found.map(({ id }) => id);
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

export const defaultLeaseMs = 30_000;

/** No lease and no back-off is longer. */
export const maxLeaseMs = 10 * 60_000;

export const withoutLease = { lease_until: null, lease_token: null };

const leaseEnd = (leaseMs: number): RawBuilder<Date> =>
  sql<Date>`now_ms() + ${Math.round(Math.min(leaseMs, maxLeaseMs))}`;

/**
 * A condition for rows of this table, or alias, that nobody holds. A lease that ends after twice the longest one was
 * written before the database's clock was set back, and doesn't count.
 */
export function isFree(table: string): RawBuilder<SqlBool> {
  const until = sql.ref(`${table}.lease_until`);
  return sql`(${until} is null or ${until} <= now_ms() or ${until} > now_ms() + ${sql.lit(2 * maxLeaseMs)})`;
}

/** Ends every lease. For a store that no other process uses. Rows that wait after a failure go on waiting. */
export async function clearLeases(db: AllWorkspaces): Promise<void> {
  for (const table of ['subjects', 'alerts', 'digests', 'outbox', 'installations', 'logins'] as const) {
    const update = db
      .updateTable(table)
      .set(withoutLease)
      .where('lease_token', 'is not', null)
      .modifyEnd(acrossWorkspaces('leases'));
    // The outbox holds the messages of a year; those not sent yet have an index.
    const isUnsent = sql<SqlBool>`status in ('pending', 'sending')`;
    await (table === 'outbox' ? update.where(isUnsent) : update).execute();
  }
  await db.deleteFrom('leases').modifyEnd(acrossWorkspaces('leases')).execute();
}

interface RowLease {
  table: 'installations' | 'logins';
  id: string;
  /** Unique to each claim. */
  token: string;
}

/** A row that one process at a time holds, also during HTTP requests; the holder renews its token. */
export function createRowLease(db: AllWorkspaces, { table, id, token }: RowLease) {
  const isOurs = sql<SqlBool>`lease_token = ${token}`;
  const change = async (columns: object, where: RawBuilder<SqlBool>): Promise<boolean> => {
    const update = db.updateTable(table).set(columns).where('id', '=', id).where(where);
    return (await update.executeTakeFirst()).numUpdatedRows > 0n;
  };
  return {
    /** False while another process holds the row, and if there is no such row. */
    acquire: (leaseMs: number) =>
      change(
        { lease_token: token, lease_until: leaseEnd(leaseMs) },
        sql<SqlBool>`(${isFree(table)} or ${isOurs})`,
      ),
    /** Does nothing if another process holds the row. */
    release: () => change(withoutLease, isOurs),
  };
}

/** Work that is not a row, such as adding a watch: a name that one process at a time holds, also during HTTP requests. */
interface LeaseName {
  /** Such as `watch.add C024BE7LR`. */
  key: string;
  /** Unique to each claim. */
  token: string;
}

export function createLease(store: WorkspaceStore, { key, token }: LeaseName) {
  const isOurs = sql<SqlBool>`key = ${key} and lease_token = ${token}`;
  return {
    /** False while another process holds the name. */
    async acquire(leaseMs: number): Promise<boolean> {
      const taken = { lease_token: token, lease_until: leaseEnd(leaseMs) };
      const rows = await store
        .insertInto('leases', { key, ...taken })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'key'])
            .doUpdateSet(taken)
            .where(sql<SqlBool>`(${isFree('leases')} or leases.lease_token = ${token})`),
        )
        .returning('key')
        .execute();
      return rows.length === 1;
    },
    /** Restarts the lease. False if another process has taken the name. */
    async renew(leaseMs: number): Promise<boolean> {
      const renewal = { lease_until: leaseEnd(leaseMs) };
      const { numUpdatedRows } = await store
        .updateTable('leases')
        .set(renewal)
        .where(isOurs)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** Does nothing if another process holds the name. */
    async release(): Promise<void> {
      await store.deleteFrom('leases').where(isOurs).execute();
    },
  };
}
