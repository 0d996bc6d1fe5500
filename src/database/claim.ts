import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A name that one process at a time holds. It is a row with a lease, not a lock, so it may be held during HTTP calls. */
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

/**
 * False while another process holds it. A holder that dies loses it after `leaseMs` of the real clock. A lease that
 * ends more than two lease times from now dates from before a clock rollback and does not count.
 */
export async function acquireClaim(
  db: Kysely<Schema>,
  { workspaceId, key, holder }: ClaimName,
  { realNow, leaseMs }: Lease,
): Promise<boolean> {
  const until = new Date(realNow.getTime() + leaseMs);
  const impossible = new Date(realNow.getTime() + 2 * leaseMs);
  const { rows } = await sql`
    insert into claims (workspace_id, key, holder, lease_until)
    values (${workspaceId}, ${key}, ${holder}, ${until})
    on conflict (workspace_id, key) do update set holder = excluded.holder, lease_until = excluded.lease_until
    where claims.lease_until <= ${realNow} or claims.lease_until > ${impossible}
    returning key`.execute(db);
  return rows.length === 1;
}

/** Restarts the lease. False when somebody else has taken it meanwhile. */
export async function renewClaim(
  db: Kysely<Schema>,
  { workspaceId, key, holder }: ClaimName,
  { realNow, leaseMs }: Lease,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('claims')
    .set({ lease_until: new Date(realNow.getTime() + leaseMs) })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Does nothing to a claim that somebody else holds. */
export async function releaseClaim(
  db: Kysely<Schema>,
  { workspaceId, key, holder }: ClaimName,
): Promise<void> {
  await db
    .deleteFrom('claims')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute();
}
