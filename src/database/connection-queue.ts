import { AsyncLocalStorage } from 'node:async_hooks';

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
 * for all of it: due work gets a connection only if no command waits for one.
 */
export function createConnectionQueue({ max, maxBackground }: ConnectionLimits) {
  const commands: (() => void)[] = [];
  const dueWork: (() => void)[] = [];
  let taken = 0;
  let takenByDueWork = 0;

  function startNext(): void {
    while (taken < max) {
      const next = commands.shift() ?? (takenByDueWork < maxBackground ? dueWork.shift() : undefined);
      if (!next) return;
      next();
    }
  }

  return {
    /** Resolves to the function that gives the place back. */
    async enter(): Promise<() => void> {
      const isBackground = background.getStore() === true;
      await new Promise<void>((resolve) => {
        (isBackground ? dueWork : commands).push(() => {
          taken += 1;
          if (isBackground) takenByDueWork += 1;
          resolve();
        });
        startNext();
      });
      return () => {
        taken -= 1;
        if (isBackground) takenByDueWork -= 1;
        startNext();
      };
    },
  };
}
