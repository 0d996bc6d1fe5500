import { randomUUID } from 'node:crypto';
import { createFallbackTokenStore, createMemoryTokenStore } from '../analytics/token-store.ts';
import type { Config } from '../config/config.ts';
import { connectDatabase, type Database } from '../database/connect.ts';
import { holdsSecrets, loadEncryptionKeys } from '../database/encryption-keys.ts';
import { createSecretBox, type SecretBox } from '../database/secrets.ts';
import { createVesselNames } from '../features/vessels/vessel-names.ts';
import type { Logger } from '../log.ts';
import { isImo } from '../reference/imo.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Installation } from '../slack/connection/installation.ts';
import { createCredentialStore } from '../workspaces/credentials.ts';
import { createDatabaseTokenStore } from '../workspaces/token-store.ts';
import { finishUninstalls, saveWorkspace } from '../workspaces/workspaces.ts';
import { accountFor } from './service.ts';

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
    return { ...database, box: createSecretBox(keys) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Saves the workspace and its account, both from the settings. */
export async function openWorkspaceStore(options: {
  config: Config;
  store: Store;
  sandbox: Sandbox | undefined;
  installation: Installation;
  realNow: () => number;
  logger: Logger;
}) {
  const { config, store, sandbox, installation, realNow, logger } = options;
  const { db, box } = store;
  const { teamId: workspaceId, teamName: name } = installation;
  const { baseUrl, apiKey, credentials: login } = accountFor(config, sandbox);
  const { dailyCalls } = config.watches;
  const credentialId = `${workspaceId}/${sandbox ? 'sandbox' : 'service'}`;
  const credentials = createCredentialStore({ db, box });
  const now = new Date(realNow());
  const account = { id: credentialId, baseUrl, apiKey, ...login, dailyCalls };
  const isNew = await saveWorkspace({ db, credentials, now }, { id: workspaceId, name }, account);
  if (isNew && sandbox) {
    const names = sandbox.vessels.flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
    const stored = createVesselNames({ db, workspaceId, newId: randomUUID, realNow });
    await stored.save(names, { actorId: 'landfall', now }, { kind: 'first' });
  }
  return {
    workspaceId,
    tokenStore: createFallbackTokenStore({
      main: createDatabaseTokenStore({ db, box, workspaceId, credentialId }),
      spare: createMemoryTokenStore({ realNow }),
      logger,
    }),
    scaleMemory: {
      isPercent: await credentials.isPercent(credentialId),
      /** If the write fails, the scale is detected again after the next restart. */
      rememberPercent: () =>
        void credentials
          .rememberPercent(credentialId)
          .catch((error: unknown) => logger.warn({ err: error }, 'the probability scale was not saved')),
    },
  };
}
