import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Makes the workspace known, or keeps the one that is; its name may have changed. */
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

/** Everything that is kept of it goes too (the app was uninstalled). */
export async function forgetWorkspace(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('workspaces').where('id', '=', id).execute();
}
