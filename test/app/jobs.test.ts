import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJobs } from '../../src/app/jobs.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import type { Job } from '../../src/features/feature.ts';
import { createStoreLogger } from '../support/store-logger.ts';

/** The workspaces that have work due, of every kind. */
let due: Set<string>;
let paused: Set<string>;
let opened: number;
/** The kind and the workspace of each turn, in their order. */
let seen: string[];
let logger: ReturnType<typeof createStoreLogger>;
beforeEach(() => {
  vi.useFakeTimers();
  due = new Set(['T1']);
  paused = new Set();
  opened = 0;
  seen = [];
  logger = createStoreLogger();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is done in a turn of one workspace. */
type Work = (workspaceId: string, mayClaim: () => boolean) => unknown;

function jobsOf(works: Record<string, Work>, maintenance: Job[] = []) {
  return createJobs({
    kinds: Object.keys(works).map((name) => ({ name, findDue: async () => [...due] })),
    async openJob(workspaceId, name): Promise<Job | undefined> {
      opened += 1;
      if (paused.has(workspaceId)) return undefined;
      return {
        name,
        async runDue(_, mayClaim) {
          seen.push(`${name} ${workspaceId}`);
          await works[name]?.(workspaceId, mayClaim);
        },
      };
    },
    openedJobs: async () => [],
    maintenance,
    now: () => new Date(),
    monotonicNow: Date.now,
    logger,
  });
}

const nothing = () => undefined;
const never = () => new Promise<never>(() => {});
const done = (workspaceId: string) => due.delete(workspaceId);
const fails = (error: Error) => () => {
  throw error;
};
/** Of a kind, a workspace, or both. */
const turnsOf = (words: string) => seen.filter((turn) => turn.includes(words)).length;
/** More than there are places. */
const fortyWorkspaces = () => Array.from({ length: 40 }, (_, index) => `W${index}.`);

test('on request, a job that fails does not stop the others, and the first error is thrown', async () => {
  const jobs = jobsOf({
    polls: fails(new Error('no polls')),
    digests: nothing,
    messages: fails(new Error('no messages')),
  });
  await expect(jobs.runDue()).rejects.toThrow('no polls');
  expect(seen).toEqual(['polls T1', 'digests T1', 'messages T1']);
});

test('a job or a workspace that hangs or fails holds up no other', async () => {
  due = new Set(['T1', 'T2']);
  const jobs = jobsOf({
    polls: (id) => (id === 'T1' ? never() : undefined),
    digests: (id) => (id === 'T1' ? fails(new Error('a row is broken'))() : undefined),
    messages: nothing,
    notices: never,
  });
  jobs.start();
  await vi.advanceTimersByTimeAsync(60_000);
  // A failure is tried again after 1, 3, 7, 15 and 31 seconds.
  expect(['polls T1', 'digests T1', 'notices'].map(turnsOf)).toEqual([1, 5, 2]);
  expect(['polls T2', 'digests T2', 'messages T1', 'messages T2'].map(turnsOf)).toEqual([60, 60, 60, 60]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(turnsOf('polls T2')).toBe(180);
  expect(jobs.whyNotReady()).toEqual(['notices have not finished a round for 3 minutes']);
  void jobs.stop(0);
});

test('names a job that has not finished a round for two minutes, until it does', async () => {
  const gate = Promise.withResolvers<void>();
  const jobs = jobsOf({ polls: () => gate.promise, messages: nothing });
  jobs.start();
  await vi.advanceTimersByTimeAsync(119_999);
  expect(jobs.whyNotReady()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(jobs.whyNotReady()).toEqual(['polls have not finished a round for 2 minutes']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(jobs.whyNotReady()).toEqual(['polls have not finished a round for 3 minutes']);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.whyNotReady()).toEqual([]);
  await jobs.stop(0);
});

test('names the jobs whose last round failed until one succeeds; one reason for a database that does not answer', async () => {
  let error: Error | undefined = new Error('no such column');
  const failing = () => {
    if (error) throw error;
  };
  const jobs = jobsOf({ polls: failing, digests: failing, messages: nothing });
  await expect(jobs.runDue()).rejects.toThrow('no such column');
  expect(jobs.whyNotReady()).toEqual([
    'the last round of polls failed; the log says why',
    'the last round of digests failed; the log says why',
  ]);
  error = new StoreUnavailable('the database does not answer');
  await expect(jobs.runDue()).rejects.toThrow('the database does not answer');
  expect(jobs.whyNotReady()).toEqual(['the database does not answer']);
  error = undefined;
  await jobs.runDue();
  expect(jobs.whyNotReady()).toEqual([]);
});

test('a stop waits for a job that hangs only until its deadline', async () => {
  const jobs = jobsOf({ polls: never, messages: nothing });
  jobs.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const stopped = vi.fn();
  const stop = jobs.stop(5_000).then(stopped);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(stopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await stop;
  expect(seen).toEqual(['polls T1', 'messages T1']);
});

describe('the rounds of one job', () => {
  const roundsOf = (runDue: Job['runDue'], finish: () => Promise<void> = async () => {}) =>
    jobsOf({}, [{ name: 'clean-ups', runDue, finish }]);

  /** A job whose rounds end only when the test opens their gates. */
  function createHeldJob() {
    const gates: PromiseWithResolvers<void>[] = [];
    return {
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

  test('never overlap, and requests during a round share the next one', async () => {
    const { runDue, open } = createHeldJob();
    const jobs = roundsOf(runDue);
    const first = jobs.runDue();
    await vi.advanceTimersByTimeAsync(0);
    const others = [jobs.runDue(), jobs.runDue()];
    open(0);
    await first;
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['begin', 'end', 'begin']);
    open(1);
    await Promise.all(others);
    expect(seen).toEqual(['begin', 'end', 'begin', 'end']);
  });

  test('may claim more work for half a minute each', async () => {
    const asked: boolean[] = [];
    const jobs = roundsOf(async (_, mayClaim) => {
      for (const ms of [0, 29_999, 1]) {
        await vi.advanceTimersByTimeAsync(ms);
        asked.push(mayClaim());
      }
    });
    await jobs.runDue();
    await jobs.runDue();
    expect(asked).toEqual([true, true, false, true, true, false]);
  });

  test('come once a second; ever more slowly while they fail, at least twice a minute, until one succeeds', async () => {
    let isFailing = false;
    let rounds = 0;
    const jobs = roundsOf(async () => {
      rounds += 1;
      if (isFailing) throw new Error('connect ECONNREFUSED');
    });
    jobs.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(rounds).toBe(3);
    isFailing = true;
    await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
    expect(rounds).toBe(6);
    expect(jobs.whyNotReady()).toEqual(['the last round of clean-ups failed; the log says why']);
    isFailing = false;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(jobs.whyNotReady()).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(rounds).toBe(9);
    const failure = (failures: number) => ({
      level: 'warn',
      fields: { job: 'clean-ups', failures, reason: 'connect ECONNREFUSED' },
      message: 'a job failed; it is tried again',
    });
    expect(logger.lines).toEqual([
      ...[1, 2, 3].map(failure),
      { level: 'info', fields: { job: 'clean-ups', failures: 3 }, message: 'a job works again' },
    ]);
    isFailing = true;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    const before = rounds;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(rounds - before).toBe(20);
    await jobs.stop(0);
  });

  test('end with a stop, which waits for the one under way, that may claim no more, and for what outlives it', async () => {
    const job = createHeldJob();
    const work = Promise.withResolvers<void>();
    let mayClaim = () => true;
    const jobs = roundsOf(
      (_, may) => {
        mayClaim = may;
        return job.runDue();
      },
      () => work.promise,
    );
    jobs.start();
    await vi.advanceTimersByTimeAsync(1_000);
    const queued = jobs.runDue();
    const stopped = vi.fn();
    const stop = jobs.stop(600_000).then(stopped);
    expect(mayClaim()).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(stopped).not.toHaveBeenCalled();
    job.open(0);
    await queued;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stopped).not.toHaveBeenCalled();
    work.resolve();
    await stop;
    expect(seen).toEqual(['begin', 'end']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('workspaces take turns', () => {
  test('a turn claims no more after half a second if others wait, and the next turn follows theirs', async () => {
    // 40 workspaces for 32 places; each needs 1.6 s of work.
    due = new Set(fortyWorkspaces());
    const work = new Map([...due].map((id) => [id, 4]));
    const jobs = jobsOf({
      async polls(id, mayClaim) {
        for (let left = work.get(id) ?? 0; left > 0; left -= 1) {
          await new Promise((resolve) => setTimeout(resolve, 400));
          work.set(id, left - 1);
          if (left === 1) done(id);
          if (!mayClaim()) return;
        }
      },
    });
    jobs.start();
    await vi.advanceTimersByTimeAsync(1_000 + 900);
    // After two pieces of work of 32 workspaces, all others have had a turn.
    expect(new Set(seen).size).toBe(40);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([...due]).toEqual([]);
    expect([...work.values()].every((left) => left === 0)).toBe(true);
    await jobs.stop(0);
  });

  test('turns that hang give up their places', async () => {
    const hanging = fortyWorkspaces();
    due = new Set([...hanging, 'T1']);
    const jobs = jobsOf({ polls: (id) => (id === 'T1' ? undefined : never()) });
    jobs.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hanging.map(turnsOf)).toEqual(hanging.map(() => 1));
    expect(turnsOf('T1')).toBeGreaterThan(50);
    void jobs.stop(0);
  });

  test('a slow turn claims no more if there are many, though nobody waits for a place', async () => {
    due = new Set(fortyWorkspaces());
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOf({
      async polls(id, mayClaim) {
        await gate.promise;
        if (mayClaim()) done(id);
      },
    });
    jobs.start();
    // All turns have begun, and have given up their places.
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen).toHaveLength(40);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(3_000);
    expect([...due]).toEqual([]);
    expect([...new Set(seen)].map(turnsOf)).toEqual(seen.slice(0, 40).map(() => 2));
    await jobs.stop(0);
  });

  test('a workspace that is paused during a turn that is cut gets no further turn', async () => {
    due = new Set(fortyWorkspaces());
    const jobs = jobsOf({
      async polls(id, mayClaim) {
        paused.add(id);
        while (mayClaim()) await new Promise((resolve) => setTimeout(resolve, 100));
      },
    });
    jobs.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toHaveLength(40);
    // Each look finds them due, and opens each once at most.
    expect(opened).toBeLessThan(40 * 12);
    void jobs.stop(0);
  });

  test('on request, only the work of one workspace is done', async () => {
    due = new Set(['T1', 'T2']);
    const jobs = jobsOf({ polls: done });
    await jobs.runDueOf('T2');
    expect(seen).toEqual(['polls T2']);
    await jobs.runDue();
    expect(seen).toEqual(['polls T2', 'polls T1']);
  });

  test('on request, turns under way are waited for, and followed by another', async () => {
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOf({ polls: () => gate.promise });
    jobs.start();
    await vi.advanceTimersByTimeAsync(1_000);
    due.clear();
    const requested = vi.fn();
    const request = jobs.runDue().then(requested);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requested).not.toHaveBeenCalled();
    gate.resolve();
    await request;
    expect(seen).toEqual(['polls T1', 'polls T1']);
    await jobs.stop(0);
  });
});
