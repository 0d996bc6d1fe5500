import { type Kysely, sql } from 'kysely';
import type { Logger } from '../log.ts';
import type { DueTable } from './due.ts';
import { defaultLeaseMs } from './due.ts';
import type { Schema } from './schema.ts';

interface LeaseOptions {
  db: Kysely<Schema>;
  table: DueTable;
  /** As given to the claim. */
  leaseToken: string;
  realNow: () => number;
  logger: Logger;
  leaseMs?: number;
}

/**
 * Renews the leases of a claim while `work` is under way, so that nobody else takes over work that lasts longer than
 * one lease. Rows that were released or lost meanwhile are not claimed again.
 */
export async function holdLease<Result>(
  { db, table, leaseToken, realNow, logger, leaseMs = defaultLeaseMs }: LeaseOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<unknown> | undefined;
  const renew = () => {
    // At most one renewal at a time, and the last one is awaited below.
    if (renewing) return;
    const until = new Date(realNow() + leaseMs);
    renewing = sql`update ${sql.table(table)} set lease_until = ${until} where lease_token = ${leaseToken}`
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
