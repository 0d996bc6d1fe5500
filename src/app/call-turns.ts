import { UserError } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';

/** In the whole process. */
export const callLimits = { maxAtOnce: 4, maxWaiting: 40, maxWaitingOfPerson: 12 };

/** Of other requests, such as the list of tools: they only compute, so they don't wait for calls, which wait for the service. */
export const otherLimits = { ...callLimits, maxAtOnce: 1 };

/** About as long as the calls that wait take. */
export const retrySeconds = 5;

/**
 * Bounds the calls of assistants. People take turns, so a burst of one assistant delays neither people in Slack nor other
 * assistants much. Returns a function that waits for a person's turn and returns the function that ends it. It throws
 * UserError too-busy if too many calls wait already, and the signal's reason.
 */
export function createCallTurns({
  maxAtOnce,
  maxWaiting,
  maxWaitingOfPerson,
}: {
  maxAtOnce: number;
  maxWaiting: number;
  maxWaitingOfPerson: number;
}): (personId: string, signal: AbortSignal) => Promise<() => void> {
  const queue = createFairQueue({ max: () => maxAtOnce });
  return async (personId, signal) => {
    // A few people with many calls each shut nobody else out.
    const maxOwn = queue.waiting() < maxWaiting ? maxWaitingOfPerson : 1;
    if (queue.waiting(personId) >= maxOwn) throw tooBusy();
    return await queue.enter({ takers: () => [personId], signal });
  };
}

/** A sender who sends more than `assistantLimit` allows. */
export const tooManyRequests = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'This assistant sends too many requests.',
    hint: `Try again in ${retrySeconds} seconds.`,
  });

const tooBusy = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'Landfall is busy: too many calls of assistants are waiting.',
    hint: `Try again in ${retrySeconds} seconds, with fewer calls at once.`,
  });
