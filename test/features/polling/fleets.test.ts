import { beforeEach, describe, expect, it } from 'vitest';
import { alertEvents } from '../../../src/features/alerts/alert.ts';
import { reply } from '../../../src/features/alerts/messages.ts';
import type { Watch } from '../../../src/features/polling/watch.ts';
import { listWatches } from '../../../src/features/polling/watch-list.ts';
import { imosIn, type PortCondition } from '../../../src/features/rules/evaluation/state.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { createAuditLog } from '../../../src/workspaces/audit.ts';
import { engines } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { createFleets, createVesselNames } from '../../support/vessel-stores.ts';
import { cypress, diana, given, hour, type Ports, vessel } from '../../support/watch-story.ts';

const rotterdam = 'NLRTM' as Locode;
const port = { kind: 'port', port: rotterdam } as const;

describe.each(engines)('watches of fleets, $engine', ({ open }) => {
  const { fixture, outboxRows, workspace, db } = useWatches(open);
  let fleets: ReturnType<typeof createFleets>;
  beforeEach(async () => {
    fleets = createFleets({ ...fixture, store: workspace() });
    for (const imo of [cypress, diana, given]) fixture.vessels.set(imo, { NLRTM: [0.9, 300] });
    await fleets.add({ name: 'North', imos: [cypress, diana] }, fixture.by());
  });

  const watchFleet = () => fixture.watch([vessel()], { title: 'fleet North', fleet: 'NORTH' });

  const watchAtRotterdam = (condition: PortCondition = { port: rotterdam, imos: [cypress, diana] }) =>
    fixture.watch([port], { title: 'fleet North at Rotterdam (NLRTM)', fleet: 'NORTH', condition });

  const read = async ({ id }: Pick<Watch, 'id'>) => {
    const { watches } = await listWatches(workspace(), { ids: [id] }, { limit: 1 });
    const [watch] = watches;
    if (!watch) throw new Error('the watch is gone');
    return watch;
  };
  const imosOf = async (watch: Watch) =>
    (await read(watch)).followedSubjects.flatMap(({ subject }) => ('imo' in subject ? [subject.imo] : []));

  const events = async (watch: Watch) => {
    const replies = (await outboxRows()).filter(
      ({ kind, thread_key }) => kind === 'reply' && thread_key === watch.id,
    );
    return replies.flatMap(({ payload }) =>
      reply.parse(payload).events.map((event) => `${event.kind} ${'imo' in event ? event.imo : ''}`),
    );
  };

  /** Polls at these hours; returns what was asked. */
  const pollAt = async (...hours: number[]) => {
    fixture.calls.length = 0;
    for (const each of hours) await fixture.at(each);
    return [...fixture.calls].sort();
  };

  it('begin with its members at that moment, whatever was read before', async () => {
    expect(await imosOf(await watchFleet())).toEqual([cypress, diana]);
    const stale = { port: rotterdam, imos: [given] };
    expect((await read(await watchAtRotterdam(stale))).condition).toEqual({
      port: rotterdam,
      imos: [cypress, diana],
    });
  });

  it('poll a vessel that is added at once, which notifies nobody, and one that is removed no more', async () => {
    const watch = await watchFleet();
    expect(await pollAt(0)).toEqual([`vessel ${cypress}`, `vessel ${diana}`]);
    expect(await fleets.add({ name: 'NORTH', imos: [diana, given] }, fixture.by())).toMatchObject({
      vessels: 1,
      watches: [{ channelId: 'C1' }],
    });
    expect(await imosOf(watch)).toEqual([cypress, diana, given]);
    expect(await pollAt(0.5)).toEqual([`vessel ${given}`]);
    expect(await events(watch)).toEqual([]);
    expect(await fleets.remove({ name: 'North', imos: [cypress] }, fixture.by())).toMatchObject({
      vessels: 1,
      watches: [{ channelId: 'C1' }],
    });
    for (const imo of [cypress, diana, given]) fixture.vessels.set(imo, { DEHAM: [0.9, 300] });
    const asked = await pollAt(7, 14);
    expect(asked).not.toContain(`vessel ${cypress}`);
    expect((await events(watch)).sort()).toEqual([`diverted ${diana}`, `diverted ${given}`]);
    const left = await db().selectFrom('subjects').select('key').orderBy('key').execute();
    expect(left.map(({ key }) => Number(key))).toEqual([diana, given]);
    const log = createAuditLog(workspace());
    const { changes } = await log.list({}, { limit: 9 });
    expect(changes.filter(({ action }) => action === 'watch.follow')).toMatchObject([
      { subject: 'fleet North', before: { imos: [cypress, diana, given] }, after: { imos: [diana, given] } },
      { subject: 'fleet North', before: { imos: [cypress, diana] } },
    ]);
  });

  it('end the dispute of a vessel that is removed, and close its alerts; those of others stay open', async () => {
    const watch = await watchFleet();
    const both = (ports: Ports) => {
      for (const imo of [cypress, diana]) fixture.vessels.set(imo, ports);
    };
    both({ NLRTM: [0.9, 200] });
    await pollAt(0);
    both({ NLRTM: [0.48, 200], DEHAM: [0.47, 200] });
    await pollAt(7, 14);
    expect((await events(watch)).sort()).toEqual([`undecided ${cypress}`, `undecided ${diana}`]);
    await fleets.remove({ name: 'North', imos: [cypress] }, fixture.by());
    const alerts = await db().selectFrom('alerts').selectAll().execute();
    const ofVessel = (imo: Imo) =>
      alerts.find(({ events: found }) =>
        alertEvents.parse(found).some((event) => 'imo' in event && event.imo === imo),
      );
    expect(ofVessel(cypress)).toMatchObject({
      events: [{ end: { kind: 'over', at: hour(14).toISOString() } }],
      closed_at: hour(14),
      edit_key: null,
    });
    expect(ofVessel(diana)).toMatchObject({ closed_at: null, edit_key: `dispute ${diana}` });
    const replies = (await outboxRows()).filter(({ kind }) => kind === 'reply');
    const shown = replies.flatMap(({ payload }) => reply.parse(payload).events);
    expect(shown.filter((event) => 'end' in event)).toMatchObject([{ imo: cypress }]);
  });

  it('keep what they know of a vessel that stays', async () => {
    const watch = await watchFleet();
    await pollAt(0);
    const stateOf = async () =>
      (await read(watch)).followedSubjects.find(({ subject }) => 'imo' in subject && subject.imo === diana)
        ?.state;
    const before = await stateOf();
    expect(before).not.toBeNull();
    await fleets.add({ name: 'North', imos: [given] }, fixture.by());
    await fleets.remove({ name: 'North', imos: [cypress] }, fixture.by());
    expect(await stateOf()).toEqual(before);
  });

  it('follow an import and the form too, in every channel, paused or not; ended ones and others stay', async () => {
    const active = await watchFleet();
    const paused = await fixture.watch([], { title: 'fleet North', fleet: 'NORTH', channelId: 'C2' });
    const ended = await fixture.watch([], { title: 'fleet North', fleet: 'NORTH', channelId: 'C3' });
    const alone = await fixture.watch([vessel(), vessel(diana)]);
    for (const [{ id }, status] of [
      [paused, 'paused'],
      [ended, 'ended'],
    ] as const)
      await db().updateTable('watches').set({ status }).where('id', '=', id).execute();
    const names = createVesselNames({ ...fixture, store: workspace(), realNow: Date.now });
    await names.save(
      [{ imo: given, name: 'OURS' }],
      fixture.by(),
      { kind: 'typed' },
      {
        fleets: [
          { name: 'north', imos: [given] },
          { name: 'South', imos: [given] },
        ],
      },
    );
    expect(await imosOf(active)).toEqual([cypress, diana, given]);
    expect(await imosOf(paused)).toEqual([cypress, diana, given]);
    expect(await imosOf(ended)).toEqual([cypress, diana]);
    expect(await imosOf(alone)).toEqual([cypress, diana]);
    const updates = (await outboxRows()).filter(({ kind }) => kind === 'card-update');
    expect(updates.map(({ thread_key }) => thread_key).sort()).toEqual([active.id, paused.id].sort());
  });

  it('keep the last vessels of a fleet that is gone, say so, and follow it if there is one again', async () => {
    const watch = await watchFleet();
    const condition = await watchAtRotterdam();
    expect(await fleets.remove({ name: 'North' }, fixture.by())).toMatchObject({
      vessels: 2,
      watches: [{}, {}],
    });
    expect(await read(watch)).toMatchObject({ isFleetGone: true });
    expect(await read(condition)).toMatchObject({
      isFleetGone: true,
      condition: { imos: [cypress, diana] },
    });
    expect(await imosOf(watch)).toEqual([cypress, diana]);
    expect(await pollAt(0)).toEqual([`port ${rotterdam}`, `vessel ${cypress}`, `vessel ${diana}`]);
    await fleets.add({ name: 'NORTH', imos: [given] }, fixture.by());
    expect(await read(watch)).toMatchObject({ isFleetGone: false });
    expect(await imosOf(watch)).toEqual([given]);
    expect((await read(condition)).condition?.imos).toEqual([given]);
  });

  it('at a port: one request for all, as often as their own ETAs need, and later members count', async () => {
    const watch = await watchAtRotterdam();
    // In port now, but in nobody's fleet.
    fixture.vessels.set(given, { NLRTM: [0.9, 1] });
    fixture.vessels.set(diana, { BEANR: [0.9, 300] });
    expect(await pollAt(0)).toEqual([`port ${rotterdam}`]);
    const interval = async () =>
      (await db().selectFrom('subjects').selectAll().executeTakeFirstOrThrow()).interval_minutes;
    expect(await interval()).toBe(360);
    fixture.vessels.set(diana, { NLRTM: [0.9, 30] });
    await pollAt(7, 14);
    expect(await events(watch)).toEqual([`newly-expected ${diana}`]);
    expect(await interval()).toBeLessThan(60);
    await fleets.add({ name: 'North', imos: [given] }, fixture.by());
    await pollAt(14.1);
    const [followed] = (await read(watch)).followedSubjects;
    expect(imosIn(followed?.state)).toEqual([cypress, diana, given]);
    expect(await events(watch)).toHaveLength(1);
    // Beside a watch of the whole port, all ETAs count.
    await fixture.watch([port], { title: 'port Rotterdam (NLRTM)' });
    await pollAt(14.2);
    expect(await interval()).toBe(15);
  });

  it("a list at a port: one request for the list, whose vessels' history tells the latest figures", async () => {
    const condition: PortCondition = { port: rotterdam, imos: null };
    const subject = { kind: 'shiplist', name: 'FEEDERS' } as const;
    const watch = await fixture.watch([subject], { title: 'list FEEDERS at Rotterdam (NLRTM)', condition });
    fixture.lists.set('FEEDERS', { [cypress]: { NLRTM: [0.9, 300] }, [diana]: { BEANR: [0.9, 300] } });
    expect(await pollAt(0)).toEqual(['list FEEDERS']);
    fixture.lists.set('FEEDERS', {
      [cypress]: { NLRTM: [0.8, 301], BEANR: 0.2 },
      [diana]: { NLRTM: [0.9, 300] },
    });
    expect(await pollAt(7, 14)).toEqual(['list FEEDERS', 'list FEEDERS']);
    expect(await events(watch)).toEqual([`newly-expected ${diana}`]);
    const filter = { ids: [watch.id] };
    const { watches } = await listWatches(workspace(), filter, {
      limit: 1,
      withLatest: true,
    });
    const call = { port: rotterdam, probability: 0.8, eta: hour(301) };
    expect(watches[0]?.followedSubjects[0]?.latest).toEqual(
      new Map([
        [cypress, [call]],
        [diana, [{ port: rotterdam, probability: 0.9, eta: hour(300) }]],
      ]),
    );
  });
});
