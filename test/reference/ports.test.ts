import { describe, expect, test } from 'vitest';
import { isLocode, type Locode } from '../../src/reference/codes.ts';
import {
  allPorts,
  canonicalPort,
  findPorts,
  nearestPorts,
  portLabel,
  portName,
  portOf,
  samePort,
} from '../../src/reference/ports.ts';

function locode(code: string): Locode {
  if (!isLocode(code)) throw new Error(`${code} is no code`);
  return code;
}

/** `NLRTM also USRAJ`, `several: …`, `nearest: …`. */
function found(text: string): string {
  const result = findPorts(text);
  if (result.kind === 'several') return `several: ${result.ports.map((port) => port.locode).join(' ')}`;
  if (result.kind === 'none')
    return `nearest: ${nearestPorts(text)
      .map((port) => port.locode)
      .join(' ')}`.trim();
  return [result.port, ...result.also].map((port) => port.locode).join(' also ');
}

describe('ports by name', () => {
  // readings.txt has many more: spellings, countries, misspelt names.
  test.each([
    ['Hồ Chí Minh', 'VNSGN also VNVIC'],
    ['San Pedro', 'CISPY also ARSPD'],
    ['Rotterdam', 'NLRTM also USRAJ'],
    ['Barcelona', 'ESBCN also VEBLA'],
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

  test('every port is found by its own name, alone or with others of that name', () => {
    for (const port of allPorts()) {
      expect(found(port.name).split(' '), port.name).toContain(canonicalPort(port.locode));
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
