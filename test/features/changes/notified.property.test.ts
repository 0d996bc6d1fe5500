import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { readableAlerts } from '../../../src/features/alerts/alert.ts';
import { groupReplies } from '../../../src/features/alerts/replies.ts';
import { findChanges, toSent } from '../../../src/features/changes/find-changes.ts';
import { netChanges, type PastAnswer, type SentAlert } from '../../../src/features/changes/net-changes.ts';
import { evaluate } from '../../../src/features/rules/evaluation/evaluate.ts';
import type { WatchState } from '../../../src/features/rules/evaluation/state.ts';
import type { Rules, WatchEvent } from '../../../src/features/rules/list.ts';
import { chooseRules, defaultRules, watchRules } from '../../../src/features/rules/registry.ts';
import { filterByScope } from '../../../src/features/scope.ts';
import { changesBetween } from '../../../src/predictions/changes.ts';
import { rankByVessel, type Subject } from '../../../src/predictions/next-port.ts';
import { thresholds } from '../../../src/predictions/thresholds.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { ruleValues } from '../../support/rule-samples.ts';
import { sendReplies } from '../../support/send-replies.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { ada, createWatchServiceHarness } from '../../support/watch-service-harness.ts';
import { cypress, hour, type Ports, predictions, vessel, vesselSnapshot } from '../../support/watch-story.ts';

const imos = [cypress, 9755933 as Imo, 9811000 as Imo];
const port = 'NLRTM' as Locode;

interface Poll {
  afterHours: number;
  /** By vessel: port → probability, and in how many hours the ETA is. */
  vessels: Record<string, [probability: number, hours: number]>[];
  listed: Imo[];
  fails: boolean;
  sends: boolean;
}

const prediction = fc.tuple(fc.constantFrom(0.2, 0.45, 0.5, 0.6, 0.9), fc.constantFrom(-6, 20, 40, 90, 200));
const predicted = fc.dictionary(fc.constantFrom('NLRTM', 'BEANR', 'DEHAM'), prediction, {
  maxKeys: 3,
  noNullPrototype: true,
});
const poll: fc.Arbitrary<Poll> = fc.record({
  afterHours: fc.constantFrom(7, 13, 26),
  vessels: fc.tuple(predicted, predicted, predicted),
  listed: fc.subarray(imos),
  fails: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  sends: fc.boolean(),
});
const history = fc.array(poll, { minLength: 4, maxLength: 12 });

const all = chooseRules({
  ...{ diverted: true, undecided: true, lost: true, nextLeg: true, stale: true, expected: true },
  etaMoved: { hours: 12, isScaled: false },
});
/** The defaults as often as any others. */
const rules: fc.Arbitrary<Rules> = fc.oneof(
  fc.constantFrom(all, defaultRules, chooseRules({}, { isOneVessel: true })),
  fc.record({ ...ruleValues, quiet: fc.constant(null), untilNextPort: fc.constant(false) }),
);

describe.each(engines)('changes and alerts, $engine', ({ engine, open }) => {
  const store = useStore(open, { perTest: true });
  const ids = { next: 0 };
  beforeEach(async () => {
    await seedWorkspace(store.database);
  });

  async function live(polls: readonly Poll[], own: Rules) {
    const { db } = store.database;
    for (const table of ['alerts', 'outbox', 'history', 'watches', 'subjects'] as const)
      await direct(db).deleteFrom(table).execute();
    const fixture = createWatchFixture(store.database, ids);
    fixture.clock.hours = -1;
    const watch = (subjects: Subject[], options: Parameters<typeof fixture.watch>[1] = {}) =>
      fixture.watch(subjects, { rules: own, ...options });
    const list: Subject = { kind: 'shiplist', name: 'FEEDERS' };
    await watch([vessel()]);
    await watch([vessel(), vessel(imos[1])]);
    await watch([vessel(imos[2])], { rules: { ...own, untilNextPort: true } });
    await watch([list], { title: 'list' });
    await watch([list], { title: 'list at Rotterdam', condition: { port, imos: null } });
    await watch([{ kind: 'port', port }], { title: 'port' });
    for (const { afterHours, vessels, listed, fails, sends } of polls) {
      imos.forEach((imo, index) => {
        const ports = Object.entries(vessels[index] ?? {}).map(([code, [share, eta]]) => {
          return [code, [share, fixture.clock.hours + eta]] as const;
        });
        fixture.vessels.set(imo, Object.fromEntries(ports) as Ports);
      });
      fixture.lists.set(
        'FEEDERS',
        Object.fromEntries(listed.map((imo) => [imo, fixture.vessels.get(imo) ?? {}])),
      );
      fixture.failure = fails ? new Error('no answer') : undefined;
      await fixture.at(fixture.clock.hours + afterHours);
      if (!sends) continue;
      const { realNow, now } = fixture.by();
      await groupReplies(storeOf(db, workspaceId), { newId: fixture.newId, now, realNow });
      await sendReplies(db, now);
    }
    return fixture;
  }

  const notifiedOf = async (): Promise<SentAlert[]> => {
    const rows = await direct(store.database.db).selectFrom('alerts').selectAll().execute();
    return readableAlerts(rows).flatMap(({ watchId, notifiedAt, events }) =>
      notifiedAt ? events.map((event) => toSent({ watchId, at: notifiedAt, event }, notifiedAt)) : [],
    );
  };

  it('what was notified in a period is in the changes of every period that contains it', async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(history, rules, fc.nat(), async (polls, own, pick) => {
        const fixture = await live(polls, own);
        const { access } = createWatchServiceHarness(fixture, store.database);
        const notified = await notifiedOf();
        const since = hour(pick % Math.max(1, fixture.clock.hours));
        const { changes, serviceAlerts } = await findChanges(
          { filter: await filterByScope('channel', ada, access), since },
          { store: storeOf(store.database.db, workspaceId), now: hour(fixture.clock.hours) },
        );
        const shown = [...changes.flatMap(({ alerts }) => alerts), ...serviceAlerts];
        for (const { at, imo, news } of notified.filter((alert) => alert.at > since)) {
          checked += 1;
          // Several watches send the same news within a day.
          const isSame = (one: SentAlert) =>
            one.imo === imo &&
            one.news === news &&
            Math.abs(one.at.getTime() - at.getTime()) <= 24 * 3_600_000;
          expect(shown.filter(isSame), `${news} of ${imo}, ${at.toISOString()}`).not.toEqual([]);
        }
      }),
      { numRuns: engine === 'sqlite' ? 40 : 10 },
    );
    expect(checked).toBeGreaterThan(100);
  });
});

/** A watch of one vessel: its answers, and the alerts after each. */
function follow(polls: readonly Poll[], own: Rules) {
  let state: WatchState | null = null;
  let at = 0;
  const answers: PastAnswer[] = [];
  const alerts: { at: Date; event: WatchEvent }[] = [];
  for (const { afterHours, vessels } of polls) {
    at += afterHours;
    const ports = Object.entries(vessels[0] ?? {}).map(([code, [share, eta]]) => {
      return [code, [share, at + eta]] as const;
    });
    const shown: Ports = Object.fromEntries(ports);
    const outcome = evaluate(state, vesselSnapshot(hour(at), shown), { ...own, snooze: null }, hour(at));
    state = outcome.state;
    answers.push({ at: hour(at), vessels: rankByVessel(predictions(shown)) });
    alerts.push(...outcome.events.map((event) => ({ at: hour(at), event })));
  }
  return { answers, alerts };
}

const moment = ({ at, vessels }: PastAnswer) => ({ at, ranked: vessels.get(cypress) ?? [] });

describe('an alert of one vessel, with any rules', () => {
  it('is in a row of the changes of every period that contains it', () => {
    let checked = 0;
    fc.assert(
      fc.property(history, rules, fc.nat(), (polls, chosen, pick) => {
        const { answers, alerts } = follow(polls, chosen);
        const [before, after] = [answers[pick % answers.length], answers.at(-1)];
        const since = before?.at ?? hour(0);
        const own = watchRules.ownThresholds(chosen);
        const followed = { subject: cypress, watchIds: new Set(['w1']), before, after, own };
        const inPeriod = alerts
          .filter(({ at }) => at > since)
          .map(({ at, event }) => toSent({ watchId: 'w1', at, event }, at));
        checked += inPeriod.length;
        const { changes } = netChanges([followed], { since, alerts: inPeriod });
        expect(changes.flatMap((change) => change.alerts)).toEqual(inPeriod);
      }),
      { numRuns: 300 },
    );
    expect(checked).toBeGreaterThan(200);
  });

  it('says a change that the two answers alone show too', () => {
    let checked = 0;
    fc.assert(
      fc.property(history, rules, (polls, chosen) => {
        const { answers, alerts } = follow(polls, chosen);
        const own = watchRules.ownThresholds(chosen);
        for (const { at, event } of alerts) {
          if (!('was' in event) || !event.was) continue;
          const { was } = event;
          const [before, after] = [was.at, at].map((time) => answers.find((one) => +one.at === +time));
          if (!before || !after) throw new Error('an alert compares with what was not an answer');
          const [first, last] = [moment(before), moment(after)];
          // Another port led by little then, or leads by little now: the alert is about the one that was notified.
          if (first.ranked[0]?.port !== was.port) continue;
          if ('now' in event && event.now?.port === was.port && last.ranked[0]?.port !== was.port) continue;
          // Predicted again as it was.
          if (event.kind === 'prediction-back') continue;
          checked += 1;
          const changes = changesBetween(first, last, { ...thresholds.changes, ...own });
          expect(changes, JSON.stringify(event)).not.toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
    expect(checked).toBeGreaterThan(200);
  });
});
