import readExcelFile from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { ExportTable } from '../../src/answers/answer.ts';
import { createWorkbooks } from '../../src/answers/workbook.ts';

const tableOf = (name: string, rows: ReturnType<ExportTable['rows']>): ExportTable => ({
  nameParts: [name],
  columns: ['name', 'eta', 'eta_local', 'day', 'probability', 'calls', 'is_late'],
  types: ['text', 'instant', 'local time', 'day', 'share', 'count', 'boolean'],
  rowCount: 1,
  rows: () => rows,
});

const at = new Date('2026-11-23T14:05:00Z');

async function sheetsOf(tables: readonly ExportTable[], maxRows = 100) {
  return await readExcelFile(Buffer.from(await createWorkbooks().write(tables, { maxRows })));
}

test('a sheet for each table, with typed cells: dates, percentages, numbers', async () => {
  const sheets = await sheetsOf([
    tableOf('port-calls', [['Ever <Given> & Co', at, '2026-11-23 15:00', '2026-11-23', 0.82, 1200, true]]),
    tableOf('days', [[null, undefined, '', 'never', 0, 0, false]]),
  ]);
  expect(sheets).toEqual([
    {
      sheet: 'port-calls',
      data: [
        ['name', 'eta', 'eta_local', 'day', 'probability', 'calls', 'is_late'],
        [
          'Ever <Given> & Co',
          at,
          new Date('2026-11-23T15:00:00Z'),
          new Date('2026-11-23T00:00:00Z'),
          0.82,
          1200,
          true,
        ],
      ],
    },
    { sheet: 'days', data: [expect.anything(), [null, null, null, 'never', 0, 0, false]] },
  ]);
});

test('a text is a text, whatever it begins with, and without what no spreadsheet can read', async () => {
  const texts = ['=SUM(A1)', '+49', '\u0000\u0008x', '\uD800y', 'z\uFFFF', 'a\tb', 'x'.repeat(40_000)];
  const [sheet] = await sheetsOf([
    tableOf(
      'names',
      texts.map((text) => [text]),
    ),
  ]);
  const read = sheet?.data.slice(1).map(([text]) => text);
  expect(read).toEqual(['=SUM(A1)', '+49', 'x', 'y', 'z', 'a\tb', 'x'.repeat(32_767)]);
});

test('one after the other, up to so many rows', async () => {
  const workbooks = createWorkbooks();
  const rows = Array.from({ length: 450 }, (_, index) => [String(index)]);
  const files = await Promise.all(
    [450, 420].map((maxRows) => workbooks.write([tableOf('names', rows)], { maxRows })),
  );
  const sheets = await Promise.all(files.map((file) => readExcelFile(Buffer.from(file))));
  expect(sheets.map(([sheet]) => sheet?.data.length)).toEqual([451, 421]);
});

test('one that takes too long fails, and the next one is written', async () => {
  const workbooks = createWorkbooks({ timeoutMs: 0 });
  const write = () => workbooks.write([tableOf('names', [['a']])], { maxRows: 1 });
  await expect(write()).rejects.toThrow('the spreadsheet took more than 0 ms');
  await expect(write()).rejects.toThrow('took more than');
});
