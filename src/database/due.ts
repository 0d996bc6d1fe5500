import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { DueColumns, Schema } from './schema.ts';

/** The tables of due work: those that have `DueColumns`. */
export type DueTable = {
  [Name in keyof Schema]: Schema[Name] extends DueColumns ? Name : never;
}[keyof Schema];

export const defaultLeaseMs = 30_000;

const maxBackoffMs = 10 * 60_000;

interface ClaimOptions<Table extends DueTable> {
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
}

/**
 * Claims up to `limit` rows that are due, oldest first, for `leaseMs`. A lease that ends more than two lease times
 * from now dates from before a clock rollback and does not count. (One lease time and a little comes from a claimer
 * whose clock runs slightly ahead.) A row in back-off has no token, and a longer limit.
 */
export async function claimDue<Table extends DueTable>(
  options: ClaimOptions<Table>,
): Promise<Selectable<Schema[Table]>[]> {
  const { db, table, now, realNow, limit, leaseMs = defaultLeaseMs, leaseToken, where } = options;
  const leaseUntil = new Date(realNow.getTime() + leaseMs);
  const impossible = new Date(realNow.getTime() + 2 * leaseMs);
  const impossibleBackoff = new Date(realNow.getTime() + 2 * maxBackoffMs);
  const condition = where ?? sql<SqlBool>`true`;
  const { rows } = await sql<Selectable<Schema[Table]>>`
    with claimed as materialized (
      select id from ${sql.table(table)} as due
      where due_at <= ${now}
        and (lease_until is null or lease_until <= ${realNow}
          or lease_until > case when lease_token is null then ${impossibleBackoff}::timestamptz else ${impossible} end)
        and ${condition}
      order by due_at, id limit ${limit} for update skip locked
    )
    update ${sql.table(table)} as mine set lease_until = ${leaseUntil}, lease_token = ${leaseToken}
    from claimed where mine.id = claimed.id returning mine.*`.execute(db);
  return rows.sort((a, b) => dueAt(a) - dueAt(b));
}

/**
 * Ends the claim of a row, which is due again at `dueAt`. False when the lease was lost meanwhile: then nothing
 * changes, and the work done under it must not be committed.
 */
export async function release(
  db: Kysely<Schema>,
  options: { table: DueTable; id: string; leaseToken: string; dueAt: Date; attempts: number },
): Promise<boolean> {
  const { table, id, leaseToken, dueAt, attempts } = options;
  const { rows } = await sql`
    update ${sql.table(table)} set lease_until = null, lease_token = null, due_at = ${dueAt}, attempts = ${attempts}
    where id = ${id} and lease_token = ${leaseToken} returning id`.execute(db);
  return rows.length === 1;
}

/**
 * Ends the claim of a row that failed; nobody can claim it again during its back-off, which starts at `leaseMs` and
 * doubles to ten minutes. `due_at` stays: it tells which run is meant. Does nothing when the lease was lost.
 */
export async function backOff(
  db: Kysely<Schema>,
  options: {
    table: DueTable;
    id: string;
    leaseToken: string;
    attempts: number;
    realNow: Date;
    leaseMs?: number;
  },
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

/** Every table of due work has the column; the generic type hides it. */
function dueAt(row: object): number {
  return 'due_at' in row && row.due_at instanceof Date ? row.due_at.getTime() : 0;
}
