import { expect, test, vi } from 'vitest';
import { createInFlight } from '../../../src/slack/context.ts';

const gateOf = () => Promise.withResolvers<void>();

test('runs one of many repeats after a failure', async () => {
  const { runOnce } = createInFlight();
  const gate = gateOf();
  const first = runOnce('a', () => gate.promise);
  const work = vi.fn(async () => {});
  const repeats = [runOnce('a', work), runOnce('a', work)];
  gate.reject(new Error('cut'));
  await expect(first).rejects.toThrow('cut');
  await Promise.all(repeats);
  expect(work).toHaveBeenCalledTimes(1);
});

test('remembers for more than 10 minutes, within a bound', async () => {
  let now = 1;
  const { runOnce } = createInFlight({ realNow: () => now, max: 2 });
  const ran: string[] = [];
  const run = (key: string) => runOnce(key, async () => void ran.push(key));
  await run('a');
  now += 10 * 60_000;
  for (const key of ['a', 'b', 'c', 'a']) await run(key);
  expect(ran).toEqual(['a', 'b', 'c', 'a']);
});
