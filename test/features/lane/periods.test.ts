import { expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import type { CarrierStatistics } from '../../../src/analytics/journey-statistics.ts';
import { attempt, ServiceTrouble, UserError } from '../../../src/errors.ts';
import type { ParsedLine } from '../../../src/features/command.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { featuresOver, parseLine } from '../../support/registry.ts';
import { now, reader, runContext } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, carrier } from '../../support/view-fixtures.ts';

/** Delayed, of journeys, by the month that the period begins with. */
const months: Record<number, Record<string, readonly [number, number]>> = {
  4: { MAEU: [3, 40], MSCU: [9, 40] },
  5: { MAEU: [5, 40], MSCU: [8, 41] },
  6: { MAEU: [2, 38], MSCU: [7, 40], HLCU: [1, 4] },
  7: { MAEU: [22, 40], MSCU: [9, 41] },
  9: { MAEU: [5, 41], MSCU: [9, 40] },
  10: { MAEU: [7, 40], MSCU: [10, 40] },
  11: { MAEU: [1, 12] },
};

async function run(
  line: string,
  failing: readonly number[] = [],
  others: Partial<Parameters<ParsedLine['run']>[0]> = {},
) {
  const sent: string[] = [];
  const canned: Partial<AnalyticsClient> = {
    journeyStatistics: async ({ begin = now, end = now, origin, destination, carriers }) => {
      sent.push(`${begin.toISOString().slice(0, 10)} … ${end.toISOString().slice(0, 10)}`);
      const month = begin.getUTCMonth() + 1;
      if (failing.includes(month)) throw new ServiceTrouble('no answer', { code: 'unavailable' });
      const statistics = Object.entries(months[month] ?? {})
        .filter(([scac]) => carriers?.some((one) => one === scac) ?? true)
        .map(
          ([scac, [late, of]]): CarrierStatistics => ({
            ...carrier(scac, of, { delayed: [0, late], omitted: [0, 0] }),
            ...{ origin, destination, beginsAt: begin, endsAt: end },
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
  const answered = await prepared.run({ ...runContext(over.ctx), vessels, now: () => now, ...others });
  const message = answered.view(reader);
  expect(slackFaults(message)).toEqual([]);
  return { sent, answered, prepared, shown: asRead(message) };
}

test('months side by side: a column each, all carriers last, the trend in the headline', async () => {
  const { shown, sent, prepared } = await run('lane Shanghai Rotterdam 2026-04..2026-07 by month');
  expect(shown).toMatchInlineSnapshot(`
    "text: Shanghai → Rotterdam: more delays at Rotterdam · 15% in Apr 2026 → 38% in Jul 2026 · BETA. Lowest: 12% in Jun 2026 · highest: 38% in Jul 2026. Clearly changed: Maersk 8% → 55%. Maersk: Apr 2026 8% (3 of 40), May 2026 13% (5 of 40), Jun 2026 5% (2 of 38), Jul 2026 55% (22 of 40). MSC: Apr 2026 23% (9 of 40), May 2026 20% (8 of 41), Jun 2026 18% (7 of 40), Jul 2026 22% (9 of 41). All carriers: Apr 2026 15% (12 of 80), May 2026 16% (13 of 81), Jun 2026 12% (10 of 82), Jul 2026 38% (31 of 81). Hapag-Lloyd: Jun 2026 1 of 4; 4 months, an API call each. A trend is clear if the 95% intervals (Wilson) of the first and the last share do not overlap; else it may be chance · delayed against the original service schedule, per the provider · asked 09:05 UTC (invented data)

    *Shanghai → Rotterdam: more delays at Rotterdam* · 15% in Apr 2026 → 38% in Jul 2026 · BETA
    Lowest: 12% in Jun 2026 · highest: 38% in Jul 2026
    Clearly changed: Maersk 8% → 55%
    (bar chart: Delayed at Rotterdam, % of journeys)
      All carriers, %: Apr 2026 15, May 2026 16, Jun 2026 12, Jul 2026 38
    (table: Delayed at Rotterdam by month)
    | Carrier | Apr 2026 | May 2026 | Jun 2026 | Jul 2026 |
    | Maersk (MAEU) | 8% (3 of 40) | 13% (5 of 40) | 5% (2 of 38) | 55% (22 of 40) |
    | MSC (MSCU) | 23% (9 of 40) | 20% (8 of 41) | 18% (7 of 40) | 22% (9 of 41) |
    | All carriers | 15% (12 of 80) | 16% (13 of 81) | 12% (10 of 82) | 38% (31 of 81) |
    ▸ 1 carrier with too few to rank (under 10 journeys)
      Hapag-Lloyd: Jun 2026 1 of 4
    4 months, an API call each · a trend is clear if the 95% intervals (Wilson) of the first and the last share do not overlap; else it may be chance · delayed against the original service schedule, per the provider · asked 09:05 UTC · invented data
    [Refresh → lane CNSHA NLRTM 2026-04..2026-07 by month] [Show Jul 2026 → lane CNSHA NLRTM 2026-07-01..2026-07-31] [Share → lane CNSHA NLRTM 2026-04..2026-07 by month] [▾ The other way: NLRTM → CNSHA → lane NLRTM CNSHA 2026-04..2026-07 by month | Who is coming to Shanghai (CNSHA) → portcalls CNSHA | Who is coming to Rotterdam (NLRTM) → portcalls NLRTM | Export for Excel (.xlsx) → apart:menu lane CNSHA NLRTM 2026-04..2026-07 by month as xlsx | Export as CSV → apart:menu lane CNSHA NLRTM 2026-04..2026-07 by month as csv]"
  `);
  expect(sent).toEqual([
    '2026-04-01 … 2026-05-01',
    '2026-05-01 … 2026-06-01',
    '2026-06-01 … 2026-07-01',
    '2026-07-01 … 2026-08-01',
  ]);
  expect(prepared.cost).toEqual({ calls: 4, isOfPortGroup: false });
});

test('the current month is marked, and the trend leaves it out', async () => {
  const { shown } = await run('lane Shanghai Rotterdam since september by month');
  expect(shown).toContain('no clear trend in delays at Rotterdam* · 17% in Sep 2026 → 21% in Oct 2026');
  expect(shown).toContain('| Carrier | Sep 2026 | Oct 2026 | 1–21 Nov 2026 (so far) |');
  expect(shown).toContain('1–21 Nov 2026 goes on, so the trend leaves it out');
});

test('a month without an answer is named, and the others are shown', async () => {
  const { shown, answered } = await run('lane Shanghai Rotterdam 2026-04..2026-06 by month', [5]);
  expect(shown).toContain('🟠 No answer for May 2026');
  expect(shown).toContain('| Carrier | Apr 2026 | Jun 2026 |');
  expect(answered.comparison?.questions).toEqual([{ id: 'carriers', isList: true, rows: null }]);
});

test('files and assistants get a row for each carrier and month', async () => {
  const { answered } = await run('lane Shanghai Rotterdam 2026-06..2026-07 by month');
  const [file] = answered.tables(reader);
  const columns = ['carrier', 'departures_from', 'journeys'].map((key) => file?.columns.indexOf(key) ?? -1);
  expect([...(file?.rows() ?? [])].map((row) => columns.map((at) => row[at]))).toEqual([
    ['MSCU', new Date('2026-06-01'), 40],
    ['MSCU', new Date('2026-07-01'), 41],
    ['MAEU', new Date('2026-06-01'), 38],
    ['MAEU', new Date('2026-07-01'), 40],
    ['HLCU', new Date('2026-06-01'), 4],
  ]);
  expect(answered.comparison?.questions).toMatchObject([{ rows: [{ id: 'MAEU more' }] }]);
});

test.each([
  ['last 3 quarters by quarter', ['2026-01-01', '2026-04-01', '2026-07-01']],
  ['quarterly since 2026-05-15', ['2026-05-15', '2026-07-01', '2026-10-01']],
  ['last 2 months by month', ['2026-09-01', '2026-10-01']],
])('the parts of %s begin on', async (words, begins) => {
  const { sent } = await run(`lane Shanghai Rotterdam ${words}`);
  expect(sent.map((span) => span.slice(0, 10))).toEqual(begins);
});

test('without a period: the last six full months', () => {
  expect(parseLine('lane Shanghai Rotterdam monthly', { vessels: createVesselDirectory([]) }).line).toBe(
    'lane CNSHA NLRTM last 6 full months by month',
  );
});

test.each([
  [
    '2025 by month',
    '12 months are too many side by side: at most 6, and each is an API call.',
    ['2025-07-01..2025-12-31 by month', '2025-01-01..2025-06-30 by month', '2025-01..2025-12 by quarter'],
  ],
  [
    'this year by month',
    '11 months are too many side by side: at most 6, and each is an API call.',
    ['2026-06-01..2026-11-21 by month', '2026-01-01..2026-05-31 by month', 'this year by quarter'],
  ],
  [
    'october by month',
    'That period has one month only: there is nothing to put side by side.',
    ['last 6 full months by month', 'october'],
  ],
  [
    'q3 versus q2 by month',
    '“by month” and “versus” are two questions. Ask one at a time.',
    ['q3 by month', 'q3 versus q2'],
  ],
])('refuses %s', async (words, message, kept) => {
  await expect(run(`lane Shanghai Rotterdam ${words}`)).rejects.toMatchObject({
    message,
    choices: kept.map((line) => ({ line: `lane CNSHA NLRTM ${line}` })),
  });
});

test('in a digest, a period that has grown keeps its last six months, and says so', async () => {
  const cause = { kind: 'digest', id: 'd1', channelId: null } as const;
  const { sent, shown } = await run('lane Shanghai Rotterdam since march by month', [], { cause });
  expect(sent[0]).toBe('2026-06-01 … 2026-07-01');
  expect(shown).toContain('only the last 6 of 9 months fit');
});

test('by month is for one lane', async () => {
  await expect(run('lane Shanghai ARA h1 by month')).rejects.toMatchObject({
    message: '“by month” works for one lane, not for 2.',
    choices: [
      { line: 'lane CNSHA NLRTM h1 by month' },
      { line: 'lane CNSHA DEHAM h1 by month' },
      { line: 'lane CNSHA NLRTM, CNSHA DEHAM h1' },
    ],
  });
});

const lineOf = (words: string) =>
  parseLine(words, { vessels: createVesselDirectory([]), isTyped: true }).line;

test.each(['last quarter', 'this quarter', 'last month'])('%s by month keeps its period', (period) => {
  expect(lineOf(`lane Shanghai Rotterdam ${period} by month`)).toBe(`lane CNSHA NLRTM ${period} by month`);
});

test('last quarter by month has its three months', async () => {
  const { sent } = await run('lane Shanghai Rotterdam last quarter by month');
  expect(sent.map((span) => span.slice(0, 10))).toEqual(['2026-07-01', '2026-08-01', '2026-09-01']);
});

test.each([
  ['last 8 months by month', 'last 6 full months by month'],
  ['last 2 years by quarter', 'last 6 full quarters by quarter'],
])('of %s, the last six are offered first', (words, offered) => {
  expect(offeredFor(`lane Shanghai Rotterdam ${words}`)[0]).toBe(`lane CNSHA NLRTM ${offered}`);
});

const refusalOf = (words: string) => {
  const error = attempt(() => lineOf(words));
  if (error instanceof UserError) return error;
  throw new Error(`${words} was read as ${error}`);
};
const offeredFor = (words: string) => refusalOf(words).choices.map(({ line }) => line);

test.each([
  ['lane Shanghai Rotterdam not MSC q3', 'lane CNSHA NLRTM q3'],
  ['lane Shanghai Rotterdam all but MSC', 'lane CNSHA NLRTM'],
  [
    'lane Shanghai Rotterdam excluding MSC and Maersk by month',
    'lane CNSHA NLRTM last 6 full months by month',
  ],
  ['Who is most reliable from Shanghai to Rotterdam without Maersk?', 'lane CNSHA NLRTM'],
])('%s leaves a carrier out, which is refused', (words, all) => {
  expect(refusalOf(words).message).toBe("I can't leave a carrier out: name those that you want.");
  expect(offeredFor(words)).toEqual([all]);
});

test.each([
  ['2027 by quarter', '2026-01..2026-12 by quarter'],
  ['jan-mar 2027', '2026-01..2026-03'],
  ['dec 2026', '2025-12'],
  ['q1 2028 by month', 'q1 2026 by month'],
  ['2027-02 by month', '2026-02'],
])('%s is in the future, and what is over is offered', async (words, offered) => {
  await expect(run(`lane Shanghai Rotterdam ${words}`)).rejects.toMatchObject({
    message: expect.stringContaining('is in the future: statistics cover the past.'),
    choices: [{ line: `lane CNSHA NLRTM ${offered}` }],
  });
});

test.each([
  ['coming month', 'last month'],
  ['next quarter by month', 'this quarter by month'],
])('%s is in the future', (words, offered) => {
  expect(offeredFor(`lane Shanghai Rotterdam ${words}`)).toEqual([`lane Shanghai Rotterdam ${offered}`]);
});

test.each([
  ['Maersk Q2 vs MSC Q3 Shanghai Rotterdam', ['CNSHA NLRTM MAEU Q2', 'CNSHA NLRTM MSCU Q3']],
  ['/lane Shanghai Rotterdam Maersk Q2 vs MSC Q3', ['CNSHA NLRTM MAEU Q2', 'CNSHA NLRTM MSCU Q3']],
  ['Hapag on Ningbo-Hamburg and ONE on Ningbo-Rotterdam', ['CNNGB DEHAM HLCU', 'CNNGB NLRTM ONEY']],
])('%s would be two questions', (words, offered) => {
  expect(refusalOf(words).message).toBe(
    'All carriers of a question have the same lanes and periods. Ask one question each.',
  );
  expect(offeredFor(words)).toEqual(offered.map((line) => `lane ${line}`));
});

test.each([
  ['MSC and Maersk Q2 vs Q3 Shanghai Rotterdam', 'CNSHA NLRTM MSCU,MAEU q2 versus q3'],
  ['is Evergreen or Yang Ming the better one Kaohsiung to Valencia', 'TWKHH ESVLC EGLV,YMLU'],
  ['is HMM or ONE better Kaohsiung to Valencia', 'TWKHH ESVLC HDMU,ONEY'],
  ['Need schedule reliability Santos/Rotterdam 2nd quarter against 1st', 'BRSSZ NLRTM q2 versus q1'],
  ['/lane Singapore Piraeus 01.07.-30.09. versus last year', 'SGSIN GRPIR 1 jul..30 sep versus year earlier'],
  ['/lane Singapore Piraeus last 24 months versus last year', 'SGSIN GRPIR last 24 months versus last year'],
  [
    '/lane Singapore Piraeus 2026-01..2026-06 versus last year',
    'SGSIN GRPIR 2026-01..2026-06 versus year earlier',
  ],
  ['/lane Singapore Piraeus 2024 versus last year', 'SGSIN GRPIR 2024-01..2024-12 versus last year'],
  ['/lane Singapore Piraeus after august by month', 'SGSIN GRPIR since september by month'],
  ['/lane Singapore Piraeus after q4 2025', 'SGSIN GRPIR since q1 2026'],
  ['/lane Singapore Piraeus after week 40', 'SGSIN GRPIR since week 41'],
])('%s', (words, line) => {
  expect(lineOf(words)).toBe(`lane ${line}`);
});

test.each([
  ['/lane Shanghai Rotterdam aug and oct by month', 'lane Shanghai Rotterdam august..october by month'],
  ['FROM=Shanghai TO=Rotterdam PERIOD=2026Q3 TS=SGSIN', 'lane CNSHA NLRTM q3 2026'],
])('%s is asked about', (words, offered) => {
  expect(offeredFor(words)).toEqual([offered]);
});

test('months with the same figure are all named', async () => {
  const { shown } = await run('lane Shanghai Rotterdam MSC 2026-04..2026-09 by month');
  expect(shown).toContain('Lowest: 18% in Jun 2026 · highest: 23% in Apr 2026 and Sep 2026');
});

test.each([
  ['august', 'Aug 2026'],
  ['december', 'Dec 2025'],
  ['q3', 'Q3 2026'],
  ['week 50', '8–14 Dec 2025'],
  ['jul-aug', '1 Jul – 31 Aug 2026'],
  ['this month', '1–21 Nov 2026'],
])('the first line of an answer about %s has its year', async (period, days) => {
  const { shown } = await run(`lane Shanghai Rotterdam ${period}`);
  expect(shown).toMatch(new RegExp(`^text: Shanghai → Rotterdam, ${days}: `));
});

test('without a period, the days are in the note alone', async () => {
  const { shown } = await run('lane Shanghai Rotterdam');
  expect(shown).toMatch(/^text: Shanghai → Rotterdam: /);
});
