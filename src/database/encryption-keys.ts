import { randomBytes } from 'node:crypto';
import { access, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { acrossWorkspaces } from './across-workspaces.ts';
import { StoreError } from './store-error.ts';
import type { AllWorkspaces } from './workspace-store.ts';

const keyBytes = 32;

/**
 * Returns the keys: the first one encrypts, all of them decrypt. Without the setting, a key file is created that only its owner
 * can read; a shared database needs the setting. Throws StoreError, which never shows a key.
 */
export async function loadEncryptionKeys(options: {
  /** LANDFALL_ENCRYPTION_KEY: one or several keys of 32 bytes, in hex or base64, separated by commas. */
  setting?: string | undefined;
  /** Several processes may use the store, and all need the key. */
  isShared: boolean;
  /** If undefined, neither the store nor a key is written to disk. */
  dataDir?: string | undefined;
  /** If the store holds sealed secrets, no new key is made. */
  hasSecrets: () => Promise<boolean>;
  logger: Logger;
}): Promise<[Buffer, ...Buffer[]]> {
  const { setting, isShared, dataDir, hasSecrets, logger } = options;
  if (setting?.trim()) return parseEncryptionKeys(setting);
  if (isShared) {
    throw new StoreError(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed, to seal tokens and passwords. ' +
        'Make one with: openssl rand -base64 32',
    );
  }
  if (dataDir === undefined) return [randomBytes(keyBytes)];
  const path = keyPath(dataDir);
  if (!(await exists(path)) && (await hasSecrets())) {
    throw new StoreError(
      `The store holds secrets that were sealed by a key, and ${path} is missing. ` +
        'Copy the encryption.key that belongs to them to this place, or set LANDFALL_ENCRYPTION_KEY to what it holds.',
    );
  }
  return [await readOrCreateKey(path, logger)];
}

/** The keys as they are, for tools; undefined if there is no key file yet. Throws StoreError, as above. */
export async function readEncryptionKeys({
  setting,
  dataDir,
}: {
  setting: string | undefined;
  dataDir: string | undefined;
}): Promise<[Buffer, ...Buffer[]] | undefined> {
  if (setting?.trim()) return parseEncryptionKeys(setting);
  const path = dataDir === undefined ? undefined : keyPath(dataDir);
  return path !== undefined && (await exists(path)) ? [await readKey(path)] : undefined;
}

export const keyPath = (dataDir: string): string => join(dataDir, 'encryption.key');

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** True if the store holds anything that needs the encryption key. */
export async function holdsSecrets(db: AllWorkspaces): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts union all select 1 from logins where sealed_record is not null
    union all select 1 from installations limit 1 ${acrossWorkspaces('seals')}`.execute(db);
  return rows.length > 0;
}

/** Throws StoreError, which names a faulty key by its position. */
export function parseEncryptionKeys(setting: string): [Buffer, ...Buffer[]] {
  const [first = '', ...others] = setting.split(',');
  return [parseKey(first, 1), ...others.map((text, index) => parseKey(text, index + 2))];
}

function parseKey(untrimmed: string, position: number): Buffer {
  const text = untrimmed.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!isHex && !isBase64) {
    throw new StoreError(
      `Key ${position} of LANDFALL_ENCRYPTION_KEY should be 32 bytes in base64 or hex: openssl rand -base64 32`,
    );
  }
  return Buffer.from(text, isHex ? 'hex' : 'base64');
}

async function readOrCreateKey(path: string, logger: Logger): Promise<Buffer> {
  try {
    await writeFile(path, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    logger.info({ path }, 'created an encryption key for the store; store a copy with your backups');
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    await chmod(path, 0o600);
    logger.warn({ path }, 'other users could read the encryption key; its permissions are corrected');
  }
  return await readKey(path);
}

async function readKey(path: string): Promise<Buffer> {
  try {
    return parseKey(await readFile(path, 'utf8'), 1);
  } catch (cause) {
    throw new StoreError(`${path} does not hold a key of 32 bytes in base64: restore it from a copy`, {
      cause,
    });
  }
}
