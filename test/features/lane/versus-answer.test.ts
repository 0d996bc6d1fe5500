import { expect, test } from 'vitest';
import { compareCarriers } from '../../../src/features/lane/statistics.ts';
import type { LaneVersus } from '../../../src/features/lane/versus.ts';
import { versusAnswer } from '../../../src/features/lane/versus-answer.ts';
import type { Scac } from '../../../src/reference/carriers.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, carrier, port } from '../../support/view-fixtures.ts';

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

const lines = {
  reverse: 'lane CNXAM SGSIN q3 versus q2',
  earlier: 'lane SGSIN CNXAM 2026-04-01..2026-06-30',
  later: 'lane SGSIN CNXAM 2026-07-01..2026-09-30',
};

function viewOf(rows: readonly Row[], { page = 1, ...more }: Partial<LaneVersus> & { page?: number } = {}) {
  const side = (index: 1 | 2) =>
    rows
      .filter((row) => row[index][1] > 0)
      .map((row) => carrier(row[0], row[index][1], { delayed: [1, row[index][0]], omitted: [0, index] }));
  const versus = { ...frame, ...compareCarriers({ earlier: side(1), later: side(2) }), ...more };
  return messageOf(versusAnswer(versus, { page, lines }), 'lane SGSIN CNXAM q3 versus q2');
}

const rows: readonly Row[] = [
  ['MAEU', [3, 40], [20, 40]],
  ['MSCU', [20, 40], [3, 37]],
  ['ONEY', [4, 40], [9, 40]],
  ['HLCU', [0, 4], [2, 12]],
];

test('clear changes, an unclear one, too few journeys, no journeys', () => {
  expect(asRead(viewOf(rows))).toMatchInlineSnapshot(`
    "text: Singapore → Xiamen: more delays at Xiamen for Maersk (8% → 50%), fewer for MSC (50% → 8%) · no clear change for 1 other · BETA. Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026; 🟠 Maersk (MAEU) · Delayed CNXAM 8% → 50% · +42 points; ⚪ MSC (MSCU) · Delayed CNXAM 50% → 8% · −42 points; ONE (ONEY) · Delayed CNXAM 10% → 23% · +13 points, unclear; Hapag-Lloyd (HLCU) · Earlier 0 of 4 · Later 17% (2 of 12); Matson (MATS): no journeys returned

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
  expect(asRead(viewOf(some))).toContain(
    `*Singapore → Xiamen: ${words}* · BETA\nEarlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026\n`,
  );
});

test('periods that overlap are said to', () => {
  const overlap = span('2026-06-20', '2026-07-01');
  const message = viewOf(rows, { overlap });
  expect(asRead(message)).toContain('🟠 20–30 Jun 2026 is in both periods');
});

test('no view of many carriers breaks a limit of Slack', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const many = letters.flatMap((first): Row[] =>
    ['AAA', 'BBB'].map((rest) => [`${first}${rest}`, [3, 40], [20, 4_000]]),
  );
  for (const page of [1, 2, 3]) {
    expect(slackFaults(viewOf(many, { page }))).toEqual([]);
  }
});
