import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDigests, answerDigests, makeDue, postedDigests, sentCount } from '../support/crash-digests.ts';
import { killWhile } from '../support/crash-kill.ts';
import { createRandom } from '../support/crash-random.ts';
import { type CrashWorld, crashEngines, startCrashWorld } from '../support/crash-world.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Half as many trials as for watches: `npm run test:crash` runs 50. */
const trials = Math.ceil(Number(process.env.CRASH_TRIALS) / 2);
const seed = Number(process.env.CRASH_SEED ?? 1);
const channels = ['C0OPS00001', 'C0CHARTER1', 'C0OPS00001', 'C0CHARTER1'];

// Both at once: most of a trial waits for the leases of killed instances to expire.
describe.concurrent.each(crashEngines)('on %s', (engine) => {
  const random = createRandom(seed);
  let world: CrashWorld;
  beforeAll(async () => {
    world = await startCrashWorld(engine);
    answerDigests(world);
  });
  afterAll(() => world.close());

  it(
    `instances killed at random points send every digest exactly once (${trials} trials, seed ${seed})`,
    async () => {
      await world.begin([], []);
      const digests = await addDigests(world, channels);
      const expected: string[] = [];
      for (let trial = 1; trial <= trials; trial += 1) {
        const sentBefore = await sentCount(world);
        const { moment, result: ids } = await killWhile(world, {
          random,
          maxRequests: 14,
          work: () => makeDue(world, digests),
          isFinished: async (due) => (await sentCount(world)) >= sentBefore + due.length,
        });
        expected.push(...ids);
        world.instances.start();
        await waitUntil(
          `everything is sent in trial ${trial}`,
          async () => (await sentCount(world)) >= expected.length,
        );
        expect(await postedDigests(world, channels), `trial ${trial}, killed ${moment}`).toEqual(
          expected.toSorted(),
        );
      }
      expect(world.instances.failures()).toEqual([]);
    },
    60_000 + trials * 60_000,
  );
});
