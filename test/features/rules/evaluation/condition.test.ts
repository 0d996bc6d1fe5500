import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { evaluate } from '../../../../src/features/rules/evaluation/evaluate.ts';
import {
  type PortCondition,
  type Snapshot,
  type WatchState,
  watchState,
} from '../../../../src/features/rules/evaluation/state.ts';
import type { WatchEvent } from '../../../../src/features/rules/list.ts';
import { defaultRules } from '../../../../src/features/rules/registry.ts';
import type { Imo, Locode } from '../../../../src/reference/codes.ts';
import { cypress, diana, given, hour, type Ports, predictions } from '../../../support/watch-story.ts';

const fleet = [cypress, diana, given];
const rotterdam = 'NLRTM' as Locode;

type Vessels = Partial<Record<number, Ports>>;

interface Poll {
  at: number;
  vessels: Vessels;
  /** Those of the fleet at that time; null for a list. */
  imos?: readonly Imo[] | null;
}

const recordsOf = (vessels: Vessels) =>
  Object.entries(vessels).flatMap(([imo, ports]) => predictions(ports ?? {}, Number(imo) as Imo));

/** As a port's answer, or as that of a list with all these vessels. */
function snapshotOf({ at, vessels }: Poll, isList: boolean): Snapshot {
  const all = recordsOf(vessels);
  const answer = { at: hour(at), scale: 'fraction', predictions: all } as const;
  if (isList) return { kind: 'shiplist', name: 'FEEDERS', ...answer };
  return {
    kind: 'port',
    port: rotterdam,
    ...answer,
    predictions: all.filter(({ port }) => port === rotterdam),
  };
}

/** The events of each poll; the state goes through JSON each time, as in the store. */
function run(polls: readonly Poll[], { isList = false } = {}): WatchEvent[][] {
  let state: WatchState | null = null;
  return polls.map((poll) => {
    const condition: PortCondition = {
      port: rotterdam,
      imos: isList ? null : [...(poll.imos ?? fleet)],
    };
    const rules = { ...defaultRules, snooze: null };
    const outcome = evaluate(state, snapshotOf(poll, isList), rules, hour(poll.at), condition);
    state = watchState.parse(JSON.parse(JSON.stringify(outcome.state)));
    return outcome.events;
  });
}

const kinds = (events: readonly WatchEvent[][]) =>
  events.map((ofPoll) => ofPoll.map((event) => `${event.kind} ${'imo' in event ? event.imo : ''}`));

const bound = (eta = 200): Ports => ({ NLRTM: [0.9, eta] });

describe('vessels at a port', () => {
  test.each([false, true])('newly expected, moved, no longer expected (by a list: %s)', (isList) => {
    const polls: Poll[] = [
      { at: 0, vessels: { [cypress]: bound(), [diana]: { BEANR: 0.9, NLRTM: 0.1 } } },
      { at: 1, vessels: { [cypress]: bound(), [diana]: bound(400) } },
      { at: 2, vessels: { [cypress]: bound(240), [diana]: bound(400) } },
      { at: 2.5, vessels: { [cypress]: bound(240), [diana]: bound(400) } },
      { at: 3, vessels: { [cypress]: { BEANR: 0.9 }, [diana]: bound(400) } },
      { at: 4, vessels: { [cypress]: { BEANR: 0.9 }, [diana]: bound(400) } },
    ];
    const [first, second, ...others] = kinds(run(polls, { isList }));
    expect([first, second]).toEqual([[], []]);
    expect(others.map((events) => [...events].sort())).toEqual([
      [`newly-expected ${diana}`],
      [`expected-eta-moved ${cypress}`],
      [],
      [`no-longer-expected ${cypress}`],
    ]);
  });

  it('weeks ahead too: who asks about one port and some vessels wants to know early', () => {
    const soon = { [cypress]: bound(24 * 25) };
    const polls = [
      { at: 0, vessels: {} },
      { at: 1, vessels: soon },
      { at: 2, vessels: soon },
    ];
    expect(kinds(run(polls))).toEqual([[], [], [`newly-expected ${cypress}`]]);
  });

  it('at the last moment too, unless the vessel has probably called', () => {
    const polls = [
      { at: 0, vessels: { [diana]: bound(12), [given]: bound(3) } },
      { at: 1, vessels: { [cypress]: bound(9) } },
      { at: 2, vessels: { [cypress]: bound(9) } },
      { at: 3, vessels: { [cypress]: bound(9) } },
      { at: 10, vessels: {} },
      { at: 11, vessels: {} },
    ];
    expect(kinds(run(polls))).toEqual([
      [],
      [],
      [`newly-expected ${cypress}`, `no-longer-expected ${diana}`],
      [],
      [],
      [],
    ]);
  });

  it('is silent about a vessel that joins the fleet on its way there, and then notifies of it', () => {
    const all = { [cypress]: bound(), [diana]: bound() };
    const imos = [cypress];
    const polls: Poll[] = [
      { at: 0, vessels: all, imos },
      { at: 1, vessels: all, imos: fleet },
      { at: 2, vessels: all, imos: fleet },
      { at: 3, vessels: { ...all, [diana]: bound(250) }, imos: fleet },
      { at: 4, vessels: { ...all, [diana]: bound(250) }, imos: fleet },
    ];
    expect(kinds(run(polls))).toEqual([[], [], [], [], [`expected-eta-moved ${diana}`]]);
  });

  it('is silent about a vessel that leaves the fleet', () => {
    const all = { [cypress]: bound(), [diana]: bound() };
    const polls = [1, 2, 3, 4].map((at) => ({ at, vessels: all, imos: at < 2 ? fleet : [cypress] }));
    expect(kinds(run(polls))).toEqual([[], [], [], []]);
  });
});

const ports: fc.Arbitrary<Ports> = fc.oneof(
  fc.constant({}),
  fc
    .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 900 }))
    .map(([percent, eta]): Ports => ({ NLRTM: [percent / 100, eta], BEANR: 1 - percent / 100 })),
);
const polls = fc
  .array(
    fc.record({
      vessels: fc.record({ [cypress]: ports, [diana]: ports, [given]: ports }),
      imos: fc.oneof({ weight: 2, arbitrary: fc.constant(fleet) }, fc.subarray(fleet)),
    }),
    { minLength: 1, maxLength: 15 },
  )
  .map((all) => all.map((poll, index): Poll => ({ at: index * 3, ...poll })));

const about = (imo: Imo, events: readonly WatchEvent[][]) =>
  events.map((ofPoll) => ofPoll.filter((event) => 'imo' in event && event.imo === imo));

describe('whatever the answers and the members', () => {
  it('notifies only of vessels that are in the fleet, and were at the poll before', () =>
    fc.assert(
      fc.property(polls, (all) => {
        for (const [index, events] of run(all).entries()) {
          const members = new Set(all[index]?.imos);
          const before = new Set(all[index - 1]?.imos);
          for (const event of events)
            if ('imo' in event) expect(members.has(event.imo) && before.has(event.imo)).toBe(true);
        }
      }),
    ));

  it('what joins or leaves makes no difference to the other vessels', () =>
    fc.assert(
      fc.property(polls, fc.constantFrom(...fleet), (all, imo) => {
        const alone = all.map((poll) => ({ ...poll, imos: poll.imos?.filter((one) => one === imo) ?? [] }));
        expect(about(imo, run(all))).toEqual(about(imo, run(alone)));
      }),
    ));

  it('a list of these vessels notifies as the port does', () =>
    fc.assert(
      fc.property(polls, (all) => {
        const constant = all.map(({ imos: _, ...poll }) => poll);
        expect(run(constant, { isList: true })).toEqual(run(constant));
      }),
    ));
});
