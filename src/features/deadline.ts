/** A command took longer than it may, and did not heed its signal. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`);
  }
}

/** Pauses the deadline while this is awaited, and then restarts it. The promise must settle without help. */
type WithDeadlinePaused = <T>(waiting: Promise<T>) => Promise<T>;

/**
 * Gives the work a signal that fires at the deadline, and does not wait for work that ignores it. What waits
 * for others to be done does so `withDeadlinePaused`.
 */
export async function withinDeadline<T>(
  deadlineMs: number,
  work: (signal: AbortSignal, withDeadlinePaused: WithDeadlinePaused) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const begin = () =>
    setTimeout(() => {
      const error = new DeadlineError(deadlineMs);
      reject(error);
      controller.abort(error);
    }, deadlineMs);
  let timer = begin();
  const withDeadlinePaused: WithDeadlinePaused = async (waiting) => {
    clearTimeout(timer);
    try {
      return await waiting;
    } finally {
      timer = begin();
    }
  };
  try {
    return await Promise.race([work(controller.signal, withDeadlinePaused), late]);
  } finally {
    clearTimeout(timer);
  }
}
