import { describe, expect, it } from 'vitest';
import { findChanges } from '../../../src/features/changes/find-changes.ts';
import type { Wanted } from '../../../src/features/changes/narrow.ts';
import type { NetChange, SentAlert } from '../../../src/features/changes/net-changes.ts';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import { filterByScope, type Scope } from '../../../src/features/scope.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { sendReplies } from '../../support/send-replies.ts';
import { engines } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { ada } from '../../support/watch-service-harness.ts';
import { cypress, diana, exactRules, given, hour, type Ports, vessel } from '../../support/watch-story.ts';

describe.each(engines)('what has changed, $engine', ({ open }) => {
  const { store, fixture, harness, workspace, db, watched } = useWatches(open);
  const sinceHour = async (hours: number, scope: Scope = 'channel', actor = ada, wanted?: Wanted) =>
    findChanges(
      { filter: await filterByScope(scope, actor, harness.access), since: hour(hours), wanted },
      { store: workspace(), now: hour(fixture.clock.hours) },
    );
  const kindOf = ({ news }: SentAlert) => news.split(' ')[0];
  const inBrief = ({ imo, severity, kind, was, now, alerts }: NetChange) =>
    `${imo} ${severity} ${kind} ${was?.port} → ${now?.port}; ${alerts.map(kindOf)}`;
  const brief = async (hours: number) => (await sinceHour(hours)).changes.map(inBrief);
  const sendAll = () => sendReplies(store.database.db);

  it('compares the latest answer with the last one before that time', async () => {
    await watched({ NLRTM: [0.8, 100] });
    await fixture.at(10, { [cypress]: { NLRTM: [0.8, 102] } });
    await fixture.at(20, { [cypress]: { NLRTM: [0.8, 107], BEANR: 0.1 } });
    const changes = await sinceHour(5);
    expect(changes).toMatchObject({
      compared: 1,
      unchecked: [],
      late: [],
      watches: 1,
      skipped: 0,
      checked: { first: hour(20), last: hour(20) },
      changes: [
        {
          kind: 'eta-moved',
          severity: 'information',
          was: { port: 'NLRTM', eta: hour(100) },
          now: { eta: hour(107) },
        },
      ],
    });
    // From the poll at that very time on.
    expect((await sinceHour(10)).changes).toMatchObject([{ was: { eta: hour(102) } }]);
    // Two hours are too little to count.
    await fixture.at(30, { [cypress]: { NLRTM: [0.8, 109] } });
    expect(await brief(20)).toEqual([]);
  });

  it('counts moves by the time left: ten hours are little two weeks ahead, unless the rule says otherwise', async () => {
    await fixture.watch([vessel()], { rules: chooseRules({ etaMoved: { hours: 24, isScaled: false } }) });
    await fixture.watch([vessel(diana)], { rules: chooseRules({ etaMoved: { hours: 6, isScaled: false } }) });
    await fixture.at(0, { [cypress]: { NLRTM: [0.8, 350] }, [diana]: { NLRTM: [0.8, 350] } });
    await fixture.at(10, { [cypress]: { NLRTM: [0.8, 360] }, [diana]: { NLRTM: [0.8, 360] } });
    expect(await brief(0)).toEqual([`${diana} check eta-moved NLRTM → NLRTM; `]);
  });

  it('has one row for a vessel that is also expected at a watched port', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }]);
    await fixture.at(0, { [cypress]: { NLRTM: [0.8, 100] }, [diana]: { NLRTM: [0.8, 100] } });
    await fixture.at(10, { [cypress]: { NLRTM: [0.8, 150] }, [diana]: { NLRTM: [0.8, 150] } });
    const changes = await sinceHour(0);
    expect(changes.changes.map(({ imo, expectedAt }) => [imo, expectedAt])).toEqual([
      [cypress, undefined],
      [diana, 'NLRTM'],
    ]);
    expect(changes.compared).toBe(2);
  });

  it('says what it cannot know: not watched then, not checked since, never answered', async () => {
    await watched({ NLRTM: [0.8, 100] });
    expect(await sinceHour(1)).toMatchObject({ compared: 0, unchecked: [cypress], changes: [] });
    await fixture.watch([vessel(diana)]);
    await fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }]);
    expect((await sinceHour(0)).unchecked).toEqual(expect.arrayContaining([cypress, diana, 'NLRTM']));
    await fixture.at(2);
    await fixture.at(12, { [diana]: { BEANR: [0.9, 60] } });
    const changes = await sinceHour(1);
    expect(changes.late).toEqual([
      { subject: diana, since: hour(2) },
      { subject: 'NLRTM', since: hour(2) },
    ]);
    expect(changes.changes.map(inBrief)).toEqual([`${diana} information predicted undefined → BEANR; `]);
    expect(changes.unchecked).toEqual([]);
  });

  it('shows a vessel that is as before only if it was notified of meanwhile, once for all its watches', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(), vessel(diana)]);
    await fixture.at(0, { [diana]: { BEANR: [0.9, 200] }, [cypress]: { NLRTM: [0.8, 100] } });
    await fixture.at(10, { [cypress]: { NLRTM: [0.8, 130] } });
    await fixture.at(20, { [cypress]: { NLRTM: [0.8, 101] } });
    // Nothing was sent yet.
    expect(await brief(0)).toEqual([]);
    await sendAll();
    expect(await brief(0)).toEqual([`${cypress} check as-before NLRTM → NLRTM; eta-slipped,eta-advanced`]);
    expect((await sinceHour(0)).changes[0]?.alerts.map(({ at }) => at)).toEqual([hour(10), hour(20)]);
    expect(await brief(10)).toEqual([`${cypress} check eta-moved NLRTM → NLRTM; eta-advanced`]);
  });

  it('tells a diversion from the next leg, by the alerts if there are any', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(diana)], {
      rules: { ...exactRules, diverted: false },
    });
    await fixture.at(0, { [cypress]: { NLRTM: [0.8, 30] }, [diana]: { NLRTM: [0.8, 30] } });
    // Both are late, but only one is notified of.
    await fixture.at(20, { [cypress]: { NLRTM: [0.8, 60] }, [diana]: { NLRTM: [0.8, 60] } });
    await fixture.at(40, { [cypress]: { BEANR: [0.9, 90] }, [diana]: { BEANR: [0.9, 90] } });
    await sendAll();
    expect(await brief(0)).toEqual([
      `${cypress} act diverted NLRTM → BEANR; eta-slipped,diverted`,
      `${diana} check next-leg NLRTM → BEANR; eta-slipped`,
    ]);
    // Since then both diversions are seen: the ETA was hours ahead.
    expect(await brief(20)).toEqual([
      `${cypress} act diverted NLRTM → BEANR; diverted`,
      `${diana} act diverted NLRTM → BEANR; `,
    ]);
  });

  it('a longer period hides neither the diversion nor the dispute that a shorter one shows', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(diana)]);
    await fixture.at(0, { [cypress]: { NLRTM: [0.8, 10] }, [diana]: { DEHAM: [0.9, 60] } });
    // The next leg of the first one, and then a diversion from there.
    await fixture.at(20, { [cypress]: { BEANR: [0.9, 60] } });
    fixture.vessels.set(cypress, { FRLEH: [0.9, 70], BEANR: [0.05, 60] });
    // The second one leads by little, first with one port and then with the other.
    fixture.vessels.set(diana, { NLRTM: [0.51, 60], DEHAM: [0.49, 60] });
    for (const hours of [30, 33]) await fixture.at(hours);
    await fixture.at(36, { [diana]: { DEHAM: [0.5, 60], NLRTM: [0.48, 60] } });
    await sendAll();
    expect(await brief(30)).toEqual([`${diana} check undecided NLRTM → DEHAM; undecided`]);
    expect(await brief(20)).toEqual([
      `${cypress} act diverted BEANR → FRLEH; diverted`,
      `${diana} check undecided DEHAM → DEHAM; undecided`,
    ]);
    expect(await brief(0)).toEqual([
      `${cypress} act diverted NLRTM → FRLEH; diverted`,
      `${diana} check undecided DEHAM → DEHAM; undecided`,
    ]);
  });

  it('a new call has the troubles that it has now', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(diana)]);
    await fixture.watch([vessel(given)]);
    for (const imo of [cypress, diana, given]) fixture.vessels.set(imo, { NLRTM: [0.9, 10] });
    await fixture.at(0);
    fixture.vessels.set(cypress, { BEANR: [0.9, 20] });
    fixture.vessels.set(diana, { BEANR: [0.45, 90], DEHAM: [0.3, 90] });
    fixture.vessels.set(given, { BEANR: [0.52, 90], DEHAM: [0.48, 90] });
    await fixture.at(30);
    expect(await brief(0)).toEqual([
      `${cypress} act overdue NLRTM → BEANR; `,
      `${diana} check unlikely NLRTM → BEANR; `,
      `${given} check undecided NLRTM → BEANR; `,
    ]);
  });

  it('shows alerts about vessels that are not compared, and about the service', async () => {
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    const listed = (vessels: Record<number, Ports>) => fixture.lists.set('FEEDERS', vessels);
    listed({ [cypress]: { NLRTM: [0.8, 100] }, [diana]: { NLRTM: [0.8, 100] } });
    await fixture.at(0);
    listed({ [cypress]: { NLRTM: [0.8, 100] }, [diana]: { NLRTM: [0.8, 130] } });
    await fixture.at(10);
    await sendAll();
    fixture.failure = new Error('no answer');
    for (const hours of [20, 40, 60]) await fixture.at(hours);
    await sendAll();
    const { changes, serviceAlerts } = await sinceHour(9);
    expect(changes.map(inBrief)).toEqual([`${diana} check eta-moved NLRTM → NLRTM; eta-slipped`]);
    expect(serviceAlerts.map(kindOf)).toEqual(['stale']);
    // Slack took the alert after the last answer.
    const notified_at = hour(11);
    await db().updateTable('alerts').set({ notified_at }).execute();
    expect(await brief(10)).toEqual([`${diana} check not-compared undefined → undefined; eta-slipped`]);
  });

  it("compares a list's vessels at its polls: one that had left it before then is no news", async () => {
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    const listed = (vessels: Record<number, readonly [number, number]>) =>
      fixture.lists.set(
        'FEEDERS',
        Object.fromEntries(Object.entries(vessels).map(([imo, call]) => [imo, { NLRTM: call }])),
      );
    listed({ [cypress]: [0.8, 100], [diana]: [0.7, 90], [given]: [0.7, 90] });
    await fixture.at(0);
    listed({ [cypress]: [0.8, 100], [diana]: [0.7, 90] });
    await fixture.at(10);
    listed({ [cypress]: [0.8, 100] });
    await fixture.at(20);
    expect(await brief(12)).toEqual([`${diana} check lost NLRTM → undefined; `]);
    expect((await sinceHour(12)).compared).toBe(3);
  });

  it('a port: newly expected, no longer expected, moved, and those that have probably called', async () => {
    await fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }]);
    const other = 9839430 as Imo;
    fixture.vessels.set(cypress, { NLRTM: [0.8, 10] });
    fixture.vessels.set(diana, { NLRTM: [0.8, 100] });
    fixture.vessels.set(other, { NLRTM: [0.8, 90] });
    await fixture.at(0);
    fixture.vessels.set(cypress, { BEANR: [0.8, 50] });
    fixture.vessels.set(diana, { NLRTM: [0.3, 100] });
    fixture.vessels.set(given, { NLRTM: [0.6, 80] });
    fixture.vessels.set(other, { NLRTM: [0.8, 110] });
    await fixture.at(20);
    expect(await brief(1)).toEqual([
      `${diana} check not-expected NLRTM → NLRTM; `,
      `${other} check eta-moved NLRTM → NLRTM; `,
      `${given} information expected undefined → NLRTM; `,
    ]);
    expect(await sinceHour(1)).toMatchObject({
      left: 1,
      compared: 3,
      changes: [{ expectedAt: 'NLRTM' }, {}, {}],
    });
  });

  it('of some vessels: their own entries, and those at watched ports; of others nothing', async () => {
    const about = (...imos: Imo[]) => sinceHour(0, 'channel', ada, { imos });
    await fixture.watch([vessel(), vessel(given)]);
    await fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }]);
    await fixture.at(0, { [cypress]: { NLRTM: [0.8, 100] }, [diana]: { NLRTM: [0.8, 100] } });
    await fixture.at(10, { [cypress]: { NLRTM: [0.8, 150] }, [diana]: { NLRTM: [0.8, 150] } });
    await sendAll();
    const some = await about(cypress, diana, 9839430 as Imo);
    expect(some.changes.map(inBrief)).toEqual([
      `${cypress} check eta-moved NLRTM → NLRTM; eta-slipped,expected-eta-moved`,
      `${diana} check eta-moved NLRTM → NLRTM; expected-eta-moved`,
    ]);
    expect(some).toMatchObject({ compared: 2, isWatched: true, unwatched: [9839430], unchecked: [] });
    expect(await about(given)).toMatchObject({ compared: 1, changes: [], isWatched: true, unwatched: [] });
    expect(await about(9839430 as Imo)).toMatchObject({ compared: 0, changes: [], isWatched: false });
  });

  it('of a port: its own entries, the vessels that may call there, and those that were diverted in between', async () => {
    const about = (port: string) => sinceHour(0, 'channel', ada, { ports: [port as Locode] });
    const other = 9839430 as Imo;
    await fixture.watch([vessel(), vessel(diana), vessel(given), vessel(other)]);
    await fixture.at(0, {
      [cypress]: { NLRTM: [0.8, 100] },
      [diana]: { BEANR: [0.8, 100], NLRTM: [0.1, 120] },
      [given]: { FRLEH: [0.9, 100], BEANR: [0.05, 110], NLRTM: [0.02, 120] },
      [other]: { DEHAM: [0.9, 100] },
    });
    await fixture.at(10, { [other]: { NLRTM: [0.9, 110] } });
    await fixture.at(20, { [cypress]: { BEANR: [0.9, 110] }, [other]: { DEHAM: [0.9, 100] } });
    await sendAll();
    const atRotterdam = await about('NLRTM');
    expect(atRotterdam.changes.map(({ imo, kind }) => [imo, kind])).toEqual([
      [other, 'as-before'],
      [cypress, 'diverted'],
    ]);
    expect(atRotterdam).toMatchObject({ compared: 3, isWatched: true });
    expect((await about('DEHAM')).changes.map(({ imo }) => imo)).toEqual([other]);
    expect(await about('SGSIN')).toMatchObject({ compared: 0, changes: [], isWatched: false });
    await fixture.watch([{ kind: 'port', port: 'SGSIN' as Locode }]);
    expect(await about('SGSIN')).toMatchObject({ unchecked: ['SGSIN'], isWatched: true });
  });

  it('leaves out watches that have ended', async () => {
    await watched({ NLRTM: [0.8, 100] }, { rules: chooseRules({ untilNextPort: true, diverted: true }) });
    await fixture.at(10, { [cypress]: { BEANR: [0.9, 120] } });
    expect(await sinceHour(0)).toMatchObject({ compared: 0, changes: [], unchecked: [] });
  });

  it('of vessels at a port: their calls there, by the port or by a list, each once', async () => {
    const port = 'NLRTM' as Locode;
    const ofPort = [{ kind: 'port', port }] as const;
    const ofList = [{ kind: 'shiplist', name: 'FEEDERS' }] as const;
    const condition = { port, imos: [cypress, diana] };
    await fixture.watch(ofPort, { title: 'two at Rotterdam', condition });
    await fixture.watch(ofList, { title: 'list FEEDERS at Rotterdam', condition: { port, imos: null } });
    const predict = (vessels: Record<number, Record<string, [number, number]>>) => {
      for (const [imo, ports] of Object.entries(vessels)) fixture.vessels.set(Number(imo), ports);
      fixture.lists.set('FEEDERS', vessels);
    };
    const elsewhere: Record<string, [number, number]> = { BEANR: [0.9, 200] };
    predict({ [cypress]: { NLRTM: [0.9, 200] }, [diana]: elsewhere });
    await fixture.at(0, { [given]: elsewhere });
    // The third vessel is in neither group.
    fixture.vessels.set(given, { NLRTM: [0.9, 200] });
    predict({ [cypress]: { NLRTM: [0.9, 240] }, [diana]: { NLRTM: [0.9, 200] } });
    for (const hours of [7, 14]) await fixture.at(hours);
    await sendAll();
    expect(await brief(1)).toEqual([
      `${cypress} check eta-moved NLRTM → NLRTM; expected-eta-moved`,
      `${diana} information expected undefined → NLRTM; newly-expected`,
    ]);
    expect(await sinceHour(1)).toMatchObject({ watches: 2, unchecked: [], late: [] });
    await fixture.watch(ofPort, { title: 'new', condition: { port, imos: [given] } });
    await fixture.at(14.05);
    expect(await sinceHour(14.05)).toMatchObject({ unchecked: [port] });
    expect(await sinceHour(1)).toMatchObject({ watches: 3, unchecked: [], late: [] });
    await fixture.watch(ofPort, { title: 'port Rotterdam (NLRTM)' });
    await fixture.at(14.1);
    expect((await sinceHour(1)).changes.map(({ imo, expectedAt }) => [imo, expectedAt])).toEqual([
      [cypress, port],
      [diana, port],
      [given, port],
    ]);
  });
});
