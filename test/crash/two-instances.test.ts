import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Imo } from '../../src/reference/imo.ts';
import { comesTrue } from '../support/comes-true.ts';
import { portChange, replyIds, sentEvents, waiting } from '../support/crash-outbox.ts';
import { createRandom } from '../support/crash-random.ts';
import { type CrashWorld, startCrashWorld } from '../support/crash-world.ts';

/** `npm run test:crash` runs 100. */
const trials = Number(process.env.CRASH_TRIALS ?? 5);
const seed = Number(process.env.CRASH_SEED ?? 1);
const random = createRandom(seed);
const imos = [9461477, 9755933, 9811000] as Imo[];
const ports = ['NLRTM', 'DEHAM', 'BEANR', 'GBFXT', 'SGSIN', 'CNXAM', 'MAPTM', 'USLAX'];
const channels = ['C0OPS00001', 'C0CHARTER1'];

let world: CrashWorld;
beforeAll(async () => {
  world = await startCrashWorld();
});
afterAll(() => world.close());

it(
  `two instances killed at random points notify of every event exactly once (${trials} trials, seed ${seed})`,
  async () => {
    const { instances, database } = world;
    setPorts(0);
    const watches = await world.begin(channels, imos);
    const expected: string[] = [];
    for (let trial = 1; trial <= trials; trial += 1) {
      for (const { id } of watches) {
        expected.push(
          ...imos.map((imo, index) => portChange(id, imo, portAt(trial - 1, index), portAt(trial, index))),
        );
      }
      const at = await killWhileTelling(trial);
      instances.start();
      await comesTrue(`everything is sent in trial ${trial}`, async () => {
        const sent = await sentEvents(database);
        return sent.length >= expected.length && (await waiting(database)) === 0;
      });
      expect(await sentEvents(database), `trial ${trial}, killed ${at}`).toEqual(expected.toSorted());
      expect(await world.record(watches), `trial ${trial}, killed ${at}`).toEqual(await replyIds(database));
    }
    const asked = world.service.requests.length;
    await comesTrue('all are asked again', () => world.service.requests.length > asked + 3 * imos.length);
    expect(await sentEvents(database)).toEqual(expected.toSorted());
    expect(instances.failures()).toEqual([]);
  },
  60_000 + trials * 60_000,
);

/** All vessels change their next port at once; both instances die while they poll and notify, or right after. */
async function killWhileTelling(trial: number): Promise<string> {
  const { slack, service, instances } = world;
  const plan = {
    call: 1 + Math.floor(random() * 16),
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
    // Slack has the message, but its answer is lost.
    if (calls >= plan.call && plan.isAfter) strike();
  };
  setPorts(trial);
  await comesTrue('the blow has fallen', () => killed !== undefined);
  await killed;
  service.answer = answer;
  slack.onDone = () => {};
  return `at call ${plan.call}${plan.isAfter ? ', done' : ''}, and ${plan.ms} ms`;
}

const portAt = (trial: number, index: number): string => ports[(trial + index) % ports.length] ?? '';

function setPorts(trial: number): void {
  imos.forEach((imo, index) => {
    world.ports.set(imo, portAt(trial, index));
  });
}
