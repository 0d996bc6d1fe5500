import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { connectDatabase, type Database } from '../database/connect.ts';
import { holdsSecrets, loadEncryptionKeys } from '../database/encryption-keys.ts';
import { renewSeals } from '../database/renew-seals.ts';
import { createSecretBox, type SecretBox } from '../database/secrets.ts';
import { createVesselNames } from '../features/vessels/vessel-names.ts';
import type { Logger } from '../log.ts';
import { isImo } from '../reference/imo.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Installation } from '../slack/connection/installation.ts';
import { finishUninstalls, saveWorkspace } from '../workspaces/workspaces.ts';

/** The open database, with the box that seals its secrets. */
export interface Store extends Database {
  box: SecretBox;
}

/** Throws StoreError if the database can't be opened, is in use, or is newer than this code. */
export async function openStore(options: {
  config: Config;
  logger: Logger;
  connect?: typeof connectDatabase;
}): Promise<Store> {
  const { config, logger, connect = connectDatabase } = options;
  const { databaseUrl: url, storeDir: dataDir, encryptionKey: setting } = config;
  const database = await connect({ url, dataDir, logger });
  const { db, close } = database;
  try {
    // Before Slack is asked, which refuses the token of a workspace that was uninstalled. Installed again, it starts anew.
    await finishUninstalls(db);
    const hasSecrets = () => holdsSecrets(db);
    const isShared = url !== undefined;
    const keys = await loadEncryptionKeys({ setting, isShared, dataDir, hasSecrets, logger });
    const box = createSecretBox(keys);
    await renewSeals(db, box);
    return { ...database, box };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds the workspace. With the sandbox, a new one gets the names of the invented vessels. */
export async function openWorkspaceStore(options: {
  store: Store;
  sandbox: Sandbox | undefined;
  installation: Installation;
  realNow: () => number;
}): Promise<void> {
  const { store, sandbox, installation, realNow } = options;
  const { db } = store;
  const { teamId: workspaceId, teamName: name } = installation;
  const now = new Date(realNow());
  const isNew = await saveWorkspace(db, { id: workspaceId, name, now });
  if (!isNew || !sandbox) return;
  const names = sandbox.vessels.flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
  const stored = createVesselNames({ db, workspaceId, newId: randomUUID, realNow });
  await stored.save(names, { actorId: 'landfall', now }, { kind: 'first' });
}
