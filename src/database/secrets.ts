import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { access, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeOf, StoreError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type AllWorkspaces, acrossWorkspaces } from './workspace-store.ts';

/** The place where a secret is stored. A sealed value that is copied to another place does not open there. */
interface Place {
  table: string;
  row: string;
  column: string;
}

export type SecretBox = ReturnType<typeof createSecretBox>;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Each key has 32 bytes; the first seals, all open. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]) {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const [sealing] = keys;
  return {
    /** AES-256-GCM under the first key, as `v1.<key id>.<nonce>.<ciphertext and tag>`. */
    seal(plain: string, place: Place): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealing, nonce).setAAD(placeBytes(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', keyId(sealing), nonce.toString('base64url'), body.toString('base64url')].join('.');
    },
    /** Throws StoreError if no key fits, or if the value was changed or moved. */
    open(sealed: string, place: Place): string {
      const { id, nonce, body } = split(sealed, place);
      const key = byId.get(id);
      if (!key) {
        throw new StoreError(
          `A secret in ${place.table} was written under key ${id}, and that key is not given. Copy the encryption.key ` +
            'of that time back into the data directory, or add the old key to LANDFALL_ENCRYPTION_KEY after the new one, ' +
            'separated by a comma.',
        );
      }
      try {
        const tag = body.subarray(-tagBytes);
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
        decipher.setAAD(placeBytes(place)).setAuthTag(tag);
        return decipher.update(body.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new StoreError(`A secret in ${place.table} can't be read: it was changed or moved`, { cause });
      }
    },
    /** Keys for another purpose, one from each key and in their order. They reveal nothing of the keys. */
    deriveKeys(purpose: string): [Buffer, ...Buffer[]] {
      const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', `landfall ${purpose}`, 32));
      const [first, ...others] = keys;
      return [derive(first), ...others.map(derive)];
    },
    /** True if another key than the first sealed it: seal it again to finish a rotation. */
    isOutdated: (sealed: string): boolean => sealed.split('.')[1] !== keyId(sealing),
  };
}

/** Eight characters that identify a key without revealing it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('landfall key id\n').update(key).digest('hex').slice(0, 8);
}

/** In JSON the three parts stay apart, whatever characters they contain. */
function placeBytes({ table, row, column }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, row, column]));
}

function split(sealed: string, { table }: Place): { id: string; nonce: Buffer; body: Buffer } {
  const [version, id, nonce, body] = sealed.split('.');
  if (version !== 'v1' || !id || !nonce || !body) {
    throw new StoreError(`A secret in ${table} is not in a form that this version can read`);
  }
  return { id, nonce: Buffer.from(nonce, 'base64url'), body: Buffer.from(body, 'base64url') };
}

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
