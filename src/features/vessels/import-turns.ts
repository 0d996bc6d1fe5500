import { createMonotonicClock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import type { RunContext } from '../run-context.ts';

/** Reading a file of 5 MB takes a second of the processor. */
export const maxImportsPerHour = 20;
const hourMs = 3_600_000;

type Asked = Pick<RunContext, 'actor' | 'signal' | 'withDeadlinePaused'>;

/**
 * Lets the imports of a workspace run one after another, and each person begin so many in an hour; refused files count
 * too. Throws UserError too-busy.
 */
export function createImportTurns({ realNow }: { realNow: () => number }) {
  const monotonicNow = createMonotonicClock(realNow);
  const begun = new Map<string, number[]>();
  const queue = createFairQueue({ max: () => 1 });

  function checkRate(userId: string): void {
    const now = monotonicNow();
    for (const [person, times] of begun) {
      const recent = times.filter((at) => at > now - hourMs);
      if (recent.length > 0) begun.set(person, recent);
      else begun.delete(person);
    }
    const times = begun.get(userId) ?? [];
    const [first = now] = times;
    if (times.length >= maxImportsPerHour) {
      const minutes = Math.max(1, Math.ceil((first + hourMs - now) / 60_000));
      throw new UserError({
        code: 'too-busy',
        message: `You can share ${maxImportsPerHour} files an hour. Nothing of this one was saved.`,
        hint: `Please share it again in ${minutes} min.`,
      });
    }
    begun.set(userId, [...times, now]);
  }

  return async <T>({ actor, signal, withDeadlinePaused }: Asked, work: () => Promise<T>): Promise<T> => {
    checkRate(actor.userId);
    const entering = queue.enter({ signal });
    const leave = await (withDeadlinePaused ? withDeadlinePaused(entering) : entering);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}
