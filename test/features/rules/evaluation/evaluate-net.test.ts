import { addMinutes } from 'date-fns/addMinutes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, evaluateNet } from '../../../../src/features/rules/evaluation/evaluate.ts';
import {
  type Snapshot,
  vesselStates,
  type WatchState,
  watchState,
} from '../../../../src/features/rules/evaluation/state.ts';
import { chooseRules, defaultRules } from '../../../../src/features/rules/registry.ts';
import type { Locode } from '../../../../src/reference/codes.ts';
import {
  cypress,
  diana,
  hour,
  type Ports,
  predictions,
  vesselSnapshot,
} from '../../../support/watch-story.ts';

const rules = { ...defaultRules, snooze: null };
const stored = (state: WatchState): WatchState => watchState.parse(JSON.parse(JSON.stringify(state)));

const disputedIn = (state: WatchState | null): number[] =>
  Object.entries(state ? vesselStates(state) : {}).flatMap(([imo, { dispute }]) =>
    dispute ? [Number(imo)] : [],
  );

const probability = fc.constantFrom(0.1, 0.3, 0.42, 0.48, 0.5, 0.6, 0.75, 0.95);
const eta = fc.constantFrom(100, 130, 150, 210);
const ports: fc.Arbitrary<Ports> = fc.dictionary(
  fc.constantFrom('NLRTM', 'DEHAM', 'BEANR'),
  fc.tuple(probability, eta),
  { maxKeys: 3 },
);
const ofVessel = ports.map(
  (ofPorts) =>
    (at: Date): Snapshot =>
      vesselSnapshot(at, ofPorts),
);
const atPort = fc
  .record({ first: fc.option(fc.tuple(probability, eta)), second: fc.option(fc.tuple(probability, eta)) })
  .map(
    ({ first, second }) =>
      (at: Date): Snapshot => ({
        kind: 'port',
        port: 'NLRTM' as Locode,
        at,
        scale: 'fraction',
        predictions: [
          ...(first ? predictions({ NLRTM: first }) : []),
          ...(second ? predictions({ NLRTM: second }, diana) : []),
        ],
      }),
  );

/** Polls once an hour, from the first hour on. */
function poll(answers: readonly ((at: Date) => Snapshot)[]): WatchState | null {
  return answers.reduce<WatchState | null>((state, answer, index) => {
    const at = hour(index);
    return stored(evaluate(state, answer(at), rules, at).state);
  }, null);
}

describe.each([
  ['of a vessel', ofVessel],
  ['of a port', atPort],
])('the first evaluation after a restore, %s', (_, answer) => {
  it('says all that has changed, so that the polls after it have nothing to add', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), answer, (before, now) => {
        const at = hour(40);
        const known = poll(before);
        const outcome = evaluateNet(known, now(at), rules, at);
        expect(outcome.isDone).toBe(true);
        // An alert that nobody has yet isn't edited; each that is out says how its dispute ended.
        const disputed = disputedIn(known);
        const edited = outcome.edits.map(({ imo }) => imo);
        expect(disputed).toEqual(expect.arrayContaining(edited));
        const ended = disputed.filter((imo) => !disputedIn(outcome.state).includes(imo));
        expect(edited).toEqual(expect.arrayContaining(ended));
        let state = stored(outcome.state);
        for (const minutes of [1, 2, 3]) {
          const later = addMinutes(at, minutes);
          const next = evaluate(state, now(later), rules, later);
          expect(next.events).toEqual([]);
          state = stored(next.state);
        }
      }),
    );
  });

  it('says nothing if nothing has changed', () => {
    fc.assert(
      fc.property(answer, (same) => {
        const state = poll([same, same, same, same]);
        expect(evaluateNet(state, same(hour(5)), rules, hour(5)).events).toEqual([]);
      }),
    );
  });
});

it('is still to come after a failed poll, in quiet hours and during a snooze', () => {
  const state = poll([(at) => vesselSnapshot(at, { NLRTM: [0.9, 200] })]);
  const at = hour(30);
  const diverted = vesselSnapshot(at, { DEHAM: [0.9, 200] });
  const failed: Snapshot = { kind: 'failed', isPort: false, at, silentSince: at, intervalMinutes: 15 };
  const quiet = { from: '00:00', to: '12:00', zone: 'UTC' };
  expect(evaluateNet(state, failed, rules, at).isDone).toBe(false);
  expect(evaluateNet(state, diverted, { ...rules, quiet }, at)).toMatchObject({ isDone: false, events: [] });
  const snooze = { kind: 'until', at: hour(31) } as const;
  expect(evaluateNet(state, diverted, { ...rules, snooze }, at)).toMatchObject({ isDone: false, events: [] });
  const outcome = evaluateNet(state, diverted, { ...chooseRules({}), snooze: null }, at);
  expect(outcome).toMatchObject({ isDone: true, events: [{ kind: 'diverted', imo: cypress }] });
});
