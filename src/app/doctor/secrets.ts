import { stat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { exists, holdsSecrets, keyPath, readEncryptionKeys } from '../../database/encryption-keys.ts';
import { countSecrets } from '../../database/renew-seals.ts';
import { createSecretBox } from '../../database/secrets.ts';
import { StoreError } from '../../database/store-error.ts';
import type { AllWorkspaces } from '../../database/workspace-store.ts';
import { type Finding, fail, pass, warn } from './finding.ts';

/** Whether the encryption key opens what is stored. Without a database, only the key itself is read. */
export async function checkSecrets(config: Config, db?: AllWorkspaces): Promise<Finding[]> {
  const { encryptionKey: setting, databaseUrl, storeDir } = config;
  const dataDir = databaseUrl === undefined ? storeDir : undefined;
  const path = setting === undefined && dataDir !== undefined ? keyPath(dataDir) : undefined;
  try {
    const keys = await readEncryptionKeys({ setting, dataDir });
    const file = path !== undefined && (await exists(path)) ? await checkFile(path) : [];
    if (keys) return [...file, ...(db ? [await tryKeys(db, keys)] : [])];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [fail(error.message, restore)];
  }
  if (db && (await holdsSecrets(db)))
    return [fail(`Secrets are stored, and their key ${path ?? ''} is missing`, restore)];
  return [pass('The next start creates the encryption key; store a copy apart from the backups')];
}

const restore =
  'Copy the encryption.key of that time back, or add the old key to LANDFALL_ENCRYPTION_KEY after the new one, with a comma between.';

async function tryKeys(db: AllWorkspaces, keys: [Buffer, ...Buffer[]]): Promise<Finding> {
  const { stored, unreadable } = await countSecrets(db, createSecretBox(keys));
  if (unreadable > 0)
    return fail(`The encryption key opens only ${stored - unreadable} of ${stored} stored secrets`, restore);
  if (stored === 0) return pass('The encryption key is there; no secrets are stored yet');
  return pass(
    `The encryption key opens ${stored === 1 ? 'the stored secret' : `all ${stored} stored secrets`}`,
  );
}

/** Windows has no such permissions. */
async function checkFile(path: string): Promise<Finding[]> {
  const { mode } = await stat(path);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  const octal = (mode & 0o777).toString(8).padStart(3, '0');
  return [warn(`Other users of this machine can read ${path} (mode ${octal})`, `chmod 600 ${path}`)];
}
