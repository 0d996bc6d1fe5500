import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A name that one process at a time may have, over HTTP too: a row with a lease, not a lock. */
interface ClaimName {
  workspaceId: string;
  /** As `watch.add C024BE7LR`. */
  key: string;
  /** New for every claim. */
  holder: string;
}

interface Lease {
  realNow: Date;
  leaseMs: number;
}

/**
 * False while somebody else has it. Who dies without giving it back loses it after `leaseMs` of the real clock;
 * a lease that ends more than two of them ahead was made by a clock that has been set back since: it does not hold.
 */
export async function takeClaim(
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

/** Its lease begins anew. False when somebody else has had it meanwhile. */
export async function keepClaim(
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

/** Somebody else's stays as it is. */
export async function giveClaimBack(
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
