import { sql } from 'kysely';
import type { WorkspaceStore } from '../database/workspace-store.ts';

/** Counts the changes of what people name (vessels, references, groups of ports, fleets), for those who keep it in memory. */
export async function readNamesRevision(store: WorkspaceStore): Promise<number> {
  const row = await store.selectFrom('workspaces').select('names_revision').executeTakeFirst();
  return row?.names_revision ?? 0;
}

/** Locks the workspace's row, so nobody else can change names until the commit: it comes before other locks. */
export async function incrementNamesRevision(store: WorkspaceStore): Promise<number> {
  const row = await store
    .updateTable('workspaces')
    .set({ names_revision: sql`names_revision + 1` })
    .returning('names_revision')
    .executeTakeFirst();
  return row?.names_revision ?? 0;
}
