import fc from 'fast-check';
import type { Rules, WatchEvent } from '../../src/features/rules/list.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { cypress, diana } from './watch-story.ts';
import { antwerp, at, changed, notifiedRotterdam, port, rotterdam } from './watch-view-fixtures.ts';

// What the tests need of each rule: the compiler names what a new one lacks here.

const someHours = fc.integer({ min: 1, max: 240 });
/** Any values of the rules and limits of a watch. */
export const ruleValues: { [Key in keyof Rules]: fc.Arbitrary<Rules[Key]> } = {
  diverted: fc.boolean(),
  undecided: fc.boolean(),
  nextLeg: fc.boolean(),
  etaMoved: fc.option(
    fc.oneof(
      fc.record({ hours: someHours, isScaled: fc.constant(false) }),
      fc.constant({ hours: 12, isScaled: true }),
    ),
  ),
  below: fc.option(fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)),
  arrivingHours: fc
    .uniqueArray(someHours, { maxLength: 5 })
    .map((hours) => hours.sort((one, other) => other - one)),
  overdueHours: fc.option(someHours),
  lost: fc.boolean(),
  stale: fc.boolean(),
  expected: fc.boolean(),
  due: fc.array(
    fc
      .record({
        port: fc.constantFrom('NLRTM', 'SGSIN', 'AUMEL', 'ZZZZZ').map((code) => code as Locode),
        at: fc.date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
      })
      .chain((due) =>
        fc.constantFrom(
          due,
          { ...due, earliest: new Date(due.at.getTime() - 8 * 3_600_000) },
          { ...due, minimum: 0.8, reference: 'BK-4401' },
        ),
      ),
    { maxLength: 8 },
  ),
  untilNextPort: fc.boolean(),
  quiet: fc.option(fc.constant({ from: '23:30', to: '05:00', zone: 'Asia/Kolkata' })),
};

const was = notifiedRotterdam;
const later = { ...rotterdam, eta: at('24T06:05') };
const imo = cypress;

/** An event of each kind. */
export const ruleEvents: Record<WatchEvent['kind'], WatchEvent> = {
  diverted: changed,
  'moved-on': { kind: 'moved-on', imo, was, next: antwerp, old: null },
  undecided: { kind: 'undecided', imo, was, since: at('21T06:05'), now: rotterdam, other: antwerp },
  'back-and-forth': {
    kind: 'back-and-forth',
    imo,
    was,
    since: at('21T06:05'),
    now: antwerp,
    other: { ...rotterdam, probability: 0.15 },
  },
  'eta-slipped': { kind: 'eta-slipped', imo, was, now: later },
  'eta-advanced': { kind: 'eta-advanced', imo, was, now: { ...rotterdam, eta: at('22T14:05') } },
  unlikely: {
    kind: 'unlikely',
    imo,
    was,
    since: at('21T06:05'),
    now: { ...rotterdam, probability: 0.44 },
    below: 0.5,
  },
  arriving: { kind: 'arriving', imo, now: antwerp, hours: 24, call: 1 },
  overdue: { kind: 'overdue', imo, now: { ...rotterdam, eta: at('21T02:00') }, hours: 6, call: 1 },
  due: { kind: 'due', imo, due: { port: port('NLRTM'), at: at('23T17:00') }, now: later, reasons: ['late'] },
  'prediction-lost': { kind: 'prediction-lost', imo, was },
  'prediction-back': { kind: 'prediction-back', imo, was: null, next: antwerp },
  'newly-expected': { kind: 'newly-expected', imo: diana, now: rotterdam },
  'no-longer-expected': {
    kind: 'no-longer-expected',
    imo: diana,
    was,
    now: { ...rotterdam, probability: 0.3 },
  },
  'expected-eta-moved': { kind: 'expected-eta-moved', imo: diana, was, now: later },
  stale: { kind: 'stale', since: at('20T22:00') },
};
