import { expect, test } from 'vitest';
import { currentPortsFile, portsFile } from '../../scripts/ports-data.ts';
import { isZone } from '../../src/grammar/moment.ts';
import { isLocode } from '../../src/reference/codes.ts';
import { allPorts, canonicalPort, majorPorts, portOf } from '../../src/reference/ports.ts';

test('the file of ports is up to date with its sources and corrections', () => {
  expect(currentPortsFile()).toBe(portsFile());
});

test('every port has a well-formed code, a country with a name, and possible coordinates', () => {
  expect(allPorts().length).toBeGreaterThanOrEqual(1_640);
  for (const port of allPorts()) {
    expect(isLocode(port.locode), port.locode).toBe(true);
    expect(port.name, port.locode).toMatch(/^\p{L}[\p{L}\p{M} .'&-]+$/u);
    expect(port.countryName.length, port.locode).toBeGreaterThan(2);
    expect(Math.abs(port.latitude ?? 0), port.locode).toBeLessThanOrEqual(78);
    expect(Math.abs(port.longitude ?? 0), port.locode).toBeLessThanOrEqual(180);
    expect(port.latitude === undefined, port.locode).toBe(port.longitude === undefined);
  }
});

test('all but a few inland places have a zone, and every zone exists', () => {
  const without = allPorts().filter(({ zone }) => zone === undefined);
  expect(without.length).toBeLessThanOrEqual(12);
  for (const { zone, locode } of allPorts()) if (zone) expect(isZone(zone), `${locode} ${zone}`).toBe(true);
});

test('every major port is known, has a zone and coordinates, and is the main code of its group', () => {
  for (const code of majorPorts) {
    const port = isLocode(code) ? portOf(code) : undefined;
    expect(port?.zone, code).toBeDefined();
    expect(port?.latitude, code).toBeDefined();
    expect(port && canonicalPort(port.locode)).toBe(code);
  }
  expect(new Set(majorPorts).size).toBe(majorPorts.length);
});

/** Ports with wrong zones or places in the source, or that coordinates alone put into another country. */
test.each([
  ['MAPTM', 'Africa/Casablanca', 36, -6],
  ['PAMIT', 'America/Panama', 9, -80],
  ['CNYTN', 'Asia/Shanghai', 23, 114],
  ['BRVDC', 'America/Bahia', -15, -41],
  ['CDBOA', 'Africa/Kinshasa', -6, 13],
  ['CDMAT', 'Africa/Kinshasa', -6, 13],
  ['DZAAE', 'Africa/Algiers', 37, 8],
  ['USOAK', 'America/Los_Angeles', 38, -122],
  ['THBKK', 'Asia/Bangkok', 14, 101],
  ['GBBAD', 'Europe/London', 51, -3],
  ['JPONA', 'Asia/Tokyo', 37, 141],
  ['JPYWT', 'Asia/Tokyo', 34, 131],
  ['BRMAO', 'America/Manaus', -3, -60],
  ['NLRTM', 'Europe/Amsterdam', 52, 5],
  ['PTHOR', 'Atlantic/Azores', 39, -29],
  ['BMSOU', 'Atlantic/Bermuda', 32, -65],
  ['VEGUB', 'America/Caracas', 12, -70],
])('%s is in %s, near %i, %i', (code, zone, latitude, longitude) => {
  const port = isLocode(code) ? portOf(code) : undefined;
  const offsetAt = (name: string) =>
    [0, 6].map((month) =>
      new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' }).format(
        Date.UTC(2026, month, 9),
      ),
    );
  expect(offsetAt(port?.zone ?? 'none')).toEqual(offsetAt(zone));
  expect(Math.abs((port?.latitude ?? 99) - latitude)).toBeLessThan(1);
  expect(Math.abs((port?.longitude ?? 999) - longitude)).toBeLessThan(1);
});
