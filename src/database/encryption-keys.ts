import { randomBytes } from 'node:crypto';
import { access, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeOf, StoreError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { SecretBox } from './secrets.ts';
import { type AllWorkspaces, acrossWorkspaces } from './workspace-store.ts';

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

/** The sealed columns, with the key columns of their rows. A login's token is sealed anew at its next login. */
const keyColumns = {
  'accounts.sealed_account': 'workspace_id',
  'installations.sealed_token': 'id',
} as const;

/** How many secrets are stored, and how many of them no key opens. */
export async function countSecrets(
  db: AllWorkspaces,
  box: SecretBox,
): Promise<{ stored: number; unreadable: number }> {
  let [stored, unreadable] = [0, 0];
  for await (const { sealed, place } of readSealed(db)) {
    stored += 1;
    try {
      box.open(sealed, place);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      unreadable += 1;
    }
  }
  return { stored, unreadable };
}

async function* readSealed(db: AllWorkspaces) {
  for (const [name, keyColumn] of Object.entries(keyColumns)) {
    const [table = '', column = ''] = name.split('.');
    const { rows } = await sql<{ row: string; sealed: string }>`
      select ${sql.ref(keyColumn)} as row, ${sql.ref(column)} as sealed
      from ${sql.table(table)} where ${sql.ref(column)} is not null ${acrossWorkspaces('seals')}`.execute(db);
    for (const { row, sealed } of rows) yield { keyColumn, sealed, place: { table, row, column } };
  }
}

/**
 * Seals again what an older key sealed, and returns the number of values. Leaves out what another process changes
 * meanwhile. Throws StoreError if no key opens a value.
 */
export async function renewSeals(db: AllWorkspaces, box: SecretBox): Promise<number> {
  let renewed = 0;
  for await (const { keyColumn, sealed, place } of readSealed(db)) {
    if (!box.isOutdated(sealed)) continue;
    const { table, row, column } = place;
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${box.seal(box.open(sealed, place), place)}
      where ${sql.ref(keyColumn)} = ${row} and ${sql.ref(column)} = ${sealed}
      ${acrossWorkspaces('seals')}`.execute(db);
    renewed += Number(numAffectedRows);
  }
  return renewed;
}
