import { expect, it } from 'vitest';
import { replay } from '../../../../src/features/watches/evaluation/replay.ts';
import { chooseRules } from '../../../../src/features/watches/evaluation/rules.ts';
import type { Snapshot } from '../../../../src/features/watches/evaluation/snapshot.ts';
import { trailOf } from '../../../../src/features/watches/polling/trail.ts';
import { cypress, hour, type Ports, predictions } from '../../../support/watch-story.ts';

const history = (...polls: [number, Ports][]) =>
  polls.map(
    ([hours, ports]): Extract<Snapshot, { kind: 'vessel' }> => ({
      kind: 'vessel',
      imo: cypress,
      at: hour(hours),
      scale: 'fraction',
      predictions: predictions(ports),
    }),
  );

const voyage = history(
  [0, { NLRTM: [0.9, 100], DEHAM: 0.1 }],
  [6, { NLRTM: [0.9, 100] }],
  [12, { NLRTM: [0.9, 115] }],
  [18, {}],
  [24, { CNSHA: [0.8, 300] }],
  [30, { CNSGH: [0.8, 301] }],
);

it('tells how long each port was on top, and how its ETA drifted', () => {
  expect(trailOf(voyage)).toEqual([
    {
      port: 'NLRTM',
      from: hour(0),
      to: hour(24),
      polls: 3,
      etas: [
        { at: hour(0), eta: hour(100) },
        { at: hour(12), eta: hour(115) },
      ],
    },
    {
      port: 'CNSHA',
      from: hour(24),
      to: hour(30),
      polls: 2,
      etas: [
        { at: hour(24), eta: hour(300) },
        { at: hour(30), eta: hour(301) },
      ],
    },
  ]);
  expect(trailOf([])).toEqual([]);
});

it('how often rules would have fired is what they tell of the same polls', () => {
  const kinds = (rules: Parameters<typeof chooseRules>) =>
    replay(voyage, chooseRules(...rules)).map(({ at, events }) => [at, events.map(({ kind }) => kind)]);
  expect(kinds([{}])).toEqual([
    [hour(12), ['eta-slipped']],
    [hour(24), ['next-port-changed']],
  ]);
  expect(kinds([{ etaHours: 24 }])).toEqual([[hour(24), ['next-port-changed']]]);
  expect(kinds([{ etaHours: 6 }, { only: true }])).toEqual([[hour(12), ['eta-slipped']]]);
});
