import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Imo } from '../../src/reference/codes.ts';
import { killWhile } from '../support/crash-kill.ts';
import { portChange, replyIds, sentEvents, unsentCount } from '../support/crash-outbox.ts';
import { createRandom } from '../support/crash-random.ts';
import { type CrashWorld, crashEngines, startCrashWorld } from '../support/crash-world.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Few by default, since each trial waits for a lease to end. `npm run test:crash` runs 100. */
const trials = Number(process.env.CRASH_TRIALS);
const seed = Number(process.env.CRASH_SEED ?? 1);
const imos = [9461477, 9755933, 9811000] as Imo[];
const ports = ['NLRTM', 'DEHAM', 'BEANR', 'GBFXT', 'SGSIN', 'CNXAM', 'MAPTM', 'USLAX'];
const channels = ['C0OPS00001', 'C0CHARTER1'];

// Both at once: most of a trial waits for the leases of killed instances to expire.
describe.concurrent.each(crashEngines)('on %s', (engine) => {
  const random = createRandom(seed);
  let world: CrashWorld;
  beforeAll(async () => {
    world = await startCrashWorld(engine);
  });
  afterAll(() => world.close());

  it(
    `instances killed at random points notify of every event exactly once (${trials} trials, seed ${seed})`,
    async () => {
      const { instances, database } = world;
      setPorts(world, 0);
      const watches = await world.begin(channels, imos);
      const expected: string[] = [];
      for (let trial = 1; trial <= trials; trial += 1) {
        for (const { id } of watches) {
          expected.push(
            ...imos.map((imo, index) => portChange(id, imo, portAt(trial - 1, index), portAt(trial, index))),
          );
        }
        // All vessels change their next port at once.
        const { moment } = await killWhile(world, {
          random,
          maxRequests: 16,
          work: () => setPorts(world, trial),
        });
        instances.start();
        await waitUntil(`everything is sent in trial ${trial}`, async () => {
          const sent = await sentEvents(database);
          return sent.length >= expected.length && (await unsentCount(database)) === 0;
        });
        expect(await sentEvents(database), `trial ${trial}, killed ${moment}`).toEqual(expected.toSorted());
        expect(await world.record(watches), `trial ${trial}, killed ${moment}`).toEqual(
          await replyIds(database),
        );
      }
      const requestsBefore = world.service.requests.length;
      await waitUntil(
        'all vessels are polled again',
        () => world.service.requests.length > requestsBefore + 3 * imos.length,
      );
      expect(await sentEvents(database)).toEqual(expected.toSorted());
      expect(instances.failures()).toEqual([]);
    },
    60_000 + trials * 60_000,
  );
});

const portAt = (trial: number, index: number): string => ports[(trial + index) % ports.length] ?? '';

function setPorts({ ports: next }: CrashWorld, trial: number): void {
  imos.forEach((imo, index) => {
    next.set(imo, portAt(trial, index));
  });
}
