import { createCache } from '../../cache.ts';

/** Runs the work of a delivery once; Slack repeats it for up to 6 minutes. After a failure a repeat runs it again. */
export function createDeduplicate({ realNow, max = 20_000 }: { realNow: () => number; max?: number }) {
  const runs = createCache<Promise<void>>({ ttlMs: 15 * 60_000, realNow, max });

  return async (key: string, work: () => Promise<void>): Promise<'done' | 'repeat'> => {
    for (let earlier = runs.get(key); earlier; earlier = runs.get(key)) {
      const [result] = await Promise.allSettled([earlier]);
      if (result.status === 'fulfilled') return 'repeat';
    }
    const run = work();
    runs.set(key, run);
    try {
      await run;
    } catch (error) {
      if (runs.peek(key) === run) runs.delete(key);
      throw error;
    }
    return 'done';
  };
}
