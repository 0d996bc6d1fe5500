import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseVessel, parseVessels } from '../../src/grammar/vessel.ts';
import { lineOfRows, readRows } from '../../src/grammar/vessel-rows.ts';
import { exampleVessels, hasValidCheckDigit, type Imo, isImo } from '../../src/reference/codes.ts';
import { help as line, vessels } from '../support/grammar-samples.ts';

const validImos = fc
  .integer({ min: 1_000_000, max: 9_999_999 })
  .filter((number): number is Imo => isImo(number) && hasValidCheckDigit(number));
const column = fc.constantFrom(
  'ROTTERDAM',
  '24/11',
  'NLRTM',
  '14:00',
  '82%',
  'V. 1176-044W',
  'CSQU3054383',
  '12',
);
const row = fc.record({ imo: validImos, before: fc.array(column), after: fc.array(column) });
const rows = fc.uniqueArray(row, { minLength: 2, maxLength: 20, selector: ({ imo }) => imo });

test('each row of a table is its vessel, whatever its other columns', () => {
  const table = fc.record({
    rows,
    separator: fc.constantFrom('\t', ' | ', '   '),
    header: fc.constantFrom('', 'Vessel\tIMO\tETA\n', '\n'),
  });
  fc.assert(
    fc.property(table, ({ rows, separator, header }) => {
      const lines = rows.map(({ imo, before, after }) => [...before, 'SHIP', imo, ...after].join(separator));
      const read = readRows(`nextport ${header}${lines.join('\n')}`, vessels);
      expect(read).toMatchObject({ imos: rows.map(({ imo }) => imo), unread: [], count: rows.length });
      const [, words = ''] = /^nextport (.*)$/.exec(read ? lineOfRows(read) : '') ?? [];
      expect(parseVessels(words, { ...line, vessels })).toEqual(read?.imos);
    }),
  );
});

test('a text of one line, and one whose lines name no vessels, is no table', () => {
  for (const text of ['EVER GIVEN', 'EVER GIVEN | 9811000', 'watch EVER GIVEN\neta 6h', 'hello\nworld', '\n'])
    expect(readRows(text, vessels)).toBeUndefined();
});

test('a voyage beside a vessel changes nothing', () => {
  const number = fc
    .tuple(fc.integer({ min: 10, max: 9999 }), fc.constantFrom('N', 'E', 'S', 'W'))
    .map(([digits, direction]) => `${String(digits).padStart(3, '0')}${direction}`);
  const beside = fc.constantFrom<(voyage: string) => string>(
    (voyage) => ` V. ${voyage}`,
    (voyage) => ` v.${voyage}`,
    (voyage) => ` voy ${voyage}`,
    (voyage) => ` voyage no. ${voyage}`,
    (voyage) => ` / ${voyage}`,
    (voyage) => ` (${voyage})`,
    (voyage) => ` ${voyage}`,
  );
  const kind = fc.constantFrom('', 'MV ', 'M/V ', 'm.v. ', 'vsl ', 'Vessel: ', 'Vessel/Voyage: ', 'the ');
  fc.assert(
    fc.property(
      fc.constantFrom(...exampleVessels),
      kind,
      number,
      beside,
      ({ imo, name }, kind, voyage, write) => {
        for (const vessel of [name, `IMO ${imo}`, `${name} (${imo})`])
          expect(parseVessel(`${kind}${vessel}${write(voyage)}`, { ...line, vessels })).toBe(imo);
      },
    ),
  );
});
