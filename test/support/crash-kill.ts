import { setTimeout as wait } from 'node:timers/promises';
import type { CrashWorld } from './crash-world.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Runs `work`, and kills all instances at one of the requests that they then make, or right after it. Some posts
 * fail meanwhile. Returns the result of `work`, and the moment of the kill in words.
 */
export async function killWhile<Result>(
  { slack, service, instances }: CrashWorld,
  options: {
    random: () => number;
    /** The kill comes at one of the first `maxRequests` requests. */
    maxRequests: number;
    work: () => Result | Promise<Result>;
    /** Checked before the kill: if the work is finished with fewer requests, the instances are killed then. */
    isFinished?: (result: Result) => Promise<boolean>;
  },
): Promise<{ moment: string; result: Result }> {
  const { random } = options;
  const plan = {
    request: 1 + Math.floor(random() * options.maxRequests),
    isAfter: random() < 0.5,
    delayMs: Math.floor(random() * 12),
  };
  let requests = 0;
  let killed: Promise<void> | undefined;
  const kill = () => {
    killed ??= wait(plan.delayMs).then(() => instances.kill());
  };
  const { answer } = service;
  service.answer = (request, response) => {
    requests += 1;
    if (requests === plan.request) kill();
    return answer(request, response);
  };
  slack.beforeRequest = (method) => {
    requests += 1;
    if (requests === plan.request && !plan.isAfter) kill();
    if (method !== 'chat.postMessage') return 'through';
    const luck = random();
    return luck < 0.1 ? 'cut' : luck < 0.15 ? 'lost' : 'through';
  };
  slack.afterRequest = () => {
    // Slack has the message, but the answer is lost.
    if (requests >= plan.request && plan.isAfter) kill();
  };
  const result = await options.work();
  await waitUntil('the instances are killed', async () => {
    if (await options.isFinished?.(result)) kill();
    return killed !== undefined;
  });
  await killed;
  service.answer = answer;
  slack.afterRequest = () => {};
  const moment = `${plan.delayMs} ms after request ${plan.request}${plan.isAfter ? ' was answered' : ''}`;
  return { moment, result };
}
