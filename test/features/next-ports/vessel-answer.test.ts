import { describe, expect, test } from 'vitest';
import type { VesselPredictions } from '../../../src/features/next-ports/predictions.ts';
import { briefAnswer, vesselAnswer } from '../../../src/features/next-ports/vessel-answer.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead, asReadPlain } from '../../support/message-text.ts';
import { asked, cypress, nameless, now, port, prediction, reader } from '../../support/view-fixtures.ts';

const rotterdam = prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z');
const hamburg = prediction('DEHAM', 0.16, '2026-11-25T03:05:00Z');
const found: VesselPredictions = {
  vessel: cypress,
  endpoint: 'vessel',
  predictions: [rotterdam, hamburg],
  ...asked,
};
interface More extends Partial<VesselPredictions>, Partial<Parameters<typeof vesselAnswer>[1]> {
  line?: string;
}
const show = ({ line = 'nextport 9461477', ...more }: More = {}, who = reader) =>
  messageOf(
    vesselAnswer({ ...found, ...more }, { now: who.now, page: 1, hasMap: false, ...more }),
    line,
    who,
  );
const read = (more: More = {}, who = reader) => asRead(show(more, who));

test("ranked ports with probability and bar; times are local, in UTC, relative, and the reader's own", () => {
  expect(read()).toMatchInlineSnapshot(`
    "text: DS CYPRESS → Rotterdam, 82% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h; Hamburg DEHAM · 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h

    *DS CYPRESS → Rotterdam, 82%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
    (table: Next ports of DS CYPRESS)
    | # | Port | Probability | ETA | In |
    | 1 | Rotterdam NLRTM | 82% ████████░░ | Mon 23 Nov 15:05 LT (14:05 UTC) | in 2 d 5 h |
    | 2 | Hamburg DEHAM | 16% ██░░░░░░░░ | Wed 25 Nov 04:05 LT (03:05 UTC) | in 3 d 18 h |
    Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view
    [Watch → watch 9461477] [Refresh → nextport 9461477] [Who is coming to Rotterdam → portcalls NLRTM] [Share → nextport 9461477] [▾ History → nextport 9461477 history | Compare both views → nextport 9461477 compare | Who is coming to Hamburg → portcalls DEHAM]"
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
    "text: IMO 9811000 · Undecided: Rotterdam 92% or Antwerp 88% · Sat 21 Nov 05:05 LT (04:05 UTC) or ETA not given; 1 more under 5% (invented data)

    *IMO 9811000 · Undecided: Rotterdam 92% or Antwerp 88%* · Sat 21 Nov 05:05 LT (04:05 UTC) or ETA not given
    (table: Next ports of IMO 9811000)
    | # | Port | Probability | ETA | In |
    | 1 | Rotterdam NLRTM | 92% █████████░ | Sat 21 Nov 05:05 LT (04:05 UTC) | 5 h past ETA |
    | 2 | Antwerp BEANR | 88% █████████░ | ETA not given | – |
    1 more under 5% · Forecast as of 09:05 UTC · IMO 9811000 · NLRTM · ship view (the vessel view has no prediction) · the probabilities are as given; they add up to 180% · zone assumed UTC · 1 record could not be read · invented data
    [Watch → watch 9811000] [Refresh → nextport 9461477] [Who is coming to Rotterdam → portcalls NLRTM] [Show all → nextport 9811000 all] [Name it … → {"imo":9811000}] [Share → nextport 9461477] [▾ History → nextport 9811000 history | Compare both views → nextport 9811000 compare | Who is coming to Antwerp → portcalls BEANR]"
  `);
});

test('a difference of 5 points is undecided, one of 6 is not', () => {
  const text = (second: number) => show({ predictions: [rotterdam, prediction('DEHAM', second)] }).text;
  expect(text(0.77)).toContain('Undecided');
  expect(text(0.76)).not.toContain('Undecided');
});

test('no prediction', () => {
  expect(read({ predictions: [], endpoint: 'ship' })).toMatchInlineSnapshot(`
    "text: No prediction for IMO 9461477 (DS CYPRESS). The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.

    *No prediction for IMO 9461477* (DS CYPRESS)
    The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.
    Forecast as of 09:05 UTC · asked: vessel view and ship view
    [Watch → watch 9461477] [Refresh → nextport 9461477] [Share → nextport 9461477]"
  `);
});

test('an old answer says since when the service has been silent', () => {
  const old = { staleSince: new Date('2026-11-21T09:12:00Z'), fetchedAt: new Date('2026-11-21T08:50:00Z') };
  const message = show(old, { ...reader, now: new Date('2026-11-21T09:30:00Z') });
  expect(asRead(message)).toContain(
    '🟠 The analytics service has not answered since 09:12 UTC; this answer is from 08:50 UTC',
  );
  expect(message.text).toContain('Old answer, from 08:50 UTC');
});

test('an old answer says that the service limits our requests', () => {
  const old = { staleSince: now, throttled: true, fetchedAt: new Date('2026-11-21T08:50:00Z') } as const;
  expect(read(old)).toContain(
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
  expect(read({ predictions: many })).toContain('[Next 3 → nextport 9461477 page 2]');
  const last = read({ predictions: many, page: 2, line: 'nextport 9461477 page 2' });
  expect(last).toContain('21–23 of 23 shown');
  expect(last).toContain('[Back → nextport 9461477]');
  expect(last).toContain('[Refresh → nextport 9461477 page 2]');
});

test('the verdict is in the first 80 characters', () => {
  const { text } = show();
  expect(text.slice(0, 80)).toContain('DS CYPRESS → Rotterdam, 82% · Mon 23 Nov 15:05 LT');
});

const verdictAt = (at: string, more: More = {}) =>
  read({ at: at as Locode, ...more })
    .split('\n')
    .filter((line) => line.startsWith('text: ') || line.startsWith('*'))
    .slice(0, 2);

test('at a port: whether the vessel is predicted there, and what is more probable', () => {
  expect(verdictAt('NLRTM')).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS → Rotterdam, 82% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h; Hamburg DEHAM · 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h",
      "*DS CYPRESS → Rotterdam, 82%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h",
    ]
  `);
  expect(verdictAt('DEHAM')).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS: Hamburg unlikely, 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · Rotterdam is likelier (82%), Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
      "*DS CYPRESS: Hamburg unlikely, 16%* · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · Rotterdam is likelier (82%), Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
    ]
  `);
  expect(verdictAt('BEANR')).toMatchInlineSnapshot(`
    [
      "text: Antwerp is not predicted for DS CYPRESS · Rotterdam is likelier (82%), Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h; Hamburg DEHAM · 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h",
      "*Antwerp is not predicted for DS CYPRESS* · Rotterdam is likelier (82%), Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h",
    ]
  `);
  const as = (chance: number, one: typeof rotterdam) => ({ ...one, probability: chance });
  expect(verdictAt('DEHAM', { predictions: [as(0.48, rotterdam), as(0.46, hamburg)] })[1]).toMatch(
    /^\*DS CYPRESS: Hamburg undecided, 46%\* · Wed .* · Rotterdam is about as likely \(48%\), Mon /,
  );
  expect(verdictAt('DEHAM', { predictions: [as(0.55, rotterdam), as(0.42, hamburg)] })[1]).toContain(
    '*DS CYPRESS: Hamburg unlikely, 42%*',
  );
  expect(verdictAt('NLRTM', { predictions: [prediction('NLRTM', 0.82)] })).toMatchInlineSnapshot(`
    [
      "text: DS CYPRESS → Rotterdam, 82% · ETA not given",
      "*DS CYPRESS → Rotterdam, 82%* · ETA not given",
    ]
  `);
});

test('ports under 5% are counted, and listed on request', () => {
  const predictions = [rotterdam, hamburg, prediction('BEANR', 0.049), prediction('GBFXT', 0.01)];
  const shown = read({ predictions });
  expect(shown).toContain('2 more under 5% · Forecast as of');
  expect(shown).toContain('[Show all → nextport 9461477 all]');
  expect(shown).not.toContain('Antwerp');
  const all = read({ predictions, showsAll: true, line: 'nextport 9461477 all' });
  expect(all).toContain('| 4 | Felixstowe GBFXT |');
  expect(all).not.toContain('more under');
});

test('a port that was asked about, or may be the next one, is listed however improbable', () => {
  const predictions = [rotterdam, prediction('GBFXT', 0.01)];
  expect(read({ predictions, at: port('GBFXT') })).toContain('| 2 | Felixstowe GBFXT |');
  expect(read({ predictions: [prediction('BEANR', 0.04), prediction('GBFXT', 0.01)] })).toContain(
    '| 2 | Felixstowe GBFXT |',
  );
});

test('without newer blocks, each port has a line', () => {
  expect(asReadPlain(show())).toMatchInlineSnapshot(`
    "text: DS CYPRESS → Rotterdam, 82% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h; Hamburg DEHAM · 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h

    *DS CYPRESS → Rotterdam, 82%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
    Rotterdam NLRTM · 82% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
    Hamburg DEHAM · 16% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h
    Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view
    [Watch → watch 9461477] [Refresh → nextport 9461477] [Who is coming to Rotterdam → portcalls NLRTM] [Share → nextport 9461477] [▾ History → nextport 9461477 history | Compare both views → nextport 9461477 compare | Who is coming to Hamburg → portcalls DEHAM]"
  `);
});

test("the reader's own time follows the call that it belongs to, and is left out where two may be next", () => {
  const zone = 'Asia/Kolkata';
  const there = read({ at: port('DEHAM') }, { ...reader, zone });
  expect(there).toMatch(/in.3.d.18.h · yours: <!date\S+ \{time\}\|[^>]+> · Rotterdam is likelier \(82%\)/);
  const undecided = read({ predictions: [rotterdam, prediction('BEANR', 0.8)] }, { ...reader, zone });
  expect(undecided).toContain('Undecided');
  expect(undecided).not.toContain('yours:');
});

describe('in brief', () => {
  const predictions = [
    prediction('NLRTM', 0.6, '2026-11-23T14:05:00Z'),
    prediction('DEHAM', 0.2, '2026-11-25T03:05:00Z'),
    prediction('BEANR', 0.1),
    prediction('FRLEH', 0.06, '2026-11-26T03:05:00Z'),
    prediction('GBSOU', 0.04),
  ];
  const brief = (more: Partial<VesselPredictions> = {}, who = reader) =>
    asRead(messageOf(briefAnswer({ ...found, predictions, ...more }, who.now), 'nextport 9461477', who));

  test('the verdict and up to two more ports, without a table, and no button but Refresh', () => {
    expect(brief({}, { ...reader, source: 'sandbox', audience: 'channel' })).toMatchInlineSnapshot(`
      "text: DS CYPRESS → Rotterdam, 60% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h. Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h. Antwerp 10% · ETA not given; 2 more (invented data)

      *DS CYPRESS → Rotterdam, 60%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
      Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h
      Antwerp 10% · ETA not given
      2 more · Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view · invented data
      [Refresh → nextport 9461477] [Share → nextport 9461477]"
    `);
  });

  test('two ports that are undecided are in the verdict', () => {
    expect(
      brief({ predictions: [prediction('NLRTM', 0.46), prediction('BEANR', 0.44)] }),
    ).toMatchInlineSnapshot(`
      "text: DS CYPRESS · Undecided: Rotterdam 46% or Antwerp 44% · ETA not given

      *DS CYPRESS · Undecided: Rotterdam 46% or Antwerp 44%* · ETA not given
      Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view
      [Refresh → nextport 9461477] [Share → nextport 9461477]"
    `);
  });

  test('nothing predicted', () => {
    expect(brief({ vessel: nameless, predictions: [] })).toMatchInlineSnapshot(`
      "text: No prediction for IMO 9811000. The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.

      *No prediction for IMO 9811000*
      The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.
      Forecast as of 09:05 UTC · asked: vessel view and ship view
      [Refresh → nextport 9461477] [Share → nextport 9461477]"
    `);
  });
});
