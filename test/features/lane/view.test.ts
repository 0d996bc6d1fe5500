import { expect, test } from 'vitest';
import { type LaneAnswer, laneStatisticsView } from '../../../src/features/lane/view.ts';
import type { Scac } from '../../../src/reference/carriers.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, carrier, now, port, reader } from '../../support/view-fixtures.ts';

const answer: LaneAnswer = {
  kind: 'lane-statistics',
  line: 'lane SGSIN CNXAM MAEU,HLCU,MATS',
  origin: port('SGSIN'),
  destination: port('CNXAM'),
  insteadOf: [],
  ranked: [carrier('MAEU', 37, { delayed: [3, 5], omitted: [2, 2] })],
  unranked: [carrier('HLCU', 4, { delayed: [1, 0], omitted: [0, 1] })],
  missing: ['MATS' as Scac],
  period: { begin: new Date('2026-08-23T09:05:00Z'), end: now },
  periodsDiffer: false,
  reverseLine: 'lane CNXAM SGSIN MAEU,HLCU,MATS',
  ...asked,
};

test('delays at both ports, omissions as counts, and carriers with too few journeys', () => {
  expect(asRead(laneStatisticsView(answer, reader))).toMatchInlineSnapshot(`
    "text: SGSIN → CNXAM: least delayed Maersk (MAEU), 14% (5 of 37) at Xiamen; Hapag-Lloyd (HLCU) 4 journeys, too few to rank; Matson (MATS): no journeys returned

    *SGSIN → CNXAM* Singapore to Xiamen · BETA
    Departures from Singapore 23 Aug – 21 Nov 2026, UTC
    (table: Carriers from SGSIN to CNXAM)
    | Carrier | Journeys | Delayed SGSIN | Delayed CNXAM | Omitted SGSIN | Omitted CNXAM |
    | 1 Maersk (MAEU) | 37 | 8% (3 of 37) | 14% (5 of 37) | 2 | 2 |
    | Hapag-Lloyd (HLCU) | 4, too few to rank | 1 | 0 | 0 | 1 |
    Matson (MATS): no journeys returned
    Delayed against the original service schedule, per the provider · Omission: a scheduled call that the ship did not make · The provider refreshes these figures daily · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM MAEU,HLCU,MATS] [Share → lane SGSIN CNXAM MAEU,HLCU,MATS] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN MAEU,HLCU,MATS | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

test('without tables, figures follow the name of their carrier', () => {
  const { text, plain = [] } = laneStatisticsView(answer, reader);
  const lines = asRead({ text, blocks: plain }).split('\n');
  const from = lines.findIndex((line) => line.startsWith('*1 '));
  expect(lines.slice(from, from + 5)).toEqual([
    '*1 Maersk (MAEU)* · 37 journeys',
    '\u2003Delayed: Singapore 8% (3 of 37) · Xiamen 14% (5 of 37)',
    '\u2003Omitted calls: Singapore 2 · Xiamen 2',
    'Hapag-Lloyd (HLCU) · 4 journeys · too few to rank',
    '\u2003Delayed: Singapore 1 · Xiamen 0 · Omitted calls: Singapore 0 · Xiamen 1',
  ]);
});

test('a period that ends at midnight ends on the day before', () => {
  const october = { begin: new Date('2026-10-01T00:00:00Z'), end: new Date('2026-11-01T00:00:00Z') };
  expect(asRead(laneStatisticsView({ ...answer, period: october }, reader))).toContain(
    'Departures from Singapore 1–31 Oct 2026, UTC',
  );
});

test('no journeys returned', () => {
  const { period: _, ...none } = { ...answer, ranked: [], unranked: [], missing: [] };
  expect(asRead(laneStatisticsView(none, reader))).toMatchInlineSnapshot(`
    "text: SGSIN → CNXAM: no journeys returned

    *SGSIN → CNXAM* Singapore to Xiamen · BETA
    *No journeys returned*
    Delayed against the original service schedule, per the provider · Omission: a scheduled call that the ship did not make · The provider refreshes these figures daily · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM MAEU,HLCU,MATS] [Share → lane SGSIN CNXAM MAEU,HLCU,MATS] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN MAEU,HLCU,MATS | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

test('one journey is singular, in the notification as well', () => {
  const one = { ...answer, unranked: [carrier('COSU', 1, { delayed: [0, 0], omitted: [0, 0] })] };
  expect(laneStatisticsView(one, reader).text).toContain('COSCO (COSU) 1 journey, too few to rank');
});

test('an answer for another code of the same port says so', () => {
  const shown = asRead(
    laneStatisticsView({ ...answer, origin: port('CNSHA'), insteadOf: [port('CNSGH')] }, reader),
  );
  expect(shown).toContain('no answer for CNSGH: this is for CNSHA, another code for the same port');
});
