import type { Kysely } from 'kysely';
import type { TokenRecord, TokenStore } from '../analytics/token-store.ts';
import { createLease } from '../database/leases.ts';
import type { Schema } from '../database/schema.ts';
import type { SecretBox } from '../database/secrets.ts';

/** One row per account. The process that logs in holds a lease meanwhile. */
export function createDatabaseTokenStore(options: {
  db: Kysely<Schema>;
  box: SecretBox;
  workspaceId: string;
  credentialId: string;
}): TokenStore {
  const { db, box, workspaceId, credentialId } = options;
  const place = { table: 'tokens', row: credentialId, column: 'sealed_record' };
  const key = { credential_id: credentialId, workspace_id: workspaceId };

  const stored = db.selectFrom('tokens').select('sealed_record').where('credential_id', '=', credentialId);
  const readSealed = async () => (await stored.executeTakeFirst())?.sealed_record;
  const change = db.updateTable('tokens').where('credential_id', '=', credentialId);

  const leaseOf = (token: string) => createLease(db, { workspaceId, key: `login ${credentialId}`, token });

  function open(sealed: string | undefined): TokenRecord | undefined {
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
        .values({ ...key, sealed_record })
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
    acquireLease: ({ holder, ttlMs }) => leaseOf(holder).acquire(ttlMs),
    releaseLease: (holder) => leaseOf(holder).release(),
  };
}
