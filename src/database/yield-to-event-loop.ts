import { setImmediate } from 'node:timers/promises';

const maxHoldMs = 2;

/**
 * Returns a function to await between parts of long work: now and then it lets other work of this process run. SQLite
 * answers at once, so even a chain of statements needs this.
 */
export function createYieldToEventLoop(): () => Promise<void> | undefined {
  let startedAt = 0;
  return () => {
    if (performance.now() - startedAt < maxHoldMs) return undefined;
    return setImmediate().then(() => {
      startedAt = performance.now();
    });
  };
}
