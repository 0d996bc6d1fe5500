import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { createWorkbooks } from '../../../src/answers/workbook.ts';
import { writeVesselCsv } from '../../../src/features/vessels/vessel-csv.ts';
import { readVesselTable } from '../../../src/features/vessels/vessel-table.ts';
import type { DateOrder } from '../../../src/grammar/line.ts';
import { type Imo, isImo } from '../../../src/reference/codes.ts';

const readImo = (text: string): Imo | string => {
  const imo = Number(text.replace(/^IMO\s*/i, ''));
  return isImo(imo) ? imo : 'not an IMO number';
};
const now = new Date('2026-11-23T12:00:00Z');
const workbooks = createWorkbooks();
const read = (text: string | Uint8Array, more: { maxRows?: number; dateOrder?: DateOrder } = {}) =>
  readVesselTable(typeof text === 'string' ? new TextEncoder().encode(text) : text, {
    ...{ readImo, imosOf, now, readWorkbook: workbooks.read },
    ...more,
  });
/** The names that the workspace knows. */
const imosOf = (name: string): Imo[] => {
  const known: Record<string, number[]> = { 'EVER GIVEN': [9811000], ACE: [9839430, 9074729] };
  return (known[name.toUpperCase()] ?? []).filter(isImo);
};
const both = [
  { imo: 9461477, name: 'DS CYPRESS', fleets: [], references: [] },
  { imo: 9755933, name: 'MSC DIANA', fleets: [], references: [] },
];

describe('a table of vessel names', () => {
  it.each([
    ['with headings', 'imo,name\n9461477,DS CYPRESS\n9755933,MSC DIANA\n'],
    ['without headings', '9461477,DS CYPRESS\r\n9755933,MSC DIANA'],
    ['with the name first', 'Vessel name;IMO number;flag\nDS CYPRESS;9461477;LR\nMSC DIANA;IMO 9755933;PA'],
    ['with the name first, without headings', 'DS CYPRESS\t9461477\nMSC DIANA\t9755933'],
    [
      'with a mark, quotes, spaces and empty lines',
      '\ufeffIMO,Name\n\n 9461477 ,"DS  CYPRESS"\n\n9755933,MSC DIANA\n\n',
    ],
  ])('%s', async (_, text) => {
    expect(await read(text)).toMatchObject({ vessels: both, skippedRows: [] });
  });

  it('in UTF-16, as old spreadsheets write it', async () => {
    const text = '\ufeff9461477\tDS CYPRESS\r\n9755933\tMSC DIANA';
    expect(await read(new Uint8Array(Buffer.from(text, 'utf16le')))).toMatchObject({
      vessels: both,
      skippedRows: [],
      encoding: 'utf-16',
      columns: [],
    });
  });

  it('with fleets, and vessels that have no name but a fleet', async () => {
    const text = 'imo,name,fleets\n9461477,DS CYPRESS,NORTH | "A | B"\n9755933,,NORTH\n';
    expect(await read(text)).toMatchObject({
      vessels: [
        { imo: 9461477, name: 'DS CYPRESS', fleets: ['NORTH', 'A | B'], references: [] },
        { imo: 9755933, name: null, fleets: ['NORTH'], references: [] },
      ],
      skippedRows: [],
    });
  });

  it.each([
    ['a title', 'Bookings, week 48;;\r\n\r\nBooking No.;Vessel;IMO\r\nBK1;DS CYPRESS;9461477'],
    ['numbers with decimals', 'Booking,Vessel,IMO\nBK1,DS CYPRESS,9461477.0'],
    ['empty rows and columns', 'Booking;Vessel;IMO;;;\n;;;;;\nBK1;DS CYPRESS;9461477;;;\n;;;;;'],
    ['a voyage', 'Booking;Vessel / Voyage No.;IMO\nBK1;DS CYPRESS 448W;9461477'],
    ['a voyage after a slash', 'Booking;Vessel;IMO\nBK1;DS CYPRESS / 448W;9461477'],
    ['a voyage after V.', 'Booking;Vessel;IMO\nBK1;DS CYPRESS V.448W;9461477'],
    [
      'a semicolon in a remark',
      'Booking,Vessel,IMO\nBK1,DS CYPRESS,9461477\nBK1,DS CYPRESS,9461477,hot; urgent',
    ],
  ])('as people export it: with %s', async (_, text) => {
    const result = await read(text);
    const row = { imo: 9461477, name: 'DS CYPRESS', fleets: [], references: ['BK1'] };
    if ('refused' in result) throw new Error(result.refused);
    expect(result.vessels[0]).toEqual(row);
    expect(result.skippedRows).toEqual([]);
    expect(result.columns.map(({ as }) => as).sort()).toEqual(['IMO number', 'reference', 'vessel']);
    expect(result).toMatchObject({ totalRows: result.usedRows });
  });

  it('finds a known vessel by its name before a voyage, and never cuts a name that is known', async () => {
    expect(await read('Vessel;Booking\nEVER GIVEN / 012E;BK1\nEVER GIVEN V. 13;BK2')).toMatchObject({
      vessels: [
        { imo: 9811000, references: ['BK1'] },
        { imo: 9811000, references: ['BK2'] },
      ],
      skippedRows: [],
    });
    expect(await read('imo,name\n9461477,STAR 7\n9755933,ROUTE 66/B')).toMatchObject({
      vessels: [{ name: 'STAR 7' }, { name: 'ROUTE 66/B' }],
    });
  });

  it('takes each line of a cell for a reference, and a customer with a comma for one', async () => {
    const text = 'imo;Booking;Customer\n9461477;"BK1\nBK2, BK3";"ACME, Inc"\n';
    expect(await read(text)).toMatchObject({
      vessels: [{ references: ['BK1', 'BK2', 'BK3', 'ACME, Inc'] }],
    });
  });

  it('says of an old workbook, or one with a password, how to share it', async () => {
    expect(await read(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))).toEqual({
      refused:
        'The file is an old Excel workbook (.xls), or it has a password. Save it as .xlsx without a password, or as CSV.',
    });
  });

  it('keeps good rows and reports the lines of bad ones', async () => {
    const text = `imo,name\n9461477,DS CYPRESS\n123,X\n,Y\n9811000,\n9811000,${'N'.repeat(61)}\n"two\nlines",Z\n9755933,MSC DIANA`;
    expect(await read(text)).toMatchObject({
      vessels: both,
      skippedRows: [
        { line: 3, kind: 'bad-imo', detail: 'not an IMO number' },
        { line: 4, kind: 'unknown-name', detail: 'Y' },
        { line: 5, kind: 'nothing-to-save', detail: '' },
        { line: 6, kind: 'bad-name', detail: 'a name of more than 60 characters' },
        { line: 8, kind: 'bad-imo', detail: 'not an IMO number' },
      ],
      encoding: 'utf-8',
      columns: [
        { heading: 'imo', as: 'IMO number' },
        { heading: 'name', as: 'vessel' },
      ],
      totalRows: 7,
      usedRows: 2,
    });
  });

  it('gives a vessel the last of its several names, and reports the others', async () => {
    const text =
      'imo,name,fleets\n9461477,FIRST,NORTH\n9461477,SECOND\n9755933,MSC DIANA\n9461477,DS CYPRESS\n';
    expect(await read(text)).toMatchObject({
      vessels: [
        { imo: 9461477, name: null, fleets: ['NORTH'] },
        { imo: 9755933, name: 'MSC DIANA' },
        { imo: 9461477, name: 'DS CYPRESS' },
      ],
      skippedRows: [
        { line: 2, kind: 'other-name', detail: 'IMO 9461477: see line 5' },
        { line: 3, kind: 'other-name', detail: 'IMO 9461477: see line 5' },
      ],
    });
    expect(await read('9461477,A\n9461477,A\n')).toMatchObject({ skippedRows: [] });
  });

  it('reads references in a column of their own, or in the fourth', async () => {
    const text = 'imo;references\n9461477;BK123 | bk-123 | MEDU4711\n';
    const vessel = { imo: 9461477, name: null, fleets: [], references: ['BK123', 'MEDU4711'] };
    expect(await read(text)).toMatchObject({ vessels: [vessel], skippedRows: [] });
    expect(await read('9461477,,,BK123 | MEDU4711\n')).toMatchObject({ vessels: [vessel], skippedRows: [] });
  });

  it.each([
    ['Booking No.', 'B/L No.', 'Customer'],
    ['BKG #', 'B/L', 'Customer Ref.'],
    ['Booking number', 'Master B/L No', 'Our Reference'],
    ['Bookingnumber', 'MBL', 'PO Number'],
    ['Carrier Booking Ref', 'Bill of Lading No.', 'Shipment ID'],
    ['BOOKING NO', 'House BL', 'Sales Order'],
  ])('knows the headings of spreadsheets: %s, %s, %s', async (...headings) => {
    for (const vessel of ['Vessel', 'Vessel Name', "Ship's name", 'M/V', 'VSL', 'Mother Vessel']) {
      const text = `\ufeff"ETD";"${vessel}";"IMO No.";${headings.map((heading) => `"${heading}"`).join(';')};"Shipper"\r\n1.12.;Ds Cypress;9461477;B1-A;B2-B;B3-C;Ltd\r\n`;
      expect(await read(text)).toMatchObject({
        vessels: [{ imo: 9461477, name: 'Ds Cypress', references: ['B1-A', 'B2-B', 'B3-C'] }],
        columns: [
          { heading: 'ETD' },
          { heading: vessel, as: 'vessel' },
          { heading: 'IMO No.', as: 'IMO number' },
          ...headings.map((heading) => ({ heading, as: heading === 'Customer' ? 'customer' : 'reference' })),
          { heading: 'Shipper' },
        ],
      });
    }
  });

  it('takes names for numbers: those of the file first, then those of the workspace', async () => {
    const text =
      'Vessel,IMO,Booking\nEver Given,,BK1\nDS CYPRESS,TBA,BK2\nAce,,BK3\nNOBODY,,BK4\nNOBODY,-,BK5\n,,BK6\nds cypress,9461477,BK7\n';
    expect(await read(text)).toMatchObject({
      vessels: [
        { imo: 9811000, name: null, references: ['BK1'] },
        { imo: 9461477, name: null, references: ['BK2'] },
        { imo: 9461477, name: 'ds cypress', references: ['BK7'] },
      ],
      skippedRows: [
        { line: 4, kind: 'ambiguous-name', detail: 'Ace' },
        { line: 5, kind: 'unknown-name', detail: 'NOBODY' },
        { line: 6, kind: 'unknown-name', detail: 'NOBODY' },
        { line: 7, kind: 'no-vessel' },
      ],
    });
  });

  it('reads the separator that Excel writes into the first line', async () => {
    expect(await read('sep=;\r\nIMO;Name\r\n9461477;DS CYPRESS\r\n9755933;MSC DIANA')).toMatchObject({
      vessels: both,
    });
  });

  it("says why it can't read a file at all", async () => {
    // What follows the last row that may be read is not looked at: it would be no table at all.
    const endless = `${'9461477,A\n'.repeat(10_000)}${'x'.repeat(20_000)}`;
    expect(await read(endless, { maxRows: 2 })).toEqual({
      refused: 'The file has more than 2 rows.',
    });
    expect(await read('Booking,Customer\nBK1,ACME\n')).toEqual({
      refused:
        'The file has no column of vessels, neither IMO numbers nor names: its columns are Booking, Customer.',
    });
    expect(await read(new Uint8Array([0x39, 0, 0x34]))).toEqual({ refused: 'The file is not a text file.' });
    expect(await read(new Uint8Array([0x89, 0x50, 0x1a]))).toEqual({
      refused: 'The file is not a text file.',
    });
    expect(await read(`9461477,"never closed${'x'.repeat(20_000)}`)).toEqual({
      refused: 'The file is not a table of values separated by commas, semicolons or tabs.',
    });
    expect(await read('')).toEqual({ refused: 'The file is empty.' });
  });

  it('can be read back unchanged, and contains no formulas', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim())
      .filter((text) => text !== '' && text.length <= 60);
    const fleet = fc.oneof(name, fc.constantFrom('NORTH', 'A | B', '"', '=1', "'=1", '"A" | "B"'));
    const fleets = fc.uniqueArray(
      fleet.filter((text) => text !== '.' && text !== '..'),
      { maxLength: 3 },
    );
    const vessel = fc
      .record({
        imo: fc.integer({ min: 1_000_000, max: 9_999_999 }).filter(isImo),
        name: fc.option(name),
        fleets,
        references: fc.uniqueArray(fc.constantFrom('BK123', 'A B/1', 'x-2.3', '-9'), { maxLength: 3 }),
      })
      .filter((one) => one.name !== null || one.fleets.length + one.references.length > 0);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(vessel, { minLength: 1, selector: ({ imo }) => imo }),
        async (vessels) => {
          const text = writeVesselCsv(vessels);
          expect(await read(text)).toMatchObject({ vessels, skippedRows: [], encoding: 'utf-8' });
          // Cell by cell: a comma within quotes begins none.
          const cells: string[][] = parse(text);
          expect(cells.flat().filter((cell) => /^[=+@-]/.test(cell))).toEqual([]);
        },
      ),
    );
  });

  it('accepts or refuses any bytes without throwing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const result = await read(bytes);
        expect('refused' in result || result.usedRows <= result.totalRows).toBe(true);
      }),
    );
  });
});

describe('the columns of a booking sheet', () => {
  const asOf = async (heading: string) => {
    const table = await read(
      `Vessel;IMO;Booking;POD;Due;"${heading}"\nDS CYPRESS;9461477;BK1;NLRTM;2026-12-01;x\n`,
    );
    return 'refused' in table ? table.refused : table.columns.at(-1)?.as;
  };
  const alone = async (heading: string, others = 'Vessel;IMO') => {
    const table = await read(`${others};"${heading}"\nDS CYPRESS;9461477;Rotterdam\n`);
    const { as, why } = 'refused' in table ? {} : (table.columns.at(-1) ?? {});
    return as ?? why;
  };

  it.each([
    'Buchungsnummer',
    'Boekingsnummer',
    'N\u00b0 de r\u00e9servation',
    'N\u00famero de reserva',
    'Connaissement',
    'Konnossement Nr.',
    'Auftragsnummer',
  ])('%s: references', async (heading) => expect(await asOf(heading)).toBe('reference'));
  it.each([
    'Kunde',
    'Kundenname',
    'Klant',
    'Client',
    'Cliente',
    'Empf\u00e4nger',
    'Consignee name',
  ])('%s: customers', async (heading) => expect(await asOf(heading)).toBe('customer'));
  it.each([
    'Schiff',
    'Schiffsname',
    'Barco',
    'Schip',
    'Navire',
    'Nom du navire',
    'Buque',
    'Nombre del buque',
  ])('%s: vessels', async (heading) => expect(await alone(heading, 'Booking;IMO')).toBe('vessel'));
  it.each([
    'Port',
    'POD',
    'Port of discharge',
    'Discharge port',
    'Destination',
    'Delivery port',
    'L\u00f6schhafen',
    'Zielhafen',
    'Hafen',
    'Haven',
    'Puerto',
    'Loshaven',
    'Port de d\u00e9chargement',
    'Puerto de descarga',
  ])('%s: the port of a promise', async (heading) =>
    expect(await alone(heading, 'Due;IMO')).toBe('port of a promise'));
  it.each([
    'Due',
    'Due date',
    'Deadline',
    'Delivery date',
    'Required by',
    'Required on',
    'Latest arrival',
    'Liefertermin',
    'F\u00e4llig am',
    'Termin',
    'L\u00f6schtermin',
    'Losdatum',
    'Date butoir',
    '\u00c9ch\u00e9ance',
    'Fecha l\u00edmite',
    'Leverdatum',
    'Date de livraison',
    'Fecha de entrega',
  ])('%s: the latest arrival of a promise', async (heading) =>
    expect(await alone(heading, 'Port;IMO')).toBe('latest arrival of a promise'));
  it.each<[string, string | undefined]>([
    ['ETA', 'an earlier forecast; I look up the current one'],
    ['ETA POD', 'an earlier forecast; I look up the current one'],
    ['Ankunftstermin', 'an earlier forecast; I look up the current one'],
    ['Llegada prevista', 'an earlier forecast; I look up the current one'],
    ['Expected arrival', 'an earlier forecast; I look up the current one'],
    ['Date', 'call it Due if it is the latest arrival'],
    ['Due date', 'a promise needs both a port of discharge and a due date'],
    ['POD', 'a promise needs both a port of discharge and a due date'],
    ['ETD', undefined],
    ['Port of loading', undefined],
    ['Container', undefined],
  ])('%s: not used (%s)', async (heading, why) => expect(await alone(heading)).toBe(why));
});

describe('the promises of a booking sheet', () => {
  const promised = async (dates: readonly string[], more: { dateOrder?: DateOrder; port?: string } = {}) => {
    const { port = 'Rotterdam', ...options } = more;
    const rows = dates.map((date, index) => `9461477;BK${index};${port};"${date}"`);
    const table = await read(`IMO;Booking;Port;Due\n${rows.join('\n')}\n`, options);
    if ('refused' in table) throw new Error(table.refused);
    return table;
  };
  const timesOf = async (dates: readonly string[], more: { dateOrder?: DateOrder } = {}) => {
    const { promises, skippedRows } = await promised(dates, more);
    return [
      ...promises.map(({ by }) => by.toISOString().slice(0, 16)),
      ...skippedRows.map(({ detail }) => detail),
    ];
  };

  it.each([
    ['2026-12-24', '2026-12-24T22:59'],
    ['2026-12-24 18:00', '2026-12-24T17:00'],
    ['2026-12-24T18:00:00', '2026-12-24T17:00'],
    ['2026-12-24T18:00Z', '2026-12-24T18:00'],
    ['24.12.2026 18:00 Singapore time', '2026-12-24T10:00'],
    ['2026-12-24 18:00 America/New_York', '2026-12-24T23:00'],
    ['24.12.2026', '2026-12-24T22:59'],
    ['24.12.26 18:00', '2026-12-24T17:00'],
    ['24/12/2026', '2026-12-24T22:59'],
    ['12/24/2026 6:00 PM', '2026-12-24T17:00'],
    ['24-Dec-2026', '2026-12-24T22:59'],
    ['24 Dez', '2026-12-24T22:59'],
    ['24.12.2026 18:00 Uhr', '2026-12-24T17:00'],
    ['KW 52', '2026-12-27T22:59'],
    ['CW 1/2027', '2027-01-10T22:59'],
    ['24.11.2025', '\u201c2025-11-24\u201d at Rotterdam (NLRTM) is in the past.'],
    ['tomorrow', "\u201ctomorrow\u201d isn't a date."],
    ['soon', "\u201csoon\u201d isn't a valid date."],
  ])('%s: %s', async (date, time) => expect(await timesOf([date])).toEqual([time]));

  it.each([
    ['24.12.2026 06:00-14:00', '05:00', '13:00'],
    ['24.12.2026 06:00 bis 14:00 Uhr', '05:00', '13:00'],
    ['2026-12-24 14:00 \u00b16h', '07:00', '19:00'],
  ])('%s: a window', async (date, earliest, by) =>
    expect((await promised([date])).promises).toEqual([
      {
        ...{ imo: 9461477, port: 'NLRTM', reference: 'BK0' },
        earliest: new Date(`2026-12-24T${earliest}:00Z`),
        by: new Date(`2026-12-24T${by}:00Z`),
      },
    ]));

  it('has the day or the month first in all rows, as in those that are clear', async () => {
    expect(await timesOf(['05/12/2026', '24/12/2026'], { dateOrder: 'month' })).toEqual([
      '2026-12-05T22:59',
      '2026-12-24T22:59',
    ]);
    expect(await timesOf(['05/12/2027', '12/24/2026'])).toEqual(['2027-05-12T21:59', '2026-12-24T22:59']);
  });

  it('has it as the person writes it if no row is clear, or else asks', async () => {
    expect(await timesOf(['05/12/2027'], { dateOrder: 'month' })).toEqual(['2027-05-12T21:59']);
    const asked = await promised(['05/12/2027', '2027-01-31']);
    expect(asked).toMatchObject({
      promises: [{ by: new Date('2027-12-05T22:59:00Z') }, {}],
      monthFirst: { example: '05/12/2027', promises: [{ by: new Date('2027-05-12T21:59:00Z') }, {}] },
    });
  });

  it('says of a date that both orders contradict that it can be read in two ways', async () => {
    expect(await timesOf(['24/12/2026', '12/25/2026', '05/12/2027'])).toEqual([
      '2026-12-24T22:59',
      '2026-12-25T22:59',
      '\u201c05/12/2027\u201d can be read in two ways: which number is the month?',
    ]);
  });

  it.each([
    'NLRTM',
    'nl rtm',
    'ROTTERDAM',
    'NLRTM - Rotterdam',
    'Rotterdam (NLRTM)',
    'Rotterdam / NL',
  ])('is for the port %s', async (port) =>
    expect((await promised(['2026-12-24'], { port })).promises).toMatchObject([
      { imo: 9461477, port: 'NLRTM', reference: 'BK0' },
    ]));

  it('leaves out a promise for a port that is unknown, and uses the rest of the row', async () => {
    expect(await promised(['2026-12-24'], { port: 'Nowhere' })).toMatchObject({
      ...{ vessels: [{ references: ['BK0'] }], promises: [], totalRows: 1, usedRows: 1 },
      skippedRows: [{ line: 2, kind: 'bad-port', detail: '\u201cNowhere\u201d' }],
    });
    const alone = await read(
      'IMO;Port;Due\n9461477;Rotterdam;1 Dec 2026\n9461477;Nowhere;1 Dec 2026\n9461477;Rotterdam;TBA',
    );
    expect(alone).toMatchObject({ vessels: [], promises: [{}], totalRows: 3, usedRows: 1 });
  });
});

describe('a workbook', () => {
  it('is read from the first sheet with headings; its dates are dates and its texts stay texts', async () => {
    const day = (value: string) => ({ type: Date, value: new Date(value), format: 'dd/mm/yyyy' }) as const;
    const headings = ['Booking', 'Vessel', 'IMO', 'POD', 'Due'].map((value) => ({ value }));
    const bytes = await writeExcelFile([
      { sheet: 'Cover', data: [[{ value: 'Week 48' }]] },
      {
        sheet: 'Bookings',
        data: [
          [{ value: 'Our bookings' }],
          headings,
          [
            { value: '00123' },
            { value: 'DS CYPRESS' },
            { value: 9461477 },
            { value: 'Rotterdam' },
            day('2026-12-05'),
          ],
        ],
      },
    ]).toBuffer();
    expect(await read(bytes)).toMatchObject({
      sheet: 'Bookings',
      vessels: [{ imo: 9461477, name: 'DS CYPRESS', references: ['00123'] }],
      promises: [{ imo: 9461477, port: 'NLRTM', by: new Date('2026-12-05T22:59:00Z'), reference: '00123' }],
      ...{ totalRows: 1, usedRows: 1, skippedRows: [] },
    });
  });

  it('is refused if it is damaged, and nothing else happens', async () => {
    expect(await read(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toEqual({
      refused:
        "The file isn't an Excel workbook that I can read: it may be damaged, or of another program. Open it, and save it as .xlsx or CSV.",
    });
  });
});
