import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type MapPicture, mapPicture } from './map-picture.ts';

export const picturesPath = '/pictures/';

/** Slack takes addresses of at most 3,000 characters. */
const maxPathLength = 2_500;
const maxJsonBytes = 10_000;

export interface SignedPicture {
  signature: string;
  map: MapPicture;
}

export type PictureAddresses = ReturnType<typeof createPictureAddresses>;

/**
 * The address of a picture holds all that the picture shows, and a signature. So every process of the bot can draw it at
 * any time, nothing is stored for it, and nobody can have the bot draw what it did not say itself.
 */
export function createPictureAddresses(keys: readonly [Buffer, ...Buffer[]]) {
  const [signing] = keys;
  return {
    /** `/pictures/<picture>.<signature>.png`. The first key signs. */
    pathOf(map: MapPicture): string {
      const payload = deflateRawSync(JSON.stringify(map)).toString('base64url');
      return `${picturesPath}${payload}.${signatureOf(payload, signing)}.png`;
    },
    /** The picture at this path; undefined if no key signed it. */
    read(path: string): SignedPicture | undefined {
      if (path.length > maxPathLength) return undefined;
      const [, payload, signature] = /^\/pictures\/([\w-]+)\.([\w-]{43})\.png$/.exec(path) ?? [];
      if (payload === undefined || signature === undefined) return undefined;
      if (!keys.some((key) => isEqual(signature, signatureOf(payload, key)))) return undefined;
      const map = mapPicture.safeParse(unpack(payload));
      // Another version of the bot may have signed a picture that this one can't draw.
      return map.success ? { signature, map: map.data } : undefined;
    },
  };
}

/** 43 characters. */
const signatureOf = (payload: string, key: Buffer): string =>
  createHmac('sha256', key).update(payload).digest('base64url');

/** Takes the same time for every signature of the right length. */
const isEqual = (given: string, own: string): boolean =>
  given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));

function unpack(payload: string): unknown {
  try {
    const json = inflateRawSync(Buffer.from(payload, 'base64url'), { maxOutputLength: maxJsonBytes });
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
