import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocode } from '../../src/reference/codes.ts';
import { portOf } from '../../src/reference/ports.ts';
import { createSea } from '../../src/sandbox/world/sea.ts';
import { ports, waypoints } from '../../src/sandbox/world/sea-chart.ts';

const sea = createSea();
const anyPort = fc.constantFrom(...ports.map(({ name }) => name));

// Published port distances. The model sails straight between capes, so its distances differ a little.
test.each([
  ['CNSHA', 'NLRTM', 10_521],
  ['CNSHA', 'USLAX', 5_720],
  ['SGSIN', 'NLRTM', 8_290],
  ['USNYC', 'NLRTM', 3_380],
  ['CNSHA', 'USNYC', 10_584],
  ['NLRTM', 'DEHAM', 305],
])('%s to %s is about %i nautical miles', (from, to, miles) => {
  expect(Math.abs(sea.distanceNm(from, to) / miles - 1)).toBeLessThan(0.05);
});

test('without the canals the route from Shanghai to Rotterdam rounds the Cape', () => {
  const withoutCanals = createSea({ without: ['suez-n', 'balboa-off'] });
  expect(withoutCanals.route('CNSHA', 'NLRTM').points).toContain('good-hope');
  expect(Math.abs(withoutCanals.distanceNm('CNSHA', 'NLRTM') / 13_800 - 1)).toBeLessThan(0.05);
});

test('every port is a known code with a time zone, and every link of the chart leads to a point', () => {
  expect(ports.filter(({ name }) => !isLocode(name) || !portOf(name)?.zone)).toEqual([]);
  const names = new Set([...ports, ...waypoints].map(({ name }) => name));
  expect(names.size).toBe(ports.length + waypoints.length);
  expect([...ports, ...waypoints].flatMap(({ links }) => links.filter((link) => !names.has(link)))).toEqual(
    [],
  );
});

test('distances are a metric, and the distances along a route add up', () => {
  fc.assert(
    fc.property(
      anyPort,
      anyPort,
      anyPort,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (from, to, other, share) => {
        const miles = sea.distanceNm(from, to);
        expect(sea.distanceNm(to, from)).toBeCloseTo(miles, 6);
        expect(sea.distanceNm(from, other) + sea.distanceNm(other, to)).toBeGreaterThanOrEqual(miles - 1e-6);
        if (from === to) return;
        const position = sea.positionOn(sea.route(from, to), share * miles);
        expect(sea.distanceFrom(position, to)).toBeCloseTo((1 - share) * miles, 6);
      },
    ),
    { numRuns: 300 },
  );
});
