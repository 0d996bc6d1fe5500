import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Account, CredentialStore } from './credentials.ts';
import { saveWorkspace } from './workspaces.ts';

interface OpenWorkspaceOptions {
  db: Kysely<Schema>;
  credentials: CredentialStore;
  workspace: { id: string; name: string };
  account: Account & { id: string; dailyCalls: number | undefined };
  now: Date;
}

/** Stores the workspace and its account as the settings have them. True for a new workspace. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<boolean> {
  const { db, credentials, workspace, account, now } = options;
  const existing = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspace.id)
    .executeTakeFirst();
  await saveWorkspace(db, { ...workspace, now });
  await credentials.save({ ...account, workspaceId: workspace.id }, now);
  await credentials.renewSeals(now);
  return existing === undefined;
}
