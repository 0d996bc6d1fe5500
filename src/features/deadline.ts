/** The work did not finish before its deadline. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`);
  }
}

/** Awaits the promise with the deadline paused, then restarts the deadline. The promise must settle on its own. */
export type WithDeadlinePaused = <T>(waiting: Promise<T>) => Promise<T>;

/** Aborts the work's signal at the deadline, and throws DeadlineError even if the work ignores the signal. */
export async function withinDeadline<T>(
  deadlineMs: number,
  work: (signal: AbortSignal, withDeadlinePaused: WithDeadlinePaused) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const start = () =>
    setTimeout(() => {
      const error = new DeadlineError(deadlineMs);
      reject(error);
      controller.abort(error);
    }, deadlineMs);
  let timer = start();
  const withDeadlinePaused: WithDeadlinePaused = async (waiting) => {
    clearTimeout(timer);
    try {
      return await waiting;
    } finally {
      timer = start();
    }
  };
  try {
    return await Promise.race([work(controller.signal, withDeadlinePaused), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
