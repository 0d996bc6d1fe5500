import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A name that one process at a time holds: a row with a lease, so it may be held during HTTP requests. */
interface ClaimName {
  workspaceId: string;
  /** Such as `watch.add C024BE7LR`. */
  key: string;
  /** Unique to each claim. */
  holder: string;
}

interface Lease {
  realNow: Date;
  leaseMs: number;
}

export function createClaim(db: Kysely<Schema>, { workspaceId, key, holder }: ClaimName) {
  const isHeldByUs = sql`workspace_id = ${workspaceId} and key = ${key} and holder = ${holder}`;
  return {
    /**
     * False while another process holds the name. A holder that dies loses it after `leaseMs` of the real clock. A
     * lease that ends more than two lease times from now was written before a clock rollback and does not count.
     */
    async acquire({ realNow, leaseMs }: Lease): Promise<boolean> {
      const until = new Date(realNow.getTime() + leaseMs);
      const maxLeaseUntil = new Date(realNow.getTime() + 2 * leaseMs);
      const { rows } = await sql`
        insert into claims (workspace_id, key, holder, lease_until)
        values (${workspaceId}, ${key}, ${holder}, ${until})
        on conflict (workspace_id, key) do update set holder = excluded.holder, lease_until = excluded.lease_until
        where claims.lease_until <= ${realNow} or claims.lease_until > ${maxLeaseUntil}
        returning key`.execute(db);
      return rows.length === 1;
    },
    /** Restarts the lease. False if another process has taken the name. */
    async renew({ realNow, leaseMs }: Lease): Promise<boolean> {
      const until = new Date(realNow.getTime() + leaseMs);
      const { rows } = await sql`
        update claims set lease_until = ${until} where ${isHeldByUs} returning key`.execute(db);
      return rows.length === 1;
    },
    /** Does nothing if another process holds the name. */
    async release(): Promise<void> {
      await sql`delete from claims where ${isHeldByUs}`.execute(db);
    },
  };
}
