import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Account, CredentialStore } from './credentials.ts';

/** Saves the workspace and its account. True for a new workspace. */
export async function saveWorkspace(
  { db, credentials, now }: { db: Kysely<Schema>; credentials: CredentialStore; now: Date },
  { id, name }: { id: string; name: string },
  account: Account & { id: string; dailyCalls: number | undefined },
): Promise<boolean> {
  const existing = await db.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst();
  await db
    .insertInto('workspaces')
    .values({ id, name, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name }))
    .execute();
  await credentials.save({ ...account, workspaceId: id }, now);
  await credentials.renewSeals(now);
  return existing === undefined;
}

/** Deletes the workspace and everything that is stored about it. */
export async function forgetWorkspace(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', id).execute();
}
