import { expect, test } from 'vitest';
import { laneAnswer } from '../../../src/features/lane/answer.ts';
import type { LaneStatistics } from '../../../src/features/lane/statistics.ts';
import type { Scac } from '../../../src/reference/carriers.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead, blockLines } from '../../support/message-text.ts';
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

const delayed = (scac: string, count: number, of: number) =>
  carrier(scac, of, { ...none, delayed: [0, count] });

test.each<[words: string, ranked: LaneStatistics['ranked'], more?: Partial<LaneStatistics>]>([
  [
    '*Singapore → Xiamen: Maersk least delayed at Xiamen, 5%* (1 of 20 journeys) · BETA',
    [delayed('MAEU', 1, 20), delayed('MSCU', 5, 20)],
  ],
  [
    '*Singapore → Xiamen: Maersk and MSC least delayed at Xiamen, 10%* (3 of 30 and 1 of 10 journeys) · BETA',
    [delayed('MAEU', 3, 30), delayed('MSCU', 1, 10), delayed('ONEY', 2, 10)],
  ],
  [
    '*Singapore → Xiamen: 4 carriers, no delays at Xiamen* (Maersk 20, MSC 19, ONE 18, Hapag-Lloyd 17 journeys) · BETA',
    ['MAEU', 'MSCU', 'ONEY', 'HLCU'].map((scac, index) => delayed(scac, 0, 20 - index)),
  ],
  [
    '*Only Maersk has enough journeys to rank (37): 14% (5 of 37) delayed at Shanghai* · Singapore → Shanghai · BETA',
    statistics.ranked,
    { destination: port('CNSHA') },
  ],
  [
    '*Singapore → Xiamen: Maersk, 14% (5 of 37) delayed at Xiamen* · BETA',
    statistics.ranked,
    { unranked: [], missing: [] },
  ],
  ['*Singapore → Xiamen: too few journeys to rank any carrier* · BETA', []],
])('%s', (words, ranked, more = {}) => {
  const { blocks } = viewOf({ ranked, ...more });
  expect(blocks.slice(0, 1).flatMap(blockLines).join()).toBe(words);
  // If no carrier can be ranked, their figures are not hidden.
  if (ranked.length === 0) expect(blocks.map(({ type }) => type)).not.toContain('container');
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
