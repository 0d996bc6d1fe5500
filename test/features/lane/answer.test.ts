import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../src/answers/formatting/words.ts';
import { laneAnswer } from '../../../src/features/lane/answer.ts';
import { compareCarriers, type LaneStatistics } from '../../../src/features/lane/statistics.ts';
import type { LaneVersus } from '../../../src/features/lane/versus.ts';
import { versusAnswer } from '../../../src/features/lane/versus-answer.ts';
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
  byMonth: [{ label: 'By month', line: 'lane SGSIN CNXAM MAEU,HLCU,MATS last 6 full months by month' }],
};
const viewOf = ({ page = 1, ...more }: Partial<LaneStatistics> & { page?: number } = {}) =>
  messageOf(laneAnswer({ ...statistics, ...more }, { page, lines }), 'lane SGSIN CNXAM MAEU,HLCU,MATS');
const none: Parameters<typeof carrier>[2] = { delayed: [0, 0], omitted: [0, 0] };

const delayed = (scac: string, count: number, of: number) =>
  carrier(scac, of, { ...none, delayed: [0, count] });

test.each<[words: string, ranked: LaneStatistics['ranked'], more?: Partial<LaneStatistics>]>([
  [
    '*Singapore → Xiamen: Maersk and MSC least delayed at Xiamen, 10%* (3 of 30 and 1 of 10 journeys) · BETA',
    [delayed('MAEU', 3, 30), delayed('MSCU', 1, 10), delayed('ONEY', 2, 10)],
  ],
  [
    '*Singapore → Xiamen: 4 carriers, no delays at Xiamen* (Maersk 20, MSC 19, ONE 18, Hapag-Lloyd 17 journeys) · BETA',
    ['MAEU', 'MSCU', 'ONEY', 'HLCU'].map((scac, index) => delayed(scac, 0, 20 - index)),
  ],
  [
    '*Singapore → Xiamen: Maersk, 14% (5 of 37) delayed at Xiamen* · 2 calls omitted at Singapore, 2 at Xiamen · BETA',
    statistics.ranked,
    { unranked: [], missing: [] },
  ],
  [
    '*Singapore → Xiamen: Maersk, 20% (2 of 10) delayed at Xiamen* · 3 calls omitted at Singapore, none at Xiamen · BETA',
    [carrier('MAEU', 10, { delayed: [0, 2], omitted: [3, 0] })],
    { unranked: [], missing: [] },
  ],
])('%s', (words, ranked, more = {}) => {
  const { blocks } = viewOf({ ranked, ...more });
  expect(blocks.slice(0, 1).flatMap(blockLines).join()).toBe(words);
});

test('on further pages the other carriers; each is on one page', () => {
  const ranked = Array.from({ length: 25 }, () => carrier('MAEU', 37, { ...none, delayed: [3, 5] }));
  const pages = [1, 2].map((page) => viewOf({ ranked, page }));
  for (const page of pages) expect(slackFaults(page)).toEqual([]);
  const [first = '', second = ''] = pages.map(asRead);
  expect(first).not.toContain('Hapag-Lloyd');
  expect(first).toContain('1–20 of 26 shown');
  expect(second.match(/^\| Maersk/gm)).toHaveLength(5);
  expect(second).toContain('▸ Hapag-Lloyd has too few to rank (under 10 journeys)');
});

const span = (begin: string, end: string) => ({ begin: new Date(begin), end: new Date(end) });
const frame: Omit<LaneVersus, 'compared' | 'uncompared'> = {
  origin: port('SGSIN'),
  destination: port('CNXAM'),
  insteadOf: [],
  periodsDiffer: false,
  isRecent: false,
  missing: ['MATS' as Scac],
  earlier: span('2026-04-01', '2026-07-01'),
  later: span('2026-07-01', '2026-10-01'),
  ...asked,
};
/** Delays at the destination: carrier, earlier [delayed, of], later [delayed, of]. */
type Row = [scac: string, earlier: [number, number], later: [number, number]];

const versusLines = {
  reverse: 'lane CNXAM SGSIN q3 versus q2',
  earlier: 'lane SGSIN CNXAM 2026-04-01..2026-06-30',
  later: 'lane SGSIN CNXAM 2026-07-01..2026-09-30',
};

function versusOf(rows: readonly Row[], { page = 1, ...more }: Partial<LaneVersus> & { page?: number } = {}) {
  const side = (index: 1 | 2) =>
    rows
      .filter((row) => row[index][1] > 0)
      .map((row) => carrier(row[0], row[index][1], { delayed: [1, row[index][0]], omitted: [0, index] }));
  const versus = { ...frame, ...compareCarriers({ earlier: side(1), later: side(2) }), ...more };
  return messageOf(versusAnswer(versus, { page, lines: versusLines }), 'lane SGSIN CNXAM q3 versus q2');
}

const rows: readonly Row[] = [
  ['MAEU', [3, 40], [20, 40]],
  ['MSCU', [20, 40], [3, 37]],
  ['ONEY', [4, 40], [9, 40]],
  ['HLCU', [0, 4], [2, 12]],
];

test('clear changes, an unclear one, too few journeys, no journeys', () => {
  expect(asRead(versusOf(rows))).toMatchInlineSnapshot(`
    "text: Singapore → Xiamen: more delays at Xiamen for Maersk (8% → 50%), fewer for MSC (50% → 8%) · no clear change for 1 other · BETA. Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026. 🟠 Maersk (MAEU) · Delayed CNXAM 8% → 50% · +42 points; ⚪ MSC (MSCU) · Delayed CNXAM 50% → 8% · −42 points; ONE (ONEY) · Delayed CNXAM 10% → 23% · +13 points, unclear. Hapag-Lloyd (HLCU) · Earlier 0 of 4 · Later 17% (2 of 12). Matson (MATS): no journeys returned. 🟠 clearly more delays · ⚪ clearly fewer · a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance · delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make (and 2 more)

    *Singapore → Xiamen: more delays at Xiamen for Maersk (8% → 50%), fewer for MSC (50% → 8%)* · no clear change for 1 other · BETA
    Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026
    (bar chart: Delayed at Xiamen, % of journeys)
      Earlier: Maersk 8, MSC 50, ONE 10
      Later: Maersk 50, MSC 8, ONE 23
    (table: Delays at Xiamen in both periods)
    | Carrier | Delayed CNXAM | Change | Earlier | 95% earlier | Later | 95% later | Delayed SGSIN | Omitted SGSIN | Omitted CNXAM |
    | 🟠 Maersk (MAEU) | 8% → 50% | +42 points | 8% (3 of 40) | 3–20% | 50% (20 of 40) | 35–65% | 3% → 3% | 0 → 0 | 1 → 2 |
    | ⚪ MSC (MSCU) | 50% → 8% | −42 points | 50% (20 of 40) | 35–65% | 8% (3 of 37) | 3–21% | 3% → 3% | 0 → 0 | 1 → 2 |
    | ONE (ONEY) | 10% → 23% | +13 points, unclear | 10% (4 of 40) | 4–23% | 23% (9 of 40) | 12–38% | 3% → 3% | 0 → 0 | 1 → 2 |
    ▸ 1 carrier with too few to compare (under 10 journeys in a period)
      Hapag-Lloyd (HLCU) · Earlier 0 of 4 · Later 17% (2 of 12) · Delayed SGSIN 1 of 4 → 8% · Omitted SGSIN 0 → 0 · Omitted CNXAM 1 → 2
    Matson (MATS): no journeys returned
    🟠 clearly more delays · ⚪ clearly fewer · a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance · delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · SGSIN → CNXAM, by departure · asked 09:05 UTC
    [Refresh → lane SGSIN CNXAM q3 versus q2] [Show 1 Jul – 30 Sep 2026 → lane SGSIN CNXAM 2026-07-01..2026-09-30] [Show 1 Apr – 30 Jun 2026 → lane SGSIN CNXAM 2026-04-01..2026-06-30] [Share → lane SGSIN CNXAM q3 versus q2] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN q3 versus q2 | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM]"
  `);
});

const many = ['MAEU', 'ONEY', 'HLCU', 'CMDU'].map((scac): Row => [scac, [3, 40], [20, 40]]);
test.each<[words: string, rows: readonly Row[]]>([
  ['no clear change in delays at Xiamen for ONE (10% → 23%)', rows.slice(2)],
  ['too few journeys to compare any carrier', rows.slice(3)],
  ['no journeys in either period', []],
  ['more delays at Xiamen for 4 carriers, fewer for MSC (50% → 8%)', [...many, ['MSCU', [20, 40], [3, 37]]]],
])('the verdict: %s', (words, some) => {
  expect(asRead(versusOf(some))).toContain(
    `*Singapore → Xiamen: ${words}* · BETA\nEarlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026\n`,
  );
});

test('a change of nothing has no sign', () => {
  expect(asRead(versusOf([['ONEY', [4, 40], [4, 40]]]))).toContain('| 10% → 10% | 0 points, unclear |');
});

const changesOf = (compared: ReturnType<typeof compareCarriers>['compared']) =>
  compared.map(({ carrier: scac, change }) => `${scac} ${change}`);

test('each period needs ten journeys; the carriers with most journeys come first among the others', () => {
  const { compared, uncompared } = compareCarriers({
    earlier: [delayed('MAEU', 0, 9), delayed('MSCU', 0, 50), delayed('ONEY', 0, 10)],
    later: [delayed('MAEU', 50, 50), delayed('ONEY', 10, 10), delayed('HLCU', 3, 3)],
  });
  expect(changesOf(compared)).toEqual(['ONEY more']);
  expect(uncompared.map(({ carrier: scac }) => scac)).toEqual(['MAEU', 'MSCU', 'HLCU']);
});

const counts = fc
  .tuple(fc.nat(200), fc.nat(200))
  .map(([a, b]) => ({ of: Math.max(a, b), count: Math.min(a, b) }));

test('the other way round, more becomes fewer; a marked change has intervals that part', () => {
  fc.assert(
    fc.property(counts, counts, (one, other) => {
      const [earlier, later] = [one, other].map(({ of, count }) => [delayed('MAEU', count, of)]);
      const [forward] = compareCarriers({ earlier: earlier ?? [], later: later ?? [] }).compared;
      const [backward] = compareCarriers({ earlier: later ?? [], later: earlier ?? [] }).compared;
      const opposite = { more: 'fewer', fewer: 'more', unclear: 'unclear' } as const;
      expect(backward?.change).toBe(forward && opposite[forward.change]);
      expect(forward !== undefined).toBe(one.of >= 10 && other.of >= 10);
      const [before, after] = [one, other].map(({ of, count }) => wilsonInterval(count, of));
      if (!forward || !before || !after) return;
      const isApart = after.low > before.high || after.high < before.low;
      expect(forward.change !== 'unclear').toBe(isApart);
    }),
  );
});
