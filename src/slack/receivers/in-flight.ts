import { within } from '../../clock.ts';

export type InFlight = ReturnType<typeof createInFlight>;

/** Tracks work that is acknowledged but not yet answered, for a graceful stop. */
export function createInFlight() {
  const running = new Set<Promise<unknown>>();
  return {
    track<T>(work: Promise<T>): Promise<T> {
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
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
