import { zipSync } from 'fflate';
import readExcelFile from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
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

describe('a workbook that people share', () => {
  const read = (bytes: Uint8Array, { maxRows = 100, timeoutMs = 10_000 } = {}) =>
    createWorkbooks({ timeoutMs }).read(bytes, { maxRows });
  const day = { type: Date, value: new Date('2026-11-24T00:00:00Z'), format: 'dd.mm.yyyy' } as const;
  const time = { type: Date, value: new Date('2026-11-24T18:30:00Z'), format: 'dd.mm.yyyy hh:mm' } as const;

  test('has its sheets read, with their numbers, dates and texts as they were written', async () => {
    const first = [[{ value: 'Bookings' }], [null], [{ value: ' BK 1 ' }, { value: 9811000 }, day, time]];
    const second = [[{ value: '00123' }, { value: 0.5 }, { type: Boolean, value: true } as const]];
    const sheets = [
      { sheet: 'One', data: first },
      { sheet: 'Two', data: second },
    ];
    const bytes = await writeExcelFile(sheets).toBuffer();
    const rows = [
      { record: ['Bookings', '', '', ''], line: 1 },
      { record: ['BK 1', '9811000', '2026-11-24', '2026-11-24 18:30'], line: 3 },
    ];
    expect(await read(bytes)).toEqual([
      { name: 'One', rows },
      { name: 'Two', rows: [{ record: ['00123', '0.5', 'true'], line: 1 }] },
    ]);
    expect(await read(bytes, { maxRows: 2 })).toEqual([
      { name: 'One', rows },
      { name: 'Two', rows: [] },
    ]);
  });

  const zeros = new Uint8Array(65_000_000);

  test.each<[string, 'unreadable' | 'too-large', () => Uint8Array]>([
    ['that is damaged', 'unreadable', () => new TextEncoder().encode('PK\u0003\u0004 and then nothing')],
    ['that is another archive', 'unreadable', () => zipSync({ 'notes.txt': new Uint8Array(10) })],
    ['that unpacks to far more', 'too-large', () => zipSync({ 'xl/workbook.xml': zeros })],
    [
      'that unpacks to more than it says',
      'unreadable',
      () => understated(zipSync({ 'xl/workbook.xml': zeros })),
    ],
  ])('%s: %s', async (_, refused, bytes) => {
    expect(await read(bytes())).toEqual({ refused });
  });

  test('that takes too long is given up', async () => {
    const bytes = await writeExcelFile([[{ value: 'Vessel' }]]).toBuffer();
    expect(await read(bytes, { timeoutMs: 0 })).toEqual({ refused: 'too-large' });
  });
});

/** The archive's directory says that its only file has 100 bytes. */
function understated(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  bytes.writeUInt32LE(100, entry + 24);
  return bytes;
}
