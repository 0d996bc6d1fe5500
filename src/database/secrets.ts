import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { StoreError } from '../errors.ts';

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
