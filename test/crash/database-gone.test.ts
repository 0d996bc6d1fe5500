import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Imo } from '../../src/reference/imo.ts';
import { comesTrue } from '../support/comes-true.ts';
import { portChange, replyIds, sentEvents, waiting } from '../support/crash-outbox.ts';
import { type CrashWorld, startCrashWorld } from '../support/crash-world.ts';

const imo = 9461477 as Imo;

let world: CrashWorld;
beforeAll(async () => {
  world = await startCrashWorld();
});
afterAll(() => world.close());

const isReady = async (expected: number) => {
  const urls = world.instances.urls();
  // A pooled connection may be closed at that moment.
  const ask = (url: string) =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => undefined,
    );
  const states = await Promise.all(urls.map(ask));
  return states.length === 2 && states.every((status) => status === expected);
};

it('the database goes while an alert is on its way and comes back: the bot survives, and notifies once', async () => {
  const { postgres, database, instances, slack, ports } = world;
  ports.set(imo, 'NLRTM');
  const [watch] = await world.begin(['C0OPS00001'], [imo]);
  await comesTrue('both are ready', () => isReady(200));
  let stopped: Promise<void> | undefined;
  // Slack has the alert, and the bot can't store that.
  slack.onDone = (method) => {
    if (method === 'chat.postMessage') stopped ??= postgres.stop();
    return stopped;
  };
  ports.set(imo, 'DEHAM');
  await comesTrue('the database is gone', () => stopped !== undefined);
  await stopped;
  await comesTrue('both say so', () => isReady(503));
  ports.set(imo, 'BEANR');
  await postgres.start();
  const expected = [
    portChange(watch?.id ?? '', imo, 'NLRTM', 'DEHAM'),
    portChange(watch?.id ?? '', imo, 'DEHAM', 'BEANR'),
  ].sort();
  await comesTrue('everything is sent', async () => {
    return (await sentEvents(database)).length >= expected.length && (await waiting(database)) === 0;
  });
  expect(await sentEvents(database)).toEqual(expected);
  expect(await world.record(watch ? [watch] : [])).toEqual(await replyIds(database));
  await comesTrue('both are ready again', () => isReady(200));
  expect(instances.failures()).toEqual([]);
}, 120_000);
