import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJobLoop } from '../../src/app/turns.ts';
import type { Job } from '../../src/features/feature.ts';
import { createStoreLogger } from '../support/store-logger.ts';

const start = new Date('2026-11-21T12:00:00Z');

let logger: ReturnType<typeof createStoreLogger>;
beforeEach(() => {
  vi.useFakeTimers({ now: start });
  logger = createStoreLogger();
});
afterEach(() => {
  vi.useRealTimers();
});

const loopOf = (runDue: Job['runDue'], finish?: Job['finish']) =>
  createJobLoop({
    job: { name: 'polls', runDue, ...(finish && { finish }) },
    now: () => new Date('2030-01-01T00:00:00Z'),
    monotonicNow: Date.now,
    logger,
  });

/** A job whose rounds end only when the test opens their gates. */
function createHeldJob() {
  const seen: string[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  return {
    seen,
    async runDue() {
      seen.push('begin');
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      seen.push('end');
    },
    open: (round: number) => gates[round]?.resolve(),
  };
}

function createFailingJob() {
  const job = {
    isFailing: true,
    rounds: 0,
    async runDue() {
      job.rounds += 1;
      if (job.isFailing) throw new Error('connect ECONNREFUSED');
    },
  };
  return job;
}

test("runs the job with the domain clock's time", async () => {
  const times: Date[] = [];
  await loopOf(async (now) => times.push(now)).runOnce();
  expect(times).toEqual([new Date('2030-01-01T00:00:00Z')]);
});

test('rounds never overlap, and requests during a round share the next one', async () => {
  const { seen, runDue, open } = createHeldJob();
  const loop = loopOf(runDue);
  const first = loop.runOnce();
  await vi.advanceTimersByTimeAsync(0);
  const second = loop.runOnce();
  expect(loop.runOnce()).toBe(second);
  open(0);
  await first;
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['begin', 'end', 'begin']);
  open(1);
  await second;
  expect(seen).toEqual(['begin', 'end', 'begin', 'end']);
});

test('a round may claim more work for half a minute', async () => {
  const asked: boolean[] = [];
  const loop = loopOf(async (_, mayClaim) => {
    for (const ms of [0, 29_999, 1]) {
      await vi.advanceTimersByTimeAsync(ms);
      asked.push(mayClaim());
    }
  });
  await loop.runOnce();
  await loop.runOnce();
  expect(asked).toEqual([true, true, false, true, true, false]);
});

test('runs once a second; ever more slowly while it fails, at least twice a minute, until it recovers', async () => {
  const job = createFailingJob();
  job.isFailing = false;
  const loop = loopOf(job.runDue);
  loop.start();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(job.rounds).toBe(3);
  job.isFailing = true;
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
  expect(job.rounds).toBe(6);
  expect(loop.failure()).toEqual(new Error('connect ECONNREFUSED'));
  job.isFailing = false;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(loop.failure()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(job.rounds).toBe(9);
  job.isFailing = true;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  const before = job.rounds;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(job.rounds - before).toBe(20);
  await loop.stop();
});

test('logs each failure, and logs once that the job works again', async () => {
  const job = createFailingJob();
  const loop = loopOf(job.runDue);
  loop.start();
  await vi.advanceTimersByTimeAsync(1_000);
  job.isFailing = false;
  await vi.advanceTimersByTimeAsync(10_000);
  const reason = 'connect ECONNREFUSED';
  expect(logger.lines).toEqual([
    {
      level: 'warn',
      fields: { job: 'polls', failures: 1, reason },
      message: 'a job failed; it is tried again',
    },
    { level: 'info', fields: { job: 'polls', failures: 1 }, message: 'a job works again' },
  ]);
  await loop.stop();
});

test('a stop waits for the round under way, which may claim no more, and starts no other', async () => {
  const job = createHeldJob();
  let mayClaim = () => true;
  const loop = loopOf((_, may) => {
    mayClaim = may;
    return job.runDue();
  });
  loop.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const queued = loop.runOnce();
  const stopped = loop.stop();
  expect(mayClaim()).toBe(false);
  job.open(0);
  await Promise.all([stopped, queued]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(job.seen).toEqual(['begin', 'end']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stop waits for work that outlives its round', async () => {
  const work = Promise.withResolvers<void>();
  const loop = loopOf(
    async () => {},
    () => work.promise,
  );
  await loop.runOnce();
  const stopped = vi.fn();
  const stop = loop.stop().then(stopped);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stopped).not.toHaveBeenCalled();
  work.resolve();
  await stop;
});
