import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { comesTrue } from '../support/comes-true.ts';
import { addDigests, answerDigests, makeDue, postedDigests, sentCount } from '../support/crash-digests.ts';
import { createRandom } from '../support/crash-random.ts';
import { type CrashWorld, startCrashWorld } from '../support/crash-world.ts';

/** Half as many as for watches: `npm run test:crash` runs 50. */
const trials = Math.ceil(Number(process.env.CRASH_TRIALS ?? 5) / 2);
const seed = Number(process.env.CRASH_SEED ?? 1);
const random = createRandom(seed);
const channels = ['C0OPS00001', 'C0CHARTER1', 'C0OPS00001', 'C0CHARTER1'];

let world: CrashWorld;
beforeAll(async () => {
  world = await startCrashWorld();
  answerDigests(world);
});
afterAll(() => world.close());

it(
  `two instances killed at random points send every digest exactly once (${trials} trials, seed ${seed})`,
  async () => {
    await world.begin([], []);
    const digests = await addDigests(world, channels);
    const expected: string[] = [];
    for (let trial = 1; trial <= trials; trial += 1) {
      const { at, ids } = await killWhileSending(() => makeDue(world, digests));
      expected.push(...ids);
      world.instances.start();
      await comesTrue(
        `all is sent in trial ${trial}`,
        async () => (await sentCount(world)) >= expected.length,
      );
      expect(await postedDigests(world, channels), `trial ${trial}, killed ${at}`).toEqual(
        expected.toSorted(),
      );
    }
    expect(world.instances.failures()).toEqual([]);
  },
  60_000 + trials * 60_000,
);

/** The digests are due; both instances die at one of the calls they make, or right after. */
async function killWhileSending(begin: () => Promise<string[]>): Promise<{ at: string; ids: string[] }> {
  const { slack, service, instances } = world;
  const plan = {
    call: 1 + Math.floor(random() * 14),
    isAfter: random() < 0.5,
    ms: Math.floor(random() * 12),
  };
  let calls = 0;
  let killed: Promise<void> | undefined;
  const strike = () => {
    killed ??= wait(plan.ms).then(() => instances.kill());
  };
  const { answer } = service;
  service.answer = (request, response) => {
    calls += 1;
    if (calls === plan.call) strike();
    return answer(request, response);
  };
  slack.meet = (method) => {
    calls += 1;
    if (calls === plan.call && !plan.isAfter) strike();
    if (method !== 'chat.postMessage') return 'through';
    const luck = random();
    return luck < 0.1 ? 'cut' : luck < 0.15 ? 'lost' : 'through';
  };
  slack.onDone = () => {
    if (calls >= plan.call && plan.isAfter) strike();
  };
  const sentBefore = await sentCount(world);
  const ids = await begin();
  await comesTrue('the blow has fallen', async () => {
    // One instance alone makes fewer calls than two: then they die after all the work.
    if ((await sentCount(world)) >= sentBefore + ids.length) strike();
    return killed !== undefined;
  });
  await killed;
  service.answer = answer;
  slack.onDone = () => {};
  return { at: `at call ${plan.call}${plan.isAfter ? ', done' : ''}, and ${plan.ms} ms`, ids };
}
