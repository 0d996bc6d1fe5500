import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatWatchSubject,
  parseWatchSubject,
  type WatchSubject,
} from '../../../../src/features/watches/words/subject.ts';
import { createVesselDirectory } from '../../../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Imo } from '../../../../src/reference/codes.ts';
import { help, locodes, refusal } from '../../../support/grammar-samples.ts';

const atSea = { imo: 9839430 as Imo, name: 'PROUD AT SEA' };
const atRotterdam = { imo: 9302140 as Imo, name: 'HOME AT ROTTERDAM' };
const vessels = createVesselDirectory([...exampleVessels, atSea, atRotterdam]);
const parse = (text: string) => parseWatchSubject(text, { ...help, vessels });
const canonical = (text: string) => formatWatchSubject(parse(text));

test.each([
  ['fleet:ALPHA at Rotterdam', 'fleet:ALPHA at NLRTM'],
  ['fleet:"Look at me" at "Rotterdam"', 'fleet:"Look at me" at NLRTM'],
  ['list:FEEDERS expected at nl rtm', 'list:FEEDERS at NLRTM'],
  ['9461477, MSC DIANA arriving AT Hong Kong', '9461477, 9755933 at HKHKG'],
  ['MSC DIANA at Rotterdam', '9755933 at NLRTM'],
  ['proud at sea', '9839430'],
  ['proud at sea at Antwerp', '9839430 at BEANR'],
  ['MSC DIANA and PROUD AT SEA', '9755933, 9839430'],
  ['home at rotterdam', '9302140'],
  ['9461477, home at rotterdam', '9461477, 9302140'],
  ['port Rotterdam', 'port NLRTM'],
])('%s → %s', (typed, line) => {
  expect(canonical(typed)).toBe(line);
  expect(canonical(line)).toBe(line);
});

test('what is wrong is said of the vessels or of the port, and the rest of the line is kept', () => {
  expect(refusal(() => parse('fleet:ALPHA at Roterdam'))).toMatchInlineSnapshot(`
    "unknown-port: “Roterdam” isn't a known port.
    You can also give a port by its UN/LOCODE, such as NLRTM.
    [Rotterdam, NL (NLRTM)] ask fleet:ALPHA at NLRTM
    [Rotterdam, US (USRAJ)] ask fleet:ALPHA at USRAJ"
  `);
  expect(refusal(() => parse('MSC DIANNA at Rotterdam'))).toMatchInlineSnapshot(`
    "unknown-vessel: I don't know MSC DIANNA. What's its IMO number?
    [MSC DIANA (9755933)] ask 9755933 at Rotterdam"
  `);
  expect(refusal(() => parse('port Rotterdam at Antwerp'))).toMatchInlineSnapshot(`
    "unexpected-words: I can read “Rotterdam” as a port, but not “at Antwerp” after it.
    [Rotterdam, NL (NLRTM)] ask port NLRTM"
  `);
  expect(refusal(() => parse('fleet:look at me'))).toMatchInlineSnapshot(`
    "unknown-port: “me” isn't a known port.
    If it belongs to the name of the fleet, put the name in quotes.
    [fleet:"look at me"] ask fleet:"look at me""
  `);
});

test('each subject at any port is read as it is written', () => {
  const names = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((name) => name.trim() === name);
  const at = fc.oneof(
    fc.constant({}),
    locodes.map((port) => ({ at: port })),
  );
  const subject: fc.Arbitrary<WatchSubject> = fc
    .tuple(
      fc.oneof(
        names.map((name) => ({ kind: 'fleet', name }) as const),
        names.map((name) => ({ kind: 'list', name }) as const),
        fc
          .constantFrom(atSea, atRotterdam, ...exampleVessels)
          .map(({ imo }) => ({ kind: 'vessels', imos: [imo] }) as const),
      ),
      at,
    )
    .map(([watched, where]) => ({ ...watched, ...where }));
  fc.assert(
    fc.property(subject, (one) => {
      fc.pre(!('name' in one) || !/^\.{1,2}$|["\p{C}\p{Z}]$|\n/u.test(one.name));
      expect(parse(formatWatchSubject(one))).toEqual(one);
    }),
  );
});
