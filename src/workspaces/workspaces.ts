import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Inserts the workspace, or updates its name. */
export async function saveWorkspace(
  db: Kysely<Schema>,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<void> {
  await db
    .insertInto('workspaces')
    .values({ id, name, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name }))
    .execute();
}

/** Deletes everything that is stored of the workspace, too. */
export async function forgetWorkspace(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', id).execute();
}
