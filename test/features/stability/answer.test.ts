import { expect, test } from 'vitest';
import {
  type FoundCalls,
  type StabilityCall,
  spreadInWords,
  stabilityAnswer,
} from '../../../src/features/stability/answer.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { cypress, diana, now, port } from '../../support/view-fixtures.ts';

const at = (day: number, clock = '10:00') => new Date(`2026-11-${String(day).padStart(2, '0')}T${clock}:00Z`);
const reading = (code: string, probability: number, eta: Date) => ({ port: port(code), probability, eta });

const call = (day: number, more: Partial<StabilityCall> = {}): StabilityCall => ({
  imo: cypress.imo,
  vessel: cypress,
  previousPort: port('DEHAM'),
  port: port('NLRTM'),
  lastEta: at(day),
  endedAt: at(day, '11:00'),
  readings: {
    72: null,
    48: reading('NLRTM', 0.82, at(day, '05:00')),
    24: reading('NLRTM', 0.95, at(day, '09:20')),
  },
  ...more,
});
const diverted = (day: number, more: Partial<StabilityCall> = {}) =>
  call(day, {
    readings: {
      72: reading('BEANR', 0.6, at(day)),
      48: reading('BEANR', 0.84, at(day)),
      24: reading('NLRTM', 0.51, at(day, '12:00')),
    },
    ...more,
  });

const shown = (found: Partial<FoundCalls>, line = 'watch stability') =>
  messageOf(
    stabilityAnswer(
      { scope: 'channel', about: { kind: 'watched' }, calls: [], ...found },
      { now, page: 1, here: 'watch stability' },
    ),
    line,
  );

test('of a vessel, call by call', () => {
  const message = shown(
    { about: { kind: 'vessel', vessel: cypress }, calls: [diverted(20), call(12, { previousPort: null })] },
    'watch stability 9461477',
  );
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: DS CYPRESS: the top port 48 h before stayed on top in 1 of 2 calls · ETA moved 5 h; Rotterdam, Fri 20 Nov 11:00 · 72 h Antwerp 60% · 48 h Antwerp 84%; Rotterdam, Thu 12 Nov 11:00 · 48 h same 82% · 24 h same 95% · ETA +5 h. 2 calls that ended 12–20 Nov 2026: the port left the predictions at its ETA · so few that chance plays a large part · stability, not accuracy · asked 09:05 UTC

    *DS CYPRESS: the top port 48 h before stayed on top in 1 of 2 calls* · ETA moved 5 h
    (table: The port on top, hours before the last ETA of each call)
    | Call, last ETA (LT) | 72 h before | 48 h before | 24 h before | ETA moved | From |
    | Rotterdam · Fri 20 Nov 11:00 | Antwerp 60% | Antwerp 84% | same 51% | – | Hamburg |
    | Rotterdam · Thu 12 Nov 11:00 | – | same 82% | same 95% | +5 h | – |
    2 calls that ended 12–20 Nov 2026: the port left the predictions at its ETA · so few that chance plays a large part · stability, not accuracy · asked 09:05 UTC
    [Refresh → watch stability 9461477] [History → nextport 9461477 history] [All watched here → watch stability] [Share → watch stability 9461477]"
  `);
});

test('of a channel: vessels, then lanes; calibration from 20 calls on', () => {
  const calls = [
    ...Array.from({ length: 16 }, (_, index) => call(20 - index)),
    ...Array.from({ length: 3 }, () => diverted(4)),
    call(3, { imo: diana.imo, vessel: diana, previousPort: null }),
    call(2, {
      imo: diana.imo,
      vessel: diana,
      port: port('SGSIN'),
      readings: { 72: null, 48: null, 24: null },
    }),
  ];
  const message = shown({ calls });
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: Watched here: the top port 48 h before stayed on top in 85% of calls (17 of 20) · ETA moved 5 h (median); DS CYPRESS · 72 h before 0 of 3 · 48 h before 84% (16 of 19); MSC DIANA · 48 h before 1 of 1 · 24 h before 1 of 1; Hamburg → Rotterdam · 72 h before 0 of 3 · 48 h before 84% (16 of 19). When the service said 80–90% 48 h before, the top port stayed in 85% of 20 calls (95%: 64–95%). 21 calls that ended 2–20 Nov 2026: the port left the predictions at its ETA · only where there are 10 calls or more · 95%: Wilson interval · stability, not accuracy · asked 09:05 UTC

    *Watched here: the top port 48 h before stayed on top in 85% of calls (17 of 20)* · ETA moved 5 h (median)
    (table: Calls in which the port on top stayed on top, hours before the last ETA)
    | Vessel or lane | 72 h before | 48 h before | 24 h before | ETA moved | Calls |
    | DS CYPRESS | 0 of 3 | 84% (16 of 19) | 100% (19 of 19) | 5 h | 19 |
    | MSC DIANA | – | 1 of 1 | 1 of 1 | 5 h | 2 |
    | Hamburg → Rotterdam | 0 of 3 | 84% (16 of 19) | 100% (19 of 19) | 5 h | 19 |
    When the service said 80–90% 48 h before, the top port stayed in 85% of 20 calls (95%: 64–95%)
    21 calls that ended 2–20 Nov 2026: the port left the predictions at its ETA · only where there are 10 calls or more · 95%: Wilson interval · stability, not accuracy · asked 09:05 UTC
    [Refresh → watch stability] [List the watches → watch list] [Share → watch stability]"
  `);
});

test('of a lane: the calls with their vessels', () => {
  const about = { kind: 'lane', origin: port('DEHAM'), destination: port('NLRTM') } as const;
  const line = 'watch stability DEHAM NLRTM';
  expect(
    asRead(shown({ about, calls: [call(20), call(12, { imo: diana.imo, vessel: diana })] }, line)),
  ).toMatchInlineSnapshot(`
    "text: Hamburg → Rotterdam: the top port 48 h before stayed on top in 2 of 2 calls · ETA moved 5 h (median); DS CYPRESS, Fri 20 Nov 11:00 · 48 h same 82% · 24 h same 95% · ETA +5 h; MSC DIANA, Thu 12 Nov 11:00 · 48 h same 82% · 24 h same 95% · ETA +5 h. 2 calls that ended 12–20 Nov 2026: the port left the predictions at its ETA · so few that chance plays a large part · stability, not accuracy · asked 09:05 UTC

    *Hamburg → Rotterdam: the top port 48 h before stayed on top in 2 of 2 calls* · ETA moved 5 h (median)
    (table: The port on top, hours before the last ETA of each call)
    | Vessel, last ETA (LT) | 72 h before | 48 h before | 24 h before | ETA moved |
    | DS CYPRESS · Fri 20 Nov 11:00 | – | same 82% | same 95% | +5 h |
    | MSC DIANA · Thu 12 Nov 11:00 | – | same 82% | same 95% | +5 h |
    2 calls that ended 12–20 Nov 2026: the port left the predictions at its ETA · so few that chance plays a large part · stability, not accuracy · asked 09:05 UTC
    [Refresh → watch stability DEHAM NLRTM] [All watched here → watch stability] [Share → watch stability DEHAM NLRTM]"
  `);
});

test('says when nothing is known of that time', () => {
  const unread = call(20, { readings: { 72: null, 48: null, 24: null } });
  expect(shown({ calls: [unread] }).text).toMatchInlineSnapshot(
    `"Watched here: 1 call ended while watched, none followed for 48 h; DS CYPRESS · 1 call. 1 call that ended 20 Nov 2026: the port left the predictions at its ETA · so few that chance plays a large part · stability, not accuracy · asked 09:05 UTC"`,
  );
});

test('how far the ETA moved is rounded to hours from 3 hours on', () => {
  expect(spreadInWords({ median: 283, lower: 93, upper: 351, of: 5 })).toBe('5 h (1 h 33 min to 6 h)');
});
