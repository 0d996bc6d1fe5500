import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretBox } from '../../src/database/secrets.ts';
import { createPictureAddresses, maxPlaces } from '../../src/pictures/map-picture.ts';
import { picture, pictureOf, placeAt } from './pictures.ts';

const key = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);
const addresses = createPictureAddresses([key]);

describe('the address of a picture', () => {
  test('holds the picture', () => {
    const path = addresses.pathOf(picture);
    expect(path).toMatch(/^\/pictures\/[\w-]+\.[\w-]{43}\.png$/);
    expect(addresses.read(path)?.map).toEqual(picture);
    // Anybody may ask for a long one.
    expect(addresses.read(`/pictures/${'a'.repeat(100_000)}.${'a'.repeat(43)}.png`)).toBeUndefined();
  });

  test('is the same each time, so that it is cached', () => {
    expect(addresses.pathOf(structuredClone(picture))).toBe(addresses.pathOf(picture));
  });

  test('is not read once any character is changed', () => {
    const path = addresses.pathOf(picture);
    const letters = 'ABab01_-./%'.split('');
    fc.assert(
      fc.property(fc.nat(path.length - 1), fc.constantFrom(...letters), (at, letter) => {
        fc.pre(path[at] !== letter);
        expect(addresses.read(path.slice(0, at) + letter + path.slice(at + 1))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('is short enough for Slack, whatever the picture holds', () => {
    const words = (max: number) => fc.string({ unit: 'grapheme-ascii', minLength: max, maxLength: max });
    const place = fc.record({ name: words(40), share: words(10), detail: words(40) });
    fc.assert(
      fc.property(
        words(40),
        fc.array(place, { minLength: maxPlaces, maxLength: maxPlaces }),
        (title, places) => {
          const full = pictureOf(
            places.map((texts) => placeAt('NLRTM', 0.123, texts)),
            { title, notes: ['x'.repeat(90), 'y'.repeat(90), 'z'.repeat(90)] },
          );
          const path = addresses.pathOf(full);
          expect(path.length).toBeLessThan(2_500);
          expect(addresses.read(path)?.map).toEqual(full);
        },
      ),
    );
  });

  test('stays valid when the key is replaced, as long as the old one is given', () => {
    const path = addresses.pathOf(picture);
    expect(createPictureAddresses([other, key]).read(path)?.map).toEqual(picture);
    expect(createPictureAddresses([other]).read(path)).toBeUndefined();
    expect(createPictureAddresses([other, key]).pathOf(picture)).not.toBe(path);
  });

  test('is not read if it was signed for something that this version does not draw', () => {
    // Signed by a version with other pictures.
    const path = addresses.pathOf({ ...picture, places: [] });
    expect(addresses.read(path)).toBeUndefined();
    const longer = pictureOf(Array.from({ length: maxPlaces + 1 }, () => placeAt('NLRTM', 0.1)));
    expect(addresses.read(addresses.pathOf(longer))).toBeUndefined();
  });
});

test('the keys come from those of the store, and reveal nothing of them', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const [derived, older] = createSecretBox([first, second]).deriveKeys('picture addresses');
  expect(createSecretBox([second]).deriveKeys('picture addresses')[0]).toEqual(older);
  expect(derived).toHaveLength(32);
  expect(derived).not.toEqual(first);
  expect(createSecretBox([first]).deriveKeys('something else')[0]).not.toEqual(derived);
});
