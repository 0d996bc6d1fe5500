import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { SecretBox } from '../database/secrets.ts';

/** As analytics/token-store.ts has it: what is kept of one account's login. Times in milliseconds, real clock. */
interface TokenRecord {
  credential: string;
  token?: { token: string; obtainedAt: number; expiresAt?: number | undefined } | undefined;
  refusal?: { until: number; times: number } | undefined;
}

/** Fits the token manager's TokenStore, without knowing the client. */
interface DatabaseTokenStore {
  read(): Promise<TokenRecord | undefined>;
  write(record: TokenRecord): Promise<void>;
  discard(token: string): Promise<void>;
  acquireLease(lease: { holder: string; ttlMs: number }): Promise<boolean>;
  releaseLease(holder: string): Promise<void>;
}

interface TokenStoreOptions {
  db: Kysely<Schema>;
  box: SecretBox;
  workspaceId: string;
  credentialId: string;
  /** Milliseconds on the real clock. */
  realNow?: () => number;
}

/**
 * One row per account, the record sealed. Who may log in is a lease in that row: no transaction and no
 * lock is held while somebody talks to the service.
 */
export function createDatabaseTokenStore(options: TokenStoreOptions): DatabaseTokenStore {
  const { db, box, workspaceId, credentialId, realNow = Date.now } = options;
  const place = { table: 'tokens', row: credentialId, column: 'sealed_record' };
  const key = { credential_id: credentialId, workspace_id: workspaceId };

  const row = () =>
    db
      .selectFrom('tokens')
      .select('sealed_record')
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();

  function open(sealed: string | null | undefined): TokenRecord | undefined {
    // It was sealed by write() below; who can change it has the key.
    return sealed ? (JSON.parse(box.open(sealed, place)) as TokenRecord) : undefined;
  }

  const seal = (record: TokenRecord) => box.seal(JSON.stringify(record), place);

  return {
    read: async () => open((await row())?.sealed_record),
    async write(record) {
      const sealed_record = seal(record);
      await db
        .insertInto('tokens')
        .values({ ...key, sealed_record, lease_holder: null, lease_until: null })
        .onConflict((conflict) => conflict.column('credential_id').doUpdateSet({ sealed_record }))
        .execute();
    },
    /** Only if the row is still as it was read: a token that came meanwhile stays. */
    async discard(token) {
      const sealed = (await row())?.sealed_record;
      const record = open(sealed);
      if (!sealed || record?.token?.token !== token) return;
      await db
        .updateTable('tokens')
        .set({ sealed_record: seal({ ...record, token: undefined }) })
        .where('credential_id', '=', credentialId)
        .where('sealed_record', '=', sealed)
        .execute();
    },
    /** One more than two leases ahead was made by a clock set back since; a little ahead, by a clock that differs. */
    async acquireLease({ holder, ttlMs }) {
      const now = realNow();
      const until = new Date(now + ttlMs);
      const impossible = new Date(now + 2 * ttlMs);
      const { rows } = await sql`
        insert into tokens (credential_id, workspace_id, lease_holder, lease_until)
        values (${credentialId}, ${workspaceId}, ${holder}, ${until})
        on conflict (credential_id) do update set lease_holder = ${holder}, lease_until = ${until}
        where tokens.lease_holder is null or tokens.lease_holder = ${holder}
          or tokens.lease_until <= ${new Date(now)} or tokens.lease_until > ${impossible}
        returning credential_id`.execute(db);
      return rows.length === 1;
    },
    async releaseLease(holder) {
      await db
        .updateTable('tokens')
        .set({ lease_holder: null, lease_until: null })
        .where('credential_id', '=', credentialId)
        .where('lease_holder', '=', holder)
        .execute();
    },
  };
}
