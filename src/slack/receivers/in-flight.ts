export interface InFlight {
  track<T>(work: Promise<T>): Promise<T>;
  count(): number;
  /** Resolves when all work has finished (true), or after `deadlineMs` (false). */
  drained(deadlineMs: number): Promise<boolean>;
}

/** Tracks work that is acknowledged but not yet answered, for a graceful stop. */
export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
    count: () => running.size,
    async drained(deadlineMs) {
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadlineMs);
      const idle = async () => {
        while (running.size > 0) await Promise.allSettled(running);
      };
      await Promise.race([idle(), deadline]);
      clearTimeout(timer);
      return running.size === 0;
    },
  };
}
