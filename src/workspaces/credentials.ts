import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { SecretBox } from '../database/secrets.ts';

/** An account at the analytics service. */
export interface Account {
  baseUrl: string;
  apiKey: string;
  userId: string;
  password: string;
}

interface Credential extends Account {
  id: string;
  workspaceId: string;
  /** The number of requests per day that background work may make; undefined for no limit. */
  dailyCalls: number | undefined;
}

export type CredentialStore = ReturnType<typeof createCredentialStore>;

/** Key, user id and password are sealed together, so none of them is readable in the table. */
export function createCredentialStore({ db, box }: { db: Kysely<Schema>; box: SecretBox }) {
  const place = (id: string) => ({ table: 'credentials', row: id, column: 'sealed_account' });

  const open = (id: string, sealed: string): Omit<Account, 'baseUrl'> =>
    JSON.parse(box.open(sealed, place(id)));

  async function find(id: string): Promise<Credential | undefined> {
    const row = await db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    return {
      id,
      workspaceId: row.workspace_id,
      baseUrl: row.base_url,
      dailyCalls: row.daily_calls ?? undefined,
      ...open(id, row.sealed_account),
    };
  }

  return {
    find,
    /** Inserts or replaces. A changed account loses its token and its probability scale. */
    async save(credential: Credential, now: Date): Promise<void> {
      const { id, workspaceId, baseUrl, apiKey, userId, password, dailyCalls } = credential;
      const stored = await find(id);
      const isSameAccount = isDeepStrictEqual(stored, { ...stored, baseUrl, apiKey, userId, password });
      const values = {
        base_url: baseUrl,
        sealed_account: box.seal(JSON.stringify({ apiKey, userId, password }), place(id)),
        daily_calls: dailyCalls ?? null,
        updated_at: now,
        ...(isSameAccount ? {} : { probability_scale: null }),
      };
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('credentials')
          .values({ id, workspace_id: workspaceId, probability_scale: null, ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute();
        if (!isSameAccount) await transaction.deleteFrom('tokens').where('credential_id', '=', id).execute();
      });
    },
    /** Seals again what an older key sealed; returns the number of accounts. */
    async renewSeals(now: Date): Promise<number> {
      const rows = await db.selectFrom('credentials').select(['id', 'sealed_account']).execute();
      const outdated = rows.filter((row) => box.isOutdated(row.sealed_account));
      for (const { id, sealed_account } of outdated) {
        await db
          .updateTable('credentials')
          .set({ sealed_account: box.seal(box.open(sealed_account, place(id)), place(id)), updated_at: now })
          .where('id', '=', id)
          .where('sealed_account', '=', sealed_account)
          .execute();
      }
      return outdated.length;
    },
    /** Has this account ever sent percentages? */
    async isPercent(id: string): Promise<boolean> {
      const query = db.selectFrom('credentials').select('probability_scale').where('id', '=', id);
      return (await query.executeTakeFirst())?.probability_scale === 'percent';
    },
    async rememberPercent(id: string): Promise<void> {
      const values = { probability_scale: 'percent' };
      await db.updateTable('credentials').set(values).where('id', '=', id).execute();
    },
  };
}
