import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatPort,
  formatPortPair,
  formatPorts,
  maxPorts,
  parsePort,
  parsePortPair,
  parsePorts,
} from '../../src/grammar/port.ts';
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
