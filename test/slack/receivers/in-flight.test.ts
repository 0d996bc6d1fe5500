import { expect, test, vi } from 'vitest';
import { createInFlight } from '../../../src/slack/context.ts';

const gateOf = () => Promise.withResolvers<void>();

test('waits for work in flight, and says whether all of it finished', async () => {
  const inFlight = createInFlight();
  const gate = gateOf();
  inFlight.track(gate.promise);
  expect(await inFlight.drained(1)).toBe(false);
  expect(inFlight.count()).toBe(1);
  gate.reject(new Error('its own affair'));
  await expect(gate.promise).rejects.toThrow();
  expect(await inFlight.drained(60_000)).toBe(true);
});

test('does not run a repeat, during the first run or after it', async () => {
  const { runOnce } = createInFlight();
  const gate = gateOf();
  const work = vi.fn(() => gate.promise);
  const both = Promise.all([runOnce('a', work), runOnce('a', work)]);
  gate.resolve();
  await both;
  await runOnce('a', work);
  expect(work).toHaveBeenCalledTimes(1);
});

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
