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
  test.each([
    ['Singapore', 'SGSIN'],
    ['Tanger Med', 'MAPTM'],
    ['Tangier', 'MATNG'],
    ['Antwerp', 'BEANR'],
    ['ANTWERPEN', 'BEANR'],
    ['Genoa', 'ITGOA'],
    ['Genova', 'ITGOA'],
    ['Pusan', 'KRPUS'],
    ['Nhava Sheva', 'INNSA'],
    ['Göteborg', 'SEGOT'],
    ['Goteborg', 'SEGOT'],
    ['Gothenburg', 'SEGOT'],
    ['Le Havre', 'FRLEH'],
    ['Hồ Chí Minh', 'VNSGN also VNVIC'],
    ['Leixões', 'PTLEI'],
    ['leixoes', 'PTLEI'],
    ['Saint Petersburg', 'RULED'],
    ['St. Petersburg', 'RULED'],
    ['Hongkong', 'HKHKG'],
    ['hong  kong', 'HKHKG'],
    ['Port Klang', 'MYPKG'],
    ['Klang', 'MYPKG'],
    ['Port of Hamburg', 'DEHAM'],
    ['København', 'DKCPH'],
    ['Chennai', 'INMAA'],
    ['Madras', 'INMAA'],
    ['Tokyo', 'JPTYO'],
    ['Dover', 'GBDVR'],
    ['Le Port', 'RELPT'],
    ['San Pedro', 'CISPY also ARSPD'],
  ])('%s', (name, code) => {
    expect(found(name)).toBe(code);
  });

  test('of several ports with one name, the largest is found, together with the others', () => {
    expect(found('Rotterdam')).toBe('NLRTM also USRAJ');
    expect(found('Barcelona')).toBe('ESBCN also VEBLA');
    expect(found('Southampton')).toBe('GBSOU also BMSOU');
    expect(found('Savannah')).toBe('USSAV also USTSA');
  });

  test('codes of one port are one port', () => {
    expect(found('Xiamen')).toBe('CNXAM');
    expect(found('Shanghai')).toBe('CNSHA');
    expect(found('Ningbo')).toBe('CNNGB');
    expect(found('Qingdao')).toBe('CNTAO');
  });

  test('several ports of similar size', () => {
    expect(found('Portland')).toBe('several: USPDX USPWM');
    expect(found('Hamilton')).toBe('several: BMBDA CAHAM NZHLZ');
    expect(found('Manzanillo')).toBe('several: MXZLO PAMIT DOMAN');
    expect(found('Georgetown')).toBe('several: MYPEN GYGEO KYGEC');
  });

  test('a country or region after the name decides', () => {
    expect(found('Portland, Maine')).toBe('USPWM');
    expect(found('Savannah Georgia')).toBe('USSAV');
    expect(found('Rotterdam, US')).toBe('USRAJ');
    expect(found('rotterdam united states')).toBe('USRAJ');
    expect(found('Hamilton NZ')).toBe('NZHLZ');
    expect(found('Manzanillo Panama')).toBe('PAMIT');
  });

  test('a misspelt name gives the nearest, larger ports first', () => {
    expect(found('rotterdm')).toBe('nearest: NLRTM USRAJ');
    expect(found('Tokio')).toBe('nearest: JPTYO');
    expect(found('Hamubrg')).toBe('nearest: DEHAM DEHBU');
    expect(found('rott')).toBe('nearest: NLRTM USRAJ');
    expect(found('qqqqqqqq')).toBe('nearest:');
    expect(found('')).toBe('nearest:');
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
