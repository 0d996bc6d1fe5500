import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';

import type { ScaleMemory } from '../analytics/probability-scale.ts';
import {
  createFallbackTokenStore,
  createMemoryTokenStore,
  type TokenStore,
} from '../analytics/token-store.ts';
import type { AnalyticsConfig, Config } from '../config/config.ts';
import { serveBackups } from '../database/backup-socket.ts';
import { connectDatabase } from '../database/connect.ts';
import { holdsSecrets, loadEncryptionKeys } from '../database/encryption-keys.ts';
import type { Schema } from '../database/schema.ts';
import { createSecretBox, type SecretBox } from '../database/secrets.ts';
import { createVesselNames } from '../features/vessels/vessel-names.ts';
import type { NamedVessel } from '../grammar/vessel-directory.ts';
import type { Logger } from '../log.ts';
import { type CredentialStore, createCredentialStore } from '../workspaces/credentials.ts';
import { createDatabaseTokenStore } from '../workspaces/token-store.ts';
import { openWorkspace } from '../workspaces/workspaces.ts';

/** The open database, with the box that seals its secrets. */
export interface Store {
  db: Kysely<Schema>;
  engine: 'embedded' | 'postgres';
  box: SecretBox;
  close(): Promise<void>;
}

/** Throws StoreError when the database can't be opened, is in use, or is newer than this code. */
export async function openStore(
  config: Config,
  { logger, connect = connectDatabase }: { logger: Logger; connect?: typeof connectDatabase },
): Promise<Store> {
  const { storeDir: dataDir } = config;
  const { db, engine, close } = await connect({ url: config.databaseUrl, dataDir, logger });
  try {
    const hasSecrets = () => holdsSecrets(db);
    const keys = await loadEncryptionKeys({
      setting: config.encryptionKey,
      engine,
      dataDir,
      hasSecrets,
      logger,
    });
    const backups =
      engine === 'embedded' && dataDir ? await serveBackups({ db, dataDir, logger }) : undefined;
    return {
      db,
      engine,
      box: createSecretBox(keys),
      async close() {
        await backups?.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is stored of a workspace's account. */
export interface WorkspaceStore {
  workspaceId: string;
  credentialId: string;
  tokenStore: TokenStore;
  scaleMemory: ScaleMemory;
}

interface WorkspaceOptions {
  store: Store;
  workspace: { id: string; name: string };
  account: AnalyticsConfig;
  source: 'service' | 'sandbox';
  dailyCalls: number | undefined;
  firstNames: readonly NamedVessel[];
  realNow: () => number;
  logger: Logger;
}

/** Stores the workspace and its account as the settings have them. */
export async function openWorkspaceStore(options: WorkspaceOptions): Promise<WorkspaceStore> {
  const { store, workspace, account, source, dailyCalls, firstNames, realNow, logger } = options;
  const { db, box } = store;
  const { baseUrl, apiKey, credentials: login } = account;
  const credentialId = `${workspace.id}/${source}`;
  const credentials = createCredentialStore({ db, box });
  const isNew = await openWorkspace({
    db,
    credentials,
    workspace,
    account: { id: credentialId, baseUrl, apiKey, ...login, dailyCalls },
    now: new Date(realNow()),
  });
  if (isNew) await saveFirstNames(firstNames, { db, workspaceId: workspace.id, realNow });
  const key = { workspaceId: workspace.id, credentialId };
  return {
    ...key,
    tokenStore: createFallbackTokenStore({
      main: createDatabaseTokenStore({ db, box, ...key, realNow }),
      spare: createMemoryTokenStore({ realNow }),
      logger,
    }),
    scaleMemory: await openScaleMemory(credentials, { credentialId, logger }),
  };
}

/** Read once, written when a percentage is first seen. A failed write costs one more detection after a restart. */
async function openScaleMemory(
  credentials: CredentialStore,
  { credentialId, logger }: { credentialId: string; logger: Logger },
): Promise<ScaleMemory> {
  let percent = await credentials.isPercent(credentialId);
  return {
    isPercent: () => percent,
    rememberPercent() {
      percent = true;
      credentials
        .rememberPercent(credentialId)
        .catch((error: unknown) => logger.warn({ err: error }, 'the probability scale was not saved'));
    },
  };
}

/** A new workspace starts with the names of the sandbox's vessels. */
async function saveFirstNames(
  names: readonly NamedVessel[],
  { db, workspaceId, realNow }: { db: Kysely<Schema>; workspaceId: string; realNow: () => number },
): Promise<void> {
  if (names.length === 0) return;
  const by = { workspaceId, actorId: 'landfall', now: new Date(realNow()) };
  const stored = createVesselNames({ db, newId: randomUUID, realNow });
  await stored.save(names, by, { kind: 'first' });
}
