import { describe, expect, it } from 'vitest';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import {
  forgetFinishedCalls,
  readFinishedCalls,
  storeEndedCalls,
  writeFinishedCalls,
} from '../../../src/features/stability/calls.ts';
import type { EndedCall } from '../../../src/predictions/stability.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { engines, passLeaseTime } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

const rotterdam = 'NLRTM' as Locode;

describe.each(engines)('finished calls, $engine', ({ open }) => {
  const { store, fixture, workspace, db: rowsOf, watched } = useWatches(open);
  const read = (imos: readonly Imo[] = [cypress]) => readFinishedCalls(workspace(), { imos, filter: {} });
  const numbers = async () =>
    (
      await rowsOf()
        .selectFrom('finished_calls')
        .select(['imo', 'number', 'port'])
        .orderBy('imo')
        .orderBy('number')
        .execute()
    ).map(({ imo, number, port }) => [imo, number, port]);

  it('have no reading from a poll that is too old, or of the call before', async () => {
    const poller = fixture.openPoller({ fixedMinutes: 600 });
    await fixture.watch([vessel()]);
    const poll = async (at: number, ports: Parameters<typeof fixture.vessels.set>[1]) => {
      fixture.vessels.set(cypress, ports);
      fixture.clock.hours = at;
      await poller.runDue(hour(at));
    };
    await poll(0, { SGSIN: [0.9, 20] });
    await poll(20, { NLRTM: [0.9, 80] });
    await poll(40, { NLRTM: [0.9, 80] });
    await poll(55, { NLRTM: [0.9, 80] });
    await poll(79, { DEHAM: [0.9, 200] });
    const [call] = await read();
    // 8 h: the port before was on top. 32 h: the last poll was 12 h before. 56 h: the last poll was 1 h before.
    expect(call).toMatchObject({
      previousPort: 'SGSIN',
      port: 'NLRTM',
      readings: { 72: null, 48: null, 24: { port: 'NLRTM' } },
    });
  });

  it('count for a watch that ends with the call, but not what comes after it', async () => {
    const rules = chooseRules({ untilNextPort: true });
    await fixture.watch([vessel()], { rules });
    await watched({ NLRTM: [0.9, 10] }, { channelId: 'C2' });
    await fixture.at(9);
    await fixture.at(10, { [cypress]: { DEHAM: [0.9, 100] } });
    for (let at = 16; at < 100; at += 6) await fixture.at(at);
    await fixture.at(101, { [cypress]: { GBFXT: [0.9, 300] } });
    const seen = async (channelId: string) =>
      (
        await readFinishedCalls(workspace(), {
          imos: [cypress],
          filter: { channelId },
        })
      ).map(({ port }) => port);
    expect(await seen('C2')).toEqual(['DEHAM', 'NLRTM']);
    expect(await seen('C1')).toEqual(['NLRTM']);
    expect(await seen('C3')).toEqual([]);
  });

  it('count once if several subjects have the vessel, also in one transaction', async () => {
    const seen = async () => (await read()).map(({ port }) => port);
    await fixture.watch([vessel()]);
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { channelId: 'C2' });
    fixture.vessels.set(cypress, { NLRTM: [0.9, 10] });
    fixture.lists.set('FEEDERS', { [cypress]: { NLRTM: [0.9, 10] } });
    await fixture.at(0);
    await fixture.at(9);
    await fixture.at(10, { [cypress]: { DEHAM: [0.9, 100] } });
    expect(await seen()).toEqual(['NLRTM']);
    // The list is an hour behind.
    await fixture.at(11);
    fixture.lists.set('FEEDERS', { [cypress]: { DEHAM: [0.9, 100] } });
    await fixture.at(12);
    expect(await seen()).toEqual(['NLRTM']);
    for (let at = 20; at < 100; at += 6) await fixture.at(at);
    fixture.vessels.set(cypress, { GBFXT: [0.9, 300] });
    fixture.lists.set('FEEDERS', { [cypress]: { GBFXT: [0.9, 300] } });
    await fixture.at(101);
    expect(await seen()).toEqual(['DEHAM', 'NLRTM']);
  });

  it('count once if two instances find the end at the same moment', async () => {
    const ended = [cypress, diana].map(
      (imo): EndedCall => ({
        imo,
        list: '',
        previousPort: null,
        port: rotterdam,
        lastEta: hour(1),
        since: hour(-100),
        endedAt: hour(0),
      }),
    );
    const write = (these: readonly EndedCall[]) =>
      workspace().transaction((transaction) => writeFinishedCalls(transaction, these));
    await Promise.all([write(ended), write(ended.toReversed()), write(ended)]);
    expect(await numbers()).toEqual([
      [cypress, 1, 'NLRTM'],
      [diana, 1, 'NLRTM'],
    ]);
  });

  it('count once if another instance takes a poll over', async () => {
    await watched({ NLRTM: [0.9, 10] });
    fixture.vessels.set(cypress, { DEHAM: [0.9, 100] });
    fixture.clock.hours = 10;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    fixture.gate = () => {
      asked.resolve();
      return answered.promise;
    };
    const first = fixture.openPoller({ leaseMs: 10_000 }).runDue(hour(10));
    await asked.promise;
    fixture.gate = async () => {};
    await passLeaseTime(store.database, 20);
    await fixture.openPoller().runDue(hour(10));
    answered.resolve();
    await first;
    expect(await numbers()).toEqual([[cypress, 1, 'NLRTM']]);
  });

  it('cost nothing while no call ends: polls of ports and failed polls are left out', async () => {
    expect(await storeEndedCalls(workspace(), [])).toEqual(new Map());
    await fixture.watch([vessel()]);
    await fixture.watch([{ kind: 'port', port: rotterdam }], { channelId: 'C2' });
    await fixture.at(0, { [cypress]: { NLRTM: [0.9, 10] } });
    fixture.failure = new Error('down');
    await fixture.at(9);
    fixture.failure = undefined;
    await fixture.at(10, { [cypress]: { DEHAM: [0.9, 100] } });
    expect(await numbers()).toEqual([[cypress, 1, 'NLRTM']]);
    const subjects = await rowsOf()
      .selectFrom('subjects')
      .select(['kind', 'open_calls'])
      .orderBy('kind')
      .execute();
    expect(subjects).toMatchObject([{ kind: 'port', open_calls: null }, { kind: 'vessel' }]);
  });

  it('are kept for a year, or as long as the history', async () => {
    const { db } = store.database;
    await watched({ NLRTM: [0.9, 1] });
    await fixture.at(1, { [cypress]: { DEHAM: [0.8, 200] } });
    expect(await read()).toHaveLength(1);
    const forget = (days: number, historyDays: number) =>
      forgetFinishedCalls(db, hour((days - historyDays) * 24), () => true, hour(days * 24));
    expect(await forget(365, 30)).toBe(0);
    expect(await forget(366, 400)).toBe(0);
    expect(await forget(366, 30)).toBe(1);
    expect(await read()).toEqual([]);
  });
});
