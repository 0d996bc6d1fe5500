import { describe, expect, it } from 'vitest';
import { watchState } from '../../../../src/features/watches/evaluation/state.ts';
import { chooseRules, watchRules } from '../../../../src/features/watches/rules/registry.ts';
import type { Imo } from '../../../../src/reference/imo.ts';
import type { Locode } from '../../../../src/reference/locode.ts';
import { createStory, cypress, hour, predictions } from '../../../support/watch-story.ts';

const rotterdam = 'NLRTM' as Locode;

describe('next port changed', () => {
  it("is notified at once when the new port leads the baseline's by 10 points", () => {
    const story = createStory();
    expect(story.poll(0, { NLRTM: [0.82, 100], DEHAM: [0.16, 120] })).toEqual([]);
    expect(story.poll(1, { NLRTM: [0.4, 100], DEHAM: [0.5, 120] })).toEqual(['next-port-changed']);
    expect(story.last).toEqual([
      {
        kind: 'next-port-changed',
        imo: cypress,
        was: { port: 'NLRTM', probability: 0.82, eta: hour(100), at: hour(0) },
        next: { port: 'DEHAM', probability: 0.5, eta: hour(120) },
        old: { port: 'NLRTM', probability: 0.4, eta: hour(100) },
        settled: false,
        nextLeg: false,
      },
    ]);
    expect(story.poll(2, { NLRTM: [0.4, 100], DEHAM: [0.5, 120] })).toEqual([]);
  });

  it('is notified at the second consecutive poll when the lead is small, not after a single one', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.6, DEHAM: 0.5 });
    expect(story.poll(1, { NLRTM: 0.55, DEHAM: 0.6 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.6, DEHAM: 0.55 })).toEqual([]);
    expect(story.poll(3, { NLRTM: 0.55, DEHAM: 0.6 })).toEqual([]);
    expect(story.poll(4, { NLRTM: 0.55, DEHAM: 0.56 })).toEqual(['next-port-changed']);
  });

  it('includes a slipped ETA, a passed threshold and a port no longer predicted', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { BEANR: [0.8, 20] })).toEqual(['next-port-changed']);
    expect(story.last[0]).toMatchObject({ old: null });
    expect(story.poll(2, { BEANR: [0.8, 20] })).toEqual([]);
  });

  it('is an ordinary next leg if the port is left around its latest ETA', () => {
    const left = createStory({ etaHours: null });
    left.poll(0, { NLRTM: [0.9, 100] });
    left.poll(1, { NLRTM: [0.9, 48] });
    expect(left.poll(43, { DEHAM: [0.9, 70] })).toEqual(['next-port-changed']);
    expect(left.last[0]).toMatchObject({ nextLeg: true });
    expect(left.last.some(watchRules.isCritical)).toBe(false);
    const again = createStory();
    again.poll(0, { NLRTM: [0.9, 20] });
    again.poll(19, { DEHAM: [0.8, 70], NLRTM: [0.2, 200] });
    expect(again.last[0]).toMatchObject({ nextLeg: true });
    const passed = createStory();
    passed.poll(0, { NLRTM: [0.9, 20] });
    passed.poll(21, { DEHAM: [0.8, 70], NLRTM: [0.2, 20] });
    expect(passed.last[0]).toMatchObject({ nextLeg: true });
    const unlisted = createStory({ nextPort: false });
    unlisted.poll(0, { NLRTM: [0.9, 20] });
    expect(unlisted.poll(19, { DEHAM: [0.8, 70] })).toEqual(['no-longer-predicted']);
    expect(unlisted.last.some(watchRules.isCritical)).toBe(false);
  });

  it('is critical if the port is left far from its ETA, or is still listed for these hours', () => {
    const far = createStory();
    far.poll(0, { NLRTM: [0.9, 30] });
    far.poll(10, { DEHAM: [0.9, 70] });
    expect(far.last.some(watchRules.isCritical)).toBe(true);
    const diverted = createStory();
    diverted.poll(0, { NLRTM: [0.9, 20] });
    diverted.poll(15, { BEANR: [0.8, 20], NLRTM: [0.2, 20] });
    expect(diverted.last.some(watchRules.isCritical)).toBe(true);
    const without = createStory();
    without.poll(0, { NLRTM: 0.9 });
    without.poll(1, { BEANR: 0.9 });
    expect(without.last.some(watchRules.isCritical)).toBe(true);
  });

  it('ignores a change inside an alias group', () => {
    const story = createStory();
    story.poll(0, { CNSHA: [0.6, 100], CNNGB: 0.3 });
    expect(story.poll(1, { CNSGH: [0.6, 100], CNSHA: [0.3, 100], CNNGB: 0.3 })).toEqual([]);
    expect(story.poll(2, { CNSHG: [0.6, 100], CNNGB: 0.3 })).toEqual([]);
  });

  it('ends a watch with “until next port”, and no other', () => {
    const story = createStory({ untilNextPort: true });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { NLRTM: [0.9, 113] })).toEqual(['eta-slipped']);
    expect(story.ended).toBe(false);
    expect(story.poll(2, { DEHAM: 0.9 })).toEqual(['next-port-changed']);
    expect(story.ended).toBe(true);
    expect(story.poll(3, { NLRTM: 0.9 })).toEqual([]);
  });
});

describe('wavering', () => {
  const rotterdamFirst = { NLRTM: 0.7, DEHAM: 0.3 };
  const hamburgFirst = { NLRTM: 0.3, DEHAM: 0.7 };

  it('is one reply for A → B → A, until one has led for 6 hours', () => {
    const story = createStory();
    story.poll(0, rotterdamFirst);
    expect(story.poll(1, hamburgFirst)).toEqual(['next-port-changed']);
    expect(story.poll(2, rotterdamFirst)).toEqual(['wavering']);
    for (let at = 3; at < 20; at += 1) {
      expect(story.poll(at, at % 2 ? hamburgFirst : rotterdamFirst)).toEqual([]);
    }
    expect(story.poll(20, hamburgFirst)).toEqual([]);
    expect(story.poll(24, hamburgFirst)).toEqual([]);
    expect(story.poll(26, hamburgFirst)).toEqual(['next-port-changed']);
    expect(story.last[0]).toMatchObject({ settled: true, next: { port: 'DEHAM' } });
  });

  it('settles on either of the two, even if the other one is no longer listed', () => {
    const story = createStory();
    story.poll(0, rotterdamFirst);
    story.poll(1, hamburgFirst);
    story.poll(2, rotterdamFirst);
    const gone = createStory();
    Object.assign(gone, { state: story.state });
    expect(story.poll(8, rotterdamFirst)).toEqual(['next-port-changed']);
    expect(story.last[0]).toMatchObject({
      next: { port: 'NLRTM' },
      old: { port: 'DEHAM', probability: 0.3 },
      rival: 'DEHAM',
    });
    gone.poll(8, { NLRTM: 0.9 });
    expect(gone.last[0]).toMatchObject({ next: { port: 'NLRTM' }, old: null, rival: 'DEHAM' });
  });

  it('gives way to a third port', () => {
    const story = createStory();
    story.poll(0, rotterdamFirst);
    story.poll(1, hamburgFirst);
    story.poll(2, rotterdamFirst);
    expect(story.poll(3, { BEANR: 0.5, NLRTM: 0.4, DEHAM: 0.3 })).toEqual(['next-port-changed']);
    expect(story.last[0]).toMatchObject({ settled: false, next: { port: 'BEANR' } });
  });

  it('is neither a change back after more than a day nor a port left near its ETA', () => {
    const slow = createStory();
    slow.poll(0, rotterdamFirst);
    slow.poll(1, hamburgFirst);
    expect(slow.poll(26, rotterdamFirst)).toEqual(['next-port-changed']);
    const called = createStory();
    called.poll(0, { NLRTM: [0.9, 60] });
    called.poll(1, { DEHAM: [0.9, 10], NLRTM: [0.1, 60] });
    expect(called.poll(9, { NLRTM: [0.9, 60] })).toEqual(['next-port-changed']);
  });
});

describe('ETA', () => {
  it('slow drift is notified once it adds up, then against the new time', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 200] });
    expect(story.poll(1, { NLRTM: [0.9, 205] })).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 211] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 212] })).toEqual(['eta-slipped']);
    expect(story.last[0]).toMatchObject({ was: { eta: hour(200), at: hour(0) }, now: { eta: hour(212) } });
    expect(story.poll(4, { NLRTM: [0.9, 201] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 200] })).toEqual(['eta-advanced']);
  });

  it('a first ETA becomes the baseline; a missing ETA keeps the old baseline', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.9 });
    expect(story.poll(1, { NLRTM: [0.9, 200] })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.9 })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 212] })).toEqual(['eta-slipped']);
  });

  it('thresholds: each once per port call, only the nearest if several are passed', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(28, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 72 });
    expect(story.poll(29, { NLRTM: [0.9, 104] })).toEqual([]);
    expect(story.poll(33, { NLRTM: [0.9, 104] })).toEqual([]);
    expect(story.poll(85, { NLRTM: [0.9, 104] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24 });
    expect(story.poll(86, { NLRTM: [0.9, 104] })).toEqual([]);
  });

  it('thresholds passed at the first poll or at a change of port are not notified', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 40] });
    expect(story.poll(1, { NLRTM: [0.9, 40] })).toEqual([]);
    expect(story.poll(2, { DEHAM: [0.9, 30] })).toEqual(['next-port-changed']);
    expect(story.poll(3, { DEHAM: [0.9, 30] })).toEqual([]);
    expect(story.poll(6, { DEHAM: [0.9, 30] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24, call: 2 });
  });

  it('overdue: 6 hours after the ETA while still listed, once, until the ETA is in the future again', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 10] });
    expect(story.poll(15, { NLRTM: [0.9, 10] })).toEqual([]);
    expect(story.poll(16, { NLRTM: [0.9, 10] })).toEqual(['overdue']);
    expect(story.poll(17, { NLRTM: [0.9, 10] })).toEqual([]);
    expect(story.poll(18, { NLRTM: [0.9, 19] })).toEqual([]);
    expect(story.poll(25, { NLRTM: [0.9, 19] })).toEqual(['overdue']);
  });
});

describe('probability', () => {
  it('under 50% is notified once, and again only after 60%', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.7, DEHAM: 0.2 });
    expect(story.poll(1, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual(['probability-fell']);
    expect(story.poll(2, { NLRTM: 0.55, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(3, { NLRTM: 0.45, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(4, { NLRTM: 0.6, DEHAM: 0.2 })).toEqual([]);
    expect(story.poll(5, { NLRTM: 0.49, DEHAM: 0.2 })).toEqual(['probability-fell']);
  });

  it('names the likeliest other port; while that one leads, only the change that follows is notified', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.7, DEHAM: 0.2 });
    expect(story.poll(1, { NLRTM: 0.46, BEANR: 0.2, DEHAM: 0.48 })).toEqual([]);
    expect(story.poll(2, { NLRTM: 0.46, BEANR: 0.2, DEHAM: 0.45 })).toEqual(['probability-fell']);
    expect(story.last[0]).toMatchObject({ other: { port: 'DEHAM', probability: 0.45 } });
    const changed = createStory();
    changed.poll(0, { NLRTM: 0.7, DEHAM: 0.2 });
    expect(changed.poll(1, { NLRTM: 0.46, DEHAM: 0.48 })).toEqual([]);
    expect(changed.poll(2, { NLRTM: 0.46, DEHAM: 0.48 })).toEqual(['next-port-changed']);
  });

  it('in another scale is not compared', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(1, { DEHAM: [0.3, 20] }, 'percent')).toEqual([]);
    expect(story.poll(2, { NLRTM: [0.9, 100], DEHAM: [0.3, 20] }, 'percent')).toEqual(['next-port-changed']);
  });
});

describe('a due date', () => {
  const due = [{ port: rotterdam, at: hour(150) }];

  it('is notified once when the ETA passes it, and again after the ETA was in time', () => {
    const story = createStory({ due, etaHours: null });
    story.poll(0, { NLRTM: [0.9, 145] });
    expect(story.poll(1, { NLRTM: [0.9, 151] })).toEqual(['due']);
    expect(story.last[0]).toMatchObject({ reasons: ['late'], now: { eta: hour(151) } });
    expect(story.poll(2, { NLRTM: [0.9, 155] })).toEqual([]);
    expect(story.poll(3, { NLRTM: [0.9, 149.5] })).toEqual([]);
    expect(story.poll(4, { NLRTM: [0.9, 151] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 149] })).toEqual([]);
    expect(story.poll(6, { NLRTM: [0.9, 151] })).toEqual(['due']);
  });

  it('is notified when the port falls under 50% or leaves the list, together with other events', () => {
    const story = createStory({ due });
    story.poll(0, { NLRTM: [0.9, 140] });
    expect(story.poll(1, { DEHAM: [0.9, 140] })).toEqual(['next-port-changed', 'due']);
    expect(story.last[1]).toMatchObject({ reasons: ['unlikely'], now: null });
  });

  it('is neither notified for a port left near its ETA, nor for what was true from the start', () => {
    const story = createStory({ due });
    story.poll(0, { NLRTM: [0.9, 10] });
    expect(story.poll(9, { DEHAM: [0.9, 60] })).toEqual(['next-port-changed']);
    const late = createStory({ due, etaHours: null });
    late.poll(0, { SGSIN: [0.9, 50] });
    expect(late.poll(1, { SGSIN: [0.9, 50], NLRTM: [0.1, 160] })).toEqual(['due']);
    expect(late.last[0]).toMatchObject({ reasons: ['late'] });
  });
});

describe('predictions lost', () => {
  it('are notified at the second poll without any, and when they are back, with what changed', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(1, {})).toEqual([]);
    expect(story.poll(2, {})).toEqual(['prediction-lost']);
    expect(story.poll(3, {})).toEqual([]);
    expect(story.poll(4, { DEHAM: [0.9, 120] })).toEqual(['prediction-back']);
    expect(story.last[0]).toMatchObject({ was: { port: 'NLRTM' }, next: { port: 'DEHAM' } });
    expect(story.poll(5, { DEHAM: [0.9, 120] })).toEqual([]);
  });

  it('for one poll only are ignored; a vessel that never had any is notified at its first ones', () => {
    const story = createStory();
    story.poll(0, { NLRTM: 0.9 });
    story.poll(1, {});
    expect(story.poll(2, { NLRTM: 0.9 })).toEqual([]);
    const unknown = createStory();
    unknown.poll(0, {});
    expect(unknown.poll(1, {})).toEqual([]);
    expect(unknown.poll(2, { NLRTM: 0.9 })).toEqual(['prediction-back']);
    expect(unknown.last[0]).toMatchObject({ was: null });
  });
});

describe('stale', () => {
  const failed = (hours: number, lastHours: number) =>
    ({
      kind: 'failed',
      isPort: false,
      at: hour(hours),
      silentSince: hour(lastHours),
      intervalMinutes: 60,
    }) as const;

  it('is notified once after three intervals without an answer; recovery notifies of what changed meanwhile', () => {
    const story = createStory();
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.take(failed(2.9, 0))).toEqual([]);
    expect(story.take(failed(3, 0))).toEqual([{ kind: 'stale', since: hour(0) }]);
    for (let at = 4; at < 28; at += 1) expect(story.take(failed(at, 0))).toEqual([]);
    expect(story.poll(28, { NLRTM: [0.9, 112] })).toEqual(['eta-slipped']);
    expect(story.take(failed(31, 28))).toHaveLength(1);
  });

  it('is notified for a watch that never had an answer, whose first answer then notifies nobody', () => {
    const story = createStory();
    expect(story.take(failed(3, 0))).toHaveLength(1);
    expect(story.poll(4, { NLRTM: [0.9, 20] })).toEqual([]);
    expect(story.poll(5, { NLRTM: [0.9, 20] })).toEqual([]);
  });
});

describe('stale while snoozed until some hours before the ETA', () => {
  it('is notified only when the watch would be awake', () => {
    const story = createStory({ snooze: { kind: 'until-eta', hours: 24 } });
    story.poll(0, { NLRTM: [0.9, 100] });
    const failedAt = (hours: number) =>
      ({
        kind: 'failed',
        isPort: false,
        at: hour(hours),
        silentSince: hour(0),
        intervalMinutes: 60,
      }) as const;
    expect(story.take(failedAt(10))).toEqual([]);
    expect(story.take(failedAt(75))).toEqual([]);
    expect(story.take(failedAt(76))).toEqual([{ kind: 'stale', since: hour(0) }]);
  });
});

describe('asleep', () => {
  it('nobody is notified and the baseline stays; on waking there is one net evaluation', () => {
    const story = createStory({ snooze: { kind: 'until', at: hour(50) } });
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
    const story = createStory({ snooze: { kind: 'until', at: hour(3) } });
    story.poll(0, { NLRTM: 0.6, DEHAM: 0.5 });
    story.poll(1, { NLRTM: 0.55, DEHAM: 0.6 });
    story.poll(2, { NLRTM: 0.55, DEHAM: 0.6 });
    expect(story.poll(3, { NLRTM: 0.55, DEHAM: 0.6 })).toEqual(['next-port-changed']);
  });

  it('until some hours before the ETA of the baseline', () => {
    const story = createStory({ snooze: { kind: 'until-eta', hours: 24 } });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(70, { NLRTM: [0.9, 100] })).toEqual([]);
    expect(story.poll(76, { NLRTM: [0.9, 100] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ hours: 24 });
    expect(story.woke).toBe(true);
  });

  it('until the next port changes', () => {
    const story = createStory({ snooze: { kind: 'until-next-port' } });
    story.poll(0, { NLRTM: [0.9, 100] });
    expect(story.poll(60, { NLRTM: [0.4, 130] })).toEqual([]);
    expect(story.woke).toBe(false);
    expect(story.poll(61, { DEHAM: [0.9, 130], NLRTM: [0.1, 140] })).toEqual(['next-port-changed']);
    expect(story.woke).toBe(true);
  });

  it('quiet hours follow the wall clock of their zone, across midnight', () => {
    const quiet = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' };
    const story = createStory({ quiet });
    story.poll(0, { NLRTM: [0.9, 500] });
    expect(story.poll(21.5, { NLRTM: [0.9, 520] })).toEqual([]);
    expect(story.poll(28.9, { NLRTM: [0.9, 520] })).toEqual([]);
    expect(story.poll(29, { NLRTM: [0.9, 520] })).toEqual(['eta-slipped']);
  });
});

describe('rules', () => {
  it('typed rules override their defaults; the others keep theirs, unless `only` is typed', () => {
    expect(chooseRules({ arrivingHours: [24, 72] })).toMatchObject({ arrivingHours: [72, 24], etaHours: 12 });
    expect(chooseRules({ etaHours: 6 }, { only: true })).toMatchObject({
      etaHours: 6,
      nextPort: false,
      arrivingHours: [],
      stale: false,
    });
  });

  it('only the rules that are on notify, and the next port call counts as well as the first', () => {
    const story = createStory(chooseRules({ arrivingHours: [24] }, { only: true }));
    story.poll(0, { NLRTM: [0.9, 30] });
    expect(story.poll(6, { NLRTM: [0.9, 30] })).toEqual(['arriving']);
    expect(story.poll(31, { DEHAM: [0.9, 60] })).toEqual([]);
    expect(story.poll(36, { DEHAM: [0.9, 60] })).toEqual(['arriving']);
    expect(story.last[0]).toMatchObject({ now: { port: 'DEHAM' } });
  });

  it('“no longer predicted” is notified alone if changes of the next port are off', () => {
    const story = createStory(chooseRules({ noLongerPredicted: true }, { only: true }));
    story.poll(0, { NLRTM: 0.9, DEHAM: 0.2 });
    expect(story.poll(1, { NLRTM: 0.1, DEHAM: 0.8 })).toEqual([]);
    expect(story.poll(2, { BEANR: 0.8 })).toEqual(['no-longer-predicted']);
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
      { kind: 'next-port-changed', imo: cypress },
    ]);
    expect(story.take(list(2, [{ NLRTM: [0.9, 50] }], [{ DEHAM: 0.9 }, other]))).toMatchObject([
      { kind: 'wavering', imo: cypress },
      { kind: 'next-port-changed', imo: other },
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
    expect(story.take(port(3, { [one]: [0.9, 62], [two]: [0.45, 60] }))).toMatchObject([
      { kind: 'expected-eta-moved', imo: one, was: { eta: hour(50) }, now: { eta: hour(62) } },
    ]);
    expect(story.take(port(4, { [one]: [0.9, 62], [two]: [0.39, 60] }))).toEqual([]);
    expect(story.take(port(5, { [one]: [0.9, 62] }))).toMatchObject([
      { kind: 'no-longer-expected', imo: two, now: null },
    ]);
    expect(story.take(port(6, { [one]: [0.9, 62] }))).toEqual([]);
  });

  it('near 50% a vessel is expected at the second poll; once dropped, only from 60% for a week', () => {
    const story = createStory();
    const polls = (...probabilities: number[]) =>
      probabilities.flatMap((probability) => {
        at += 6;
        return story.take(port(at, { [one]: [probability, 900] })).map(({ kind }) => kind);
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

  it('a vessel whose latest ETA has passed is dropped silently; hours before it, its ETA is named', () => {
    const story = createStory();
    story.take(port(0, { [one]: [0.9, 20], [two]: [0.9, 20] }));
    story.take(port(5, { [one]: [0.9, 12], [two]: [0.9, 18] }));
    expect(story.take(port(12, {}))).toEqual([]);
    expect(story.take(port(13, {}))).toEqual([
      {
        kind: 'no-longer-expected',
        imo: two,
        was: { port: 'NLRTM', probability: 0.9, eta: hour(20), at: hour(0) },
        now: null,
        nearEta: hour(18),
      },
    ]);
    expect(story.state).toMatchObject({ expected: [] });
  });

  it('reads state that was stored by older versions', () => {
    const story = createStory();
    const known = { port: rotterdam, probability: 0.9, eta: hour(50), at: hour(0) };
    const expected = [{ ...known, imo: one, missedPolls: 1 }];
    story.state = watchState.parse({
      kind: 'port',
      snapshotAt: hour(0),
      stale: false,
      scale: 'fraction',
      expected,
    });
    expect(story.take(port(1, {}))).toMatchObject([{ kind: 'no-longer-expected', imo: one }]);
  });

  it('keeps its baseline while asleep', () => {
    const story = createStory({ snooze: { kind: 'until', at: hour(4) } });
    story.take(port(0, { [one]: [0.9, 50] }));
    expect(story.take(port(1, { [two]: [0.9, 60] }))).toEqual([]);
    expect(story.take(port(2, { [two]: [0.9, 60] }))).toEqual([]);
    expect(story.take(port(3, { [one]: [0.9, 50], [two]: [0.9, 60] }))).toEqual([]);
    expect(story.take(port(4, { [one]: [0.9, 50], [two]: [0.9, 60] }))).toMatchObject([
      { kind: 'newly-expected', imo: two },
    ]);
  });
});
