import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Logger } from '../log.ts';
import type { DueColumns, Schema } from './schema.ts';

/** The tables of due work: those that have `DueColumns`. */
export type DueTable = {
  [Name in keyof Schema]: Schema[Name] extends DueColumns ? Name : never;
}[keyof Schema];

export const defaultLeaseMs = 30_000;

const maxBackoffMs = 10 * 60_000;

/**
 * Claims up to `limit` due rows, oldest first, for `leaseMs`. A lease that ends more than two lease times from now was
 * written before a clock rollback and does not count. (A clock that runs ahead writes one that ends a little after one
 * lease time.) A row in back-off has no token; its bound is twice the longest back-off.
 */
export async function claimDue<Table extends DueTable>(options: {
  db: Kysely<Schema>;
  table: Table;
  /** The domain clock: what is due. */
  now: Date;
  /** The real clock: which leases still count. */
  realNow: Date;
  limit: number;
  leaseMs?: number;
  /** Unique to each claim. */
  leaseToken: string;
  /** A further condition, in which the table is called `due`. */
  where?: RawBuilder<SqlBool>;
}): Promise<Selectable<Schema[Table]>[]> {
  const { db, table, now, realNow, limit, leaseMs = defaultLeaseMs, leaseToken } = options;
  const { where = sql<SqlBool>`true` } = options;
  const leaseUntil = new Date(realNow.getTime() + leaseMs);
  const maxLeaseUntil = new Date(realNow.getTime() + 2 * leaseMs);
  const maxBackoffUntil = new Date(realNow.getTime() + 2 * maxBackoffMs);
  const { rows } = await sql<Selectable<Schema[Table]>>`
    with claimed as materialized (
      select id from ${sql.table(table)} as due
      where due_at <= ${now}
        and (lease_until is null or lease_until <= ${realNow}
          or lease_until > case when lease_token is null then ${maxBackoffUntil}::timestamptz else ${maxLeaseUntil} end)
        and ${where}
      order by due_at, id limit ${limit} for update skip locked
    ), updated as (
      update ${sql.table(table)} as target set lease_until = ${leaseUntil}, lease_token = ${leaseToken}
      from claimed where target.id = claimed.id returning target.*
    )
    select * from updated order by due_at, id`.execute(db);
  return rows;
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
  db: Kysely<Schema>,
  { table, id, leaseToken, attempts, dueAt }: ClaimedRow & { dueAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set lease_until = null, lease_token = null, due_at = ${dueAt}, attempts = ${attempts}
    where id = ${id} and lease_token = ${leaseToken} returning id`.execute(db);
  return rows.length === 1;
}

/**
 * Ends the claim of a row that failed. Nobody can claim it during its back-off, which starts at `leaseMs` and doubles
 * to ten minutes. `due_at` stays, so a digest keeps the planned time of its run. Does nothing if the lease was lost.
 */
export async function backOff(
  db: Kysely<Schema>,
  options: ClaimedRow & { realNow: Date; leaseMs?: number },
): Promise<void> {
  const { table, id, leaseToken, attempts, realNow, leaseMs = defaultLeaseMs } = options;
  const waitMs = backoffMs(attempts, { firstMs: leaseMs, maxMs: maxBackoffMs });
  const until = new Date(realNow.getTime() + waitMs);
  await sql`
    update ${sql.table(table)} set lease_until = ${until}, lease_token = null, attempts = ${attempts}
    where id = ${id} and lease_token = ${leaseToken}`.execute(db);
}

/** Milliseconds to wait after `attempts` failures in a row: doubles from `firstMs` to `maxMs`. */
export function backoffMs(attempts: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, attempts - 1)));
}

interface LeaseOptions {
  db: Kysely<Schema>;
  table: DueTable;
  leaseToken: string;
  realNow: () => number;
  logger: Logger;
  leaseMs?: number;
}

/**
 * Renews the leases of a claim while `work` is under way, so nobody else takes over work that lasts longer than one
 * lease. Rows that were released or lost during the work are not claimed again.
 */
export async function holdLease<Result>(
  { db, table, leaseToken, realNow, logger, leaseMs = defaultLeaseMs }: LeaseOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<unknown> | undefined;
  const renew = () => {
    const until = new Date(realNow() + leaseMs);
    // At most one renewal at a time; the last one is awaited below.
    renewing ??= sql`update ${sql.table(table)} set lease_until = ${until} where lease_token = ${leaseToken}`
      .execute(db)
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
