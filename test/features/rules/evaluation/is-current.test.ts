import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../../../src/features/rules/list.ts';
import { watchRules } from '../../../../src/features/rules/registry.ts';
import type { Locode } from '../../../../src/reference/codes.ts';
import {
  createStory,
  diana,
  exactRules,
  hour,
  type Ports,
  predictions,
  type Story,
} from '../../../support/watch-story.ts';

/** The only alert so far, and whether it is still current after the last poll. */
function follow(story: Story, polls: readonly (readonly [number, Ports])[]) {
  let alert: { event: WatchEvent; at: Date } | undefined;
  for (const [hours, ports] of polls) {
    story.poll(hours, ports);
    const [event] = story.last;
    if (!alert && event) alert = { event, at: hour(hours) };
  }
  const [last = 0] = polls.at(-1) ?? [];
  if (!alert || !story.state) throw new Error('no alert');
  return [
    alert.event.kind,
    watchRules.isCurrent(alert.event, { at: alert.at, state: story.state, now: hour(last) }),
  ];
}

const first = [0, { NLRTM: [0.8, 100], DEHAM: [0.1, 120] }] as const;
const diverted = [1, { NLRTM: [0.1, 100], DEHAM: [0.8, 120] }] as const;

describe('an alert', () => {
  it('of a diversion is current until the next port is another one', () => {
    const later = [2, { DEHAM: [0.8, 160] }] as const;
    expect(follow(createStory(exactRules), [first, diverted])).toEqual(['diverted', true]);
    expect(follow(createStory(exactRules), [first, diverted, later])).toEqual(['diverted', true]);
    const movedOn = [159, { BEANR: [0.9, 200] }] as const;
    expect(follow(createStory(exactRules), [first, diverted, later, movedOn])).toEqual(['diverted', false]);
    const back = [3, { NLRTM: [0.9, 100], DEHAM: [0.1, 120] }] as const;
    expect(follow(createStory(exactRules), [first, diverted, back])).toEqual(['diverted', false]);
  });

  it('of a moved ETA is current until there is another alert', () => {
    const moved = [1, { NLRTM: [0.8, 113] }] as const;
    const then = (eta: number) => follow(createStory(exactRules), [first, moved, [2, { NLRTM: [0.8, eta] }]]);
    expect([then(114), then(126)]).toEqual([
      ['eta-slipped', true],
      ['eta-slipped', false],
    ]);
  });

  it('of a near ETA is current until the next threshold, and leaves other alerts current', () => {
    const rules = { ...exactRules, arrivingHours: [72, 24] };
    const near = [29, { NLRTM: [0.8, 100] }] as const;
    expect(follow(createStory(rules), [first, near, [40, near[1]]])).toEqual(['arriving', true]);
    expect(follow(createStory(rules), [first, near, [77, near[1]]])).toEqual(['arriving', false]);
    const moved = [1, { NLRTM: [0.8, 113] }] as const;
    expect(follow(createStory(rules), [first, moved, [50, moved[1]]])).toEqual(['eta-slipped', true]);
  });

  it('of a dispute is current until that is settled', () => {
    const even = { NLRTM: [0.5, 100], DEHAM: [0.48, 120] } as const;
    const polls = [first, [1, even], [2, even], [3, even]] as const;
    expect(follow(createStory(), polls)).toEqual(['undecided', true]);
    expect(follow(createStory(), [...polls, [9, even]])).toEqual(['undecided', false]);
  });

  it('of lost predictions is current until they are back; one of a due date until a day after it', () => {
    expect(follow(createStory(), [first, [1, {}], [2, {}], [3, {}]])).toEqual(['prediction-lost', true]);
    expect(follow(createStory(), [first, [1, {}], [2, {}], [3, { NLRTM: [0.8, 100] }]])).toEqual([
      'prediction-lost',
      false,
    ]);
    const rules = { due: [{ port: 'NLRTM' as Locode, at: hour(110) }] };
    const late = { NLRTM: [0.8, 111] } as const;
    expect(follow(createStory(rules), [first, [1, late], [2, late]])).toEqual(['due', true]);
    expect(follow(createStory(rules), [first, [1, late], [112, late]])).toEqual(['due', true]);
    expect(follow(createStory(rules), [first, [1, late], [135, late]])).toEqual(['due', false]);
  });

  it('about a port is current while the vessel is expected as it says, or for three days after it is gone', () => {
    const story = createStory();
    const about = { kind: 'port', port: 'NLRTM' as Locode, scale: 'fraction' } as const;
    const poll = (hours: number, eta?: number) => {
      const all = eta === undefined ? [] : predictions({ NLRTM: [0.9, eta] }, diana);
      return story.take({ ...about, at: hour(hours), predictions: all });
    };
    const current = (event: WatchEvent | undefined, at: number, now: number) =>
      event &&
      story.state &&
      watchRules.isCurrent(event, { at: hour(at), state: story.state, now: hour(now) });
    for (const hours of [0, 1]) poll(hours, hours === 0 ? undefined : 100);
    const [expected] = poll(2, 100);
    expect([expected?.kind, current(expected, 2, 2)]).toEqual(['newly-expected', true]);
    poll(3);
    const [gone] = poll(4);
    expect(current(expected, 2, 4)).toBe(false);
    expect([gone?.kind, current(gone, 4, 5), current(gone, 4, 80)]).toEqual([
      'no-longer-expected',
      true,
      false,
    ]);
  });
});
