import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDueLoop } from '../../src/database/due-loop.ts';
import { createStoreLogger } from '../support/store-logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const now = () => new Date('2026-11-21T12:00:00Z');

function record() {
  const seen: string[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const held = async (at: Date) => {
    seen.push(`begin ${at.toISOString()}`);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    seen.push('end');
  };
  return { seen, gates, held };
}

test("runs the jobs in their order, with the domain clock's time", async () => {
  const seen: string[] = [];
  const job = (name: string) => async (at: Date) => seen.push(`${name} ${at.toISOString()}`);
  const loop = createDueLoop({ jobs: [job('polls'), job('messages')], now, logger: createStoreLogger() });
  await loop.runDue();
  expect(seen).toEqual(['polls 2026-11-21T12:00:00.000Z', 'messages 2026-11-21T12:00:00.000Z']);
});

test('runs never overlap', async () => {
  const { seen, gates, held } = record();
  const loop = createDueLoop({ jobs: [held], now, logger: createStoreLogger() });
  const runs = [loop.runDue(), loop.runDue()];
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toHaveLength(1);
  gates[0]?.resolve();
  await runs[0];
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.map((word) => word.split(' ')[0])).toEqual(['begin', 'end', 'begin']);
  gates[1]?.resolve();
  await runs[1];
});

test('runs automatically once a second, ever more slowly while it fails, and once a second after it recovers', async () => {
  let failing = false;
  let runs = 0;
  const job = async () => {
    runs += 1;
    if (failing) throw new Error('connect ECONNREFUSED');
  };
  const loop = createDueLoop({ jobs: [job], now, logger: createStoreLogger() });
  loop.start();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(runs).toBe(3);
  failing = true;
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
  expect(runs).toBe(6);
  expect(loop.failure()).toBe('connect ECONNREFUSED');
  failing = false;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(loop.failure()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(9);
  await loop.stop(1_000);
});

test('a failure rejects its own run, and does not block later runs', async () => {
  let failing = true;
  const job = async () => {
    if (failing) throw new Error('gone');
  };
  const loop = createDueLoop({ jobs: [job], now, logger: createStoreLogger() });
  await expect(loop.runDue()).rejects.toThrow('gone');
  failing = false;
  await expect(loop.runDue()).resolves.toBeUndefined();
});

test('a job that fails does not stop the others', async () => {
  const seen: string[] = [];
  const fails = (why: string) => async () => {
    seen.push(why);
    throw new Error(why);
  };
  const jobs = [fails('polls'), async () => seen.push('digests'), fails('messages')];
  const loop = createDueLoop({ jobs, now, logger: createStoreLogger() });
  await expect(loop.runDue()).rejects.toThrow('polls');
  expect(seen).toEqual(['polls', 'digests', 'messages']);
});

test('stopping waits for the job under way, starts no further jobs, and ends', async () => {
  const { seen, gates, held } = record();
  const loop = createDueLoop({ jobs: [held, held], now, logger: createStoreLogger() });
  loop.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const stopped = loop.stop(5_000);
  gates[0]?.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toHaveLength(2);

  const stuck = record();
  const other = createDueLoop({ jobs: [stuck.held], now, logger: createStoreLogger() });
  void other.runDue();
  const ended = other.stop(5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(ended).resolves.toBeUndefined();
});

test('waits at most half a minute between failures', async () => {
  let runs = 0;
  const job = async () => {
    runs += 1;
    throw new Error('gone');
  };
  const loop = createDueLoop({ jobs: [job], now, logger: createStoreLogger() });
  loop.start();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  const before = runs;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(runs - before).toBe(20);
  await loop.stop(1_000);
});

test('logs each failure of a run, and logs once that work has resumed', async () => {
  let failing = true;
  const fails = (why: string) => async () => {
    if (failing) throw new Error(why);
  };
  const logger = createStoreLogger();
  const loop = createDueLoop({ jobs: [fails('polls'), fails('messages')], now, logger });
  loop.start();
  await vi.advanceTimersByTimeAsync(1_000);
  failing = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(logger.lines).toEqual([
    { level: 'warn', fields: { err: new Error('messages') }, message: 'another scheduled job failed too' },
    { level: 'warn', fields: { failures: 1, reason: 'polls' }, message: 'scheduled work failed' },
    { level: 'info', fields: { failures: 1 }, message: 'scheduled work has resumed' },
  ]);
  await loop.stop(1_000);
});

test('stopping waits for a job that hangs only until its deadline', async () => {
  const { seen, held } = record();
  const loop = createDueLoop({ jobs: [held], now, logger: createStoreLogger() });
  loop.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toHaveLength(1);
  let ended = false;
  const stopped = loop.stop(5_000).finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
});

test('leaves no timer behind, whenever it is stopped', async () => {
  const { gates, held } = record();
  const loop = createDueLoop({ jobs: [held], now, logger: createStoreLogger() });
  loop.start();
  await loop.stop(5_000);
  expect(vi.getTimerCount()).toBe(0);

  const working = createDueLoop({ jobs: [held], now, logger: createStoreLogger() });
  working.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const stopped = working.stop(5_000);
  gates[0]?.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
