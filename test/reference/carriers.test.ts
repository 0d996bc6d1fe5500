import { expect, test } from 'vitest';
import { carrierName, carriers, findCarrier, isScac, nearestCarriers } from '../../src/reference/carriers.ts';

test('every carrier is found by its code and its name, in any case', () => {
  expect(carriers).toHaveLength(21);
  for (const { scac, name } of carriers) {
    expect(isScac(scac), scac).toBe(true);
    expect(carrierName(scac)).toBe(name);
    for (const typed of [scac.toLowerCase(), name, name.toUpperCase()]) {
      expect(findCarrier(typed)?.scac, typed).toBe(scac);
    }
  }
});

test('other spellings, and carriers with similar names', () => {
  expect(findCarrier('hapag lloyd')?.scac).toBe('HLCU');
  expect(findCarrier('Hamburg Sud')?.scac).toBe('SUDU');
  expect(findCarrier('cma-cgm')?.scac).toBe('CMDU');
  expect(findCarrier('mearsk')).toBeUndefined();
  expect(nearestCarriers('mearsk').map(({ scac }) => scac)).toEqual(['MAEU']);
  expect(nearestCarriers('')).toEqual([]);
});
