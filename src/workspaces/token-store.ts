import { type Kysely, sql } from 'kysely';
import type { TokenRecord, TokenStore } from '../analytics/token-store.ts';
import type { Schema } from '../database/schema.ts';
import type { SecretBox } from '../database/secrets.ts';

/** One row per account: the sealed record, and the lease of the process that logs in. */
export function createDatabaseTokenStore(options: {
  db: Kysely<Schema>;
  box: SecretBox;
  workspaceId: string;
  credentialId: string;
  realNow?: () => number;
}): TokenStore {
  const { db, box, workspaceId, credentialId, realNow = Date.now } = options;
  const place = { table: 'tokens', row: credentialId, column: 'sealed_record' };
  const key = { credential_id: credentialId, workspace_id: workspaceId };

  const stored = db.selectFrom('tokens').select('sealed_record').where('credential_id', '=', credentialId);
  const readSealed = async () => (await stored.executeTakeFirst())?.sealed_record;
  const change = db.updateTable('tokens').where('credential_id', '=', credentialId);

  function open(sealed: string | null | undefined): TokenRecord | undefined {
    // write() below sealed it; only a holder of the key can change it.
    return sealed ? (JSON.parse(box.open(sealed, place)) as TokenRecord) : undefined;
  }

  const seal = (record: TokenRecord) => box.seal(JSON.stringify(record), place);

  return {
    read: async () => open(await readSealed()),
    async write(record) {
      const sealed_record = seal(record);
      await db
        .insertInto('tokens')
        .values({ ...key, sealed_record, lease_holder: null, lease_until: null })
        .onConflict((conflict) => conflict.column('credential_id').doUpdateSet({ sealed_record }))
        .execute();
    },
    /** Changes nothing if another token has been stored. */
    async discard(token) {
      const sealed = await readSealed();
      const record = open(sealed);
      if (!sealed || record?.token?.token !== token) return;
      const sealed_record = seal({ ...record, token: undefined });
      await change.set({ sealed_record }).where('sealed_record', '=', sealed).execute();
    },
    /** A lease that ends more than two lease times from now dates from before a clock rollback and does not count. */
    async acquireLease({ holder, ttlMs }) {
      const now = realNow();
      const until = new Date(now + ttlMs);
      const maxLeaseUntil = new Date(now + 2 * ttlMs);
      const { rows } = await sql`
        insert into tokens (credential_id, workspace_id, lease_holder, lease_until)
        values (${credentialId}, ${workspaceId}, ${holder}, ${until})
        on conflict (credential_id) do update set lease_holder = ${holder}, lease_until = ${until}
        where tokens.lease_holder is null or tokens.lease_holder = ${holder}
          or tokens.lease_until <= ${new Date(now)} or tokens.lease_until > ${maxLeaseUntil}
        returning credential_id`.execute(db);
      return rows.length === 1;
    },
    async releaseLease(holder) {
      const released = { lease_holder: null, lease_until: null };
      await change.set(released).where('lease_holder', '=', holder).execute();
    },
  };
}
