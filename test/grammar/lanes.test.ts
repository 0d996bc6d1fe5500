import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { formatLanes, lanesBetween, lanesOnce, parseLanes } from '../../src/grammar/lanes.ts';
import { formatPorts, type PortPair } from '../../src/grammar/port.ts';
import { portName, portOf, samePort } from '../../src/reference/ports.ts';
import { aPort } from '../support/answer-arbitraries.ts';
import { help } from '../support/grammar-samples.ts';

const lane: fc.Arbitrary<PortPair> = fc
  .record({ origin: aPort, destination: aPort })
  .filter(({ origin, destination }) => !samePort(origin, destination));

test('a formatted list of lanes parses to the same lanes', () => {
  fc.assert(
    fc.property(fc.array(lane, { minLength: 1, maxLength: 6 }).map(lanesOnce), (lanes) => {
      expect(parseLanes(formatLanes(lanes), help)).toEqual(lanes);
    }),
  );
});

const known = aPort.filter((port) => portOf(port) !== undefined);
const some = fc.array(known, { minLength: 1, maxLength: 3 });

test('ports around an arrow or a “to”: each from each to each, by code or name', () => {
  const mark = fc.constantFrom(' → ', ' to ', '->');
  fc.assert(
    fc.property(some, some, mark, (origins, destinations, arrow) => {
      const expected = lanesBetween(origins, destinations);
      fc.pre(expected.length > 1);
      const typed = `${formatPorts(origins)}${arrow}${formatPorts(destinations)}`;
      expect(parseLanes(typed, help)).toEqual(expected);
    }),
  );
});

test('several such lists: the port before an arrow is an origin, those after the last are destinations', () => {
  const list = fc.array(known, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(list, known, known, list, (origins, destination, origin, destinations) => {
      const expected = lanesOnce([
        ...lanesBetween(origins, [destination]),
        ...lanesBetween([origin], destinations),
      ]);
      fc.pre(
        lanesBetween(origins, [destination]).length > 0 && lanesBetween([origin], destinations).length > 0,
      );
      const [from, to] = [formatPorts(origins), formatPorts(destinations)];
      fc.pre(expected.length > 1);
      expect(parseLanes(`${from} → ${destination}, ${origin} → ${to}`, help)).toEqual(expected);
      expect(parseLanes(`${from} → ${destination}; ${origin} → ${to}`, help)).toEqual(expected);
    }),
  );
});

test.each([
  'Shanghai → Rotterdam, Antwerp, Ningbo → Hamburg',
  'Shanghai → Rotterdam → Hamburg',
])('%s: it is asked which are origins', (typed) => {
  expect(() => parseLanes(typed, help)).toThrow(UserError);
});

test('ports without a direction are asked about, never guessed', () => {
  fc.assert(
    fc.property(
      fc.array(known, { minLength: 3, maxLength: 6 }),
      fc.constantFrom(', ', ' / ', ' and '),
      (ports, mark) => {
        const typed = ports.map(portName).join(mark);
        expect(() => parseLanes(typed, help)).toThrow(UserError);
      },
    ),
  );
});
