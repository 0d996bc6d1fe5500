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

/** Awaits the promise for at most `ms`, then resolves to what `late` returns. The promise must settle on its own. */
export async function within<T, Late>(promise: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([promise, end.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
