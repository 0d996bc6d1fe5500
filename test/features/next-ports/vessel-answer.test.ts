import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { VesselPredictions } from '../../../src/features/next-ports/predictions.ts';
import { briefAnswer, vesselAnswer } from '../../../src/features/next-ports/vessel-answer.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, nameless, port, prediction, reader } from '../../support/view-fixtures.ts';

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

const as = (chance: number, one: typeof rotterdam) => ({ ...one, probability: chance });
const is = 'Rotterdam is likelier (55%), Mon 23 Nov 15:05 LT (14:05 UTC), in 2 d 5 h';
test.each<[at: string, verdict: string, predictions?: readonly Prediction[]]>([
  [
    'DEHAM',
    `*DS CYPRESS: Hamburg undecided, 46%* · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · ${is.replace('likelier (55%)', 'about as likely (48%)')}`,
    [as(0.48, rotterdam), as(0.46, hamburg)],
  ],
  [
    'DEHAM',
    `*DS CYPRESS: Hamburg unlikely, 42%* · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h · ${is}`,
    [as(0.55, rotterdam), as(0.42, hamburg)],
  ],
  ['NLRTM', '*DS CYPRESS → Rotterdam, 82%* · ETA not given', [prediction('NLRTM', 0.82)]],
])('at %s, what is more probable is said: %s', (at, verdict, predictions = found.predictions) => {
  expect(read({ at: port(at), predictions }).replaceAll('\u00a0', ' ')).toContain(`\n${verdict}\n`);
});

test('a port that was asked about, or may be the next one, is listed however improbable', () => {
  const predictions = [rotterdam, prediction('GBFXT', 0.01)];
  expect(read({ predictions, at: port('GBFXT') })).toContain('| 2 | Felixstowe GBFXT |');
  expect(read({ predictions: [prediction('BEANR', 0.04), prediction('GBFXT', 0.01)] })).toContain(
    '| 2 | Felixstowe GBFXT |',
  );
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
});
