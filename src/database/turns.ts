import { setImmediate } from 'node:timers/promises';

const maxTurnMs = 2;

/**
 * Returns a function to await between parts of long work: now and then it lets other work of this process run. SQLite
 * answers at once, so even a chain of statements needs this.
 */
export function createTurns(): () => Promise<void> | undefined {
  let startedAt = 0;
  return () => {
    if (performance.now() - startedAt < maxTurnMs) return undefined;
    return setImmediate().then(() => {
      startedAt = performance.now();
    });
  };
}
