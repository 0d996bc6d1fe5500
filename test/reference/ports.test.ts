import { describe, expect, test } from 'vitest';
import { isLocode, type Locode } from '../../src/reference/codes.ts';
import {
  allPorts,
  canonicalPort,
  confusedWith,
  findPorts,
  nearestPorts,
  portInCountry,
  portLabel,
  portName,
  portOf,
  samePort,
} from '../../src/reference/ports.ts';

function locode(code: string): Locode {
  if (!isLocode(code)) throw new Error(`${code} is no code`);
  return code;
}

/** `NLRTM`, `several: …`, `nearest: …`. */
function found(text: string): string {
  const result = findPorts(text);
  if (result.kind === 'several') return `several: ${result.ports.map((port) => port.locode).join(' ')}`;
  if (result.kind === 'none')
    return `nearest: ${nearestPorts(text)
      .map((port) => port.locode)
      .join(' ')}`.trim();
  return result.port.locode;
}

describe('ports by name', () => {
  // readings.txt has many more: spellings, countries, misspelt names.
  test.each([
    ['Hồ Chí Minh', 'VNSGN'],
    ['San Pedro', 'CISPY'],
    ['Rotterdam', 'NLRTM'],
    ['Barcelona', 'ESBCN'],
    ['Xiamen', 'CNXAM'],
    ['Hamilton', 'several: BMBDA CAHAM NZHLZ'],
    ['Rotterdam, US', 'USRAJ'],
    ['Hamubrg', 'nearest: DEHAM DEHBU'],
    ['rott', 'nearest: NLRTM USRAJ'],
    ['qqqqqqqq', 'nearest:'],
    ['', 'nearest:'],
  ])('%s is %s', (text, ports) => {
    expect(found(text)).toBe(ports);
  });

  test('every port, or a larger one of that name in its country, is found by its name, region and country', () => {
    for (const { locode: code } of allPorts()) {
      const inCountry = portInCountry(code);
      expect(found(inCountry), inCountry).not.toMatch(/^nearest/);
    }
  });
});

describe('codes', () => {
  test('alias groups', () => {
    expect(canonicalPort(locode('CNSGH'))).toBe('CNSHA');
    expect(canonicalPort(locode('CNSHG'))).toBe('CNSHA');
    expect(samePort(locode('CNNBO'), locode('CNNBG'))).toBe(true);
    expect(samePort(locode('MAPTM'), locode('MATNG'))).toBe(false);
    expect(samePort(locode('ZZZZZ'), locode('ZZZZZ'))).toBe(true);
  });

  test('labels', () => {
    expect(portLabel(locode('NLRTM'))).toBe('Rotterdam (NLRTM)');
    expect(portLabel(locode('BEANR'))).toBe('Antwerp (BEANR)');
    expect(portLabel(locode('ZZZZZ'))).toBe('ZZZZZ');
    expect(portOf(locode('ZZZZZ'))).toBeUndefined();
  });

  test('the title has the country where the bare name means another port, or several', () => {
    expect(portName(locode('NLRTM'))).toBe('Rotterdam');
    expect(portName(locode('USRAJ'))).toBe('Rotterdam, US');
    expect(portName(locode('CNSGH'))).toBe('Shanghai');
    expect(portName(locode('USPDX'))).toMatch(/^Portland, .*US$/);
    expect(portName(locode('ZZZZZ'))).toBe('ZZZZZ');
  });
});

test('a name that is taken for that of another port says its country', () => {
  expect(portName(locode('AUNTL'))).toBe('Newcastle, Australia');
  expect(portName(locode('NLRTM'))).toBe('Rotterdam');
  const confused = allPorts().flatMap(({ locode: code }) => confusedWith(code) ?? []);
  expect(confused.map((code) => portOf(code)?.countryName)).toEqual([
    'United Kingdom',
    'Argentina',
    'United States',
    'Spain',
    'Japan',
  ]);
});
