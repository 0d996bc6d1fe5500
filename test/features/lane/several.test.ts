import { describe, expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import type { CarrierStatistics } from '../../../src/analytics/journey-statistics.ts';
import { ServiceTrouble } from '../../../src/errors.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { featuresOver, parseLine } from '../../support/registry.ts';
import { now, reader, runContext } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, carrier } from '../../support/view-fixtures.ts';

type Query = Parameters<AnalyticsClient['journeyStatistics']>[0];

/** Delayed, of journeys. */
type Counts = Record<string, readonly [number, number]>;

/** Keyed by lane and, where it matters, the month that the period begins with: `CNSHA-NLRTM 7`. */
const service: Record<string, Counts> = {
  'CNSHA-NLRTM': { MAEU: [5, 41], MSCU: [9, 40], HLCU: [1, 4] },
  'CNSHA-DEHAM': { MAEU: [12, 40], MSCU: [2, 38] },
  'CNNGB-NLRTM': { MAEU: [0, 12] },
  'CNSHA-NLRTM 4': { MAEU: [3, 40], MSCU: [9, 40] },
  'CNSHA-NLRTM 7': { MAEU: [22, 40], MSCU: [9, 41], ONEY: [1, 3] },
  'CNSHA-DEHAM 4': { MAEU: [20, 40] },
  'CNSHA-DEHAM 7': { MAEU: [2, 40] },
};

async function run(line: string, isFailing: (query: Query) => boolean = () => false) {
  const sent: Query[] = [];
  const canned: Partial<AnalyticsClient> = {
    journeyStatistics: async (query) => {
      sent.push(query);
      if (isFailing(query)) throw new ServiceTrouble('no answer', { code: 'unavailable' });
      const { begin: beginsAt = now, end: endsAt = now, origin, destination } = query;
      const lane = `${origin}-${destination}`;
      const counts = service[`${lane} ${beginsAt.getUTCMonth() + 1}`] ?? service[lane] ?? {};
      const isAsked = ([scac]: [string, unknown]) => query.carriers?.some((one) => one === scac) ?? true;
      const statistics = Object.entries(counts)
        .filter(isAsked)
        .map(
          ([scac, [late, of]]): CarrierStatistics => ({
            ...carrier(scac, of, { delayed: [0, late], omitted: [0, 0] }),
            ...{ origin, destination, beginsAt, endsAt },
          }),
        );
      return { ...asked, statistics };
    },
  };
  const groups = new Map([['ARA', ['NLRTM', 'DEHAM'] as Locode[]]]); // known codes
  const vessels = createVesselDirectory(exampleVessels, new Map(), groups);
  // Only the function that the line needs is there.
  const over = featuresOver(canned as AnalyticsClient, { clock: () => now });
  const prepared = over.parseLine(line, { vessels });
  const answered = await prepared.run({ ...runContext(over.ctx), vessels, now: () => now });
  const message = answered.view(reader);
  expect(slackFaults(message)).toEqual([]);
  return { sent, answered, prepared, shown: asRead(message) };
}

const tableOf = (shown: string): string[] => shown.split('\n').filter((row) => row.startsWith('| '));

test('carriers side by side: a column for each lane, the carrier least delayed on any lane first', async () => {
  const { shown, sent, prepared } = await run('lane Shanghai → Rotterdam, Hamburg q1');
  expect(shown).toMatchInlineSnapshot(`
    "text: Least delayed from Shanghai: Maersk to Rotterdam, MSC to Hamburg; the lead may be chance on 1 of them · BETA. Shanghai → Rotterdam: Maersk 12%, MSC 23%. Shanghai → Hamburg: MSC 5%, Maersk 30%. MSC: To Rotterdam 23% (9 of 40), To Hamburg 5% (2 of 38). Maersk: To Rotterdam 12% (5 of 41), To Hamburg 30% (12 of 40). Hapag-Lloyd: To Rotterdam 1 of 4; 2 lanes, an API call each. Departures 1 Jan – 31 Mar 2026 · the lead may be chance where the 95% intervals (Wilson) of the two least delayed carriers overlap · carriers in the order of their lowest share on any lane · delayed against the original service schedule, per the provider · asked 09:05 UTC (invented data)

    *Least delayed from Shanghai: Maersk to Rotterdam, MSC to Hamburg*; the lead may be chance on 1 of them · BETA
    Shanghai → Rotterdam: Maersk 12%, MSC 23%
    Shanghai → Hamburg: MSC 5%, Maersk 30%
    (table: Delayed at destination, Shanghai → Rotterdam, Hamburg)
    | Carrier | To Rotterdam | To Hamburg |
    | MSC (MSCU) | 23% (9 of 40) | 5% (2 of 38) |
    | Maersk (MAEU) | 12% (5 of 41) | 30% (12 of 40) |
    ▸ 1 carrier with too few to rank (under 10 journeys)
      Hapag-Lloyd: To Rotterdam 1 of 4
    2 lanes, an API call each · Departures 1 Jan – 31 Mar 2026 · the lead may be chance where the 95% intervals (Wilson) of the two least delayed carriers overlap · carriers in the order of their lowest share on any lane · delayed against the original service schedule, per the provider · asked 09:05 UTC · invented data
    [Refresh → lane CNSHA NLRTM, CNSHA DEHAM q1] [Versus previous → lane CNSHA NLRTM, CNSHA DEHAM q1 versus previous] [Share → lane CNSHA NLRTM, CNSHA DEHAM q1] [The other way → lane NLRTM CNSHA, DEHAM CNSHA q1] [▾ Export for Excel (.xlsx) → apart:menu lane CNSHA NLRTM, CNSHA DEHAM q1 as xlsx | Export as CSV → apart:menu lane CNSHA NLRTM, CNSHA DEHAM q1 as csv]"
  `);
  expect(sent).toHaveLength(2);
  expect(prepared).toMatchObject({
    title: 'Shanghai → Rotterdam, Hamburg q1',
    cost: { calls: 2, isOfPortGroup: false },
    ports: ['CNSHA', 'NLRTM', 'DEHAM'],
  });
});

test('files and assistants get a row for each lane and carrier, the least delayed first, then those with too few', async () => {
  const { answered } = await run('lane Shanghai Rotterdam, Shanghai Hamburg q1');
  const [file, ...others] = answered.tables(reader);
  expect(others).toEqual([]);
  const columns = ['lane', 'carrier', 'destination_delayed', 'journeys', 'is_ranked'].map(
    (key) => file?.columns.indexOf(key) ?? -1,
  );
  const rows = [...(file?.rows() ?? [])].map((row) => columns.map((at) => row[at]));
  expect(rows).toEqual([
    ['CNSHA-DEHAM', 'MSCU', 2, 38, true],
    ['CNSHA-NLRTM', 'MAEU', 5, 41, true],
    ['CNSHA-NLRTM', 'MSCU', 9, 40, true],
    ['CNSHA-DEHAM', 'MAEU', 12, 40, true],
    ['CNSHA-NLRTM', 'HLCU', 1, 4, false],
  ]);
  expect(answered.structured?.(reader)).toMatchObject({
    tables: { lane: rows.map(([lane, scac]) => ({ lane, carrier: scac })) },
  });
});

test('periods side by side on several lanes', async () => {
  const { shown, sent, answered } = await run('lane Shanghai → Rotterdam, Hamburg q3 versus q2');
  expect(sent).toHaveLength(4);
  expect(shown).toMatchInlineSnapshot(`
    "text: Shanghai → Rotterdam, Hamburg: clearly more delays on 1 of 2 lanes, fewer on 1 · BETA. Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026. Shanghai → Rotterdam: more delays at Rotterdam for Maersk (8% → 55%). Shanghai → Hamburg: fewer delays at Hamburg for Maersk (50% → 5%). Maersk: To Rotterdam 🟠 8% → 55%, To Hamburg ⚪ 50% → 5%. MSC: To Rotterdam 23% → 22%. ONE: To Rotterdam none → 1 of 3; 2 lanes in two periods, 4 API calls. 🟠 clearly more delays · ⚪ clearly fewer · a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance · delayed against the original service schedule, per the provider · asked 09:05 UTC (invented data)

    *Shanghai → Rotterdam, Hamburg: clearly more delays on 1 of 2 lanes, fewer on 1* · BETA
    Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026
    Shanghai → Rotterdam: more delays at Rotterdam for Maersk (8% → 55%)
    Shanghai → Hamburg: fewer delays at Hamburg for Maersk (50% → 5%)
    (table: Delayed at destination, earlier → later, Shanghai → Rotterdam, Hamburg)
    | Carrier | To Rotterdam | To Hamburg |
    | Maersk (MAEU) | 🟠 8% → 55% | ⚪ 50% → 5% |
    | MSC (MSCU) | 23% → 22% | – |
    ▸ 1 carrier with too few to compare (under 10 journeys in a period)
      ONE: To Rotterdam none → 1 of 3
    2 lanes in two periods, 4 API calls · 🟠 clearly more delays · ⚪ clearly fewer · a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance · delayed against the original service schedule, per the provider · asked 09:05 UTC · invented data
    [Refresh → lane CNSHA NLRTM, CNSHA DEHAM q3 versus q2] [Show 1 Jul – 30 Sep 2026 → lane CNSHA NLRTM, CNSHA DEHAM 2026-07-01..2026-09-30] [Show 1 Apr – 30 Jun 2026 → lane CNSHA NLRTM, CNSHA DEHAM 2026-04-01..2026-06-30] [Share → lane CNSHA NLRTM, CNSHA DEHAM q3 versus q2] [The other way → lane NLRTM CNSHA, DEHAM CNSHA q3 versus q2] [▾ Export for Excel (.xlsx) → apart:menu lane CNSHA NLRTM, CNSHA DEHAM q3 versus q2 as xlsx | Export as CSV → apart:menu lane CNSHA NLRTM, CNSHA DEHAM q3 versus q2 as csv]"
  `);
  expect(answered.comparison?.questions).toMatchObject([
    { id: 'carriers CNSHA NLRTM', rows: [{ id: 'MAEU more' }] },
    { id: 'carriers CNSHA DEHAM', rows: [{ id: 'MAEU fewer' }] },
  ]);
  const sheets = answered.tables(reader).map(({ nameParts, rowCount }) => [nameParts[0], rowCount]);
  expect(sheets).toEqual([
    ['lane', 7],
    ['lane-versus', 4],
  ]);
});

test('a group of ports is a lane to each of its ports', async () => {
  const { shown, sent } = await run('lane Shanghai ARA');
  expect(sent.map(({ destination }) => destination)).toEqual(['NLRTM', 'DEHAM']);
  expect(shown).toContain(
    '*Least delayed from Shanghai: Maersk to Rotterdam, MSC to Hamburg*; the lead may be chance on 1 of them · BETA',
  );
  expect(shown).toContain('[Refresh → lane CNSHA ports:ARA]');
});

test.each([
  ['lane Shanghai Rotterdam, Ningbo Rotterdam', 'Least delayed to Rotterdam: Maersk from Shanghai'],
  [
    'lane Shanghai Rotterdam, Shanghai Hamburg MSC',
    'MSC delayed from Shanghai: 23% to Rotterdam, 5% to Hamburg',
  ],
  ['lane Singapore Santos, Busan Santos', 'Singapore, Busan → Santos: no journeys returned'],
])('%s', async (line, verdict) => {
  expect((await run(line)).shown).toContain(`*${verdict}*`);
});

describe('if a lane has no answer', () => {
  const toHamburg = ({ destination }: Query) => destination === 'DEHAM';
  test('the others have', async () => {
    const { shown } = await run('lane Shanghai → Rotterdam, Hamburg', toHamburg);
    expect(shown).toContain('\n🟠 No answer for Shanghai → Hamburg\n');
    expect(shown).toContain('some lanes have no answer: press Refresh');
  });
  test('the next digest compares it with the last answer', async () => {
    const line = 'lane Shanghai → Rotterdam, Hamburg q3 versus q2';
    const isEarlier = ({ begin }: Query) => begin?.getUTCMonth() === 3;
    for (const isFailing of [toHamburg, (query: Query) => toHamburg(query) && isEarlier(query)]) {
      const { answered, shown } = await run(line, isFailing);
      expect(answered.comparison?.questions).toMatchObject([{}, { id: 'carriers CNSHA DEHAM', rows: null }]);
      expect(tableOf(shown)[0]).toBe('| Carrier | To Rotterdam |');
    }
  });
  test('none has: the error of the first', async () => {
    await expect(run('lane Shanghai → Rotterdam, Hamburg', () => true)).rejects.toThrow('no answer');
  });
});

describe('an answer takes six calls at most', () => {
  test.each([
    [
      'lane Shanghai, Ningbo, Busan → Rotterdam, Hamburg, Antwerp',
      '9 lanes are too many for one question: at most 6, and each is an API call.',
      'lane CNSHA NLRTM, CNSHA DEHAM, CNSHA BEANR',
      'lane CNNGB NLRTM, CNNGB DEHAM, CNNGB BEANR',
      'lane KRPUS NLRTM, KRPUS DEHAM, KRPUS BEANR',
    ],
    [
      'lane Shanghai, Ningbo → Rotterdam, Hamburg q3 versus q2',
      '4 lanes in two periods are too many for one question: at most 3, and each is two API calls.',
      'lane CNSHA NLRTM, CNSHA DEHAM q3 versus q2',
      'lane CNNGB NLRTM, CNNGB DEHAM q3 versus q2',
    ],
  ])('%s', async (line, message, ...lines) => {
    await expect(run(line)).rejects.toMatchObject({
      message,
      choices: lines.map((choice) => ({ line: choice })),
    });
  });
});

test('a digest refuses lanes that it could never answer', () => {
  const line =
    'digest add mon 08:00: lane Shanghai, Ningbo → Rotterdam, Hamburg last quarter versus previous';
  expect(() => parseLine(line, { vessels: createVesselDirectory(exampleVessels) })).toThrow(
    '4 lanes in two periods are too many for one question',
  );
});
