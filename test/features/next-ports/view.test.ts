import { expect, test } from 'vitest';
import { type NextPortsAnswer, nextPortsView } from '../../../src/features/next-ports/view.ts';
import type { Locode } from '../../../src/reference/locode.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, nameless, now, prediction, reader } from '../../support/view-fixtures.ts';

const rotterdam = prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z');
const hamburg = prediction('DEHAM', 0.16, '2026-11-25T03:05:00Z');
const answer: NextPortsAnswer = {
  kind: 'next-ports',
  line: 'nextport 9461477',
  vessel: cypress,
  endpoint: 'vessel',
  predictions: [rotterdam, hamburg],
  ...asked,
};
const read = (more: Partial<NextPortsAnswer> = {}, who = reader) =>
  asRead(nextPortsView({ ...answer, ...more }, who));

test("ranked ports with probability and bar; times are local, in UTC, relative, and the reader's own", () => {
  expect(read()).toMatchInlineSnapshot(`
    "text: DS CYPRESS: Rotterdam (NLRTM) 82%, ETA Mon 23 Nov 15:05 LT (14:05 UTC); or Hamburg (DEHAM) 16%

    *DS CYPRESS* · IMO 9461477
    *1 Rotterdam (NLRTM)*  *████████░░ 82%*
    Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
    2 Hamburg (DEHAM)  ██░░░░░░░░ 16%
    Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h
    Forecast as of 09:05 UTC · Predicted, not reported · vessel view
    [Watch → watch 9461477] [Refresh → nextport 9461477] [Share → nextport 9461477] [▾ Compare vessel view and ship view → nextport 9461477 compare | Prediction history → nextport 9461477 history | Who is coming to Rotterdam (NLRTM) → portcalls NLRTM | Who is coming to Hamburg (DEHAM) → portcalls DEHAM]"
  `);
});

test('the first two ports are undecided within 5 points; the notes mention everything unusual', () => {
  expect(
    read(
      {
        vessel: nameless,
        endpoint: 'ship',
        droppedRecords: 1,
        predictions: [
          prediction('NLRTM', 0.92, '2026-11-21T04:05:00Z', { etaZone: 'assumed-utc' }),
          prediction('BEANR', 0.88),
          prediction('ZZZZZ', 0.003, '2027-07-01T00:00:00Z'),
        ],
      },
      { ...reader, source: 'sandbox' },
    ),
  ).toMatchInlineSnapshot(`
    "text: IMO 9811000: undecided, Rotterdam (NLRTM) 92% or Antwerp (BEANR) 88%, ETA Sat 21 Nov 05:05 LT (04:05 UTC) for the first; or ZZZZZ under 1% (invented data)

    *IMO 9811000*
    *Undecided*: Rotterdam (NLRTM) and Antwerp (BEANR) are 4 points apart
    *1 Rotterdam (NLRTM)*  *█████████░ 92%*
    Sat 21 Nov 05:05 LT (04:05 UTC) · zone assumed UTC · 5 h past ETA
    2 Antwerp (BEANR)  █████████░ 88%
    ETA not given
    3 ZZZZZ  ░░░░░░░░░░ under 1%
    Thu 1 Jul 2027 00:00 UTC · port's zone not known here · in 221 d 14 h · yours: <!date^1814400000^{date_short_pretty} {time}|1 Jul 2027 00:00 UTC>
    Forecast as of 09:05 UTC · Predicted, not reported · ship view (the vessel view has no prediction) · the probabilities are as given; they add up to 180% · 1 record could not be read · invented data
    [Watch → watch 9811000] [Refresh → nextport 9461477] [Name it … → {"imo":9811000}] [Share → nextport 9461477] [▾ Compare vessel view and ship view → nextport 9811000 compare | Prediction history → nextport 9811000 history | Who is coming to Rotterdam (NLRTM) → portcalls NLRTM | Who is coming to Antwerp (BEANR) → portcalls BEANR | Who is coming to ZZZZZ → portcalls ZZZZZ]"
  `);
});

test('a difference of 5 points is undecided, one of 6 is not', () => {
  const text = (second: number) =>
    nextPortsView({ ...answer, predictions: [rotterdam, prediction('DEHAM', second)] }, reader).text;
  expect(text(0.77)).toContain('undecided');
  expect(text(0.76)).not.toContain('undecided');
});

test('no prediction', () => {
  expect(read({ predictions: [], endpoint: 'ship' })).toMatchInlineSnapshot(`
    "text: No prediction for IMO 9461477 (DS CYPRESS). Fishing vessels, tugs and pilot boats are not covered

    *No prediction for IMO 9461477 (DS CYPRESS)*
    The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.
    Forecast as of 09:05 UTC · asked: vessel view and ship view
    [Watch → watch 9461477] [Refresh → nextport 9461477] [Share → nextport 9461477]"
  `);
});

test('an old answer says since when the service has been silent', () => {
  const old = { staleSince: new Date('2026-11-21T09:12:00Z'), fetchedAt: new Date('2026-11-21T08:50:00Z') };
  const message = nextPortsView({ ...answer, ...old }, { ...reader, now: new Date('2026-11-21T09:30:00Z') });
  expect(asRead(message)).toContain(
    '🟠 The analytics service has not answered since 09:12 UTC; this answer is from 08:50 UTC',
  );
  expect(message.text).toContain('Old answer, from 08:50 UTC');
});

test('an old answer says that the service limits our requests', () => {
  const old = { staleSince: now, throttled: true, fetchedAt: new Date('2026-11-21T08:50:00Z') } as const;
  expect(asRead(nextPortsView({ ...answer, ...old }, reader))).toContain(
    '🟠 The analytics service is limiting our calls; this answer is from 08:50 UTC',
  );
});

test('an answer of another day shows that day', () => {
  expect(read({ fetchedAt: new Date('2026-11-20T23:50:00Z') })).toContain(
    'Forecast as of Fri 20 Nov 23:50 UTC',
  );
});

test("ports that don't fit on a page are on the next one", () => {
  const many = Array.from({ length: 23 }, (_, index) => prediction('NLRTM', 0.5 - index / 100));
  expect(read({ predictions: many })).toContain('[Next 10 → nextport 9461477 page 2]');
  const last = read({ predictions: many, page: 3, line: 'nextport 9461477 page 3' });
  expect(last).toContain('21–23 of 23 shown');
  expect(last).toContain('[Back → nextport 9461477 page 2]');
  expect(last).toContain('[Refresh → nextport 9461477 page 3]');
});

test('the verdict is in the first 80 characters', () => {
  const { text } = nextPortsView({ ...answer, fetchedAt: now }, reader);
  expect(text.slice(0, 80)).toContain('Rotterdam (NLRTM) 82');
});

const verdictAt = (at: string, more: Partial<NextPortsAnswer> = {}) =>
  read({ at: at as Locode, ...more })
    .split('\n')
    .filter((line) => line.startsWith('text: ') || line.startsWith('*'))
    .slice(0, 2);

test('at a port: whether the vessel is predicted there, and what is more probable', () => {
  expect(verdictAt('NLRTM')).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS → Rotterdam, 82%; Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h",
      "*DS CYPRESS → Rotterdam, 82%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h",
    ]
  `);
  expect(verdictAt('DEHAM')).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS → Hamburg, 16%; Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · next: Rotterdam 82%, Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
      "*DS CYPRESS → Hamburg, 16%* · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · next: Rotterdam 82%, Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
    ]
  `);
  expect(verdictAt('BEANR')).toMatchInlineSnapshot(`
    [
      "text: Antwerp is not predicted for DS CYPRESS; next: Rotterdam 82%, Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
      "*Antwerp is not predicted for DS CYPRESS* · next: Rotterdam 82%, Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
    ]
  `);
  expect(verdictAt('NLRTM', { predictions: [prediction('NLRTM', 0.82)] })).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS → Rotterdam, 82%; ETA not given",
      "*DS CYPRESS → Rotterdam, 82%* · ETA not given",
    ]
  `);
});
