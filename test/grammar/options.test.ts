import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatPage,
  joinWords,
  minimumOption,
  orderOption,
  pageOption,
  scanOptions,
} from '../../src/grammar/line.ts';
import { formatPort, parsePort } from '../../src/grammar/port.ts';
import { formatListName, parseListName } from '../../src/grammar/vessel.ts';
import { help, locodes, refusal } from '../support/grammar-samples.ts';

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

test('a formatted line parses to the same values', () => {
  const parts = fc.record({
    port: locodes,
    minimum: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    order: fc.constantFrom(undefined, 'eta', 'probability'),
    page: fc.integer({ min: 1, max: 99 }),
  });
  fc.assert(
    fc.property(parts, ({ port, minimum, order, page }) => {
      const line = joinWords(
        formatPort(port),
        minimum === undefined ? undefined : `min ${minimum}%`,
        order && `by ${order}`,
        formatPage(page),
      );
      const { rest, ...values } = scan(line);
      expect(parsePort(rest, help)).toBe(port);
      expect({ page: 1, ...values }).toEqual({
        page,
        ...(minimum !== undefined && { minimum }),
        ...(order && { order }),
      });
    }),
  );
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
