import { addHours } from 'date-fns/addHours';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DisputeEvent, isDisputeEvent } from '../../../../src/features/rules/dispute.ts';
import { type Evaluation, evaluate } from '../../../../src/features/rules/evaluation/evaluate.ts';
import type { Snooze } from '../../../../src/features/rules/evaluation/muting.ts';
import {
  damping,
  type Snapshot,
  type VesselState,
  vesselStates,
  type WatchState,
  watchState,
} from '../../../../src/features/rules/evaluation/state.ts';
import type { ActiveRules, Rules } from '../../../../src/features/rules/list.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import { rankByVessel } from '../../../../src/predictions/next-port.ts';
import type { Prospect } from '../../../../src/reference/prediction.ts';
import { cypress, hour, predictions } from '../../../support/watch-story.ts';

/** Close enough to each other for many disputes. */
const probability = fc.constantFrom(0.3, 0.4, 0.42, 0.45, 0.48, 0.5, 0.52, 0.6, 0.75);
const record = fc.record({
  port: fc.constantFrom('NLRTM', 'DEHAM', 'BEANR'),
  probability,
  eta: fc.option(fc.constantFrom(20, 60, 100, 200, 400), { freq: 8 }),
});
const records = fc.uniqueArray(record, { selector: ({ port }) => port, maxLength: 3 });
const anyRules = fc
  .record(
    {
      undecided: fc.boolean(),
      diverted: fc.boolean(),
      below: fc.constantFrom(0.3, 0.5, null),
      lost: fc.boolean(),
      untilNextPort: fc.constantFrom(false, false, false, true),
      quiet: fc.constantFrom(null, null, { from: '22:00', to: '06:00', zone: 'Asia/Kolkata' }),
    },
    { requiredKeys: [] },
  )
  .map((typed) => chooseRules(typed));
const anySnooze: fc.Arbitrary<Snooze | null> = fc.constantFrom<(Snooze | null)[]>(
  null,
  null,
  { kind: 'until', at: hour(30) },
  { kind: 'until-eta', hours: 24 },
  { kind: 'until-next-port' },
);

interface Step {
  afterHours: number;
  answer: 'given' | 'failed';
  records: { port: string; probability: number; eta: number | null }[];
  scale: 'fraction' | 'percent';
  rules: Rules | null;
  snooze: Snooze | null | undefined;
}
const step: fc.Arbitrary<Step> = fc.record({
  // Now and then a clock is set back.
  afterHours: fc.constantFrom(0.25, 1, 1, 2, 3, 7, 13, -2),
  answer: fc.constantFrom('given', 'given', 'given', 'given', 'failed'),
  records,
  scale: fc.constantFrom('fraction', 'fraction', 'fraction', 'fraction', 'fraction', 'percent'),
  rules: fc.option(anyRules, { freq: 4 }),
  snooze: fc.option(anySnooze, { freq: 4, nil: undefined }),
});

interface Lived {
  outcome: Evaluation;
  /** Its state as the next poll reads it. */
  stored: WatchState;
  after: VesselState | undefined;
  ranked: readonly Prospect[];
  rules: ActiveRules;
  at: Date;
  isAnswered: boolean;
}

/** Lives through the steps, as the store does. */
function live(steps: readonly Step[], first: Rules): Lived[] {
  let state: WatchState | null = null;
  let rules: ActiveRules = { ...first, snooze: null };
  let hours = 0;
  return steps.map((one) => {
    hours += one.afterHours;
    const at = hour(hours);
    rules = {
      ...(one.rules ?? rules),
      snooze: one.snooze === undefined ? rules.snooze : one.snooze,
    };
    const answer = one.records.flatMap(({ port, probability: chance, eta }) =>
      predictions({ [port]: eta === null ? chance : [chance, eta] }),
    );
    const snapshot: Snapshot =
      one.answer === 'failed'
        ? { kind: 'failed', isPort: false, at, silentSince: hour(hours - 10), intervalMinutes: 60 }
        : { kind: 'vessel', imo: cypress, at, scale: one.scale, predictions: answer };
    const isAnswered = one.answer === 'given' && (state === null || at > (state as WatchState).snapshotAt);
    const outcome = evaluate(state, snapshot, rules, at);
    const stored = watchState.parse(JSON.parse(JSON.stringify(outcome.state)));
    state = stored;
    const lived = {
      outcome,
      stored,
      after: vesselStates(state)[cypress],
      ranked: rankByVessel(answer).get(cypress) ?? [],
      rules,
      at,
      isAnswered,
    };
    if (outcome.woke) rules = { ...rules, snooze: null };
    return lived;
  });
}

it('a vessel has one open dispute, whose reply is edited for the last time when it ends', () => {
  fc.assert(
    fc.property(anyRules, fc.array(step, { minLength: 2, maxLength: 30 }), (rules, steps) => {
      let open: DisputeEvent | undefined;
      for (const { outcome, stored, after } of live(steps, rules)) {
        expect(stored).toEqual(outcome.state);
        expect(outcome.edits.length).toBeLessThanOrEqual(1);
        for (const edit of outcome.edits) {
          expect(edit.since).toEqual(open?.since);
          expect(edit.below).toBe(open?.below);
          if (edit.end) open = undefined;
        }
        for (const event of outcome.events.filter(isDisputeEvent)) {
          expect(open).toBeUndefined();
          open = event;
        }
        expect(after?.dispute?.since).toEqual(open?.since);
        // Nothing would ever edit it again.
        if (after?.ended) expect(open).toBeUndefined();
      }
    }),
    { numRuns: 1_000 },
  );
});

it('another port that leads in two polls running is next, or in an open dispute for 6 hours at most', () => {
  fc.assert(
    fc.property(anyRules, fc.array(step, { minLength: 2, maxLength: 30 }), (typed, steps) => {
      const rules = { ...typed, diverted: true, nextLeg: true, quiet: null, untilNextPort: false };
      const awake = steps.map((one) => ({
        ...one,
        rules: one.rules && { ...rules, undecided: one.rules.undecided, below: one.rules.below },
        snooze: undefined,
        scale: 'fraction' as const,
      }));
      let before: { port: string; baseline: string | undefined } | undefined;
      for (const { outcome, after, ranked, rules: now, at, isAnswered } of live(awake, rules)) {
        if (!isAnswered) continue;
        const [top] = ranked;
        const baseline = after?.baseline?.port;
        const own = ranked.find(({ port }) => port === baseline);
        const isLed =
          top !== undefined && top.port !== baseline && !(own && own.probability >= top.probability);
        if (isLed && before?.port === top.port && before.baseline === baseline) {
          const dispute = after?.dispute;
          expect(now.undecided).toBe(true);
          expect([dispute?.port, dispute?.rival].toSorted()).toEqual([baseline, top.port].toSorted());
          expect(at < addHours(dispute?.ledSince ?? 0, damping.settledHours)).toBe(true);
        }
        before = isLed ? { port: top.port, baseline } : undefined;
        for (const event of outcome.events)
          if (event.kind === 'diverted') expect(event.next.port).toBe(baseline);
      }
    }),
    { numRuns: 1_000 },
  );
});
