import { describe, expect, test } from 'vitest';
import { attempt, UserError } from '../../../src/errors.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Imo, type Locode } from '../../../src/reference/codes.ts';
import { parseLine } from '../../support/registry.ts';

const vessels = createVesselDirectory(
  [...exampleVessels, { imo: 9074729 as Imo, name: 'AURORA' }], // a valid number
  new Map([[9074729 as Imo, ['ACME']]]),
  new Map([['ARA', ['NLRTM', 'BEANR'] as Locode[]]]), // known codes
);

const read = (line: string): string => {
  const parsed = attempt(() => parseLine(line, { vessels }));
  return parsed instanceof UserError ? parsed.message : parsed.line;
};

test.each([
  ['ports', 'landfall ports'],
  ['landfall ports list', 'landfall ports'],
  ['ports ara', 'landfall ports ARA'],
  ['ports:ara', 'portcalls ports:ARA'],
  ['ports MED Genoa, Barcelona', 'landfall ports MED ITGOA, ESBCN'],
  ['ports med = Genoa', 'landfall ports MED ITGOA'],
  ['ports add ARA Zeebrugge', 'landfall ports ARA add BEZEE'],
  ['ports ARA remove Antwerp', 'landfall ports ARA remove BEANR'],
  ['ports delete ARA', 'landfall ports ARA forget'],
  ['ports WIDE ARA, Hamburg', 'landfall ports WIDE NLRTM, BEANR, DEHAM'],
  ['ports NOPE', 'There is no group of ports called NOPE here.'],
])('%s is read as %s', (typed, line) => {
  expect(read(typed)).toBe(line);
});

describe('a name that means something else where a port is typed', () => {
  test.each([
    ['ROTTERDAM', 'it means the port Rotterdam, NL'],
    ['BEANR', 'it means the port Antwerp, BE'],
    ['NORTH', 'it has the shape of a UN/LOCODE'],
    ['MSC', 'it is the carrier MSC'],
    ['AURORA', 'it means a vessel (IMO 9074729)'],
    ['ACME', 'it means a vessel (IMO 9074729)'],
    ['TOMORROW', 'it is a time'],
    ['LANE', 'it is a word of a command'],
    ['CHANGES', 'it is a word of a command'],
  ])('%s is refused: %s', (name, fault) => {
    expect(read(`ports ${name} Genoa, Barcelona`)).toBe(`“${name}” can't name a group of ports: ${fault}.`);
    expect(read(`ports ${name} add Genoa`)).toContain(fault);
  });
});
