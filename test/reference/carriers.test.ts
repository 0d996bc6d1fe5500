import { expect, test } from 'vitest';
import { allCarriers, carrierName, findCarriers } from '../../src/reference/carriers.ts';
import { isScac } from '../../src/reference/scac.ts';

test('every carrier is found by its code and its name, in any case', () => {
  expect(allCarriers()).toHaveLength(21);
  for (const { scac, name } of allCarriers()) {
    expect(isScac(scac), scac).toBe(true);
    expect(carrierName(scac)).toBe(name);
    for (const typed of [scac.toLowerCase(), name, name.toUpperCase()]) {
      expect(findCarriers(typed), typed).toMatchObject({ kind: 'one', carrier: { scac } });
    }
  }
});

test('other spellings, and the nearest to a misspelt one', () => {
  expect(findCarriers('hapag lloyd')).toMatchObject({ carrier: { scac: 'HLCU' } });
  expect(findCarriers('Hamburg Sud')).toMatchObject({ carrier: { scac: 'SUDU' } });
  expect(findCarriers('cma-cgm')).toMatchObject({ carrier: { scac: 'CMDU' } });
  expect(findCarriers('mearsk')).toMatchObject({ kind: 'none', nearest: [{ scac: 'MAEU' }] });
  expect(findCarriers('')).toMatchObject({ kind: 'none', nearest: [] });
});
