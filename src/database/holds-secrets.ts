import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Does the store hold anything that needs the encryption key? */
export async function holdsSecrets(db: Kysely<Schema>): Promise<boolean> {
  const account = await db
    .selectFrom('credentials')
    .select('id')
    .where('sealed_account', '<>', '')
    .limit(1)
    .executeTakeFirst();
  if (account) return true;
  const token = await db
    .selectFrom('tokens')
    .select('credential_id')
    .where('sealed_record', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return token !== undefined;
}
