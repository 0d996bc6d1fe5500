import type { Ticket } from './call-limiter.ts';

export interface CallContext {
  ticket: Ticket;
  /** Aborted when nobody waits for the call any longer. */
  signal: AbortSignal;
}

export interface JoinOptions {
  signal?: AbortSignal | undefined;
  /** This caller waits no longer. */
  deadline?: { afterMs: number; error: (begun: boolean) => Error } | undefined;
}

/** One call that several callers wait for: it lives as long as one of them does. */
export interface SharedCall<T> {
  readonly ticket: Ticket;
  join(options: JoinOptions): Promise<T>;
}

/** Starts the call. `ended` is told once, when it has settled or been given up. */
export function startSharedCall<T>(
  ticket: Ticket,
  load: (context: CallContext) => Promise<T>,
  ended: () => void,
): SharedCall<T> {
  const controller = new AbortController();
  let waiting = 0;
  const result = load({ ticket, signal: controller.signal }).finally(ended);
  // When all callers have left, nobody hears of the failure.
  result.catch(() => {});

  return {
    ticket,
    join({ signal, deadline }) {
      return new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const aborted = () => leave(signal?.reason);
        const timer = deadline && setTimeout(() => leave(deadline.error(ticket.begun)), deadline.afterMs);
        function settle(): void {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
        }
        function leave(reason: unknown): void {
          settle();
          waiting -= 1;
          reject(reason);
          if (waiting > 0) return;
          ended();
          controller.abort(reason);
        }
        waiting += 1;
        signal?.addEventListener('abort', aborted, { once: true });
        result.finally(settle).then(resolve, reject);
      });
    },
  };
}
