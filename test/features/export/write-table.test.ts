import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExportTable, exportTables } from '../../../src/answers/answer.ts';
import { periodName } from '../../../src/answers/formatting/times.ts';
import { flag, number, text } from '../../../src/answers/kinds.ts';
import { type Table, table } from '../../../src/answers/table.ts';
import { fileName, writeTable } from '../../../src/features/export/index.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { reader } from '../../support/run-command.ts';

const pair = table<readonly [string, string]>({
  name: 'texts',
  about: 'Two texts',
  columns: {
    first: text('First', 'a text', ([first]) => first),
    second: text('Second', 'a text', ([, second]) => second),
  },
});

/** As a file gets it. */
function exported<Row>(
  of: Table<Row>,
  content: Omit<Parameters<Table<Row>['of']>[0], 'caption'>,
): ExportTable {
  const sections = [of.of({ caption: '', ...content })];
  const [found] = exportTables({ verdict: { strong: '' }, sections }, reader);
  if (!found) throw new Error('an answer has its table');
  return found;
}

const texts = {
  of: (content: Omit<Parameters<typeof pair.of>[0], 'caption'>) => exported(pair, content),
};

/** How spreadsheets begin a formula; the last four are full-width, which Numbers takes too. */
const formulaStart = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

const typed = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'), fc.string())
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '=HYPERLINK("http://a.example";"x")',
    'a "b", c',
    'two\nlines\r\nthree',
    '\u202Eמרחב',
    "'=1",
    'a;=1',
    'a; "+1',
    'a\n\t@b',
    ' -1',
    '',
  ),
);

/** CSV has no difference between an empty text and none; a lone half of a surrogate pair has no UTF-8. */
const asStored = (text: string) => text.toWellFormed();

test('any text comes back from CSV as it was typed, but for the apostrophe that disarms a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(typed, typed), { minLength: 1, maxLength: 5 }), async (rows) => {
      const file = await writeTable(texts.of({ rows }), { format: 'csv', maxRows: 10 });
      const [, ...cells] = parse(Buffer.from(file), { record_delimiter: '\r\n' });
      expect(cells.flat().filter((cell) => formulaStart.test(cell))).toEqual([]);
      const pieces = cells.flat().flatMap((cell) => cell.split(/[;\t\r\n]/));
      expect(pieces.filter((piece) => formulaStart.test(piece.replace(/^[ "]+/, '')))).toEqual([]);
      const withoutApostrophes = (row: readonly string[]) =>
        row.map((text) => asStored(text).replaceAll("'", ''));
      expect(cells.map(withoutApostrophes)).toEqual(rows.map(withoutApostrophes));
    }),
  );
});

test('a text has no apostrophe where no formula begins', async () => {
  const rows = [
    ['a=1; b+c', "'=1"],
    ['x@example.com', 'MSC\tA;B'],
  ] as const;
  const file = await writeTable(texts.of({ rows }), { format: 'csv', maxRows: 10 });
  expect(parse(Buffer.from(file)).slice(1)).toEqual(rows);
});

test('no formula begins where Excel splits a text at semicolons or line breaks', async () => {
  const rows = [
    ['x', 'EVER;=HYPERLINK("http://a.example")'],
    ['x', 'two\n=1+1'],
    ['x', 'a; "@SUM(1)'],
    ['x', '  =1+1'],
  ] as const;
  const file = await writeTable(texts.of({ rows }), { format: 'csv', maxRows: 10 });
  expect(parse(Buffer.from(file)).map(([, cell]: string[]) => cell)).toEqual([
    'second',
    `EVER;'=HYPERLINK("http://a.example")`,
    "two\n'=1+1",
    `a; "'@SUM(1)`,
    "  '=1+1",
  ]);
});

test('JSON holds any text as it was typed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(typed, typed), { maxLength: 5 }), async (rows) => {
      const file = await writeTable(texts.of({ rows }), { format: 'json', maxRows: 10 });
      expect(JSON.parse(file)).toEqual(rows.map(([first, second]) => ({ first, second })));
    }),
  );
});

const values = exported(
  table<number | undefined>({
    name: 'values',
    about: 'A value',
    isOfService: true,
    columns: {
      number: number('Number', 'a number', (value) => value),
      is_negative: flag('Negative', 'whether it is negative', (value) => value !== undefined && value < 0),
      text: text('Text', 'the number as text', (value) => (value === undefined ? undefined : `${value}`)),
    },
  }),
  {
    rows: [-0.5, undefined, 12],
    fetchedAt: (value) => (value === undefined ? undefined : new Date('2026-11-23T09:05:07.250Z')),
  },
);

test('numbers stay numbers, negative ones too; times are in UTC, and no value is an empty cell', async () => {
  expect(await writeTable(values, { format: 'csv', maxRows: 10 })).toBe(
    [
      'number,is_negative,text,fetched_at,source',
      "-0.5,true,'-0.5,2026-11-23T09:05:07Z,invented data",
      ',false,,,invented data',
      '12,false,12,2026-11-23T09:05:07Z,invented data',
      '',
    ].join('\r\n'),
  );
  expect(JSON.parse(await writeTable(values, { format: 'json', maxRows: 2 }))).toEqual([
    {
      number: -0.5,
      is_negative: true,
      text: '-0.5',
      fetched_at: '2026-11-23T09:05:07Z',
      source: 'invented data',
    },
    { number: null, is_negative: false, text: null, fetched_at: null, source: 'invented data' },
  ]);
});

test('a table without rows has its heading, and is an empty array', async () => {
  const empty = texts.of({ rows: [] });
  expect(await writeTable(empty, { format: 'csv', maxRows: 10 })).toBe('first,second\r\n');
  expect(JSON.parse(await writeTable(empty, { format: 'json', maxRows: 10 }))).toEqual([]);
});

test('writing a long table lets other work run in between', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => [`=${index}`, 'x'] as const);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const file = await writeTable(texts.of({ rows }), { format: 'csv', maxRows: rows.length });
  clearInterval(count);
  expect(file.split('\r\n')).toHaveLength(10_002);
  expect(turns).toBeGreaterThan(3);
});

test('the name of a file says what it holds and when, and has only characters that any system allows', () => {
  const on = { format: 'csv', now: new Date('2026-11-23T20:00:00Z'), zone: 'Asia/Singapore' } as const;
  const named = (...subject: string[]) => fileName(texts.of({ rows: [], subject }), on);
  expect(named('NLRTM')).toBe('texts-NLRTM-2026-11-24.csv');
  expect(named()).toBe('texts-2026-11-24.csv');
  expect(named('../../Fleet "Nørth/Sea"\n', '..')).toBe('texts-Fleet-Nørth-Sea-2026-11-24.csv');
  const period = periodName({ begin: new Date('2026-11-24'), end: new Date('2026-11-27') }, 'UTC');
  expect(fileName(texts.of({ rows: [], subject: ['NLRTM'], period }), on)).toBe(
    'texts-NLRTM-2026-11-24-to-2026-11-26-as-of-2026-11-24.csv',
  );
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (subject) => {
      const name = named(subject);
      expect(name).toMatch(/^texts(?:-[\p{L}\p{N}._-]*)?-2026-11-24\.csv$/u);
      expect(name.length).toBeLessThanOrEqual(120);
    }),
  );
});
