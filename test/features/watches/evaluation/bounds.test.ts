import { describe, expect, it, test } from 'vitest';
import { isQuiet, wakeTime } from '../../../../src/features/watches/evaluation/muting.ts';
import { etaToRemember } from '../../../../src/features/watches/evaluation/state.ts';
import type { Rules } from '../../../../src/features/watches/rules/index.ts';
import { chooseRules } from '../../../../src/features/watches/rules/registry.ts';
import type { Imo } from '../../../../src/reference/imo.ts';
import type { Locode } from '../../../../src/reference/locode.ts';
import { createStory, cypress, hour, predictions } from '../../../support/watch-story.ts';

/** What holds exactly at a bound, and the conditions that seldom decide alone. */
const only = (rules: Partial<Rules>) => createStory(chooseRules(rules, { only: true }));
const rotterdam = 'NLRTM' as Locode;
const rotterdamFirst = { NLRTM: 0.7, DEHAM: 0.3 };
const hamburgFirst = { NLRTM: 0.3, DEHAM: 0.7 };
const failed = (hours: number) =>
  ({
    kind: 'failed',
    isPort: false,
    at: hour(hours),
    silentSince: hour(0),
    intervalMinutes: 60,
  }) as const;

describe('arriving', () => {
  it('is notified exactly at the threshold', () => {
    const story = only({ arrivingHours: [24] });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(75.99, { NLRTM: [0.9, 100] })).toEqual([]);
    expect(story.poll(76, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
  });

  it('at the first poll exactly at the threshold is not notified', () => {
    const story = only({ arrivingHours: [24] });
    story.poll(0, { NLRTM: [0.9, 24] });
    expect(story.poll(1, { NLRTM: [0.9, 24] })).toEqual([]);
  });

  it('is not notified once the ETA is reached', () => {
    const story = only({ arrivingHours: [24] });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(50, { NLRTM: [0.9, 50] })).toEqual([]);
  });
});

describe('overdue', () => {
  it('is notified again only after the ETA was ahead, not when it was just reached', () => {
    const story = only({ overdueHours: 6 });
    story.poll(0, { NLRTM: [0.9, 10] });
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    story.poll(17, { NLRTM: [0.9, 17] });
    expect(story.poll(23, { NLRTM: [0.9, 17] })).toEqual([]);
  });

  it('is notified once per port call, even if another port led in between', () => {
    const story = only({ overdueHours: 6, nextPort: true });
    story.poll(0, { NLRTM: [0.9, 10] });
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    expect(story.poll(17, { DEHAM: [0.7, 60], NLRTM: [0.2, 15] })).toEqual(['next-port-changed']);
    expect(story.poll(18, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual(['wavering']);
    expect(story.poll(21, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual([]);
  });
});

describe('wavering', () => {
  it('is a change back within exactly 24 hours', () => {
    const story = createStory();
    story.poll(0, rotterdamFirst);
    story.poll(1, hamburgFirst);
    expect(story.poll(25, rotterdamFirst)).toEqual(['wavering']);
  });

  it('is notified once: a probability that falls meanwhile is part of it', () => {
    const story = createStory();
    story.poll(0, rotterdamFirst);
    story.poll(1, hamburgFirst);
    story.poll(2, rotterdamFirst);
    expect(story.poll(3, { NLRTM: 0.45, DEHAM: 0.3 })).toEqual([]);
  });

  it("settles on the baseline's port near its ETA, which is no next leg", () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.7, 20], DEHAM: [0.3, 40] });
    story.poll(1, { NLRTM: [0.3, 20], DEHAM: [0.7, 40] });
    story.poll(2, { NLRTM: [0.7, 20], DEHAM: [0.3, 40] });
    expect(story.poll(15, { NLRTM: [0.9, 20] })).toEqual(['next-port-changed']);
    expect(story.last[0]).toMatchObject({ settled: true, rival: 'DEHAM', nextLeg: false });
  });
});

describe('the next leg', () => {
  it('begins if the port leaves the list exactly 6 hours before its ETA', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 20] });
    story.poll(14, { DEHAM: [0.9, 70] });
    expect(story.last[0]).toMatchObject({ nextLeg: true });
  });

  it('begins exactly at the ETA, though the port is still listed', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 20] });
    story.poll(20, { DEHAM: [0.8, 70], NLRTM: [0.2, 20] });
    expect(story.last[0]).toMatchObject({ nextLeg: true });
  });

  it('needs two polls if it leads by little and the rule “no longer predicted” is off', () => {
    const story = only({ nextPort: true });
    story.poll(0, { NLRTM: 0.9 });
    expect(story.poll(1, { DEHAM: 0.05 })).toEqual([]);
    expect(story.poll(2, { DEHAM: 0.05 })).toEqual(['next-port-changed']);
    const listed = only({ nextPort: true, noLongerPredicted: true });
    listed.poll(0, { NLRTM: 0.9 });
    expect(listed.poll(1, { DEHAM: 0.05 })).toEqual(['next-port-changed']);
  });
});

describe('a due date', () => {
  const due = [{ port: rotterdam, at: hour(150) }];

  it('is met by an ETA at exactly that time', () => {
    const story = only({ due });
    story.poll(0, { NLRTM: [0.9, 145] });
    expect(story.poll(1, { NLRTM: [0.9, 150] })).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 150.1] })).toEqual(['due']);
  });

  it('is likely at exactly 50%, and armed again at exactly 60%', () => {
    const story = only({ due });
    story.poll(0, { NLRTM: 0.5 });
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
    const story = createStory({ snooze: { kind: 'until', at: hour(50) } });
    story.poll(0, { NLRTM: [0.9, 500] });
    expect(story.take(failed(3))).toEqual([]);
  });

  it('a failure of the service is no news for a watch that has ended', () => {
    const story = createStory({ untilNextPort: true });
    story.poll(-1, { NLRTM: 0.9 });
    story.poll(0, { DEHAM: 0.9 });
    expect(story.ended).toBe(true);
    expect(story.take(failed(3))).toEqual([]);
  });

  it('the first prediction of a vessel is no change of its next port', () => {
    const story = createStory({ untilNextPort: true });
    story.poll(0, {});
    expect(story.poll(1, { NLRTM: 0.9 })).toEqual(['prediction-back']);
    expect(story.ended).toBe(false);
  });

  it('an empty answer has no scale: predictions are lost as usual', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.9 });
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
    story.take(port(0, [0.9, 500]));
    for (let at = 1; at < 5; at += 1) expect(story.take(port(at, [0.4, 500]))).toEqual([]);
    expect(story.take(port(5, [0.39, 500]))).toEqual([]);
    expect(story.take(port(6, [0.39, 500]))).toMatchObject([{ kind: 'no-longer-expected', imo }]);
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
  expect(etaToRemember(hour(1), hour(1.99))).toEqual(hour(1));
  expect(etaToRemember(hour(1), hour(2))).toEqual(hour(2));
});
