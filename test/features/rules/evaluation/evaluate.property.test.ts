import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Prediction } from '../../../../src/analytics/answers.ts';
import { evaluate } from '../../../../src/features/rules/evaluation/evaluate.ts';
import { damping, type Snapshot, type WatchState } from '../../../../src/features/rules/evaluation/state.ts';
import type { ActiveRules, Rules, WatchEvent } from '../../../../src/features/rules/list.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import type { Locode } from '../../../../src/reference/codes.ts';
import { canonicalPort } from '../../../../src/reference/ports.ts';
import { cypress, hour, predictions, vesselSnapshot } from '../../../support/watch-story.ts';

const aliases: Record<string, string[]> = {
  CNSHA: ['CNSHA', 'CNSGH', 'CNSHG'],
  CNNGB: ['CNNGB', 'CNNBO', 'CNNBG'],
};
const ports = ['NLRTM', 'DEHAM', 'CNSHA', 'CNNGB'];

type Poll = { afterHours: number; records: { port: string; probability: number; eta: number | null }[] };

const recordFields = {
  port: fc.constantFrom(...ports),
  probability: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
};
const record = fc.record({
  ...recordFields,
  eta: fc.option(fc.integer({ min: 0, max: 400 }), { freq: 5 }),
});
const poll: fc.Arbitrary<Poll> = fc.record({
  afterHours: fc.constantFrom(0.25, 0.5, 1, 2, 6, 13),
  records: fc.uniqueArray(record, { selector: ({ port }) => port, maxLength: 4 }),
});
const voyage = fc.array(poll, { minLength: 1, maxLength: 25 });

const rules: fc.Arbitrary<Rules> = fc
  .record(
    {
      etaMoved: fc.constantFrom(
        { hours: 6, isScaled: false },
        { hours: 12, isScaled: true },
        { hours: 24, isScaled: false },
        null,
      ),
      below: fc.constantFrom(0.3, 0.5, null),
      arrivingHours: fc.constantFrom([], [24], [72, 48, 24]),
      overdueHours: fc.constantFrom(6, null),
      lost: fc.boolean(),
      due: fc.constantFrom([], [{ port: 'NLRTM' as Locode, at: hour(150) }]),
      quiet: fc.constantFrom(null, { from: '22:00', to: '06:00', zone: 'Asia/Kolkata' }),
    },
    { requiredKeys: [] },
  )
  .map((typed) => chooseRules(typed));

const awake = (chosen: Rules = chooseRules({})): ActiveRules => ({ ...chosen, snooze: null });

function toPredictions(records: Poll['records']): Prediction[] {
  return records.flatMap(({ port, probability, eta }) =>
    predictions({ [port]: eta === null ? probability : [probability, eta] }),
  );
}

/** Lives through a voyage; `rewrite` changes the records of each poll before they are seen. */
function live(
  polls: readonly Poll[],
  {
    rewrite = (all) => all,
    chosen = awake(),
  }: { rewrite?: (all: Prediction[]) => Prediction[]; chosen?: ActiveRules } = {},
): { notified: WatchEvent[]; perPoll: WatchEvent[][]; state: WatchState | null; endsAt: number } {
  let state: WatchState | null = null;
  let at = 0;
  const perPoll: WatchEvent[][] = [];
  for (const { afterHours, records } of polls) {
    at += afterHours;
    const snapshot: Snapshot = {
      kind: 'vessel',
      imo: cypress,
      at: hour(at),
      scale: 'fraction',
      predictions: rewrite(toPredictions(records)),
    };
    const outcome = evaluate(state, snapshot, chosen, hour(at));
    state = outcome.state;
    perPoll.push(outcome.events);
  }
  return { notified: perPoll.flat(), perPoll, state, endsAt: at };
}

const vesselOf = (state: WatchState | null) =>
  state?.kind === 'vessels' ? state.vessels[cypress] : undefined;

it('the same snapshot twice notifies nobody, and changes nothing', () => {
  fc.assert(
    fc.property(voyage, rules, poll, (polls, chosen, last) => {
      const active = awake(chosen);
      const { state, endsAt } = live(polls, { chosen: active });
      const at = hour(endsAt + last.afterHours);
      const predictions = toPredictions(last.records);
      const snapshot: Snapshot = { kind: 'vessel', imo: cypress, at, scale: 'fraction', predictions };
      const once = evaluate(state, snapshot, active, at);
      const twice = evaluate(once.state, snapshot, active, hour(endsAt + last.afterHours + 100));
      expect(twice.events).toEqual([]);
      expect(twice.state).toEqual(once.state);
    }),
  );
});

it('the order of the records does not matter', () => {
  fc.assert(
    fc.property(
      voyage,
      rules,
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (polls, chosen, keys) => {
        const shuffle = (all: Prediction[]) =>
          all
            .map((one) => ({ one, key: keys.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
        const straight = live(polls, { chosen: awake(chosen) });
        const shuffled = live(polls, { chosen: awake(chosen), rewrite: shuffle });
        expect(shuffled.perPoll).toEqual(straight.perPoll);
        expect(shuffled.state).toEqual(straight.state);
      },
    ),
  );
});

it('a flip inside an alias group is no change', () => {
  fc.assert(
    fc.property(voyage, rules, fc.infiniteStream(fc.nat(2)), (polls, chosen, picks) => {
      const flip = (all: Prediction[]) =>
        // Every name in the table is a code.
        all.map((one) => ({
          ...one,
          port: (aliases[one.port]?.[picks.next().value ?? 0] ?? one.port) as Locode,
        }));
      const canonical = (all: Prediction[]) => all.map((one) => ({ ...one, port: canonicalPort(one.port) }));
      const flipped = live(polls, { chosen: awake(chosen), rewrite: flip });
      expect(flipped.perPoll).toEqual(live(polls, { chosen: awake(chosen), rewrite: canonical }).perPoll);
    }),
  );
});

it('slow drift is notified once it adds up, and not before', () => {
  const steps = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(steps, (drifts) => {
      const chosen = awake(chooseRules({ etaMoved: { hours: 12, isScaled: false } }, { only: true }));
      let state = evaluate(null, vesselSnapshot(hour(0), { NLRTM: [0.9, 900] }), chosen, hour(0)).state;
      let [eta, notified, at] = [900, 900, 0];
      for (const drift of drifts) {
        eta += drift;
        at += 1;
        const outcome = evaluate(state, vesselSnapshot(hour(at), { NLRTM: [0.9, eta] }), chosen, hour(at));
        state = outcome.state;
        const isDue = Math.abs(eta - notified) >= 12;
        expect(outcome.events.map(({ kind }) => kind)).toEqual(
          isDue ? [eta > notified ? 'eta-slipped' : 'eta-advanced'] : [],
        );
        if (isDue) notified = eta;
      }
    }),
  );
});

it('switching a routine rule on leaves the alerts of all other rules as they are', () => {
  const routine: Partial<Rules>[] = [
    { arrivingHours: [72, 48, 24] },
    { nextLeg: true },
    { arrivingHours: [36], nextLeg: true },
  ];
  const off = { arrivingHours: [], nextLeg: false };
  const kinds = ['arriving', 'moved-on'];
  const nearby = fc.record({
    afterHours: fc.constantFrom(1, 3, 6),
    records: fc.uniqueArray(fc.record({ ...recordFields, eta: fc.integer({ min: 10, max: 100 }) }), {
      selector: ({ port }) => port,
      maxLength: 2,
    }),
  });
  const nearVoyage = fc.array(nearby, { minLength: 3, maxLength: 25 });
  fc.assert(
    fc.property(fc.oneof(voyage, nearVoyage), rules, fc.constantFrom(...routine), (polls, typed, on) => {
      const others = (chosen: Rules) =>
        live(polls, { chosen: awake(chosen) }).perPoll.map((events) =>
          events.filter(({ kind }) => !kinds.includes(kind)),
        );
      expect(others({ ...typed, ...off, ...on })).toEqual(others({ ...typed, ...off }));
    }),
    { numRuns: 500 },
  );
});

it('flapping between two ports gives one change and one dispute, however often', () => {
  const flaps = fc.array(
    fc.record({
      minutes: fc.constantFrom(15, 30, 60, 120),
      lead: fc.integer({ min: 10, max: 60 }),
      delisted: fc.boolean(),
    }),
    { minLength: 3, maxLength: 80 },
  );
  fc.assert(
    fc.property(flaps, (polls) => {
      let state: WatchState | null = null;
      let at = 0;
      const notified: string[] = [];
      polls.forEach(({ minutes, lead, delisted }, index) => {
        at += minutes / 60;
        const [first, second] = index % 2 === 0 ? ['NLRTM', 'DEHAM'] : ['DEHAM', 'NLRTM'];
        const rest = delisted ? {} : { [second]: [(90 - lead) / 100, 900] as const };
        const snapshot = vesselSnapshot(hour(at), { [first]: [0.9, 900], ...rest });
        const outcome = evaluate(state, snapshot, awake(), hour(at));
        state = outcome.state;
        notified.push(...outcome.events.map(({ kind }) => kind));
      });
      expect(notified).toEqual(['diverted', 'back-and-forth']);
    }),
  );
});

it('no change is missed for longer than the damping: what is stable then has been notified', () => {
  fc.assert(
    fc.property(
      voyage,
      rules,
      poll,
      fc.option(fc.integer({ min: 1, max: 60 })),
      (polls, typed, last, sleep) => {
        const chosen = { ...typed, lost: true, diverted: true, nextLeg: true };
        const asleep = { kind: 'until' as const, at: hour(sleep ?? 0) };
        const { state: before, endsAt } = live(polls, { chosen: { ...chosen, snooze: asleep } });
        const still = toPredictions(last.records);
        let state = before;
        const notified: WatchEvent[] = [];
        // Long enough for the night to pass, the snooze to end, a dispute to settle, and two polls to agree.
        for (let step = 2; step <= 90; step += 2) {
          const at = hour(endsAt + step);
          const snapshot: Snapshot = {
            kind: 'vessel',
            imo: cypress,
            at,
            scale: 'fraction',
            predictions: still,
          };
          const outcome = evaluate(state, snapshot, { ...chosen, snooze: asleep }, at);
          state = outcome.state;
          notified.push(...outcome.events);
        }
        const vessel = vesselOf(state);
        const top = still.toSorted(byRank)[0];
        if (!top) {
          expect(vessel?.lost).toBe(true);
          return;
        }
        expect(vessel?.baseline?.port).toBe(canonicalPort(top.port));
        expect(vessel?.lost).toBe(false);
        // A port that stays unlikely stays in dispute.
        if (vessel?.dispute) expect(vessel.dispute.kind).toBe('unlikely');
        const toldEta = vessel?.baseline?.eta;
        const { etaMoved } = chosen;
        // The default compares the ETA with the one at ten days before it.
        if (etaMoved && !etaMoved.isScaled && top.eta && toldEta) {
          expect(Math.abs(top.eta.getTime() - toldEta.getTime())).toBeLessThan(etaMoved.hours * 3_600_000);
        }
        if (vesselOf(before)?.baseline && vesselOf(before)?.baseline?.port !== vessel?.baseline?.port) {
          expect(notified.map(({ kind }) => kind)).toContainEqual(
            expect.stringMatching(/^(diverted|moved-on|back-and-forth|prediction-back)$/),
          );
        }
      },
    ),
    { numRuns: 200 },
  );
});

it('no alert is repeated: each threshold once per port call, and every alert starts from the last baseline', () => {
  fc.assert(
    fc.property(voyage, rules, (polls, typed) => {
      const { notified } = live(polls, {
        chosen: awake({ ...typed, diverted: true, nextLeg: true, lost: true }),
      });
      const rungs = notified.flatMap((event) =>
        event.kind === 'arriving' ? [`${event.call} ${event.now.port} ${event.hours}`] : [],
      );
      expect(new Set(rungs).size).toBe(rungs.length);
      let port: string | undefined;
      for (const event of notified) {
        if (!('was' in event) || !event.was) continue;
        if (port !== undefined) expect(event.was.port).toBe(port);
        port =
          'next' in event
            ? event.next.port
            : event.kind === 'back-and-forth'
              ? event.now.port
              : event.was.port;
      }
    }),
  );
});

it('a probability that falls is notified again only after it has recovered', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 2, maxLength: 60 }), (percents) => {
      let state: WatchState | null = null;
      let armed = false;
      let polls = 0;
      percents.forEach((percent, index) => {
        // Far enough apart for each dispute to be settled at the first poll that is not under 50%.
        const at = hour(index * 7);
        const outcome = evaluate(state, vesselSnapshot(at, { NLRTM: percent / 100 }), awake(), at);
        state = outcome.state;
        polls = index > 0 && armed && percent < 50 ? polls + 1 : 0;
        expect(outcome.events.map(({ kind }) => kind)).toEqual(polls === 2 ? ['unlikely'] : []);
        if (polls === 2) armed = false;
        if (percent >= (index === 0 ? 50 : 100 * (0.5 + damping.rearm))) armed = true;
      });
    }),
  );
});

function byRank(one: Prediction, other: Prediction): number {
  const eta = ({ eta }: Prediction) => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return (
    other.probability - one.probability ||
    eta(one) - eta(other) ||
    (canonicalPort(one.port) < canonicalPort(other.port) ? -1 : 1)
  );
}
