import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createFallbackTokenStore } from '../analytics/fallback-token-store.ts';
import type { ScaleMemory } from '../analytics/probability-scale.ts';
import { createMemoryTokenStore, type TokenStore } from '../analytics/token-store.ts';
import type { AnalyticsConfig, Config } from '../config.ts';
import { serveBackups } from '../database/backup-socket.ts';
import { connectDatabase } from '../database/connect.ts';
import { loadEncryptionKeys } from '../database/encryption-keys.ts';
import { holdsSecrets } from '../database/holds-secrets.ts';
import type { Logger } from '../database/logger.ts';
import type { Schema } from '../database/schema.ts';
import { createSecretBox, type SecretBox } from '../database/secrets.ts';
import { createFleets, type Fleets } from '../features/vessels/fleets.ts';
import { createVesselNames, type VesselNames } from '../features/vessels/vessel-names.ts';
import type { NamedVessel, VesselDirectory } from '../grammar/vessel-directory.ts';
import { exampleVessels } from '../reference/vessels.ts';
import { type CredentialStore, createCredentialStore } from '../workspaces/credentials.ts';
import { openWorkspace } from '../workspaces/open-workspace.ts';
import { createDatabaseTokenStore } from '../workspaces/token-store.ts';

/** The opened database, and what all of a workspace's parts are built on. */
export interface Store {
  db: Kysely<Schema>;
  engine: 'embedded' | 'postgres';
  box: SecretBox;
  names: VesselNames;
  fleets: Fleets;
  close(): Promise<void>;
}

/** Throws StoreError when the database can't be opened, is in use, or is newer than this code. */
export async function openStore(
  config: Config,
  {
    logger,
    realNow,
    connect = connectDatabase,
  }: { logger: Logger; realNow: () => number; connect?: typeof connectDatabase },
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
      names: createVesselNames({ db, examples: exampleVessels, newId: randomUUID, realNow }),
      fleets: createFleets({ db, newId: randomUUID }),
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

/** One workspace with its account. */
export interface WorkspaceStore {
  workspaceId: string;
  credentialId: string;
  tokenStore: TokenStore;
  scaleMemory: ScaleMemory;
  /** The vessel names as they are now; those last known while the database does not answer. */
  directory(): Promise<VesselDirectory>;
}

export interface WorkspaceOptions {
  store: Store;
  workspace: { id: string; name: string };
  account: AnalyticsConfig;
  source: 'service' | 'sandbox';
  dailyCalls: number | undefined;
  firstNames: readonly NamedVessel[];
  realNow: () => number;
  logger: Logger;
}

/** Makes the workspace and its account known to the store, as the settings have them. */
export async function openWorkspaceStore(options: WorkspaceOptions): Promise<WorkspaceStore> {
  const { store, workspace, account, source, dailyCalls, firstNames, realNow, logger } = options;
  const { db, box, names } = store;
  const { baseUrl, apiKey, credentials: login } = account;
  const credentialId = `${workspace.id}/${source}`;
  const credentials = createCredentialStore({ db, box });
  await openWorkspace({
    db,
    credentials,
    names,
    workspace,
    account: { id: credentialId, baseUrl, apiKey, ...login, dailyCalls },
    firstNames,
    now: new Date(realNow()),
  });
  const key = { workspaceId: workspace.id, credentialId };
  return {
    ...key,
    tokenStore: createFallbackTokenStore({
      main: createDatabaseTokenStore({ db, box, ...key, realNow }),
      spare: createMemoryTokenStore({ realNow }),
      logger,
    }),
    scaleMemory: await openScaleMemory(credentials, { credentialId, logger }),
    directory: await openDirectory(names, { workspaceId: workspace.id, logger }),
  };
}

/** Read once, written when percent is first seen; that it could not be written costs one more look. */
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
        .catch((error: unknown) => logger.warn({ err: error }, 'the scale could not be kept'));
    },
  };
}

const directoryWaitMs = 1_000;

async function openDirectory(
  names: VesselNames,
  { workspaceId, logger }: { workspaceId: string; logger: Logger },
): Promise<() => Promise<VesselDirectory>> {
  let last = await names.directory(workspaceId);
  let reading: Promise<VesselDirectory> | undefined;
  return async () => {
    reading ??= names.directory(workspaceId).finally(() => {
      reading = undefined;
    });
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), directoryWaitMs);
    try {
      last = (await Promise.race([reading, late])) ?? last;
    } catch (error) {
      logger.warn({ err: error }, 'vessel names can not be read: going on with those last known');
    } finally {
      clearTimeout(timer);
    }
    return last;
  };
}
