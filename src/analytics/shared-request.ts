import type { Ticket } from './request-limiter.ts';

export interface RequestContext {
  ticket: Ticket;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export type SharedRequest<T> = ReturnType<typeof startSharedRequest<T>>;

/**
 * Starts one request that several callers wait for. It is aborted when the last of them stops waiting. `onEnd` is
 * called when it settles and when it is aborted.
 */
export function startSharedRequest<T>(
  ticket: Ticket,
  load: (context: RequestContext) => Promise<T>,
  onEnd: () => void,
) {
  const controller = new AbortController();
  let waiting = 0;
  const result = load({ ticket, signal: controller.signal }).finally(onEnd);
  // After the last caller has left, a failure must not become an unhandled rejection.
  result.catch(() => {});

  return {
    ticket,
    /** Rejects early if the caller's signal fires, or with `late()` after `deadlineMs`. */
    join(signal: AbortSignal | undefined, deadlineMs: number | undefined, late: () => Error): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const aborted = () => leave(signal?.reason);
      const timer = deadlineMs === undefined ? undefined : setTimeout(() => leave(late()), deadlineMs);
      function settle(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      }
      function leave(reason: unknown): void {
        settle();
        waiting -= 1;
        reject(reason);
        if (waiting > 0) return;
        onEnd();
        controller.abort(reason);
      }
      waiting += 1;
      signal?.addEventListener('abort', aborted, { once: true });
      result.finally(settle).then(resolve, reject);
      return promise;
    },
  };
}
