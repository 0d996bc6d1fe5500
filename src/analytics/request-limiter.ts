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

interface QueuedRequest {
  ticket: Ticket;
  start: () => void;
}

const successesPerRaise = 10;
/** The share of the places that background requests may take, so people need not wait until a slow one ends. */
const backgroundShare = 0.75;

/**
 * Bounds the requests in flight. People take turns, so nobody waits for all vessels of another person's fleet.
 * Background requests start only if no person waits; their owners take turns too.
 */
export function createRequestLimiter({ max, realNow }: { max: number; realNow: () => number }) {
  let limit = max;
  let active = 0;
  let successes = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  /** The number of the last turn of each person and owner. It is forgotten when no request is in flight. */
  const lastTurns = new Map<string, number>();
  const queue: QueuedRequest[] = [];

  const pauseMs = () => Math.max(0, pausedUntil - realNow());

  function drain(): void {
    const pause = pauseMs();
    if (pause > 0) {
      if (queue.length === 0 || timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        drain();
      }, pause);
      return;
    }
    while (active < limit) {
      const next = nextInTurn();
      if (!next) break;
      queue.splice(queue.indexOf(next), 1);
      turn += 1;
      for (const taker of takersOf(next)) lastTurns.set(taker, turn);
      active += 1;
      next.start();
    }
  }

  /** The oldest request of the person whose last turn was the longest ago; without people, of such an owner. */
  function nextInTurn(): QueuedRequest | undefined {
    const interactive = queue.filter(({ ticket }) => ticket.people.size > 0);
    const mayStartBackground = active < Math.max(1, Math.floor(limit * backgroundShare));
    const candidates = interactive.length > 0 || !mayStartBackground ? interactive : queue;
    const earliest = Math.min(...candidates.map(lastTurnOf));
    return candidates.find((request) => lastTurnOf(request) === earliest);
  }

  function takersOf({ ticket: { people, owner } }: QueuedRequest): string[] {
    return people.size > 0 ? [...people] : [`background ${owner}`];
  }

  function lastTurnOf(request: QueuedRequest): number {
    return Math.min(...takersOf(request).map((taker) => lastTurns.get(taker) ?? 0));
  }

  function release(): void {
    active -= 1;
    drain();
    if (active === 0) lastTurns.clear();
  }

  return {
    /** Resolves to the function that releases the place. Rejects with the signal's reason. */
    enter(ticket: Ticket, signal: AbortSignal, onStart = () => {}): Promise<() => void> {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const request: QueuedRequest = {
          ticket,
          start() {
            signal.removeEventListener('abort', leave);
            ticket.hasStarted = true;
            onStart();
            let isReleased = false;
            resolve(() => {
              if (!isReleased) release();
              isReleased = true;
            });
          },
        };
        function leave(): void {
          queue.splice(queue.indexOf(request), 1);
          reject(signal.reason);
        }
        signal.addEventListener('abort', leave, { once: true });
        queue.push(request);
        ticket.onJoin = drain;
        drain();
      });
    },
    /** After a 429: halves the limit, and starts no request before `pause` milliseconds have passed. */
    slowDown(pause = 0) {
      limit = Math.max(1, Math.floor(limit / 2));
      successes = 0;
      pausedUntil = Math.max(pausedUntil, realNow() + pause);
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
    inFlight: () => active,
    queued: () => queue.length,
  };
}
