import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Makes the second of two concurrent changes wait, so it sees what the first one wrote. Call it in a transaction. */
export async function lockWorkspace(transaction: Kysely<Schema>, workspaceId: string): Promise<void> {
  // A stronger lock would hold up every insert that refers to the workspace.
  const row = transaction.selectFrom('workspaces').select('id').where('id', '=', workspaceId);
  await row.forNoKeyUpdate().execute();
}
