import type { Config } from '../config/config.ts';
import { connectDatabase, type Database } from '../database/connect.ts';
import {
  createSecretBox,
  holdsSecrets,
  loadEncryptionKeys,
  renewSeals,
  type SecretBox,
} from '../database/secrets.ts';
import type { WorkCtx } from '../features/ctx.ts';
import { saveNames } from '../features/vessels/vessel-names.ts';
import type { Logger } from '../log.ts';
import type { Measure } from '../measure.ts';
import { isImo } from '../reference/codes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { finishUninstalls } from '../workspaces/workspaces.ts';

/** The open database, with the box that seals its secrets. */
export interface Store extends Database {
  box: SecretBox;
}

/** Throws StoreError if the database can't be opened, is in use, or is newer than this code. */
export async function openStore(options: {
  config: Config;
  logger: Logger;
  measure?: Measure;
  connect?: typeof connectDatabase;
}): Promise<Store> {
  const { config, logger, measure, connect = connectDatabase } = options;
  const { databaseUrl: url, storeDir: dataDir, encryptionKey: setting } = config;
  const database = await connect({ url, dataDir, logger, measure });
  const { db, close } = database;
  try {
    // Before Slack is asked, which refuses the token of a workspace that was uninstalled. Installed again, it starts anew.
    await finishUninstalls(db);
    const hasSecrets = () => holdsSecrets(db);
    const keys = await loadEncryptionKeys({ setting, dataDir, hasSecrets, logger });
    const box = createSecretBox(keys);
    await renewSeals(db, box);
    return { ...database, box };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A new workspace gets the names of the sandbox's vessels. */
export async function storeVesselNames(sandbox: Sandbox, ctx: WorkCtx): Promise<void> {
  const { store, realNow } = ctx.services;
  const query = store.selectFrom('workspaces').select('names_revision');
  if ((await query.executeTakeFirst())?.names_revision !== 0) return;
  const names = sandbox.vessels.flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
  const by = { actorId: 'landfall', now: new Date(realNow()) };
  await saveNames(names, { source: { kind: 'first' } }, by, ctx);
}
