import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';

/** The places that fit on one map and into its address. */
export const maxPlaces = 8;

/** All that a map shows, in the words that it shows. Who has the address of a map can read this, and nothing else. */
export type MapPicture = z.infer<typeof mapPicture>;
export type MapPlace = MapPicture['places'][number];

const words = (max: number) => z.string().max(max);

export const mapPicture = z.strictObject({
  title: words(40),
  subtitle: words(60),
  /** Such as `invented data`; stands out at the top. */
  badge: words(20).exactOptional(),
  /** Numbered from 1 in this order. */
  places: z
    .array(
      z.strictObject({
        name: words(40),
        /** Such as `82%`; the size of the mark says the same. */
        share: words(10),
        /** From 0 to 1. */
        weight: z.number().min(0).max(1),
        /** Such as an ETA. */
        detail: words(40),
        /** Latitude and longitude in degrees. Left out for a place that can't be drawn on the map. */
        at: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]).exactOptional(),
      }),
    )
    .min(1)
    .max(maxPlaces),
  /** Small print, a line each. */
  notes: z.array(words(90)).max(3),
});

/** The letters that the pictures' font lacks; they would be left blank. */
const missing =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u;

/** True if a picture can show this text. */
export const isDrawable = (text: string): boolean => !missing.test(text);

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
