import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPort, formatPortPair, parsePort, parsePortPair } from '../../src/grammar/port.ts';
import { allPorts, portLabel, samePort } from '../../src/reference/ports.ts';
import { help, locodes, refusal } from '../support/grammar-samples.ts';

describe('one port', () => {
  test.each([
    ['Rotterdam', 'NLRTM'],
    ['NLRTM', 'NLRTM'],
    ['nl rtm', 'NLRTM'],
    ['nl-rtm', 'NLRTM'],
    ['"Le Havre"', 'FRLEH'],
    ['Rotterdam (NLRTM)', 'NLRTM'],
    ['Rotterdam, US (USRAJ)', 'USRAJ'],
    ['Tokyo', 'JPTYO'],
    ['DOVER', 'GBDVR'],
    ['DO VER', 'DOVER'],
    ['do ver', 'GBDVR'],
    ['zzxqj', 'ZZXQJ'],
    ['CNSGH', 'CNSGH'],
    ['ZZABC', 'ZZABC'],
    ['zz9bc', 'ZZ9BC'],
  ])('%s is %s', (typed, code) => {
    expect(parsePort(typed, help)).toBe(code);
  });

  test('several ports of similar size: a choice', () => {
    expect(refusal(() => parsePort('Portland', help))).toMatchInlineSnapshot(`
      "ambiguous-port: “Portland” can mean several ports. Which one?
      [Portland, Oregon, US (USPDX)] ask USPDX
      [Portland, Maine, US (USPWM)] ask USPWM"
    `);
    expect(refusal(() => parsePort('hamilton', help))).toMatchInlineSnapshot(`
      "ambiguous-port: “hamilton” can mean several ports. Which one?
      [Hamilton, BM (BMBDA)] ask BMBDA
      [Hamilton, CA (CAHAM)] ask CAHAM
      [Hamilton, NZ (NZHLZ)] ask NZHLZ"
    `);
  });

  test('misspelt names, some of which could be a code', () => {
    expect(refusal(() => parsePort('rotterdm', help))).toMatchInlineSnapshot(`
      "unknown-port: “rotterdm” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Rotterdam, NL (NLRTM)] ask NLRTM
      [Rotterdam, US (USRAJ)] ask USRAJ"
    `);
    expect(refusal(() => parsePort('tokio', help))).toMatchInlineSnapshot(`
      "unknown-port: “tokio” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Tokyo, JP (JPTYO)] ask JPTYO"
    `);
  });

  test('an unknown name without a similar port', () => {
    expect(refusal(() => parsePort('Atlantis City Harbour', help))).toMatchInlineSnapshot(`
      "unknown-port: “Atlantis City Harbour” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM."
    `);
  });

  test('words after a port', () => {
    expect(refusal(() => parsePort('Rotterdam with a nice view', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read “Rotterdam” as a port, but not “with a nice view” after it.
      [Rotterdam, NL (NLRTM)] ask NLRTM"
    `);
  });

  test('no port', () => {
    expect(refusal(() => parsePort('', help))).toMatchInlineSnapshot(`
      "missing-argument: Which port?
      Give a port by its name or its UN/LOCODE, such as NLRTM."
    `);
  });

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
});

describe('two ports', () => {
  test.each([
    'Singapore Xiamen',
    'SGSIN CNXAM',
    'SGSIN → CNXAM',
    'SGSIN->CNXAM',
    'SGSIN-CNXAM',
    'sgsin - xiamen',
    'Singapore to Xiamen',
    'from Singapore to Xiamen',
    'Singapore, Xiamen',
    'Singapore / Xiamen',
    'sg sin cn xam',
  ])('%s', (typed) => {
    expect(parsePortPair(typed, help)).toEqual({ origin: 'SGSIN', destination: 'CNXAM' });
  });

  test.each([
    ['Hong Kong Los Angeles', 'HKHKG USLAX'],
    ['Le Havre New York', 'FRLEH USNYC'],
    ['Tanger Med Port Said', 'MAPTM EGPSD'],
    ['Rotterdam Ho Chi Minh City', 'NLRTM VNSGN'],
    ['Portland, US (USPDX) to Busan', 'USPDX KRPUS'],
    ['Port Klang Saint Petersburg', 'MYPKG RULED'],
  ])('%s is %s', (typed, codes) => {
    expect(formatPortPair(parsePortPair(typed, help))).toBe(codes);
  });

  test('the same port twice, by any of its codes', () => {
    expect(refusal(() => parsePortPair('Shanghai CNSGH', help))).toMatchInlineSnapshot(
      `"same-port: Origin and destination are the same port."`,
    );
    expect(refusal(() => parsePortPair('Singapore Singapore', help))).toMatch(/^same-port/);
  });

  test('one port, or none', () => {
    expect(refusal(() => parsePortPair('Hong Kong', help))).toMatchInlineSnapshot(`
      "missing-argument: From “Hong Kong” to which port?
      Origin first, then destination, by name or UN/LOCODE."
    `);
    expect(refusal(() => parsePortPair('', help))).toMatchInlineSnapshot(`
      "missing-argument: From which port to which?
      Origin first, then destination, by name or UN/LOCODE."
    `);
  });

  test('one misspelt port: the choice is the whole pair', () => {
    expect(refusal(() => parsePortPair('Singapor Xiamen', help))).toMatchInlineSnapshot(`
      "unknown-port: “Singapor” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Singapore, SG (SGSIN)] ask SGSIN to CNXAM"
    `);
    expect(refusal(() => parsePortPair('Hong Kong Los Angelos', help))).toMatchInlineSnapshot(`
      "unknown-port: “Los Angelos” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Los Angeles, US (USLAX)] ask HKHKG to USLAX"
    `);
  });

  test('one name that several ports have', () => {
    expect(refusal(() => parsePortPair('Rotterdam to Portland', help))).toMatchInlineSnapshot(`
      "ambiguous-port: “Portland” can mean several ports. Which one?
      [Portland, Oregon, US (USPDX)] ask NLRTM to USPDX
      [Portland, Maine, US (USPWM)] ask NLRTM to USPWM"
    `);
  });

  test('words after two ports, and words that are not ports', () => {
    expect(refusal(() => parsePortPair('Singapore Xiamen mearsk', help))).toMatchInlineSnapshot(`
      "unknown-carrier: I can read “Singapore Xiamen” as two ports, but not “mearsk” after them.
      Carriers and a period can follow the ports.
      [Maersk (MAEU)] ask SGSIN to CNXAM MAEU
      [SGSIN to CNXAM] ask SGSIN to CNXAM"
    `);
    expect(refusal(() => parsePortPair('Singapore Xiamen whatever that is', help))).toMatchInlineSnapshot(`
      "unexpected-words: I can read “Singapore Xiamen” as two ports, but not “whatever that is” after them.
      Carriers and a period can follow the ports.
      [SGSIN to CNXAM] ask SGSIN to CNXAM"
    `);
    expect(refusal(() => parsePortPair('nowhere at all', help))).toMatchInlineSnapshot(`
      "missing-argument: I can't find two ports in “nowhere at all”.
      Origin first, then destination, by name or UN/LOCODE."
    `);
  });

  test('a formatted pair parses to the same pair', () => {
    fc.assert(
      fc.property(locodes, locodes, (origin, destination) => {
        fc.pre(!samePort(origin, destination));
        const pair = { origin, destination };
        expect(parsePortPair(formatPortPair(pair), help)).toEqual(pair);
      }),
      { numRuns: 300 },
    );
  });
});
