import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../../src/features/rules/evaluation/evaluate.ts';
import { etaToRemember, vesselStates } from '../../../../src/features/rules/evaluation/state.ts';
import { chooseRules, watchRules } from '../../../../src/features/rules/registry.ts';
import type { Imo, Locode } from '../../../../src/reference/codes.ts';
import {
  createStory,
  cypress,
  diana,
  exactRules,
  failedSnapshot,
  hour,
  predictions,
  vesselSnapshot,
} from '../../../support/watch-story.ts';

const rotterdam = 'NLRTM' as Locode;

describe('diverted', () => {
  it("is notified at once when the new port leads the baseline's by 10 points", () => {
    const story = createStory();
    expect(story.poll(0, { NLRTM: [0.82, 100], DEHAM: [0.16, 120] })).toEqual([]);
    expect(story.poll(1, { NLRTM: [0.4, 100], DEHAM: [0.5, 120] })).toEqual(['diverted']);
    expect(story.last).toEqual([
      {
        kind: 'diverted',
        imo: cypress,
        was: { port: 'NLRTM', probability: 0.82, eta: hour(100), at: hour(0) },
        next: { port: 'DEHAM', probability: 0.5, eta: hour(120) },
        old: { port: 'NLRTM', probability: 0.4, eta: hour(100) },
      },
    ]);
    expect(story.poll(2, { NLRTM: [0.4, 100], DEHAM: [0.5, 120] })).toEqual([]);
  });

  it('is notified at the second consecutive poll when the lead is small, not after a single one', () => {
    const story = createStory({}, { NLRTM: 0.6, DEHAM: 0.4 });
    expect(story.poll(1, { NLRTM: 0.52, DEHAM: 0.6 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.6, DEHAM: 0.52 })).toEqual([]);
    expect(story.poll(3, { NLRTM: 0.52, DEHAM: 0.6 })).toEqual([]);
    expect(story.poll(4, { NLRTM: 0.5, DEHAM: 0.56 })).toEqual(['diverted']);
  });

  it('includes a slipped ETA, a passed threshold and a port no longer predicted', () => {
    const story = createStory({}, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { BEANR: [0.8, 20] })).toEqual(['diverted']);
    expect(story.last[0]).toMatchObject({ old: null });
    expect(story.poll(2, { BEANR: [0.8, 20] })).toEqual([]);
  });

  it('is critical, unless the vessel may have called: gone 3 to 12 hours before the ETA, or past it', () => {
    const alert = (at: number, ports: Parameters<typeof story.poll>[1]) => {
      story = createStory();
      story.poll(0, { NLRTM: [0.9, 30] });
      const [kind] = story.poll(at, ports);
      return [kind, story.last.some(watchRules.isCritical)];
    };
    let story = createStory();
    expect(alert(17.9, { DEHAM: [0.9, 70] })).toEqual(['diverted', true]);
    expect(alert(18, { DEHAM: [0.9, 70] })).toEqual(['diverted', false]);
    expect(alert(26.9, { DEHAM: [0.9, 70] })).toEqual(['diverted', false]);
    expect(alert(27, { DEHAM: [0.9, 70] })).toEqual([undefined, false]);
    expect(alert(29, { DEHAM: [0.8, 70], NLRTM: [0.2, 30] })).toEqual(['diverted', true]);
    expect(alert(30, { DEHAM: [0.8, 70], NLRTM: [0.2, 30] })).toEqual(['diverted', false]);
    // However unlikely, without an ETA.
    story = createStory({}, { NLRTM: 0.9 });
    expect(story.poll(1, { BEANR: 0.05 })).toEqual(['diverted']);
    expect(story.last.some(watchRules.isCritical)).toBe(true);
  });

  it('ends a watch with “until next port”, and no other', () => {
    const story = createStory({ ...exactRules, untilNextPort: true }, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { NLRTM: [0.9, 113] })).toEqual(['eta-slipped']);
    expect(story.ended).toBe(false);
    expect(story.poll(2, { DEHAM: 0.9 })).toEqual(['diverted']);
    expect(story.ended).toBe(true);
    expect(story.poll(3, { NLRTM: 0.9 })).toEqual([]);
    expect(story.take(failedSnapshot(6))).toEqual([]);
  });
});

describe('the ordinary next leg', () => {
  it('notifies only those who asked for it; the next port is the baseline from then on', () => {
    const silent = createStory({ etaMoved: null });
    const asked = createStory({ etaMoved: null, nextLeg: true });
    for (const story of [silent, asked]) {
      story.poll(0, { NLRTM: [0.9, 100] });
      story.poll(1, { NLRTM: [0.9, 48] });
    }
    expect(silent.poll(45, { DEHAM: [0.9, 70] })).toEqual([]);
    expect(asked.poll(45, { DEHAM: [0.9, 70] })).toEqual(['moved-on']);
    expect(asked.last.some(watchRules.isCritical)).toBe(false);
    expect(silent.poll(47, { DEHAM: [0.3, 70], BEANR: [0.6, 80] })).toEqual(['diverted']);
    expect(silent.last[0]).toMatchObject({ was: { port: 'DEHAM' } });
  });

  it('ends a watch “until next port” with an alert', () => {
    const story = createStory(chooseRules({ untilNextPort: true, nextLeg: true }), { NLRTM: [0.9, 10] });
    expect(story.poll(9, { DEHAM: [0.9, 70] })).toEqual(['moved-on']);
    expect(story.ended).toBe(true);
  });
});

describe('a dispute', () => {
  const rotterdamFirst = { NLRTM: 0.7, DEHAM: 0.3 };
  const hamburgFirst = { NLRTM: 0.3, DEHAM: 0.7 };
  const backAndForth = () => {
    const story = createStory({}, rotterdamFirst);
    expect(story.poll(1, hamburgFirst)).toEqual(['diverted']);
    expect(story.poll(2, rotterdamFirst)).toEqual(['back-and-forth']);
    return story;
  };

  it('is one alert for A → B → A, edited until one has led for 6 hours; another port is a new alert', () => {
    const story = backAndForth();
    for (let at = 3; at < 20; at += 1) {
      expect(story.poll(at, at % 2 ? hamburgFirst : rotterdamFirst)).toEqual([]);
      expect(story.edits).toMatchObject([{ kind: 'back-and-forth', now: { probability: 0.7 } }]);
    }
    for (const at of [20, 24]) expect(story.poll(at, hamburgFirst)).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(26, hamburgFirst)).toEqual(['diverted']);
    expect(story.last[0]).toMatchObject({ isSettled: true, next: { port: 'DEHAM' } });
    expect(story.edits).toMatchObject([{ now: { port: 'DEHAM' }, end: { kind: 'settled', at: hour(26) } }]);
  });

  it('that settles on the port it began with is only edited', () => {
    const story = backAndForth();
    expect(story.poll(8, rotterdamFirst)).toEqual([]);
    expect(story.edits).toMatchObject([{ now: { port: 'NLRTM' }, end: { kind: 'settled' } }]);
    expect(story.poll(9, rotterdamFirst)).toEqual([]);
    expect(story.edits).toEqual([]);
  });

  it('goes on while one of the two is no longer predicted', () => {
    const story = backAndForth();
    expect(story.poll(3, { DEHAM: 0.9 })).toEqual([]);
    expect(story.edits).toMatchObject([{ now: { port: 'DEHAM' } }]);
    expect(story.poll(9, { DEHAM: 0.9 })).toEqual(['diverted']);
    expect(story.last[0]).toMatchObject({ next: { port: 'DEHAM' }, old: null, isSettled: true });
  });

  it('of two equal ports ends with a diversion at the second poll without the first one', () => {
    const story = createStory();
    for (const at of [0, 1, 2]) story.poll(at, { NLRTM: at === 0 ? 0.9 : 0.6, DEHAM: at === 0 ? 0.1 : 0.58 });
    expect(story.last).toMatchObject([{ kind: 'undecided' }]);
    expect(story.poll(3, { DEHAM: 0.6 })).toEqual([]);
    expect(story.poll(4, { DEHAM: 0.6 })).toEqual(['diverted']);
  });

  it('is over when a third port leads', () => {
    const story = backAndForth();
    expect(story.poll(3, { BEANR: 0.5, NLRTM: 0.4, DEHAM: 0.3 })).toEqual(['diverted']);
    expect(story.last[0]).not.toHaveProperty('isSettled');
    expect(story.edits).toMatchObject([{ end: { kind: 'over' } }]);
  });

  it('begins with a change back within a day, not after more than that', () => {
    for (const [hours, kind] of [
      [25, 'back-and-forth'],
      [25.01, 'diverted'],
    ] as const) {
      const slow = createStory({}, rotterdamFirst);
      slow.poll(1, hamburgFirst);
      expect(slow.poll(hours, rotterdamFirst)).toEqual([kind]);
    }
  });

  it('is notified once: a probability that falls meanwhile is part of it', () => {
    const story = backAndForth();
    for (const at of [3, 4]) expect(story.poll(at, { NLRTM: 0.45, DEHAM: 0.3 })).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(5, { NLRTM: 0.45, DEHAM: 0.25 })).toEqual([]);
    expect(story.edits).toMatchObject([{ kind: 'back-and-forth', other: { probability: 0.25 } }]);
  });

  it('begins with two ports within 5 points in two polls; again only after a lead of 15', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.5 });
    for (const at of [0.2, 0.4]) expect(story.poll(at, { NLRTM: 0.6, DEHAM: 0.549 })).toEqual([]);
    expect(story.poll(1, { NLRTM: 0.6, DEHAM: 0.55 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.6, DEHAM: 0.55 })).toEqual(['undecided']);
    expect(story.last[0]).toMatchObject({ now: { port: 'NLRTM' }, other: { port: 'DEHAM' }, since: hour(2) });
    // Edited at 5 points, too.
    story.poll(3, { NLRTM: 0.649, DEHAM: 0.55 });
    expect(story.edits).toEqual([]);
    story.poll(4, { NLRTM: 0.651, DEHAM: 0.55 });
    expect(story.edits).toHaveLength(1);
    expect(story.poll(8, { NLRTM: 0.65, DEHAM: 0.52 })).toEqual([]);
    expect(story.edits).toMatchObject([{ end: { kind: 'settled' } }]);
    story.poll(9, { NLRTM: 0.6, DEHAM: 0.55 });
    expect(story.poll(10, { NLRTM: 0.6, DEHAM: 0.55 })).toEqual([]);
    story.poll(11, { NLRTM: 0.7, DEHAM: 0.55 });
    story.poll(12, { NLRTM: 0.6, DEHAM: 0.55 });
    expect(story.poll(13, { NLRTM: 0.6, DEHAM: 0.55 })).toEqual(['undecided']);
  });

  it('ends with two ports that stay equally likely, which are not shown again', () => {
    const story = createStory(chooseRules({ undecided: true }, { only: true }), { NLRTM: 0.6, DEHAM: 0.3 });
    for (const at of [1, 2, 7.9]) story.poll(at, { NLRTM: 0.5, DEHAM: 0.49 });
    expect(story.edits).toEqual([]);
    story.poll(8, { NLRTM: 0.5, DEHAM: 0.49 });
    expect(story.edits).toMatchObject([{ end: { kind: 'settled' } }]);
    for (const at of [9, 10, 11]) expect(story.poll(at, { NLRTM: 0.5, DEHAM: 0.49 })).toEqual([]);
  });

  it('is edited when the other one leads by little; a clear lead in two polls is a new alert', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.3 });
    story.poll(1, { NLRTM: 0.5, DEHAM: 0.48 });
    expect(story.poll(2, { NLRTM: 0.5, DEHAM: 0.48 })).toEqual(['undecided']);
    expect(story.poll(3, { NLRTM: 0.48, DEHAM: 0.5 })).toEqual([]);
    expect(story.edits).toMatchObject([{ now: { port: 'DEHAM' }, other: { port: 'NLRTM' } }]);
    expect(story.poll(4, { NLRTM: 0.48, DEHAM: 0.5 })).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(5, { NLRTM: 0.3, DEHAM: 0.6 })).toEqual(['diverted']);
    expect(story.edits).toMatchObject([{ end: { kind: 'over' } }]);
  });

  it('begins too when another port leads by little in two polls; the baseline stays until that has led for 6 hours', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.3 });
    expect(story.poll(1, { NLRTM: 0.47, DEHAM: 0.5 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.47, DEHAM: 0.5 })).toEqual(['undecided']);
    expect(story.last).toMatchObject([
      { was: { port: 'NLRTM' }, now: { port: 'DEHAM' }, other: { port: 'NLRTM' }, since: hour(2) },
    ]);
    expect(story.poll(3, { NLRTM: 0.5, DEHAM: 0.47 })).toEqual([]);
    expect(story.edits).toMatchObject([{ now: { port: 'NLRTM' } }]);
    expect(story.poll(4, { NLRTM: 0.47, DEHAM: 0.5 })).toEqual([]);
    expect(story.poll(10, { NLRTM: 0.47, DEHAM: 0.5 })).toEqual(['diverted']);
    expect(story.last).toMatchObject([{ was: { port: 'NLRTM' }, next: { port: 'DEHAM' }, isSettled: true }]);
  });

  it('of an unlikely port is over when another port leads by little: that is a new one', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.2 });
    for (const at of [1, 2]) story.poll(at, { NLRTM: 0.45, DEHAM: 0.2 });
    expect(story.last).toMatchObject([{ kind: 'unlikely' }]);
    story.poll(3, { NLRTM: 0.45, DEHAM: 0.47 });
    expect(story.poll(4, { NLRTM: 0.45, DEHAM: 0.47 })).toEqual(['undecided']);
    expect(story.edits).toMatchObject([{ kind: 'unlikely', end: { kind: 'over' } }]);
  });

  it('delays nothing once the rule is off', () => {
    const story = backAndForth();
    story.rules = { ...story.rules, undecided: false };
    expect(story.poll(3, hamburgFirst)).toEqual(['diverted']);
    expect(story.edits).toMatchObject([{ end: { kind: 'over' } }]);
  });

  it('already there at the first poll is not notified', () => {
    const story = createStory();
    for (let at = 0; at < 5; at += 1) expect(story.poll(at, { NLRTM: 0.5, DEHAM: 0.48 })).toEqual([]);
  });

  it('is over when the vessel moves on or its predictions are lost', () => {
    const moved = createStory();
    const lost = createStory();
    for (const story of [moved, lost]) {
      story.poll(0, { NLRTM: [0.9, 10], DEHAM: 0.2 });
      story.poll(1, { NLRTM: [0.5, 10], DEHAM: 0.48 });
      expect(story.poll(2, { NLRTM: [0.5, 10], DEHAM: 0.48 })).toEqual(['undecided']);
    }
    expect(moved.poll(8, { BEANR: [0.9, 50] })).toEqual([]);
    expect(moved.edits).toMatchObject([{ now: { port: 'NLRTM' }, end: { kind: 'over' } }]);
    lost.poll(3, {});
    expect(lost.poll(4, {})).toEqual(['prediction-lost']);
    expect(lost.edits).toMatchObject([{ end: { kind: 'over' } }]);
  });

  it('is frozen while the watch sleeps, and told as it is on waking', () => {
    const story = backAndForth();
    story.rules = { ...story.rules, snooze: { kind: 'until', at: hour(12) } };
    expect(story.poll(3, hamburgFirst)).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(12, hamburgFirst)).toEqual(['diverted']);
    expect(story.last[0]).toMatchObject({ isSettled: true });
  });
});

describe('ETA', () => {
  it('by default it counts in two polls running, since one may be taken back by the next', () => {
    const story = createStory({}, { NLRTM: [0.9, 200] });
    expect(story.poll(1, { NLRTM: [0.9, 213] })).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 205] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 213] })).toEqual([]);
    expect(story.poll(4, { NLRTM: [0.9, 214] })).toEqual(['eta-slipped']);
    expect(story.last[0]).toMatchObject({ was: { eta: hour(200) }, now: { eta: hour(214) } });
  });

  it('beyond ten days nothing is notified; then against the ETA when the call came within them', () => {
    const story = createStory();
    const twice = (at: number, eta: number) =>
      [at, at + 0.1].flatMap((hours) => story.poll(hours, { NLRTM: [0.9, eta] }));
    story.poll(0, { NLRTM: [0.9, 480] });
    expect(twice(1, 520)).toEqual([]);
    // 5% of the 480 hours that were left at the first poll.
    expect(twice(264, 503)).toEqual([]);
    expect(twice(265, 514)).toEqual([]);
    expect(twice(266, 515)).toEqual(['eta-slipped']);
    expect(story.last[0]).toMatchObject({ was: { eta: hour(503) }, now: { eta: hour(515) } });
    const far = createStory({}, { NLRTM: [0.9, 480] });
    far.poll(265, { NLRTM: [0.9, 504] });
    expect(far.poll(266, { NLRTM: [0.9, 504] })).toEqual(['eta-slipped']);
    expect(far.last[0]).toMatchObject({ was: { eta: hour(480) } });
  });

  it('a call that slips beyond ten days is notified; typed hours hold at any distance, at once', () => {
    const story = createStory({}, { NLRTM: [0.9, 200] });
    story.poll(1, { NLRTM: [0.9, 400] });
    expect(story.poll(2, { NLRTM: [0.9, 400] })).toEqual(['eta-slipped']);
    const typed = createStory({ etaMoved: { hours: 6, isScaled: false } }, { NLRTM: [0.9, 480] });
    expect(typed.poll(1, { NLRTM: [0.9, 486] })).toEqual(['eta-slipped']);
  });

  it('a first ETA becomes the baseline; a missing ETA keeps the old baseline', () => {
    const story = createStory(exactRules, { NLRTM: 0.9 });
    expect(story.poll(1, { NLRTM: [0.9, 200] })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.9 })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 212] })).toEqual(['eta-slipped']);
  });

  it('thresholds: each once per port call, only the nearest if several are passed', () => {
    const story = createStory({ arrivingHours: [72, 48, 24] }, { NLRTM: [0.9, 100] });
    expect(story.poll(28, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 72 });
    for (const at of [29, 33]) expect(story.poll(at, { NLRTM: [0.9, 104] })).toEqual([]);
    expect(story.poll(85, { NLRTM: [0.9, 104] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24 });
    expect(story.poll(86, { NLRTM: [0.9, 104] })).toEqual([]);
  });

  it('an alert about another port leaves a moved ETA to be notified', () => {
    const story = createStory({ due: [{ port: 'DEHAM' as Locode, at: hour(60) }] });
    story.poll(0, { NLRTM: [0.9, 36], DEHAM: [0.05, 50] });
    expect(story.poll(3, { NLRTM: [0.9, 26], DEHAM: [0.05, 61] })).toEqual(['due']);
    story.poll(4, { NLRTM: [0.9, 23], DEHAM: [0.05, 61] });
    expect(story.poll(5, { NLRTM: [0.9, 23], DEHAM: [0.05, 61] })).toEqual(['eta-advanced']);
  });

  it('thresholds passed at the first poll, at a change of port or once the ETA is reached are not notified', () => {
    const story = createStory({ arrivingHours: [72, 48, 24] }, { NLRTM: [0.9, 48] });
    expect(story.poll(1, { NLRTM: [0.9, 48] })).toEqual([]);
    expect(story.poll(2, { DEHAM: [0.9, 30] })).toEqual(['diverted']);
    expect(story.poll(3, { DEHAM: [0.9, 30] })).toEqual([]);
    expect(story.poll(6, { DEHAM: [0.9, 30] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24, call: 2 });
    const reached = createStory({ arrivingHours: [24] }, { NLRTM: [0.9, 100] });
    expect(reached.poll(50, { NLRTM: [0.9, 50] })).toEqual([]);
  });

  it('overdue: 6 hours after the ETA while still listed, once, until the ETA is in the future again', () => {
    const story = createStory(chooseRules({ overdueHours: 6 }, { only: true }), { NLRTM: [0.9, 10] });
    expect(story.poll(15.9, { NLRTM: [0.9, 10] })).toEqual([]);
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    // Just reached is not ahead.
    for (const at of [17, 23]) expect(story.poll(at, { NLRTM: [0.9, 17] })).toEqual([]);
    expect(story.poll(24, { NLRTM: [0.9, 25] })).toEqual([]);
    expect(story.poll(31, { NLRTM: [0.9, 25] })).toEqual(['overdue']);
  });

  it('overdue: once per port call, even if another port led in between', () => {
    const rules = chooseRules({ overdueHours: 6, diverted: true }, { only: true });
    const story = createStory(rules, { NLRTM: [0.9, 10] });
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    expect(story.poll(17, { DEHAM: [0.7, 60], NLRTM: [0.2, 15] })).toEqual(['diverted']);
    expect(story.poll(18, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual(['diverted']);
    expect(story.poll(21, { NLRTM: [0.7, 15], DEHAM: [0.2, 60] })).toEqual([]);
  });
});

describe('probability', () => {
  it('under 50% is notified at the second poll, once, and again only after 60%', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.2 });
    expect(story.poll(1, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual(['unlikely']);
    expect(story.last[0]).toMatchObject({ other: { port: 'DEHAM' }, below: 0.5 });
    expect(story.poll(8, { NLRTM: 0.46, DEHAM: 0.2 })).toEqual([]);
    expect(story.edits).toEqual([]);
    expect(story.poll(9, { NLRTM: 0.4, DEHAM: 0.2 })).toEqual([]);
    expect(story.edits).toMatchObject([{ kind: 'unlikely', now: { probability: 0.4 }, below: 0.5 }]);
    const [edit] = story.edits;
    expect(edit && watchRules.ruleOf(edit).view(edit, { now: hour(3) }).headline).toBe(
      'Rotterdam 70% → 40%, under 50%',
    );
    expect(story.poll(10, { NLRTM: 0.55, DEHAM: 0.2 })).toEqual([]);
    expect(story.edits).toMatchObject([{ end: { kind: 'settled' } }]);
    for (const at of [11, 12]) expect(story.poll(at, { NLRTM: 0.45, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(13, { NLRTM: 0.6, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(14, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(15, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual(['unlikely']);
  });

  it('under 50% delays no diversion', () => {
    const story = createStory({}, { NLRTM: 0.7, DEHAM: 0.2 });
    story.poll(1, { NLRTM: 0.49, DEHAM: 0.2 });
    expect(story.poll(2, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual(['unlikely']);
    expect(story.poll(3, { NLRTM: 0.49, DEHAM: 0.6 })).toEqual(['diverted']);
    expect(story.edits).toMatchObject([{ kind: 'unlikely', end: { kind: 'over' } }]);
  });

  it('in another scale is not compared', () => {
    const story = createStory({}, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { DEHAM: [0.3, 20] }, 'percent')).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 100], DEHAM: [0.3, 20] }, 'percent')).toEqual(['diverted']);
  });
});

describe('a due date', () => {
  const due = [{ port: rotterdam, at: hour(150) }];

  it('names the port that is likelier', () => {
    const story = createStory(chooseRules({ due }, { only: true }), { NLRTM: [0.9, 140] });
    story.poll(1, { NLRTM: [0.3, 140], DEHAM: [0.6, 150] });
    const [event] = story.last;
    expect(event).toMatchObject({ kind: 'due', first: { port: 'DEHAM', probability: 0.6 } });
    expect(event && watchRules.ruleOf(event).view(event, { now: hour(1) }).figures).toContain(
      'Hamburg is likelier (60%)',
    );
  });

  it('whose port disappeared during quiet hours, long before its ETA, is notified after them', () => {
    const quiet = { from: '01:00', to: '23:30', zone: 'UTC' };
    const story = createStory({ ...chooseRules({ due }, { only: true }), quiet }, { NLRTM: [0.9, 25] });
    story.poll(2, { DEHAM: [0.9, 60] });
    expect(story.poll(23.6, { DEHAM: [0.9, 60] })).toEqual(['due']);
  });

  it('is notified once when the ETA passes it, and again after the ETA was in time', () => {
    const story = createStory({ due, etaMoved: null }, { NLRTM: [0.9, 145] });
    expect(story.poll(0.5, { NLRTM: [0.9, 150] })).toEqual([]);
    expect(story.poll(1, { NLRTM: [0.9, 150.1] })).toEqual(['due']);
    expect(story.last[0]).toMatchObject({ reasons: ['late'], now: { eta: hour(150.1) } });
    expect(story.poll(2, { NLRTM: [0.9, 155] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 149.5] })).toEqual([]);
    expect(story.poll(4, { NLRTM: [0.9, 151] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 147.1] })).toEqual([]);
    expect(story.poll(6, { NLRTM: [0.9, 151] })).toEqual([]);
    expect(story.poll(7, { NLRTM: [0.9, 147] })).toEqual([]);
    expect(story.poll(8, { NLRTM: [0.9, 151] })).toEqual(['due']);
  });

  it('within a short window is notified again after a quarter of it', () => {
    const window = [{ ...due[0], port: 'NLRTM' as Locode, at: hour(150), earliest: hour(142) }];
    const story = createStory({ due: window, etaMoved: null }, { NLRTM: [0.9, 145] });
    expect(story.poll(1, { NLRTM: [0.9, 151] })).toEqual(['due']);
    expect(story.poll(2, { NLRTM: [0.9, 148.5] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 151] })).toEqual([]);
    expect(story.poll(4, { NLRTM: [0.9, 148] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 151] })).toEqual(['due']);
  });

  it('is notified when the port falls under 50% or leaves the list, together with other events', () => {
    const story = createStory({ due }, { NLRTM: [0.9, 140] });
    expect(story.poll(1, { DEHAM: [0.9, 140] })).toEqual(['diverted', 'due']);
    expect(story.last[1]).toMatchObject({ reasons: ['unlikely'], now: null });
  });

  it('after the list has said for six hours that it is in order, is notified again', () => {
    const promised = [{ ...due[0], port: rotterdam, at: hour(150), minimum: 0.9 }];
    const story = createStory({ due: promised, etaMoved: null }, { NLRTM: [0.95, 140] });
    expect(story.poll(1, { NLRTM: [0.8, 140] })).toEqual(['due']);
    expect(story.poll(2, { NLRTM: [0.92, 140] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.8, 140] })).toEqual([]);
    for (const at of [4, 7, 10]) expect(story.poll(at, { NLRTM: [0.92, 149] })).toEqual([]);
    expect(story.poll(11, { NLRTM: [0.8, 151] })).toEqual(['due']);
    expect(story.last[0]).toMatchObject({ reasons: ['late', 'unlikely'] });
  });

  it('is not notified that a call before it comes first, and is when that is over', () => {
    const promised = [{ port: rotterdam, at: hour(300) }];
    const rules = chooseRules({ due: promised }, { only: true });
    const story = createStory(rules, { SGSIN: [0.8, 30], NLRTM: [0.1, 290] });
    expect(story.poll(10, { SGSIN: [0.9, 30] })).toEqual([]);
    expect(story.poll(40, { FRLEH: [0.9, 280], NLRTM: [0.1, 290] })).toEqual(['due']);
  });

  it('is likely at exactly 50%, and armed again at exactly 60%', () => {
    const story = createStory(chooseRules({ due }, { only: true }), { NLRTM: 0.5 });
    expect(story.poll(1, { NLRTM: 0.5 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.49 })).toEqual(['due']);
    story.poll(3, { NLRTM: 0.59 });
    expect(story.poll(4, { NLRTM: 0.49 })).toEqual([]);
    story.poll(5, { NLRTM: 0.6 });
    expect(story.poll(6, { NLRTM: 0.49 })).toEqual(['due']);
  });

  it('has a window: too early and too late are notified, each once until the ETA lies within it', () => {
    const window = [{ port: rotterdam, at: hour(150), earliest: hour(140) }];
    const story = createStory(chooseRules({ due: window }, { only: true }), { NLRTM: [0.9, 145] });
    expect(story.poll(1, { NLRTM: [0.9, 138] })).toEqual(['due']);
    expect(story.last[0]).toMatchObject({ reasons: ['early'] });
    expect(story.poll(2, { NLRTM: [0.9, 137] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 151] })).toEqual(['due']);
    expect(story.last[0]).toMatchObject({ reasons: ['late'] });
    expect(story.poll(4, { NLRTM: [0.9, 145] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 139] })).toEqual(['due']);
  });

  it('has its own least probability', () => {
    const certain = [{ port: rotterdam, at: hour(150), minimum: 0.95 }];
    const story = createStory(chooseRules({ due: certain }, { only: true }), { NLRTM: 0.96 });
    expect(story.poll(1, { NLRTM: 0.94 })).toEqual(['due']);
    story.poll(2, { NLRTM: 0.99 });
    expect(story.poll(3, { NLRTM: 0.94 })).toEqual([]);
    story.poll(4, { NLRTM: 1 });
    expect(story.poll(5, { NLRTM: 0.94 })).toEqual(['due']);
  });

  it('of a vessel is evaluated for that vessel alone', () => {
    const eventsFor = (imo: Imo) => {
      const promises = due.map((one) => ({ imo, due: one }));
      const rules = { ...chooseRules({}, { only: true }), snooze: null, promises };
      const { state } = evaluate(null, vesselSnapshot(hour(0), { NLRTM: [0.9, 140] }), rules, hour(0));
      return evaluate(state, vesselSnapshot(hour(1), { NLRTM: [0.9, 160] }), rules, hour(1)).events;
    };
    expect(eventsFor(cypress)).toMatchObject([{ kind: 'due', imo: cypress, reasons: ['late'] }]);
    expect(eventsFor(diana)).toEqual([]);
  });

  it('is neither notified for a port left near its ETA, nor for what was true from the start', () => {
    const story = createStory({ due }, { NLRTM: [0.9, 10] });
    expect(story.poll(9, { DEHAM: [0.9, 60] })).toEqual([]);
    const late = createStory({ due, etaMoved: null }, { SGSIN: [0.9, 50] });
    expect(late.poll(1, { SGSIN: [0.9, 50], NLRTM: [0.1, 160] })).toEqual(['due']);
    expect(late.last[0]).toMatchObject({ reasons: ['late'] });
  });
});

describe('predictions lost', () => {
  it('are notified at the second poll without any, and when they are back, with what changed', () => {
    const story = createStory({}, { NLRTM: [0.9, 100] });
    // An empty answer has no scale.
    expect(story.poll(1, {}, 'percent')).toEqual([]);
    expect(story.poll(2, {}, 'percent')).toEqual(['prediction-lost']);
    expect(story.poll(3, {})).toEqual([]);
    expect(story.poll(4, { DEHAM: [0.9, 120] })).toEqual(['prediction-back']);
    expect(story.last[0]).toMatchObject({ was: { port: 'NLRTM' }, next: { port: 'DEHAM' } });
    expect(story.poll(5, { DEHAM: [0.9, 120] })).toEqual([]);
  });

  it('for one poll only are ignored; a vessel that never had any is notified at its first ones, which are no change', () => {
    const story = createStory({}, { NLRTM: 0.9 });
    story.poll(1, {});
    expect(story.poll(2, { NLRTM: 0.9 })).toEqual([]);
    const unknown = createStory({ untilNextPort: true }, {});
    expect(unknown.poll(1, {})).toEqual([]);
    expect(unknown.poll(2, { NLRTM: 0.9 })).toEqual(['prediction-back']);
    expect(unknown.last[0]).toMatchObject({ was: null });
    expect(unknown.ended).toBe(false);
  });
});

describe('stale', () => {
  it('is notified once after three intervals without an answer; recovery notifies of what changed meanwhile', () => {
    const story = createStory(exactRules, { NLRTM: [0.9, 100] });
    expect(story.take(failedSnapshot(2.9))).toEqual([]);
    expect(story.take(failedSnapshot(3))).toEqual([{ kind: 'stale', since: hour(0) }]);
    for (let at = 4; at < 28; at += 1) expect(story.take(failedSnapshot(at))).toEqual([]);
    expect(story.poll(28, { NLRTM: [0.9, 112] })).toEqual(['eta-slipped']);
    expect(story.take(failedSnapshot(31, 28))).toHaveLength(1);
  });

  it('is notified for a watch that never had an answer, whose first answer then notifies nobody', () => {
    const story = createStory();
    expect(story.take(failedSnapshot(3))).toHaveLength(1);
    for (const at of [4, 5]) expect(story.poll(at, { NLRTM: [0.9, 20] })).toEqual([]);
  });

  it.each([
    'port',
    'vessels',
  ] as const)('a watch that never had an answer begins with the state of %s', (kind) => {
    const snapshot = { ...failedSnapshot(3), isPort: kind === 'port' };
    const { state } = evaluate(null, snapshot, { ...exactRules, snooze: null }, hour(3));
    expect(state).toMatchObject({ kind, stale: true });
  });

  it('is notified only when a watch that is snoozed until before its ETA would be awake', () => {
    const story = createStory({ snooze: { kind: 'until-eta', hours: 24 } }, { NLRTM: [0.9, 100] });
    for (const hours of [10, 75]) expect(story.take(failedSnapshot(hours))).toEqual([]);
    expect(story.take(failedSnapshot(76))).toEqual([{ kind: 'stale', since: hour(0) }]);
  });
});

describe('asleep', () => {
  it('nobody is notified and the baseline stays; on waking there is one net evaluation', () => {
    const snooze = { kind: 'until', at: hour(50) } as const;
    const story = createStory({ ...exactRules, snooze, arrivingHours: [72, 24] });
    story.poll(0, { NLRTM: [0.9, 100], DEHAM: 0.1 });
    expect(story.poll(10, { DEHAM: [0.9, 70] })).toEqual([]);
    expect(story.poll(30, { NLRTM: [0.9, 106] })).toEqual([]);
    expect(story.poll(49, { NLRTM: [0.9, 114] })).toEqual([]);
    expect(story.woke).toBe(false);
    expect(story.poll(50, { NLRTM: [0.9, 114] })).toEqual(['eta-slipped', 'arriving']);
    expect(story.last[1]).toMatchObject({ hours: 72 });
    expect(story.woke).toBe(true);
  });

  it('damping goes on while asleep: a change that lasted two polls is notified on waking', () => {
    const story = createStory({ snooze: { kind: 'until', at: hour(3) } }, { NLRTM: 0.6, DEHAM: 0.5 });
    for (const at of [1, 2]) story.poll(at, { NLRTM: 0.55, DEHAM: 0.6 });
    expect(story.poll(3, { NLRTM: 0.5, DEHAM: 0.6 })).toEqual(['diverted']);
  });

  it('until some hours before the ETA of the baseline', () => {
    const story = createStory({ snooze: { kind: 'until-eta', hours: 24 }, arrivingHours: [24] });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(70, { NLRTM: [0.9, 100] })).toEqual([]);
    expect(story.poll(76, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24 });
    expect(story.woke).toBe(true);
  });

  it('until the next port changes', () => {
    const story = createStory({ snooze: { kind: 'until-next-port' } }, { NLRTM: [0.9, 100] });
    expect(story.poll(60, { NLRTM: [0.4, 130] })).toEqual([]);
    expect(story.woke).toBe(false);
    expect(story.poll(61, { DEHAM: [0.9, 130], NLRTM: [0.1, 140] })).toEqual(['diverted']);
    expect(story.woke).toBe(true);
  });

  it('quiet hours follow the wall clock of their zone, across midnight', () => {
    const quiet = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' };
    const story = createStory({ ...exactRules, quiet }, { NLRTM: [0.9, 200] });
    for (const at of [21.5, 28.9]) expect(story.poll(at, { NLRTM: [0.9, 220] })).toEqual([]);
    expect(story.poll(29, { NLRTM: [0.9, 220] })).toEqual(['eta-slipped']);
  });
});

describe('rules', () => {
  it('only the rules that are on notify, and the next port call counts as well as the first', () => {
    const story = createStory(chooseRules({ arrivingHours: [24] }, { only: true }), { NLRTM: [0.9, 30] });
    expect(story.poll(5.99, { NLRTM: [0.9, 30] })).toEqual([]);
    expect(story.poll(6, { NLRTM: [0.9, 30] })).toEqual(['arriving']);
    expect(story.poll(31, { DEHAM: [0.9, 60] })).toEqual([]);
    expect(story.poll(36, { DEHAM: [0.9, 60] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ now: { port: 'DEHAM' } });
  });

  it('memory that cannot be read starts anew, and the poll goes on', () => {
    const story = createStory({ due: [{ port: rotterdam, at: hour(200) }] }, { NLRTM: [0.9, 100] });
    const known = vesselStates(story.state)[cypress];
    if (!known) throw new Error('no state');
    known.memory = { due: 'of a later version' };
    const memory = { arrivingHours: 'all', below: [], overdueHours: 7, etaMoved: 'once' };
    known.calls = { NLRTM: { sequence: 1, memory } };
    expect(story.poll(1, { NLRTM: [0.9, 100] })).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 210] })).toEqual(['due']);
  });

  it('a new ETA is remembered if it differs by an hour', () => {
    expect(etaToRemember(hour(100), hour(100.99), hour(0))).toEqual(hour(100));
    expect(etaToRemember(hour(100), hour(101), hour(0))).toEqual(hour(101));
  });
});

describe('a list', () => {
  const other = 9755933 as Imo;
  const list = (hours: number, ...parts: Parameters<typeof predictions>[]) =>
    ({
      kind: 'shiplist',
      name: 'FEEDERS',
      at: hour(hours),
      scale: 'fraction',
      predictions: parts.flatMap((part) => predictions(...part)),
    }) as const;

  it('notifies of all vessels at once; a new vessel notifies nobody; a missing vessel is lost', () => {
    const story = createStory();
    story.take(list(0, [{ NLRTM: 0.9 }]));
    expect(story.take(list(1, [{ DEHAM: 0.9 }], [{ BEANR: 0.9 }, other]))).toMatchObject([
      { kind: 'diverted', imo: cypress },
    ]);
    expect(story.take(list(2, [{ NLRTM: [0.9, 50] }], [{ DEHAM: 0.9 }, other]))).toMatchObject([
      { kind: 'back-and-forth', imo: cypress },
      { kind: 'diverted', imo: other },
    ]);
    expect(story.take(list(3, [{ DEHAM: 0.9 }, other]))).toEqual([]);
    expect(story.take(list(4, [{ DEHAM: 0.9 }, other]))).toMatchObject([
      { kind: 'prediction-lost', imo: cypress },
    ]);
  });
});

describe('a port', () => {
  const one = 9755933 as Imo;
  const two = 9811000 as Imo;
  const port = (hours: number, vessels: Record<number, readonly [number, number]>) =>
    ({
      kind: 'port',
      port: rotterdam,
      at: hour(hours),
      scale: 'fraction',
      predictions: Object.entries(vessels).flatMap(([imo, value]) =>
        predictions({ NLRTM: value }, Number(imo) as Imo),
      ),
    }) as const;

  it('notifies of vessels newly expected, moved, and no longer expected, each once', () => {
    const story = createStory();
    expect(story.take(port(0, { [one]: [0.9, 50] }))).toEqual([]);
    expect(story.take(port(1, { [one]: [0.9, 50], [two]: [0.49, 60] }))).toEqual([]);
    expect(story.take(port(2, { [one]: [0.9, 50], [two]: [0.5, 60] }))).toEqual([]);
    expect(story.take(port(2.5, { [one]: [0.9, 50], [two]: [0.5, 60] }))).toMatchObject([
      { kind: 'newly-expected', imo: two },
    ]);
    // One poll may be taken back by the next, as for a vessel.
    expect(story.take(port(3, { [one]: [0.9, 62], [two]: [0.4, 60] }))).toEqual([]);
    expect(story.take(port(3.5, { [one]: [0.9, 62], [two]: [0.4, 60] }))).toMatchObject([
      { kind: 'expected-eta-moved', imo: one, was: { eta: hour(50) }, now: { eta: hour(62) } },
    ]);
    expect(story.take(port(4, { [one]: [0.9, 62], [two]: [0.39, 60] }))).toEqual([]);
    expect(story.take(port(5, { [one]: [0.9, 62] }))).toMatchObject([
      { kind: 'no-longer-expected', imo: two, now: null },
    ]);
    expect(story.take(port(6, { [one]: [0.9, 62] }))).toEqual([]);
  });

  it('remembers of each call what a watch of a vessel does', () => {
    const typed = createStory(exactRules);
    typed.take(port(0, { [one]: [0.9, 50] }));
    expect(typed.take(port(1, { [one]: [0.9, 62] }))).toMatchObject([{ kind: 'expected-eta-moved' }]);
    const story = createStory();
    story.take(port(0, { [one]: [0.9, 50], [two]: [0.9, 50] }));
    // Taken back, then moved again: no two polls running.
    for (const [at, eta] of [
      [1, 70],
      [2, 50],
      [3, 70],
    ] as const)
      expect(story.take(port(at, { [one]: [0.9, eta], [two]: [0.9, 50] }))).toEqual([]);
    expect(story.take(port(4, { [one]: [0.9, 70], [two]: [0.9, 50] }))).toMatchObject([{ imo: one }]);
  });

  it('near 50% a vessel is expected at the second poll; once dropped, only from 60% for a week', () => {
    const story = createStory();
    const polls = (...probabilities: number[]) =>
      probabilities.flatMap((probability) => {
        at += 6;
        return story.take(port(at, { [one]: [probability, at + 100] })).map(({ kind }) => kind);
      });
    let at = 0;
    story.take(port(0, {}));
    expect(polls(0.5, 0.45, 0.5)).toEqual([]);
    expect(polls(0.5)).toEqual(['newly-expected']);
    expect(polls(0.39, 0.39)).toEqual(['no-longer-expected']);
    expect(polls(0.5, 0.59, 0.5, 0.6, 0.59, 0.6)).toEqual([]);
    expect(polls(0.6)).toEqual(['newly-expected']);
    expect(polls(0.39, 0.39)).toEqual(['no-longer-expected']);
    at += 7 * 24 - 6;
    expect(polls(0.5, 0.5)).toEqual(['newly-expected']);
  });

  it('a vessel that is dropped within 12 hours of its latest ETA has probably called', () => {
    const story = createStory();
    story.take(port(0, { [one]: [0.9, 30], [two]: [0.9, 30] }));
    story.take(port(5, { [one]: [0.9, 18], [two]: [0.9, 18.2] }));
    story.take(port(5.5, {}));
    expect(story.take(port(6, {}))).toMatchObject([{ kind: 'no-longer-expected', imo: two, now: null }]);
    expect(story.state).toMatchObject({ expected: [] });
    const reached = createStory();
    reached.take(port(0, { [one]: [0.9, 20] }));
    reached.take(port(19, {}));
    expect(reached.take(port(20, {}))).toEqual([]);
  });

  it('looks 7 days ahead, and says nothing of who is newly expected within 12 hours of the ETA', () => {
    const story = createStory();
    story.take(port(0, {}));
    const far = { [one]: [0.9, 170] } as const;
    for (const at of [0.5, 1, 2]) expect(story.take(port(at, far))).toEqual([]);
    expect(story.take(port(3, far))).toMatchObject([{ kind: 'newly-expected', imo: one }]);
    const near = { ...far, [two]: [0.9, 15] } as const;
    for (const at of [4, 5]) expect(story.take(port(at, near))).toEqual([]);
    // Expected all the same: from now on its ETA counts.
    expect(story.take(port(6, { ...far, [two]: [0.9, 28] }))).toEqual([]);
    expect(story.take(port(7, { ...far, [two]: [0.9, 28] }))).toMatchObject([
      { kind: 'expected-eta-moved', imo: two },
    ]);
  });

  it('keeps its baseline while asleep', () => {
    const story = createStory({ snooze: { kind: 'until', at: hour(4) } });
    story.take(port(0, { [one]: [0.9, 50] }));
    for (const at of [1, 2]) expect(story.take(port(at, { [two]: [0.9, 60] }))).toEqual([]);
    expect(story.take(port(3, { [one]: [0.9, 50], [two]: [0.9, 60] }))).toEqual([]);
    expect(story.take(port(4, { [one]: [0.9, 50], [two]: [0.9, 60] }))).toMatchObject([
      { kind: 'newly-expected', imo: two },
    ]);
  });
});
