import { describe, expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { ServiceTrouble } from '../../../src/errors.ts';
import { asRead, asReadPlain } from '../../support/message-text.ts';
import { featuresOver } from '../../support/registry.ts';
import { now, reader, runContext, vessels } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, carrier } from '../../support/view-fixtures.ts';

type Query = Parameters<AnalyticsClient['journeyStatistics']>[0];

interface Service {
  /** Of 40 journeys, or it fails. */
  delayedIn?: (query: Query) => number;
  at?: Date;
  /** In place of the period that it was asked for. */
  period?: { begin: Date; end: Date };
}

/** Runs a line of somebody in Tokyo over such a service. */
async function run(line: string, { delayedIn = () => 4, at = now, period }: Service = {}) {
  const sent: Query[] = [];
  const canned: Partial<AnalyticsClient> = {
    journeyStatistics: async (query) => {
      sent.push(query);
      const { begin: beginsAt = now, end: endsAt = now } = period ?? query;
      const counts = carrier('MAEU', 40, { delayed: [0, delayedIn(query)], omitted: [0, 0] });
      return { ...asked, statistics: [{ ...counts, beginsAt, endsAt }] };
    },
  };
  // Only the function that the line needs is there.
  const over = featuresOver(canned as AnalyticsClient, { clock: () => at });
  const context = { ...runContext(over.ctx), now: () => at };
  const actor = { ...context.actor, zone: 'Asia/Tokyo' };
  const answered = await over.parseLine(line, { vessels }).run({ ...context, actor });
  return { sent, answered, shown: asRead(answered.view(reader)) };
}

/** The periods that are asked for, the earlier first. */
const asksFor = async (line: string, at?: Date) =>
  (await run(line, at && { at })).sent.map(({ begin, end }) =>
    [begin, end].map((time) => time?.toISOString().replace(':00:00.000Z', '')).join(' … '),
  );

const failing = (isFailing: (query: Query) => boolean): Service => ({
  delayedIn(query) {
    if (isFailing(query)) throw new ServiceTrouble('no answer', { code: 'unavailable' });
    return 4;
  },
});

test('without a period no dates are sent', async () => {
  const { sent } = await run('lane Singapore Xiamen');
  expect(sent[0]).not.toHaveProperty('begin');
  expect(sent[0]).not.toHaveProperty('end');
});

describe('the periods that are asked for, in days and months of UTC', () => {
  // Saturday 21 November 2026, 09:05 UTC.
  test.each([
    ['last month', '2026-10-01T00 … 2026-11-01T00'],
    ['last 30 days', '2026-10-22T09 … 2026-11-21T09'],
    ['october', '2026-10-01T00 … 2026-11-01T00'],
    ['in dec', '2025-12-01T00 … 2026-01-01T00'],
    ['versus previous', '2026-05-26T00 … 2026-08-24T00', '2026-08-24T00 … 2026-11-21T09'],
    ['last quarter versus previous', '2026-04-01T00 … 2026-07-01T00', '2026-07-01T00 … 2026-10-01T00'],
    ['this month versus previous', '2026-10-01T00 … 2026-10-22T00', '2026-11-01T00 … 2026-11-21T09'],
    ['this week versus previous', '2026-11-09T00 … 2026-11-15T00', '2026-11-16T00 … 2026-11-21T09'],
    ['last weekend versus previous', '2026-11-07T00 … 2026-11-09T00', '2026-11-14T00 … 2026-11-16T00'],
    ['last 30 days versus previous', '2026-09-23T00 … 2026-10-23T00', '2026-10-23T00 … 2026-11-21T09'],
    ['since 2026-11-01 versus previous', '2026-10-11T00 … 2026-11-01T00', '2026-11-01T00 … 2026-11-21T09'],
    ['2025 versus previous', '2024-01-01T00 … 2025-01-01T00', '2025-01-01T00 … 2026-01-01T00'],
    ['q3 versus q3 2025', '2025-07-01T00 … 2025-10-01T00', '2026-07-01T00 … 2026-10-01T00'],
    ['q3 yoy', '2025-07-01T00 … 2025-10-01T00', '2026-07-01T00 … 2026-10-01T00'],
    ['q3 vs same qtr last yr', '2025-07-01T00 … 2025-10-01T00', '2026-07-01T00 … 2026-10-01T00'],
    ['october versus last year', '2025-10-01T00 … 2025-11-01T00', '2026-10-01T00 … 2026-11-01T00'],
    ['this month versus year earlier', '2025-11-01T00 … 2025-11-21T09', '2026-11-01T00 … 2026-11-21T09'],
    ['q2 versus q3', '2026-04-01T00 … 2026-07-01T00', '2026-07-01T00 … 2026-10-01T00'],
  ])('%s', async (words, ...periods) => {
    expect(await asksFor(`lane SGSIN CNXAM ${words}`)).toEqual(periods);
  });

  test('on a leap day', async () => {
    const leapDay = new Date('2028-02-29T12:00:00Z');
    expect(await asksFor('lane SGSIN CNXAM this month versus previous', leapDay)).toEqual([
      '2028-01-01T00 … 2028-01-30T00',
      '2028-02-01T00 … 2028-02-29T12',
    ]);
  });
});

test('the buttons show each period alone, for the same days', async () => {
  const { shown, sent } = await run('lane SGSIN CNXAM Maersk last 30 days versus previous');
  expect(shown).toContain('[Show 23 Sep – 22 Oct 2026 → lane SGSIN CNXAM MAEU 2026-09-23..2026-10-22]');
  const [earlier] = sent;
  const [again] = (await run('lane SGSIN CNXAM MAEU 2026-09-23..2026-10-22')).sent;
  expect(again).toEqual(earlier);
  expect(earlier?.carriers).toEqual(['MAEU']);
});

test('the answer shows the period that the service returned, not the requested one', async () => {
  const period = { begin: new Date('2026-08-20T00:00:00Z'), end: new Date('2026-10-30T00:00:00Z') };
  const { shown } = await run('lane Singapore Xiamen last month', { period });
  expect(shown).toContain('Departures 20 Aug – 29 Oct 2026');
});

test.each([
  ['Maersk 2027-01 versus previous', 'MAEU 2026-01 versus previous'],
  ['Maersk q3 versus 2027-01', 'MAEU q3 versus 2026-01'],
])('the refusal of a period in the future keeps the other words: %s', async (words, kept) => {
  await expect(run(`lane SGSIN CNXAM ${words}`)).rejects.toMatchObject({
    message: '“2027-01” is in the future: statistics cover the past.',
    choices: [{ line: `lane SGSIN CNXAM ${kept}` }],
  });
});

describe('if the service answers for one period only', () => {
  const shown = async (isFailing: (query: Query) => boolean) => {
    const { answered } = await run('lane SGSIN CNXAM q3 versus q2', failing(isFailing));
    expect(answered.comparison?.questions).toMatchObject([{ rows: null }]);
    const message = answered.view(reader);
    expect(slackFaults(message)).toEqual([]);
    return message;
  };
  test('the earlier one is lost', async () => {
    const message = await shown(({ begin }) => begin?.getUTCMonth() === 3);
    expect(asReadPlain(message)).toMatchInlineSnapshot(`
      "text: Singapore → Xiamen: not compared, no answer for 1 Apr – 30 Jun 2026 · below 1 Jul – 30 Sep 2026 alone · BETA; Maersk (MAEU) · Delayed CNXAM 10% (4 of 40) · 95% 4–23%. Delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · SGSIN → CNXAM, by departure · asked 09:05 UTC (invented data)

      *Singapore → Xiamen: not compared, no answer for 1 Apr – 30 Jun 2026* · below 1 Jul – 30 Sep 2026 alone · BETA
      Maersk (MAEU) · Delayed CNXAM 10% (4 of 40) · 95% 4–23% · Journeys 40 · Delayed SGSIN 0% (0 of 40) · Omitted SGSIN 0 · Omitted CNXAM 0
      delayed against the original service schedule, per the provider · omission: a scheduled call that the ship did not make · SGSIN → CNXAM, by departure · asked 09:05 UTC · invented data
      [Refresh → lane SGSIN CNXAM q3 versus q2] [Show 1 Jul – 30 Sep 2026 → lane SGSIN CNXAM 2026-07-01..2026-09-30] [Share → lane SGSIN CNXAM q3 versus q2] [▾ The other way: CNXAM → SGSIN → lane CNXAM SGSIN q3 versus q2 | Who is coming to Singapore (SGSIN) → portcalls SGSIN | Who is coming to Xiamen (CNXAM) → portcalls CNXAM | Export for Excel (.xlsx) → apart:menu lane SGSIN CNXAM q3 versus q2 as xlsx | Export as CSV → apart:menu lane SGSIN CNXAM q3 versus q2 as csv]"
    `);
  });
  test('the later one is lost', async () => {
    const message = await shown(({ begin }) => begin?.getUTCMonth() === 6);
    expect(asRead(message)).toContain(
      'not compared, no answer for 1 Jul – 30 Sep 2026* · below 1 Apr – 30 Jun 2026 alone · BETA\n(table: ',
    );
  });
  test('neither: the error of the first', async () => {
    const none = failing(() => true);
    await expect(run('lane SGSIN CNXAM q3 versus q2', none)).rejects.toThrow('no answer');
  });
});

test('periods that overlap are compared, and the answer warns', async () => {
  const apart = await run('lane SGSIN CNXAM october versus last quarter');
  expect(apart.shown).not.toContain('is in both periods');
  const nested = await run('lane SGSIN CNXAM october versus this year');
  expect(nested.shown).toContain('🟠 1–31 Oct 2026 is in both periods');
});

test('a digest compares the carriers that are marked', async () => {
  const isLater = ({ begin }: Query) => begin?.getUTCMonth() === 6;
  const delayedIn = (query: Query) => (isLater(query) ? 30 : 3);
  const { answered } = await run('lane SGSIN CNXAM q3 versus q2', { delayedIn });
  expect(answered.comparison?.questions).toMatchObject([{ rows: [{ id: 'MAEU more' }] }]);
});
