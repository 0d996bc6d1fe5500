import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairQueue } from '../fair-queue.ts';

const background = new AsyncLocalStorage<true>();

/** For due work: its statements, and all that it begins, go behind those of commands. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work);

export interface ConnectionLimits {
  max: number;
  /** At most so many are used by due work. */
  maxBackground: number;
}

/**
 * The requests for a connection. Hundreds of workspaces may have due work at once, and nobody who asks something may wait
 * for all of it: while commands wait, due work gets only one connection in 21, so it goes on however many there are.
 */
export function createConnectionQueue({ max, maxBackground }: ConnectionLimits) {
  const queue = createFairQueue({ max: () => max, maxBackground: () => maxBackground, maxInARow: 20 });
  return {
    /** Resolves to the function that gives the place back. */
    enter(): Promise<() => void> {
      const isBackground = background.getStore() === true;
      return queue.enter({ isBackground: () => isBackground });
    },
  };
}
