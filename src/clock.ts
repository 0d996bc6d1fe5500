/**
 * Milliseconds for durations, derived from the real clock. It goes on from where it was when somebody sets the real clock
 * back, so what was to last a minute still does. Not for dates: after a clock rollback it is ahead of the real clock.
 */
export function createMonotonicClock(realNow: () => number): () => number {
  let seen = realNow();
  let at = seen;
  return () => {
    const now = realNow();
    at += Math.max(0, now - seen);
    seen = now;
    return at;
  };
}

/** Awaits the promise for at most `ms`, then throws `Error(message)`. The promise must settle on its own. */
export async function within<T>(
  promise: Promise<T>,
  { ms, message }: { ms: number; message: string },
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
