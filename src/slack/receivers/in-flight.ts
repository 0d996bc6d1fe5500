import { createCache } from '../../cache.ts';
import { within } from '../../clock.ts';

export type InFlight = ReturnType<typeof createInFlight>;

/** Work that is acknowledged but not yet answered. Slack repeats a delivery for up to 6 minutes. */
export function createInFlight({ realNow, max = 20_000 }: { realNow?: () => number; max?: number } = {}) {
  const running = new Set<Promise<unknown>>();
  const runs = createCache<Promise<void>>({ ttlMs: 15 * 60_000, max, ...(realNow && { realNow }) });

  /** Lets a stop wait for this work. */
  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  }

  async function unlessDone(key: string, work: () => Promise<void>): Promise<void> {
    for (let earlier = runs.get(key); earlier; earlier = runs.get(key)) {
      const [result] = await Promise.allSettled([earlier]);
      if (result.status === 'fulfilled') return;
    }
    const run = work();
    runs.set(key, run);
    try {
      await run;
    } catch (error) {
      if (runs.peek(key) === run) runs.delete(key);
      throw error;
    }
  }

  return {
    track,
    /** Does the work of a delivery once. After a failure a repeat does it again. */
    runOnce: (key: string, work: () => Promise<void>): Promise<void> => track(unlessDone(key, work)),
    count: () => running.size,
    /** Resolves when all work has finished (true), or after `deadlineMs` (false). */
    async drained(deadlineMs: number): Promise<boolean> {
      const settle = async () => {
        while (running.size > 0) await Promise.allSettled(running);
      };
      await within(settle(), deadlineMs, () => undefined);
      return running.size === 0;
    },
  };
}
