import { describe, expect, test } from 'vitest';
import { laneAnswer } from '../../../src/features/lane/answer.ts';
import type { LaneStatistics } from '../../../src/features/lane/statistics.ts';
import type { Scac } from '../../../src/reference/carriers.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead, asReadPlain, blockLines } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, carrier, now, port } from '../../support/view-fixtures.ts';

const statistics: LaneStatistics = {
  origin: port('SGSIN'),
  destination: port('CNXAM'),
  insteadOf: [],
  ranked: [carrier('MAEU', 37, { delayed: [3, 5], omitted: [2, 2] })],
  unranked: [carrier('HLCU', 4, { delayed: [1, 0], omitted: [0, 1] })],
  missing: ['MATS' as Scac],
  period: { begin: new Date('2026-08-23T09:05:00Z'), end: now },
  periodsDiffer: false,
  ...asked,
};

const lines = {
  reverse: 'lane CNXAM SGSIN MAEU,HLCU,MATS',
  versus: 'lane SGSIN CNXAM MAEU,HLCU,MATS versus previous',
};
const viewOf = ({ page = 1, ...more }: Partial<LaneStatistics> & { page?: number } = {}) =>
  messageOf(laneAnswer({ ...statistics, ...more }, { page, lines }), 'lane SGSIN CNXAM MAEU,HLCU,MATS');
const none: Parameters<typeof carrier>[2] = { delayed: [0, 0], omitted: [0, 0] };
/** Two carriers share the first rank. */
const several = [
  carrier('MSCU', 18, { ...none, delayed: [3, 0] }),
  carrier('MAEU', 13, { ...none, delayed: [3, 0], omitted: [1, 0] }),
  carrier('ONEY', 12, { ...none, delayed: [1, 1] }),
];

test('the carriers that are delayed least, all shares with their intervals, and carriers with too few journeys', () => {
  expect(asRead(viewOf({ ranked: several }))).toMatchInlineSnapshot(`
    "text: Singapore → Xiamen: MSC and Maersk, no delays at Xiamen (18 and 13 journeys) · BETA; MSC (MSCU) · Delayed CNXAM 0% (0 of 18) · 95% 0–18%; Maersk (MAEU) · Delayed CNXAM 0% (0 of 13) · 95% 0–23%; ONE (ONEY) · Delayed CNXAM 8% (1 of 12) · 95% 1–35%; Hapag-Lloyd (HLCU) · Delayed CNXAM 0 of 4 · Journeys 4; Matson (MATS): no journeys returned

    *Singapore → Xiamen: MSC and Maersk, no delays at Xiamen* (18 and 13 journeys) · BETA
    (bar chart: Delayed at Xiamen, % of journeys)
      Delayed journeys, %: MSC 0, Maersk 0, ONE 8
    (table: Carriers by delays at Xiamen)
    | Carrier | Delayed CNXAM | 95% | Journeys | Delayed SGSIN | Omitted SGSIN | Omitted CNXAM |
    | MSC (MSCU) | 0% (0 of 18) | 0–18% | 18 | 17% (3 of 18) | 0 | 0 |
    | Maersk (MAEU) | 0% (0 of 13) | 0–23% | 13 | 23% (3 of 13) | 1 | 0 |
    | ONE (ONEY) | 8% (1 of 12) | 1–35% | 12 | 8% (1 of 12) | 0 | 0 |
    ▸ 1 carrier with too few to rank (under 10 journeys)
      Hapag-Lloyd (HLCU) · Delayed CNXAM 0 of 4 · Journeys 4 · Delayed SGSIN 1 of 4 · Omitted SGSIN 0 · Omitted CNXAM 1
    Matson (MATS): no journeys returned
    Departures 23 Aug – 21 Nov 2026 · delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · 95%: Wilson interval of the delayed share · SGSIN → CNXAM · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM MAEU,HLCU,MATS] [Versus previous → lane SGSIN CNXAM MAEU,HLCU,MATS versus previous] [Share → lane SGSIN CNXAM MAEU,HLCU,MATS] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN MAEU,HLCU,MATS | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

test('the same without newer blocks', () => {
  expect(asReadPlain(viewOf({ ranked: several }))).toMatchInlineSnapshot(`
    "text: Singapore → Xiamen: MSC and Maersk, no delays at Xiamen (18 and 13 journeys) · BETA; MSC (MSCU) · Delayed CNXAM 0% (0 of 18) · 95% 0–18%; Maersk (MAEU) · Delayed CNXAM 0% (0 of 13) · 95% 0–23%; ONE (ONEY) · Delayed CNXAM 8% (1 of 12) · 95% 1–35%; Hapag-Lloyd (HLCU) · Delayed CNXAM 0 of 4 · Journeys 4; Matson (MATS): no journeys returned

    *Singapore → Xiamen: MSC and Maersk, no delays at Xiamen* (18 and 13 journeys) · BETA
    Delayed at Xiamen, % of journeys: MSC 0% · Maersk 0% · ONE 8%
    MSC (MSCU) · Delayed CNXAM 0% (0 of 18) · 95% 0–18% · Journeys 18 · Delayed SGSIN 17% (3 of 18) · Omitted SGSIN 0 · Omitted CNXAM 0
    Maersk (MAEU) · Delayed CNXAM 0% (0 of 13) · 95% 0–23% · Journeys 13 · Delayed SGSIN 23% (3 of 13) · Omitted SGSIN 1 · Omitted CNXAM 0
    ONE (ONEY) · Delayed CNXAM 8% (1 of 12) · 95% 1–35% · Journeys 12 · Delayed SGSIN 8% (1 of 12) · Omitted SGSIN 0 · Omitted CNXAM 0
    1 carrier with too few to rank (under 10 journeys)
    Hapag-Lloyd (HLCU) · Delayed CNXAM 0 of 4 · Journeys 4 · Delayed SGSIN 1 of 4 · Omitted SGSIN 0 · Omitted CNXAM 1
    Matson (MATS): no journeys returned
    Departures 23 Aug – 21 Nov 2026 · delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · 95%: Wilson interval of the delayed share · SGSIN → CNXAM · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM MAEU,HLCU,MATS] [Versus previous → lane SGSIN CNXAM MAEU,HLCU,MATS versus previous] [Share → lane SGSIN CNXAM MAEU,HLCU,MATS] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN MAEU,HLCU,MATS | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

describe('the verdict', () => {
  const verdict = (ranked: LaneStatistics['ranked'], more: Partial<LaneStatistics> = {}) =>
    blockLines(viewOf({ ranked, ...more }).blocks[0] ?? never()).join();
  const delayed = (scac: string, count: number, of: number) =>
    carrier(scac, of, { ...none, delayed: [0, count] });

  test('names one carrier with its share', () => {
    expect(verdict([delayed('MAEU', 1, 20), delayed('MSCU', 5, 20)])).toBe(
      '*Singapore → Xiamen: Maersk least delayed at Xiamen, 5%* (1 of 20 journeys) · BETA',
    );
  });

  test('names carriers with equal shares together, whatever their journeys', () => {
    expect(verdict([delayed('MAEU', 3, 30), delayed('MSCU', 1, 10), delayed('ONEY', 2, 10)])).toBe(
      '*Singapore → Xiamen: Maersk and MSC least delayed at Xiamen, 10%* (3 of 30 and 1 of 10 journeys) · BETA',
    );
  });

  test('counts carriers if more than three have equal shares', () => {
    const four = ['MAEU', 'MSCU', 'ONEY', 'HLCU'].map((scac, index) => delayed(scac, 0, 20 - index));
    expect(verdict(four)).toBe(
      '*Singapore → Xiamen: 4 carriers, no delays at Xiamen* (Maersk 20, MSC 19, ONE 18, Hapag-Lloyd 17 journeys) · BETA',
    );
  });

  test('says if one carrier alone can be ranked, and by what', () => {
    expect(verdict(statistics.ranked, { destination: port('CNSHA') })).toBe(
      '*Only Maersk has enough journeys to rank (37): 14% (5 of 37) delayed at Shanghai* · Singapore → Shanghai · BETA',
    );
  });

  test('of the only carrier of the answer needs no rank', () => {
    expect(verdict(statistics.ranked, { unranked: [], missing: [] })).toBe(
      '*Singapore → Xiamen: Maersk, 14% (5 of 37) delayed at Xiamen* · BETA',
    );
  });

  test('says if no carrier can be ranked; then their figures are not hidden', () => {
    expect(verdict([])).toBe('*Singapore → Xiamen: too few journeys to rank any carrier* · BETA');
    expect(viewOf({ ranked: [] }).blocks.map(({ type }) => type)).not.toContain('container');
  });
});

test('shares, intervals and counts can be sorted', () => {
  const table = viewOf().blocks.find(({ type }) => type === 'data_table');
  const [, first] = table && 'rows' in table ? table.rows : [];
  expect(first?.map((cell) => ('value' in cell ? cell.value : null))).toEqual([
    null,
    expect.closeTo(5 / 37),
    expect.closeTo(0.2798),
    37,
    expect.closeTo(3 / 37),
    2,
    2,
  ]);
});

test('a chart compares at least two carriers', () => {
  expect(viewOf().blocks.map(({ type }) => type)).not.toContain('data_visualization');
});

test('on further pages the other carriers; each is on one page', () => {
  const ranked = Array.from({ length: 25 }, () => carrier('MAEU', 37, { ...none, delayed: [3, 5] }));
  const pages = [1, 2].map((page) => viewOf({ ranked, page }));
  for (const page of pages) expect(slackFaults(page)).toEqual([]);
  const [first = '', second = ''] = pages.map(asRead);
  expect(first).not.toContain('Hapag-Lloyd');
  expect(first).toContain('1–20 of 26 shown');
  expect(second.match(/^\| Maersk/gm)).toHaveLength(5);
  expect(second).toContain('▸ 1 carrier with too few to rank (under 10 journeys)');
});

test('a period that ends at midnight ends on the day before', () => {
  const october = { begin: new Date('2026-10-01T00:00:00Z'), end: new Date('2026-11-01T00:00:00Z') };
  expect(asRead(viewOf({ period: october }))).toContain('Departures 1–31 Oct 2026 · ');
});

test('a period that has not ended has departures up to the answer', () => {
  const thisYear = { begin: new Date('2026-01-01T00:00:00Z'), end: new Date('2027-01-01T00:00:00Z') };
  expect(asRead(viewOf({ period: thisYear }))).toContain('Departures 1 Jan – 21 Nov 2026 · ');
});

test('no journeys returned', () => {
  const { period: _, ...nothing } = { ...statistics, ranked: [], unranked: [], missing: [] };
  expect(
    asRead(messageOf(laneAnswer(nothing, { page: 1, lines }), 'lane SGSIN CNXAM')),
  ).toMatchInlineSnapshot(`
    "text: Singapore → Xiamen: no journeys returned · BETA

    *Singapore → Xiamen: no journeys returned* · BETA
    delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · SGSIN → CNXAM · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM] [Share → lane SGSIN CNXAM] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN MAEU,HLCU,MATS | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

test('an answer for another code of the same port says so', () => {
  const shown = asRead(viewOf({ origin: port('CNSHA'), insteadOf: [port('CNSGH')] }));
  expect(shown).toContain('no answer for CNSGH: this is for CNSHA, another code for the same port');
});

function never(): never {
  throw new Error('there is no block');
}
