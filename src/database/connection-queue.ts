import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/** For due work: its statements, and all that it begins, go behind those of commands. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work);

export interface ConnectionLimits {
  max: number;
  /** At most so many are used by due work. */
  maxBackground: number;
}

/** Then due work gets a turn, so it goes on however many questions people ask. */
const maxCommandsInARow = 20;

/**
 * The requests for a connection. Hundreds of workspaces may have due work at once, and nobody who asks something may wait
 * for all of it: while commands wait, due work gets only one connection in 21.
 */
export function createConnectionQueue({ max, maxBackground }: ConnectionLimits) {
  const commands: (() => void)[] = [];
  const dueWork: (() => void)[] = [];
  let taken = 0;
  let takenByDueWork = 0;
  let commandsInARow = 0;

  function startNext(): void {
    while (taken < max) {
      const mayTakeDueWork = dueWork.length > 0 && takenByDueWork < maxBackground;
      const isCommand = commands.length > 0 && !(mayTakeDueWork && commandsInARow >= maxCommandsInARow);
      const next = isCommand ? commands.shift() : mayTakeDueWork ? dueWork.shift() : undefined;
      if (!next) return;
      // Only those that went before waiting due work count.
      commandsInARow = isCommand && mayTakeDueWork ? commandsInARow + 1 : 0;
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
