import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { KnownVessel } from '../../../src/answers/formatting/words.ts';
import { compareAnswer } from '../../../src/features/next-ports/compare-answer.ts';
import { fleetAnswer } from '../../../src/features/next-ports/fleet-answer.ts';
import { historyAnswer, type VesselHistory } from '../../../src/features/next-ports/history.ts';
import { listAnswer } from '../../../src/features/next-ports/list-answer.ts';
import type {
  FleetPredictions,
  FleetVessel,
  NextPortsComparison,
  VesselPredictions,
} from '../../../src/features/next-ports/predictions.ts';
import { briefAnswer, vesselAnswer } from '../../../src/features/next-ports/vessel-answer.ts';
import { stabilityOf } from '../../../src/predictions/stability.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, diana, nameless, port, prediction, reader } from '../../support/view-fixtures.ts';

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

const atPort = (code: string) => ({ asked: port(code), ports: [port(code)] });

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
    "text: IMO 9811000 · Undecided: Rotterdam 92% or Antwerp 88% · Sat 21 Nov 05:05 LT (04:05 UTC) or ETA not given; 1 more under 5%. Forecast as of 09:05 UTC · IMO 9811000 · NLRTM · the service's second forecast: its first has none · the probabilities are as given; they add up to 180% · time zone not given, read as UTC · 1 record could not be read (invented data)

    *IMO 9811000 · Undecided: Rotterdam 92% or Antwerp 88%* · Sat 21 Nov 05:05 LT (04:05 UTC) or ETA not given
    (table: Next ports of IMO 9811000)
    | Port | ETA, LT | % | ETA, UTC | In |
    | Rotterdam | Sat 21 Nov 05:05 | 92% | Sat 21 Nov 04:05 | 5 h past ETA |
    | Antwerp | ETA not given | 88% | – | – |
    1 more under 5% · Forecast as of 09:05 UTC · IMO 9811000 · NLRTM · the service's second forecast: its first has none · the probabilities are as given; they add up to 180% · time zone not given, read as UTC · 1 record could not be read · invented data
    [Watch → watch 9811000] [Refresh → nextport 9461477] [Who is coming to Rotterdam → portcalls NLRTM] [Name it … → {"imo":9811000}] [Share → nextport 9461477] [▾ Show all → nextport 9811000 all | History → nextport 9811000 history | Copy for the customer … → form:customer {"imo":9811000} | Compare both forecasts → nextport 9811000 compare | Who is coming to Antwerp → portcalls BEANR]"
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
  expect(read({ at: atPort(at), predictions }).replaceAll('\u00a0', ' ')).toContain(`\n${verdict}\n`);
});

test('a port that was asked about, or may be the next one, is listed however improbable', () => {
  const predictions = [rotterdam, prediction('GBFXT', 0.01)];
  expect(read({ predictions, at: atPort('GBFXT') })).toContain('| Felixstowe | ETA not given | 1% |');
  expect(read({ predictions: [prediction('BEANR', 0.04), prediction('GBFXT', 0.01)] })).toContain(
    '| Felixstowe | ETA not given | 1% |',
  );
});

test("the reader's own time follows the call that it belongs to, and is left out where two may be next", () => {
  const zone = 'Asia/Kolkata';
  const there = read({ at: atPort('DEHAM') }, { ...reader, zone });
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
      "text: DS CYPRESS → Rotterdam, 60% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h. Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h. Antwerp 10% · ETA not given; 2 more. Forecast as of 09:05 UTC · IMO 9461477 · NLRTM (invented data)

      *DS CYPRESS → Rotterdam, 60%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
      Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h
      Antwerp 10% · ETA not given
      2 more · Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · invented data
      [Refresh → nextport 9461477] [Share → nextport 9461477]"
    `);
  });
});

const fleet: FleetPredictions = {
  vessels: [
    {
      vessel: diana,
      endpoint: 'ship',
      predictions: [prediction('SGSIN', 0.48, '2026-11-22T01:00:00Z'), prediction('MYPKG', 0.45)],
      failed: false,
    },
    {
      vessel: cypress,
      endpoint: 'vessel',
      predictions: [prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'), prediction('DEHAM', 0.16)],
      failed: false,
    },
    { vessel: nameless, endpoint: 'vessel', predictions: [], failed: true },
  ],
  ...asked,
};

const showFleet = (found: FleetPredictions) =>
  messageOf(fleetAnswer(found, { now: reader.now, page: 1 }), 'nextport 9461477, 9755933, 9811000');
const showList = (list: string, vessels: FleetPredictions['vessels'], offered: string[] = []) =>
  asRead(messageOf(listAnswer({ ...fleet, list, vessels, offered }, { now: reader.now, page: 1 }), ''));

test('an unknown or empty list', () => {
  expect(showList('<!channel>', [], ['FEEDERS'])).toMatchInlineSnapshot(`
    "text: No list called &lt;!channel&gt;; lists are kept by the provider. They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: \`/nextport 9461477, 9755933\`. Lists that are watched here: FEEDERS. Forecast as of 09:05 UTC

    *No list called &lt;!channel&gt;; lists are kept by the provider*
    They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: \`/nextport 9461477, 9755933\`
    Lists that are watched here: FEEDERS
    Forecast as of 09:05 UTC
    [Refresh → nextport list:"<!channel>"] [List FEEDERS → nextport list:FEEDERS] [Share → nextport list:"<!channel>"]"
  `);
});

test('the verdict is the next call ahead; vessels past their ETA, without an ETA or an answer are counted', () => {
  const vessels = [
    called(cypress, prediction('NLRTM', 0.82, '2026-11-21T04:05:00Z')),
    called(diana, prediction('SGSIN', 0.25, '2026-11-21T18:00:00Z')),
    called(nameless, prediction('BEANR', 0.9)),
    called({ imo: 9811001 as Imo, name: 'TYPO' }),
  ];
  const group = 'Fleet NORTH';
  const { text } = showFleet({ ...fleet, group, vessels });
  expect(text).toMatchInlineSnapshot(
    `"Fleet NORTH, 4 vessels: next MSC DIANA → Singapore 25%, Sun 22 Nov 02:00 LT (Sat 18:00 UTC) · in 8 h · 1 within 24 h · 1 past ETA · 1 without an ETA · 1 without a prediction; DS CYPRESS · Rotterdam 82% · Sat 21 Nov 05:05 LT · 5 h past ETA; MSC DIANA · ⚪ Singapore 25% · Sun 22 Nov 02:00 LT · in 8 h; IMO 9811000 · Antwerp 90% · ETA not given; TYPO · no prediction · IMO 9811001 (check digit wrong). Forecast as of 09:05 UTC · ⚪ under 30% · 1 with a wrong check digit, as given by the service"`,
  );
  const ahead = { ...fleet, group, vessels: vessels.slice(0, 1) };
  expect(showFleet(ahead).text).toMatchInlineSnapshot(
    `"Fleet NORTH, 1 vessel: 1 past ETA; DS CYPRESS · Rotterdam 82% · Sat 21 Nov 05:05 LT · 5 h past ETA. Forecast as of 09:05 UTC"`,
  );
});

test('rows from 70% are plain, those from 30% are marked 🟠, those below ⚪; so are undecided ones', () => {
  const rowOf = (...predictions: [Prediction, ...Prediction[]]) => {
    const shown = asRead(showFleet({ ...fleet, vessels: [called(cypress, ...predictions)] }));
    return /^\| DS CYPRESS \| (.+?) ·/m.exec(shown)?.[1];
  };
  expect(rowOf(prediction('NLRTM', 0.695))).toBe('Rotterdam 70%');
  expect(rowOf(prediction('NLRTM', 0.69))).toBe('🟠 Rotterdam 69%');
  expect(rowOf(prediction('NLRTM', 0.3))).toBe('🟠 Rotterdam 30%');
  expect(rowOf(prediction('NLRTM', 0.29))).toBe('⚪ Rotterdam 29%');
  expect(rowOf(prediction('NLRTM', 0.8), prediction('BEANR', 0.78))).toBe(
    '🟠 Undecided: Rotterdam 80% or Antwerp 78%',
  );
});

test('a wrong check digit from the service is shown, and is not offered as a line', () => {
  const typo = { imo: 9811001 as Imo, name: 'TYPO' };
  const vessels = [called(typo, prediction('NLRTM', 0.8, '2026-11-23T14:05:00Z'))];
  const shown = asRead(showFleet({ ...fleet, vessels }));
  expect(shown).toContain('| 9811001 (check digit wrong) |');
  expect(shown).toContain('1 with a wrong check digit, as given by the service');
  expect(shown).not.toContain('nextport 9811001');
});

const called = (vessel: KnownVessel, ...predictions: Prediction[]): FleetVessel => ({
  vessel,
  endpoint: 'vessel',
  predictions,
  failed: false,
});

const showComparison = (ports: NextPortsComparison['ports']) =>
  messageOf(
    compareAnswer({ vessel: cypress, ports, ...asked }, { page: 1, now: reader.now }),
    'nextport 9461477 compare',
  );
const inShip = { etaZone: 'assumed-utc' } as const;

test('the text names the differences, and a table shows both forecasts side by side', () => {
  const message = showComparison([
    {
      port: port('NLRTM'),
      vesselView: prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'),
      shipView: prediction('NLRTM', 0.4, '2026-11-23T17:05:00Z', inShip),
    },
    { port: port('DEHAM'), shipView: prediction('DEHAM', 0.5, undefined, inShip) },
    { port: port('BEANR'), vesselView: prediction('BEANR', 0.1, '2026-11-24T10:00:00Z') },
  ]);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: DS CYPRESS: first forecast Rotterdam 82%, second Hamburg 50% · 3 ports differ; Rotterdam NLRTM · 82% and 40%, ETAs 3 h apart · first forecast: Mon 23 Nov 15:05 LT (14:05 UTC) · second forecast: Mon 23 Nov 18:05 LT (17:05 UTC); Hamburg DEHAM · 50%, only in the second forecast · second forecast: ETA not given; Antwerp BEANR · 10%, only in the first forecast · first forecast: Tue 24 Nov 11:00 LT (10:00 UTC). Forecast as of 09:05 UTC · IMO 9461477 · second forecast: time zone not given, read as UTC

    *DS CYPRESS: first forecast Rotterdam 82%, second Hamburg 50%* · 3 ports differ
    (table: Both forecasts of DS CYPRESS)
    | Port | %, both forecasts | ETA, first | ETA, second |
    | Rotterdam NLRTM | 82% and 40%, ETAs 3 h apart | Mon 23 Nov 15:05 LT (14:05 UTC) | Mon 23 Nov 18:05 LT (17:05 UTC) |
    | Hamburg DEHAM | 50%, only in the second forecast | – | ETA not given |
    | Antwerp BEANR | 10%, only in the first forecast | Tue 24 Nov 11:00 LT (10:00 UTC) | – |
    Forecast as of 09:05 UTC · IMO 9461477 · second forecast: time zone not given, read as UTC
    [Watch → watch 9461477] [Refresh → nextport 9461477 compare] [Next ports → nextport 9461477] [Share → nextport 9461477 compare] [History → nextport 9461477 history]"
  `);
});

test('no predictions from either endpoint', () => {
  expect(showComparison([]).text).toBe(
    "No prediction for IMO 9461477 · neither of the service's two forecasts has one. Forecast as of 09:05 UTC · IMO 9461477",
  );
});

const at = (time: string) => new Date(`2026-11-${time}:00Z`);
const point = (time: string, eta: string | null, probability: number) => ({
  at: at(time),
  eta: eta === null ? null : at(eta),
  probability,
});

const history: VesselHistory = {
  vessel: cypress,
  chart: undefined,
  stability: stabilityOf([]),
  isOfChannel: true,
  since: at('16T09:05'),
  until: at('21T09:00'),
  spells: [
    {
      port: port('DEHAM'),
      from: at('16T09:05'),
      until: at('17T09:05'),
      points: [point('16T09:05', '24T03:05', 0.6)],
    },
    { port: null, from: at('17T09:05'), until: at('17T21:05'), points: [] },
    {
      port: port('NLRTM'),
      from: at('17T21:05'),
      until: at('21T09:00'),
      points: [
        point('17T21:05', '23T00:05', 0.7),
        point('19T21:05', '23T14:05', 0.7),
        point('20T21:05', '23T13:35', 0.82),
      ],
    },
  ],
};

const showHistory = (more: Partial<VesselHistory> = {}, { page = 1, now = reader.now } = {}) =>
  messageOf(historyAnswer({ ...history, ...more }, { now, page }), 'nextport 9461477 history');

test('after the last poll nothing is claimed', () => {
  const now = at('25T09:05');
  expect(showHistory({}, { now }).text).toContain(
    'DS CYPRESS: Rotterdam most probable Tue 17 Nov 21:05 UTC to Sat 21 Nov 09:00 UTC',
  );
});

test('no prediction at the last poll', () => {
  const spells = history.spells.slice(0, 2);
  expect(showHistory({ spells }).text).toMatchInlineSnapshot(
    `"DS CYPRESS: no prediction Tue 17 Nov 09:05 UTC to Tue 17 Nov 21:05 UTC. Most probable: Hamburg 67% of the time (1 d) · no prediction 33% of the time (12 h). Tue 17 Nov 09:05 UTC · no prediction · was Hamburg; Mon 16 Nov 09:05 UTC · Hamburg 60% · Tue 24 Nov 04:05 LT · Tue 24 Nov 03:05 UTC. Watched here, of the past 30 days: Mon 16 Nov 09:05 UTC to Sat 21 Nov 09:00 UTC · IMO 9461477"`,
  );
});

test('a port on top at the last poll only: how its ETA moves is unknown, and it has no share of the time', () => {
  const since = at('21T09:00');
  const antwerp = {
    port: port('BEANR'),
    from: since,
    until: since,
    points: [point('21T09:00', '25T03:05', 0.5)],
  };
  const text = asRead(showHistory({ spells: [...history.spells, antwerp] }));
  expect(text).toContain(
    '*DS CYPRESS: Antwerp most probable since Sat 21 Nov 09:00 UTC, 50%* · ETA Wed 25 Nov 04:05 LT',
  );
  expect(text).not.toMatch(/Antwerp \d+% of the time/);
});
