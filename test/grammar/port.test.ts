import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  expandPorts,
  formatPort,
  formatPortPair,
  formatPorts,
  maxPorts,
  parsePort,
  parsePortPair,
  parsePorts,
  readPort,
} from '../../src/grammar/port.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { allPorts, portLabel, samePort } from '../../src/reference/ports.ts';
import { help, locodes } from '../support/grammar-samples.ts';

test('a formatted port parses to the same port', () => {
  for (const { locode } of allPorts()) {
    expect(parsePort(formatPort(locode), help)).toBe(locode);
    expect(parsePort(portLabel(locode), help)).toBe(locode);
  }
  fc.assert(
    fc.property(locodes, (locode) => {
      expect(parsePort(formatPort(locode), help)).toBe(locode);
    }),
  );
});

test('a code that is also the name of a port is formatted with a space', () => {
  const names = allPorts().map(({ name }) => name.toUpperCase());
  const codes = names.filter((name) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(name));
  expect(codes.length).toBeGreaterThan(100);
  for (const name of codes) {
    const port = parsePort(`${name.slice(0, 2)} ${name.slice(2)}`, help);
    expect(parsePort(formatPort(port), help)).toBe(port);
  }
});

test('a formatted pair parses to the same pair, and a list of ports to the same list', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(locodes, { minLength: 2, maxLength: maxPorts, comparator: samePort }),
      (ports) => {
        expect(parsePorts(formatPorts(ports), help)).toEqual(ports);
        const [origin, destination] = ports as [Locode, Locode, ...Locode[]]; // minLength
        expect(parsePortPair(formatPortPair({ origin, destination }), help)).toEqual({ origin, destination });
      },
    ),
    { numRuns: 400 },
  );
});

test('a port that is repeated counts once', () => {
  expect(parsePorts('Hamburg, '.repeat(300), help)).toEqual(['DEHAM']);
});

const [rotterdam, antwerp, amsterdam] = ['NLRTM', 'BEANR', 'NLAMS'] as [Locode, Locode, Locode]; // known codes
const groups = createVesselDirectory(
  [],
  new Map(),
  new Map([
    ['ARA', [rotterdam, antwerp, amsterdam]],
    // A code, and a name: nobody can name a group so, but the list of ports may grow.
    ['NLRTM', [antwerp]],
    ['ROTTERDAM', [antwerp]],
  ]),
);
const withGroups = { ...help, groups };

test.each([
  ['ARA', 'ports:ARA'],
  ['ara', 'ports:ARA'],
  ['ports:ara', 'ports:ARA'],
  ['ports: NOPE', 'ports:NOPE'],
  ['nope', undefined],
  ['Rotterdam', 'NLRTM'],
  ['NLRTM', 'NLRTM'],
  ['ports:Rotterdam', 'ports:ROTTERDAM'],
])('%s is read as %s: a port or a code wins over the bare name of a group', (typed, port) => {
  const read = readPort(typed, groups);
  expect('port' in read ? read.port : undefined).toBe(port);
});

test('without the groups of a workspace, only a group with its colon is read', () => {
  expect(readPort('ARA')).toEqual({ kind: 'none' });
  expect(readPort('ports:ARA')).toEqual({ kind: 'group', port: 'ports:ARA' });
});

test('groups stand among ports, and each port counts once', () => {
  expect(parsePorts('ARA, Hamburg and ports:ara', withGroups)).toEqual(['ports:ARA', 'DEHAM']);
  expect(formatPorts(['ports:ARA', rotterdam])).toBe('ports:ARA, NLRTM');
  expect(expandPorts([amsterdam, 'ports:ARA'], withGroups)).toEqual([amsterdam, rotterdam, antwerp]);
  expect(() => expandPorts(['ports:ARRA'], withGroups)).toThrow(
    'There is no group of ports called ARRA here.',
  );
});

test('a pair may have groups, but not the same one twice', () => {
  expect(parsePortPair('Hong Kong ara', withGroups)).toEqual({ origin: 'HKHKG', destination: 'ports:ARA' });
  expect(parsePortPair('from ARA to New York', withGroups)).toMatchObject({ origin: 'ports:ARA' });
  expect(() => parsePortPair('ARA ports:ARA', withGroups)).toThrow('the same port');
});

test('where one port is needed, a group is asked about', () => {
  expect(() => parsePort('ARA', withGroups)).toThrow('ARA is a group of ports. Which one?');
});
