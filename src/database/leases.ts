import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AllWorkspaces, acrossWorkspaces, type WorkspaceStore } from './workspace-store.ts';

export const defaultLeaseMs = 30_000;

/** No lease and no back-off is longer. */
export const maxLeaseMs = 10 * 60_000;

export const withoutLease = { lease_until: null, lease_token: null };

export const leaseEnd = (leaseMs: number): RawBuilder<Date> =>
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

/** A row that one process at a time holds, also during HTTP requests: whoever holds it renews its token. */
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
