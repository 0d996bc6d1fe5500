import { expect, test } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { pastedBookings } from '../../../src/features/pasted-bookings.ts';
import { vessels } from '../../support/days.ts';
import { parseLine } from '../../support/registry.ts';

const table = (...rows: readonly string[]) => rows.map((row) => row.replaceAll(' · ', '\t')).join('\n');
const cellsOf = (text: string) => pastedBookings(text, vessels)?.cells.replaceAll('\t', ' · ').split('\n');

test.each([
  {
    name: 'references, ports and dates',
    pasted: [
      'BK-4421 · Ever Given · Sydney · 9/12/26',
      'BK-4422 · Cosco Shipping Aries · Brisbane · 14/12/26',
    ],
    headings: 'Reference · Vessel · Port · Due',
  },
  {
    name: 'the last of several ports and dates is due; an unknown column has no heading',
    pasted: [
      '9811000 · Ever Given · Shanghai · Rotterdam · 1/11/26 · 9/12/26 · hot',
      '9755933 · MSC Diana · Ningbo · Antwerp · 4/11/26 · 14/12/26 · ',
    ],
    headings: 'IMO · Vessel · Other port · Port · Date · Due · ',
  },
  {
    name: 'a cell may be unknown',
    pasted: ['4500123456 · Ever Given · Sydney · tbc', '4500123457 · Nobody Knows · Brisbane · 14 Dec'],
    headings: 'Reference · Vessel · Port · Due',
  },
])('$name', ({ pasted, headings }) => {
  expect(cellsOf(table(...pasted))).toEqual([headings, ...pasted]);
});

test('words around a name or a date are left out; a stored reference alone gives its vessel', () => {
  expect(cellsOf(table('MV Ever Given V.1176W · BK-4421 · Gdansk · promised 11 Dec'))).toEqual([
    'Vessel · Reference · Port · Due',
    'Ever Given · BK-4421 · Gdansk · 11 Dec',
  ]);
  expect(cellsOf(table('BK-4401 · Sydney · 9 Dec', 'BK-4402 · Brisbane · 14 Dec'))).toEqual([
    'IMO · Reference · Port · Due',
    '9811000 · BK-4401 · Sydney · 9 Dec',
    '9755933 · BK-4402 · Brisbane · 14 Dec',
  ]);
});

test.each([
  ['all is stored', 'BK-4401 · EVER GIVEN · SHANGHAI · ROTTERDAM', 'BK-4402 · MSC DIANA · NINGBO · ANTWERP'],
  [
    'voyages, and dates without ports',
    'MSC GULSUN · GU449W · 24.11.2026',
    'MAERSK ESSEX · 448E · 26.11.2026',
  ],
  ['containers and boxes', 'MSC GULSUN · MSCU1234566 · 40HC', 'MAERSK ESSEX · CSQU3054383 · 12x40HC'],
  ['forecasts', 'MSC GULSUN · Rotterdam · ETA 24 Nov', 'MAERSK ESSEX · Hamburg · ETA 26 Nov'],
  [
    'headings say what the columns are',
    'Vessel · Voyage · POD · ETA',
    'MSC GULSUN · GU449W · Rotterdam · 24 Nov',
    'MSC DIANA · FY448W · Antwerp · 26 Nov',
  ],
])('%s: a question, as ever', (_, ...rows) => {
  expect(pastedBookings(table(...rows), vessels)).toBeUndefined();
  expect(parseLine(table(...rows), { vessels, isTyped: true }).line).toMatch(/^nextport \d+, \d+$/);
});

test('a command says what is wanted, and a saved line is not asked about', () => {
  const rows = table('BK-4421 · Ever Given · Sydney · 9 Dec', 'BK-4422 · MSC Diana · Brisbane · 14 Dec');
  expect(parseLine(`nextport ${rows}`, { vessels, isTyped: true }).line).toBe('nextport 9811000, 9755933');
  expect(parseLine(`watch\n${rows}`, { vessels, isTyped: true }).line).toBe('watch 9811000, 9755933');
  expect(parseLine(rows, { vessels }).line).toBe('nextport 9811000, 9755933');
});

test('a table too long for a button opens an empty form, and says so', () => {
  const rows = Array.from(
    { length: 50 },
    (_, index) => `BK-99${index + 10} · Ever Given · Sydney · 9 Dec 2026 18:00`,
  );
  const refused = () => parseLine(table(...rows), { vessels, isTyped: true });
  expect(refused).toThrow(UserError);
  expect(refused).toThrow(
    expect.objectContaining({
      message:
        "This table has 50 references that aren't stored (“BK-9910”, “BK-9911”, “BK-9912” and 47 more) and 50 dates beside ports. Do you want to import it?",
      hint: expect.stringContaining('paste the table into the form, or share it as a file'),
      form: { label: 'Import …', name: 'import', target: {} },
    }),
  );
});
