import { describe, expect, it, test } from 'vitest';
import { isQuiet, wakeTime } from '../../../../src/features/rules/evaluation/muting.ts';
import { etaToRemember } from '../../../../src/features/rules/evaluation/state.ts';
import type { Rules } from '../../../../src/features/rules/list.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import type { Imo, Locode } from '../../../../src/reference/codes.ts';
import {
  createStory,
  cypress,
  failedSnapshot,
  hour,
  type Ports,
  predictions,
} from '../../../support/watch-story.ts';

/** What holds exactly at a bound, and the conditions that seldom decide alone. */
const only = (rules: Partial<Rules>, first?: Ports) => createStory(chooseRules(rules, { only: true }), first);
const rotterdam = 'NLRTM' as Locode;
const rotterdamFirst = { NLRTM: 0.7, DEHAM: 0.3 };
const hamburgFirst = { NLRTM: 0.3, DEHAM: 0.7 };

describe('arriving', () => {
  it('is notified exactly at the threshold', () => {
    const story = only({ arrivingHours: [24] }, { NLRTM: [0.9, 100] });
    expect(story.poll(75.99, { NLRTM: [0.9, 100] })).toEqual([]);
    expect(story.poll(76, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
  });

  it('at the first poll exactly at the threshold is not notified', () => {
    const story = only({ arrivingHours: [24] }, { NLRTM: [0.9, 24] });
    expect(story.poll(1, { NLRTM: [0.9, 24] })).toEqual([]);
  });

  it('is not notified once the ETA is reached', () => {
    const story = only({ arrivingHours: [24] }, { NLRTM: [0.9, 100] });
    expect(story.poll(50, { NLRTM: [0.9, 50] })).toEqual([]);
  });
});

describe('overdue', () => {
  it('is notified again only after the ETA was ahead, not when it was just reached', () => {
    const story = only({ overdueHours: 6 }, { NLRTM: [0.9, 10] });
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    story.poll(17, { NLRTM: [0.9, 17] });
    expect(story.poll(23, { NLRTM: [0.9, 17] })).toEqual([]);
  });

  it('is notified once per port call, even if another port led in between', () => {
    const story = only({ overdueHours: 6, diverted: true }, { NLRTM: [0.9, 10] });
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    expect(story.poll(17, { DEHAM: [0.7, 60], NLRTM: [0.2, 15] })).toEqual(['diverted']);
    expect(story.poll(18, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual(['diverted']);
    expect(story.poll(21, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual([]);
  });
});

describe('a dispute', () => {
  it('begins with a change back within exactly 24 hours', () => {
    const story = createStory({}, rotterdamFirst);
    story.poll(1, hamburgFirst);
    expect(story.poll(25, rotterdamFirst)).toEqual(['back-and-forth']);
  });

  it('is notified once: a probability that falls meanwhile is part of it', () => {
    const story = createStory({}, rotterdamFirst);
    story.poll(1, hamburgFirst);
    story.poll(2, rotterdamFirst);
    for (const at of [3, 4]) expect(story.poll(at, { NLRTM: 0.45, DEHAM: 0.3 })).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(5, { NLRTM: 0.45, DEHAM: 0.25 })).toEqual([]);
    expect(story.edits).toMatchObject([{ kind: 'back-and-forth', other: { probability: 0.25 } }]);
  });

  it('begins at exactly 5 points, and is edited at exactly 5 points', () => {
    const story = only({ undecided: true }, { NLRTM: 0.6, DEHAM: 0.3 });
    for (const at of [1, 2]) expect(story.poll(at, { NLRTM: 0.5, DEHAM: 0.449 })).toEqual([]);
    story.poll(3, { NLRTM: 0.5, DEHAM: 0.45 });
    expect(story.poll(4, { NLRTM: 0.5, DEHAM: 0.45 })).toEqual(['undecided']);
    story.poll(5, { NLRTM: 0.549, DEHAM: 0.45 });
    expect(story.edits).toEqual([]);
    story.poll(6, { NLRTM: 0.551, DEHAM: 0.45 });
    expect(story.edits).toHaveLength(1);
  });

  it('ends with two ports that stay equally likely, which are not shown again', () => {
    const story = only({ undecided: true }, { NLRTM: 0.6, DEHAM: 0.3 });
    for (const at of [1, 2, 7.9]) story.poll(at, { NLRTM: 0.5, DEHAM: 0.49 });
    expect(story.edits).toEqual([]);
    story.poll(8, { NLRTM: 0.5, DEHAM: 0.49 });
    expect(story.edits).toMatchObject([{ end: { kind: 'settled' } }]);
    for (const at of [9, 10, 11]) expect(story.poll(at, { NLRTM: 0.5, DEHAM: 0.49 })).toEqual([]);
  });
});

describe('the next leg', () => {
  it('begins if the port leaves the list exactly 3 hours before its ETA', () => {
    const story = createStory({ nextLeg: true }, { NLRTM: [0.9, 20] });
    expect(story.poll(17, { DEHAM: [0.9, 70] })).toEqual(['moved-on']);
  });

  it('begins whatever its probability is', () => {
    const story = only({ diverted: true }, { NLRTM: 0.9 });
    expect(story.poll(1, { DEHAM: 0.05 })).toEqual(['diverted']);
  });

  it('does not begin while the port is still listed: past its ETA too, another leader is a diversion', () => {
    const story = createStory({}, { NLRTM: [0.9, 20] });
    expect(story.poll(20, { DEHAM: [0.8, 70], NLRTM: [0.2, 20] })).toEqual(['diverted']);
    expect(story.last[0]).toMatchObject({ mayHaveCalled: true });
  });
});

describe('a due date', () => {
  const due = [{ port: rotterdam, at: hour(150) }];

  it('is met by an ETA at exactly that time', () => {
    const story = only({ due }, { NLRTM: [0.9, 145] });
    expect(story.poll(1, { NLRTM: [0.9, 150] })).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 150.1] })).toEqual(['due']);
  });

  it('is likely at exactly 50%, and armed again at exactly 60%', () => {
    const story = only({ due }, { NLRTM: 0.5 });
    expect(story.poll(1, { NLRTM: 0.5 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.49 })).toEqual(['due']);
    story.poll(3, { NLRTM: 0.59 });
    expect(story.poll(4, { NLRTM: 0.49 })).toEqual([]);
    story.poll(5, { NLRTM: 0.6 });
    expect(story.poll(6, { NLRTM: 0.49 })).toEqual(['due']);
  });
});

describe('failures, first answers and empty answers', () => {
  it('a failure of the service wakes no watch', () => {
    const story = createStory({ snooze: { kind: 'until', at: hour(50) } }, { NLRTM: [0.9, 500] });
    expect(story.take(failedSnapshot(3))).toEqual([]);
  });

  it('a failure of the service is no news for a watch that has ended', () => {
    const story = createStory({ untilNextPort: true });
    story.poll(-1, { NLRTM: 0.9 });
    story.poll(0, { DEHAM: 0.9 });
    expect(story.ended).toBe(true);
    expect(story.take(failedSnapshot(3))).toEqual([]);
  });

  it('the first prediction of a vessel is no change of its next port', () => {
    const story = createStory({ untilNextPort: true }, {});
    expect(story.poll(1, { NLRTM: 0.9 })).toEqual(['prediction-back']);
    expect(story.ended).toBe(false);
  });

  it('an empty answer has no scale: predictions are lost as usual', () => {
    const story = createStory({}, { NLRTM: 0.9 });
    story.poll(1, {}, 'percent');
    expect(story.poll(2, {}, 'percent')).toEqual(['prediction-lost']);
  });
});

describe('a port', () => {
  const imo = 9811000 as Imo;
  const port = (hours: number, value?: readonly [number, number]) =>
    ({
      kind: 'port',
      port: rotterdam,
      at: hour(hours),
      scale: 'fraction',
      predictions: [
        ...predictions({ NLRTM: [0.9, 900] }, cypress),
        ...(value ? predictions({ NLRTM: value }, imo) : []),
      ],
    }) as const;

  it('still expects a vessel at exactly 40%', () => {
    const story = createStory();
    story.take(port(0, [0.9, 150]));
    for (let at = 1; at < 5; at += 1) expect(story.take(port(at, [0.4, 150]))).toEqual([]);
    expect(story.take(port(5, [0.39, 150]))).toEqual([]);
    expect(story.take(port(6, [0.39, 150]))).toMatchObject([{ kind: 'no-longer-expected', imo }]);
  });

  it('reports nothing about a vessel that is gone when its ETA is reached', () => {
    const story = createStory();
    story.take(port(0, [0.9, 20]));
    story.take(port(19));
    expect(story.take(port(20))).toEqual([]);
  });
});

test('quiet hours within a day end on time, and a time that has passed wakes nothing', () => {
  const now = new Date('2026-07-01T11:30:00Z');
  const quiet = { from: '12:00', to: '13:30', zone: 'Europe/Berlin' };
  expect(isQuiet(quiet, now)).toBe(false);
  expect(isQuiet(quiet, new Date('2026-07-01T10:00:00Z'))).toBe(true);
  expect(wakeTime({ quiet, snooze: { kind: 'until', at: now }, eta: null }, now)).toBeNull();
});

test('a new ETA is remembered if it differs by an hour', () => {
  expect(etaToRemember(hour(100), hour(100.99), hour(0))).toEqual(hour(100));
  expect(etaToRemember(hour(100), hour(101), hour(0))).toEqual(hour(101));
});
