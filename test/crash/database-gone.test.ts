import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Imo } from '../../src/reference/codes.ts';
import { portChange, replyIds, sentEvents, unsentCount } from '../support/crash-outbox.ts';
import { type CrashWorld, startCrashWorld } from '../support/crash-world.ts';
import { startPostgres, type TestPostgres } from '../support/store-postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

const imo = 9461477 as Imo;

let world: CrashWorld;
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await startCrashWorld('postgres', postgres);
});
afterAll(async () => {
  await world.close();
  await postgres.close();
});

const isReady = async (expected: number) => {
  const urls = world.instances.urls();
  // A pooled connection may be closed at that moment.
  const statusOf = (url: string) =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => undefined,
    );
  const states = await Promise.all(urls.map(statusOf));
  return states.length === 2 && states.every((status) => status === expected);
};

it('if the database fails during an alert and comes back, the bot survives and notifies once', async () => {
  const { database, instances, slack, ports } = world;
  ports.set(imo, 'NLRTM');
  const [watch] = await world.begin(['C0OPS00001'], [imo]);
  await waitUntil('both are ready', () => isReady(200));
  let stopped: Promise<void> | undefined;
  // Slack has the alert, but the bot can't store that it was sent.
  slack.afterRequest = (method) => {
    if (method === 'chat.postMessage') stopped ??= postgres.stop();
    return stopped;
  };
  ports.set(imo, 'DEHAM');
  await waitUntil('the database is gone', () => stopped !== undefined);
  await stopped;
  await waitUntil('both are not ready', () => isReady(503));
  ports.set(imo, 'BEANR');
  await postgres.start();
  const expected = [
    portChange(watch?.id ?? '', imo, 'NLRTM', 'DEHAM'),
    portChange(watch?.id ?? '', imo, 'DEHAM', 'BEANR'),
  ].sort();
  await waitUntil('everything is sent', async () => {
    return (await sentEvents(database)).length >= expected.length && (await unsentCount(database)) === 0;
  });
  expect(await sentEvents(database)).toEqual(expected);
  expect(await world.record(watch ? [watch] : [])).toEqual(await replyIds(database));
  await waitUntil('both are ready again', () => isReady(200));
  expect(instances.failures()).toEqual([]);
}, 120_000);
