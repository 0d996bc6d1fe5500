import type { WorkspaceStore } from '../database/workspace-store.ts';

/** Makes the second of two concurrent changes wait, so it sees what the first one wrote. Call it in a transaction. */
export async function lockWorkspace(transaction: WorkspaceStore): Promise<void> {
  // A stronger lock would hold up every insert that refers to the workspace.
  await transaction.selectFrom('workspaces').select('id').forNoKeyUpdate().execute();
}
