import { type Kysely, sql } from 'kysely';
import type { Logger } from '../log.ts';
import type { DueTable } from './due.ts';
import { defaultLeaseMs } from './due.ts';
import type { Schema } from './schema.ts';

interface LeaseOptions {
  db: Kysely<Schema>;
  table: DueTable;
  /** Of the claim. */
  leaseToken: string;
  realNow: () => Date;
  logger: Logger;
  leaseMs?: number;
}

/**
 * Renews the leases of a claim while `work` is under way, so that what takes longer than a lease is not done
 * by somebody else meanwhile. A lease that was lost stays lost, and a row that was given back stays free.
 */
export async function holdLease<Result>(
  { db, table, leaseToken, realNow, logger, leaseMs = defaultLeaseMs }: LeaseOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<unknown> | undefined;
  const renew = () => {
    // A slow one is waited for: none goes on unseen.
    if (renewing) return;
    const until = new Date(realNow().getTime() + leaseMs);
    renewing = sql`update ${sql.table(table)} set lease_until = ${until} where lease_token = ${leaseToken}`
      .execute(db)
      .catch((error: unknown) => logger.warn({ table, err: error }, 'a lease could not be renewed'))
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
