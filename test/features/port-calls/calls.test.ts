import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { asRead, asReadPlain, blockLines } from '../../support/message-text.ts';
import { featuresOver } from '../../support/registry.ts';
import { runContext } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, cypress, diana, nameless, now, prediction, reader } from '../../support/view-fixtures.ts';

/** By port; no answer for a port that is left out. */
type Lists = Readonly<Record<string, readonly Prediction[]>>;

const names = [cypress, diana];

async function run(line: string, lists: Lists, vessels = createVesselDirectory(names)) {
  const portPredictions: AnalyticsClient['portPredictions'] = async (port) => {
    const predictions = lists[port];
    if (!predictions) throw new Error('no answer');
    return { ...asked, predictions: predictions.toSorted((a, b) => b.probability - a.probability) };
  };
  // Only the function that the line needs is there.
  const { ctx, parseLine } = featuresOver({ portPredictions } as AnalyticsClient);
  return await parseLine(line, { vessels }).run({ ...runContext(ctx), vessels });
}
const show = async (line: string, lists: Lists) => (await run(line, lists)).view(reader);
const read = async (line: string, lists: Lists) => asRead(await show(line, lists));
const verdict = async (line: string, lists: Lists) =>
  (await show(line, lists)).blocks.slice(0, 1).flatMap(blockLines).join().split('\n')[0];

const call = (imo: Imo, probability: number, eta?: string, port = 'NLRTM') =>
  prediction(port, probability, eta, { imo });
const yesterday = call(cypress.imo, 0.5, '2026-11-21T07:00:00Z');
const sunday = call(diana.imo, 0.97, '2026-11-22T04:20:00Z');
const undated = call(nameless.imo, 0.3);
const hidden = call(9074729 as Imo, 0.09, '2026-11-22T10:00:00Z');
const rotterdam = [
  ...[yesterday, sunday, hidden, undated],
  call(9839430 as Imo, 0.12, '2026-11-24T09:00:00Z'),
];

test('less likely vessels before the next likely one are counted', async () => {
  const early = call(9839430 as Imo, 0.12, '2026-11-22T02:00:00Z');
  expect(await verdict('portcalls Rotterdam', { NLRTM: [early, sunday] })).toMatchInlineSnapshot(
    `"*Rotterdam: 2 vessels may call Sun 22 Nov* · next likely MSC DIANA 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 less likely before it"`,
  );
});

test('by probability: the likeliest first, whichever port; of the same, the earliest', async () => {
  const even = call(cypress.imo, 0.97, '2026-11-22T01:00:00Z', 'SGSIN');
  const less = call(9839430 as Imo, 0.6, '2026-11-21T20:00:00Z', 'SGSIN');
  const lists = { NLRTM: [undated, sunday], SGSIN: [less, even] };
  const { text } = await show('portcalls Rotterdam, Singapore by probability', lists);
  const rows = text.matchAll(/(Rotterdam|Singapore) · (\d+)%/g);
  const order = [...rows].map(([, port, share]) => [port, share]);
  expect(order).toEqual([
    ['Singapore', '97'],
    ['Rotterdam', '97'],
    ['Singapore', '60'],
    ['Rotterdam', '30'],
  ]);
});

test('vessels that may call at several ports, with a column for the port, and one that did not answer', async () => {
  const singapore = [
    call(cypress.imo, 0.4, '2026-11-22T18:00:00Z', 'SGSIN'),
    call(9839430 as Imo, 0.3, undefined, 'SGSIN'),
  ];
  const lists = { NLRTM: [...rotterdam.slice(1, 3), { ...yesterday, eta: sunday.eta }], SGSIN: singapore };
  const line = 'portcalls Rotterdam, Singapore, Hamburg, XXABC';
  const message = await show(line, { ...lists, XXABC: [] } as Lists);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: 3 of 4 ports: 3 vessels may call 22–23 Nov · next MSC DIANA → Rotterdam 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 of them at more than one port. Rotterdam: 2 vessels (1.6 likely calls). Singapore: 2 vessels (0.7 likely calls). Likely calls per day, vessels: Rotterdam Sun 1.6 · Mon 0; Singapore Sun 0 · Mon 0.4. MSC DIANA · Sun 05:20 LT Rotterdam · 97%; 🟠 DS CYPRESS · Sun 05:20 LT Rotterdam · 50%; 🟠 DS CYPRESS · Mon 02:00 LT Singapore · 40%; 🟠 IMO 9839430 · ETA not given, Singapore · 30%. No predictions for XXABC · 🟠 No answer for Hamburg; 1 under 10% hidden. Forecast as of 09:05 UTC · NLRTM, SGSIN · times are each port's own · 🟠 30–69% · name and zone not known here: times are UTC · no answer for DEHAM: press Refresh · likely calls: sums of probabilities · further likely calls: 0.3 without ETA · likely calls include the hidden vessels

    *3 of 4 ports: 3 vessels may call 22–23 Nov* · next MSC DIANA → Rotterdam 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 of them at more than one port
    Rotterdam: 2 vessels (1.6 likely calls)
    Singapore: 2 vessels (0.7 likely calls)
    No predictions for XXABC · 🟠 No answer for Hamburg
    (bar chart: Likely calls per day, vessels)
      Rotterdam: Sun 1.6, Mon 0
      Singapore: Sun 0, Mon 0.4
    (table: Vessels that may call at Rotterdam, Singapore, XXABC)
    | Vessel | ETA (LT), port | % | In | Also at | IMO |
    | MSC DIANA | Sun 05:20 Rotterdam | 97% | in 19 h | – | 9755933 |
    | 🟠 DS CYPRESS | Sun 05:20 Rotterdam | 50% | in 19 h | Singapore | 9461477 |
    | 🟠 DS CYPRESS | Mon 02:00 Singapore | 40% | in 1 d 8 h | Rotterdam | 9461477 |
    | 🟠 IMO 9839430 | not given, Singapore | 30% | – | – | 9839430 |
    1 under 10% hidden · Forecast as of 09:05 UTC · NLRTM, SGSIN · times are each port's own · 🟠 30–69% · name and zone not known here: times are UTC · no answer for DEHAM: press Refresh · likely calls: sums of probabilities · further likely calls: 0.3 without ETA · likely calls include the hidden vessels
    [Refresh → portcalls NLRTM, SGSIN, DEHAM, XXABC] [By probability → portcalls NLRTM, SGSIN, DEHAM, XXABC by probability] [By day → portcalls NLRTM, SGSIN, DEHAM, XXABC by day] [Show all → portcalls NLRTM, SGSIN, DEHAM, XXABC min 0%] [Share → portcalls NLRTM, SGSIN, DEHAM, XXABC] [▾ Watch Rotterdam → watch port NLRTM | Watch Singapore → watch port SGSIN | Export for Excel (.xlsx) → apart:menu portcalls NLRTM, SGSIN, DEHAM, XXABC as xlsx | Export as CSV → apart:menu portcalls NLRTM, SGSIN, DEHAM, XXABC as csv]"
  `);
  expect(asReadPlain(message)).toContain(
    '\n🟠 DS CYPRESS · Sun 05:20 LT Rotterdam · 50% · in\u00a019\u00a0h · Also at Singapore · IMO 9461477\n',
  );
  expect(slackFaults(message)).toEqual([]);
  await expect(show(line, {})).rejects.toThrow('no answer');
});

test.each([
  [0.7, 'DS CYPRESS', '70%'],
  [0.694, '🟠 DS CYPRESS', '69%'],
  [0.295, '🟠 DS CYPRESS', '30%'],
  [0.29, '⚪ DS CYPRESS', '29%'],
])('a vessel is marked by the percentage that is shown: %d, %s', async (probability, vessel, shown) => {
  expect(
    await read('portcalls Rotterdam', { NLRTM: [{ ...sunday, imo: cypress.imo, probability }] }),
  ).toContain(`| ${vessel} | Sun 05:20 | ${shown} |`);
});

describe('the verdict', () => {
  test.each([
    ['portcalls Rotterdam', [yesterday], '*Rotterdam: 1 vessel may call* · past ETA'],
    // It counts in a period that begins now, also if that is one of days.
    ['portcalls Rotterdam today', rotterdam, '*Rotterdam: 1 vessel may call Sat 21 Nov* · past ETA'],
    [
      'portcalls Rotterdam next 2 days',
      rotterdam,
      '*Rotterdam: 2 vessels may call by Mon 23 Nov 10:05 LT* · next MSC DIANA 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 of them past ETA',
    ],
    ['portcalls Rotterdam monday', [sunday], '*Rotterdam: no vessel predicted Mon 23 Nov*'],
    [
      'portcalls Rotterdam tomorrow',
      [{ ...sunday, probability: 0.05 }],
      '*Rotterdam: no vessel predicted at 10% or more Sun 22 Nov*',
    ],
    // The country of a port that shares its name with a larger one.
    [
      'portcalls USRAJ',
      [sunday],
      '*Rotterdam, US: 1 vessel may call Sat 21 Nov* · next MSC DIANA 97%, Sat 21 Nov 23:20 LT (Sun 04:20 UTC)',
    ],
  ])('%s: %#', async (line, predictions, expected) => {
    expect(await verdict(line, { NLRTM: predictions, USRAJ: predictions })).toBe(expected);
  });

  test.each([
    [
      'tomorrow',
      '*Rotterdam, Shanghai: 1 vessel may call Sun 22 Nov* · next MSC DIANA → Rotterdam 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 of them at more than one port',
    ],
    // An end at one time everywhere, and days that differ.
    [
      'next 3 days',
      '*Rotterdam, Shanghai: 1 vessel may call by Tue 24 Nov 09:05 UTC* · next MSC DIANA → Rotterdam 97%, Sun 22 Nov 05:20 LT (04:20 UTC) · 1 of them at more than one port',
    ],
  ])('of several ports, a vessel at two of them counted once: %s', async (period, expected) => {
    const lists = { NLRTM: [sunday], CNSHA: [sunday, undated] };
    expect(await verdict(`portcalls Rotterdam, Shanghai ${period}`, lists)).toBe(expected);
  });
});

test('what is left out is said, with the line that shows it', async () => {
  const shown = await read('portcalls Rotterdam tomorrow', { NLRTM: rotterdam });
  expect(shown).toContain('\n1 under 10% hidden · Forecast as of 09:05 UTC · NLRTM');
  expect(shown).toContain('1 without an ETA left out: they may call in another period');
  expect(shown).toContain('[Show all → portcalls NLRTM tomorrow min 0%]');
  expect(shown).toContain('[▾ All dates → portcalls NLRTM | ');
  const newcastle = await read('portcalls Newcastle tomorrow', { AUNTL: [] });
  expect(newcastle).toContain('[Also: Newcastle upon Tyne, GB (GBNCL) → portcalls GBNCL tomorrow]');
});

test('an IMO number with a wrong check digit is shown, and marked', async () => {
  const message = await show('portcalls Rotterdam', { NLRTM: [{ ...sunday, imo: 9461478 as Imo }] });
  expect(asRead(message)).toContain(
    '| IMO 9461478 | Sun 05:20 | 97% | in\u00a019\u00a0h | 9461478 (check digit wrong) |',
  );
  expect(asReadPlain(message)).toContain(
    'IMO 9461478 · Sun 05:20 LT · 97% · in\u00a019\u00a0h · check digit wrong\n',
  );
});

test('both offsets are said if the clocks change before the last ETA', async () => {
  const calls = [sunday, call(cypress.imo, 0.9, '2027-04-01T04:20:00Z')];
  expect(await read('portcalls Rotterdam', { NLRTM: calls })).toContain('LT is UTC+1, later UTC+2');
});

describe('pages', () => {
  const name = 'A VESSEL WITH A NAME OF FORTY LETTERS ABC'.slice(0, 40);
  const many = Array.from({ length: 130 }, (_, index) =>
    call((9461477 + index * 1000) as Imo, 0.5, new Date(now.getTime() + index * 36_000_000).toISOString()),
  );
  const long = createVesselDirectory(many.map(({ imo }) => ({ imo, name })));

  test.each([
    ['portcalls Rotterdam', 50],
    ['portcalls GBLGP, USPDX, USPWM', 30],
  ])('every row of a page of %s stands in the plain message too', async (line, size) => {
    const lists = { NLRTM: many, GBLGP: many, USPDX: many, USPWM: many };
    const message = (await run(line, lists, long)).view(reader);
    expect(slackFaults(message)).toEqual([]);
    const rows = asRead(message).match(/^\| .* \| \d{7}.*\|$/gm) ?? [];
    const lines = asReadPlain(message).match(/^(?!text|\*).*A VESSEL .* LT .*/gm) ?? [];
    expect([rows.length, lines.length]).toEqual([size, size]);
  });

  test('a page beyond the end shows the last page, says so, and Refresh keeps the last page', async () => {
    const last = await read('portcalls NLRTM page 99', { NLRTM: many });
    expect(last).toContain('101–130 of 130 shown · there is no page 99: this is the last');
    expect(last).toContain('[Refresh → portcalls NLRTM page 3]');
  });
});
