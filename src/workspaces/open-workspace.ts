import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { VesselNames } from '../features/vessels/vessel-names.ts';
import type { NamedVessel } from '../grammar/vessel-directory.ts';
import type { Account, CredentialStore } from './credentials.ts';
import { saveWorkspace } from './workspaces.ts';

export interface OpenWorkspaceOptions {
  db: Kysely<Schema>;
  credentials: CredentialStore;
  names: Pick<VesselNames, 'save'>;
  workspace: { id: string; name: string };
  account: Account & { id: string; dailyCalls: number | undefined };
  /** Names that a new workspace starts with. */
  firstNames: readonly NamedVessel[];
  now: Date;
}

/** What every other row hangs on: the workspace and its account, as the settings have them now. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<void> {
  const { db, credentials, names, workspace, account, firstNames, now } = options;
  const known = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspace.id)
    .executeTakeFirst();
  await saveWorkspace(db, { ...workspace, now });
  await credentials.save({ ...account, workspaceId: workspace.id }, now);
  await credentials.renewSeals(now);
  if (known || firstNames.length === 0) return;
  await names.save(firstNames, { workspaceId: workspace.id, actorId: 'landfall', now }, { kind: 'first' });
}
