import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minimumOption, orderOption, pageOption, scanOptions } from '../../src/grammar/line.ts';
import { formatListName, parseListName } from '../../src/grammar/vessel.ts';
import { help, refusal } from '../support/grammar-samples.ts';

const options = { minimum: minimumOption, order: orderOption(['eta', 'probability']), page: pageOption };
const scan = (words: string) => {
  const { rest, values } = scanOptions(words, options, { command: 'portcalls', example: 'portcalls NLRTM' });
  return { rest, ...values };
};

test('a line must fit in a button', () => {
  expect(refusal(() => scan('a'.repeat(1_501)))).toMatchInlineSnapshot(
    `"too-long: That is too long for one question: at most 1,500 characters."`,
  );
});

test.each(
  Array.from({ length: 101 }, (_, percent) => percent),
)('a share of %d%% is a whole percentage', (percent) => {
  expect(scan(`Rotterdam min ${(percent / 100).toFixed(2)}`)).toEqual({
    rest: 'Rotterdam',
    minimum: percent,
  });
});

test.each([
  ['80%+', 80],
  ['>60%', 60],
  ['prob >= 70%', 70],
  ['prob 70 pct', 70],
  ['at least fifty percent', 50],
  ['over 40 percent', 40],
  ['60% and up', 60],
])('%s is a least probability', (typed, minimum) => {
  expect(scan(`Rotterdam ${typed}`)).toEqual({ rest: 'Rotterdam', minimum });
});

test('a formatted name parses again, also before options', () => {
  const names = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  fc.assert(
    fc.property(fc.oneof(names, fc.constantFrom('a page 2', 'x compare', '"', 'a "b" c', 'all')), (name) => {
      expect(parseListName(formatListName(name), help)).toBe(name);
      const scanned = scanOptions(
        `${formatListName(name)} page 3`,
        { page: pageOption },
        { command: '', example: '' },
      );
      expect([parseListName(scanned.rest, help), scanned.values.page]).toEqual([name, 3]);
    }),
  );
});
