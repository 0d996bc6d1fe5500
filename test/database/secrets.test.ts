import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox, loadEncryptionKeys, parseEncryptionKeys } from '../../src/database/secrets.ts';
import { createStoreLogger } from '../support/store-logger.ts';

const place = { table: 'tokens', row: 'account-1', column: 'sealed_record' };
const key = (fill: number) => Buffer.alloc(32, fill);

describe('the secret box', () => {
  it('opens what it sealed, whatever it was', () => {
    const box = createSecretBox([key(1)]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
        expect(box.open(box.seal(plain, place), place)).toBe(plain);
      }),
    );
  });

  it('never seals the same way twice, and reveals nothing of the plain text', () => {
    const box = createSecretBox([key(1)]);
    const [first, second] = [box.seal('hunter2', place), box.seal('hunter2', place)];
    expect(first).not.toBe(second);
    expect(first).not.toContain('hunter2');
  });

  it('does not open in another place, nor with a changed byte', () => {
    const box = createSecretBox([key(1)]);
    const sealed = box.seal('hunter2', place);
    for (const other of [{ table: 'x' }, { row: 'x' }, { column: 'x' }]) {
      expect(() => box.open(sealed, { ...place, ...other })).toThrow(
        "can't be read: it was changed or moved",
      );
    }
    const [version, id, nonce, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const text = [version, id, nonce, changed.toString('base64url')].join('.');
      expect(() => box.open(text, place)).toThrow('changed or moved');
    }
  });

  it('rotates: old values open under the added key, new ones are sealed under the first', () => {
    const old = createSecretBox([key(1)]).seal('hunter2', place);
    const rotated = createSecretBox([key(2), key(1)]);
    expect(rotated.open(old, place)).toBe('hunter2');
    expect(rotated.isOutdated(old)).toBe(true);
    const renewed = rotated.seal(rotated.open(old, place), place);
    expect(rotated.isOutdated(renewed)).toBe(false);
    expect(createSecretBox([key(2)]).open(renewed, place)).toBe('hunter2');
    expect(() => createSecretBox([key(2)]).open(old, place)).toThrow('Copy the encryption.key');
  });
});

describe('the keys', () => {
  let dataDir: string;
  const logger = createStoreLogger();
  const hasSecrets = async () => false;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'landfall-keys-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('reads several keys in base64 and hex', () => {
    const key = randomBytes(32);
    const keys = parseEncryptionKeys(`${key.toString('base64')}, ${key.toString('hex')}`);
    expect(keys).toEqual([key, key]);
  });

  it('names a wrong key by its position and never shows it', () => {
    const wrong = `${randomBytes(32).toString('base64')},hunter2`;
    expect(() => parseEncryptionKeys(wrong)).toThrow(/^Key 2 of LANDFALL_ENCRYPTION_KEY should be 32 bytes/);
    expect(() => parseEncryptionKeys(wrong)).not.toThrow('hunter2');
  });

  it('creates a key for a SQLite store once, in a file that only its owner can read, and logs that', async () => {
    const first = await loadEncryptionKeys({ isShared: false, dataDir, hasSecrets, logger });
    const again = await loadEncryptionKeys({ isShared: false, dataDir, hasSecrets, logger });
    expect(again).toEqual(first);
    const path = join(dataDir, 'encryption.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'created an encryption key for the store; store a copy with your backups',
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain((await readFile(path, 'utf8')).trim());
  });

  it('creates no key if the store holds secrets that another key sealed, and names the file to copy', async () => {
    const sealed = { isShared: false, dataDir, hasSecrets: async () => true, logger } as const;
    const path = join(dataDir, 'encryption.key');
    await expect(loadEncryptionKeys(sealed)).rejects.toThrow(`${path} is missing. Copy the encryption.key`);
    const own = randomBytes(32);
    await writeFile(path, `${own.toString('base64')}\n`);
    expect(await loadEncryptionKeys(sealed)).toEqual([own]);
  });

  it('restricts a key file that others can read, and refuses a broken key file', async () => {
    const path = join(dataDir, 'encryption.key');
    await writeFile(path, `${randomBytes(32).toString('base64')}\n`);
    await chmod(path, 0o644);
    await loadEncryptionKeys({ isShared: false, dataDir, hasSecrets, logger });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, 'half');
    await expect(loadEncryptionKeys({ isShared: false, dataDir, hasSecrets, logger })).rejects.toThrow(
      'does not hold a key',
    );
  });

  it('refuses PostgreSQL without a key', async () => {
    await expect(loadEncryptionKeys({ isShared: true, dataDir, hasSecrets, logger })).rejects.toThrow(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed',
    );
  });
});
