import { createMonotonicClock } from '../cache.ts';
import { createFairQueue } from '../fair-queue.ts';

/** One request's place in the queue. */
export interface Ticket {
  /** The people who wait for the answer; more may join while it is queued. Empty for a background request. */
  readonly people: Set<string>;
  /** Whose background request it is: digests name their owners, polls nobody. */
  readonly owner: string;
  /** Set when the request starts. */
  hasStarted: boolean;
  /** To be called after a person has joined: a background request that becomes interactive may start at once. */
  onJoin?: () => void;
}

export type RequestLimiter = ReturnType<typeof createRequestLimiter>;

const successesPerRaise = 10;
/** The share of the places that background requests may take, so people need not wait until a slow one ends. */
const backgroundShare = 0.75;

/**
 * Bounds the requests in flight. People take turns, so nobody waits for all vessels of another person's fleet.
 * Background requests start only if no person waits; their owners take turns too.
 */
export function createRequestLimiter({ max, realNow }: { max: number; realNow: () => number }) {
  const now = createMonotonicClock(realNow);
  let limit = max;
  let successes = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  const queue = createFairQueue({
    max: () => (pauseMs() > 0 ? 0 : limit),
    maxBackground: (interactive) => Math.max(1, Math.floor(limit * backgroundShare)) - interactive,
  });

  const pauseMs = () => Math.max(0, pausedUntil - now());

  function startAfterPause(): void {
    clearTimeout(timer);
    if (pauseMs() > 0) timer = setTimeout(startAfterPause, pauseMs()).unref();
    else queue.startNext();
  }

  return {
    /** Resolves to the function that releases the place. Rejects with the signal's reason. */
    enter(ticket: Ticket, signal: AbortSignal, onStart = () => {}): Promise<() => void> {
      const { people, owner } = ticket;
      ticket.onJoin = queue.startNext;
      return queue.enter({
        takers: () => (people.size > 0 ? [...people] : [`background ${owner}`]),
        isBackground: () => people.size === 0,
        signal,
        onStart() {
          ticket.hasStarted = true;
          onStart();
        },
      });
    },
    /** After a 429: halves the limit, and starts no request before `pause` milliseconds have passed. */
    slowDown(pause = 0) {
      limit = Math.max(1, Math.floor(limit / 2));
      successes = 0;
      pausedUntil = Math.max(pausedUntil, now() + pause);
      startAfterPause();
    },
    /** After an answer: every tenth answer raises the limit by one. */
    speedUp() {
      successes += 1;
      if (limit === max || successes < successesPerRaise) return;
      successes = 0;
      limit += 1;
    },
    /** The time until a request may start. */
    pauseMs,
    inFlight: queue.taken,
    queued: () => queue.waiting(),
  };
}
