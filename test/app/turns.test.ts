import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJobs } from '../../src/app/jobs.ts';
import type { Job } from '../../src/features/feature.ts';
import { createStoreLogger } from '../support/store-logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
  due = new Set();
  paused = new Set();
  seen = [];
  opened = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** The workspaces that have work due. */
let due: Set<string>;
let paused: Set<string>;
let opened: number;
/** The workspaces whose turn it was, in their order. */
let seen: string[];

/** `turn` does the work of one workspace. */
function jobsOf(turn: (workspaceId: string, mayClaim: () => boolean) => Promise<unknown>) {
  return createJobs({
    kinds: [{ name: 'polls', findDue: async () => [...due] }],
    async openJob(workspaceId): Promise<Job | undefined> {
      opened += 1;
      if (paused.has(workspaceId)) return undefined;
      return {
        name: 'polls',
        async runDue(_, mayClaim) {
          seen.push(workspaceId);
          await turn(workspaceId, mayClaim);
        },
      };
    },
    openedJobs: async () => [],
    now: () => new Date(),
    monotonicNow: Date.now,
    logger: createStoreLogger(),
  });
}

const done = (workspaceId: string) => due.delete(workspaceId);
const never = () => new Promise<never>(() => {});
const turnsOf = (workspaceId: string) => seen.filter((other) => other === workspaceId).length;

describe('workspaces take turns', () => {
  test('one whose turn hangs holds up no other', async () => {
    due = new Set(['T1', 'T2']);
    const jobs = jobsOf(async (id) => (id === 'T1' ? never() : undefined));
    jobs.start();
    await vi.advanceTimersByTimeAsync(180_000);
    expect(turnsOf('T1')).toBe(1);
    expect(turnsOf('T2')).toBe(180);
    expect(jobs.whyNotReady()).toEqual([]);
    void jobs.stop(0);
  });

  test('one that fails is tried ever more slowly, and the process stays ready', async () => {
    due = new Set(['T1', 'T2']);
    const jobs = jobsOf(async (id) => {
      if (id === 'T1') throw new Error('a row is broken');
    });
    jobs.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(turnsOf('T1')).toBe(5);
    expect(turnsOf('T2')).toBe(60);
    expect(jobs.whyNotReady()).toEqual([]);
    await jobs.stop(0);
  });

  test('a turn claims no more after half a second if others wait, and the next turn follows theirs', async () => {
    // 40 workspaces for 32 places; each needs 1.6 s of work.
    due = new Set(Array.from({ length: 40 }, (_, index) => `T${index}`));
    const work = new Map([...due].map((id) => [id, 4]));
    const jobs = jobsOf(async (id, mayClaim) => {
      for (let left = work.get(id) ?? 0; left > 0; left -= 1) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        work.set(id, left - 1);
        if (left === 1) done(id);
        if (!mayClaim()) return;
      }
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
    // More than there are places.
    const hanging = Array.from({ length: 40 }, (_, index) => `H${index}`);
    due = new Set([...hanging, 'T1']);
    const jobs = jobsOf(async (id) => (id === 'T1' ? undefined : never()));
    jobs.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hanging.map(turnsOf)).toEqual(hanging.map(() => 1));
    expect(turnsOf('T1')).toBeGreaterThan(50);
    void jobs.stop(0);
  });

  test('a slow turn claims no more if there are many, though nobody waits for a place', async () => {
    due = new Set(Array.from({ length: 40 }, (_, index) => `T${index}`));
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOf(async (id, mayClaim) => {
      await gate.promise;
      if (mayClaim()) done(id);
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
    due = new Set(Array.from({ length: 40 }, (_, index) => `T${index}`));
    const jobs = jobsOf(async (id, mayClaim) => {
      paused.add(id);
      while (mayClaim()) await new Promise((resolve) => setTimeout(resolve, 100));
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
    const jobs = jobsOf(async (id) => done(id));
    await jobs.runDueOf('T2');
    expect(seen).toEqual(['T2']);
    await jobs.runDue();
    expect(seen).toEqual(['T2', 'T1']);
  });

  test('on request, turns under way are waited for, and followed by another', async () => {
    due = new Set(['T1']);
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOf(() => gate.promise);
    jobs.start();
    await vi.advanceTimersByTimeAsync(1_000);
    due.clear();
    let isDone = false;
    const request = jobs.runDue().then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isDone).toBe(false);
    gate.resolve();
    await request;
    expect(seen).toEqual(['T1', 'T1']);
    await jobs.stop(0);
  });
});
