/** One call's place in the queue. */
export interface Ticket {
  /** Who waits for the answer; more people may join while it is queued. Nobody: a background call. */
  readonly people: Set<string>;
  /** Set when it leaves the queue. */
  begun: boolean;
}

export interface CallLimiter {
  /** Resolves to the function that releases the place. Rejects with the signal's reason. */
  enter(ticket: Ticket, signal: AbortSignal): Promise<() => void>;
  /** The service said 429: half as many at once, none before `pauseMs` have passed. */
  slowDown(pauseMs?: number): void;
  speedUp(): void;
  /** How long no call will be started. */
  pauseMs(): number;
  inFlight(): number;
  queued(): number;
}

interface Waiting {
  ticket: Ticket;
  start: () => void;
}

const successesPerRaise = 10;

/**
 * Bounds the calls in flight: every 429 halves the limit, ten answers raise it by one. People take turns, so
 * that nobody waits for all of another's fleet; background calls go when nobody waits.
 */
export function createCallLimiter({ max, realNow }: { max: number; realNow: () => number }): CallLimiter {
  let limit = max;
  let active = 0;
  let successes = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  /** The number of each person's last turn, until no call is in flight. */
  const lastTurns = new Map<string, number>();
  const queue: Waiting[] = [];

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
      for (const person of next.ticket.people) lastTurns.set(person, turn);
      active += 1;
      next.start();
    }
  }

  /** The oldest call of whoever had their last turn the longest ago; with no people waiting, the oldest call. */
  function nextInTurn(): Waiting | undefined {
    let next = queue[0];
    let earliest = Number.POSITIVE_INFINITY;
    for (const waiting of queue) {
      for (const person of waiting.ticket.people) {
        const lastTurn = lastTurns.get(person) ?? 0;
        if (lastTurn >= earliest) continue;
        earliest = lastTurn;
        next = waiting;
      }
    }
    return next;
  }

  function release(): void {
    active -= 1;
    drain();
    if (active === 0) lastTurns.clear();
  }

  return {
    enter(ticket, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const waiting: Waiting = {
          ticket,
          start() {
            signal.removeEventListener('abort', leave);
            ticket.begun = true;
            let isReleased = false;
            resolve(() => {
              if (!isReleased) release();
              isReleased = true;
            });
          },
        };
        function leave(): void {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal.reason);
        }
        signal.addEventListener('abort', leave, { once: true });
        queue.push(waiting);
        drain();
      });
    },
    slowDown(pause = 0) {
      limit = Math.max(1, Math.floor(limit / 2));
      successes = 0;
      pausedUntil = Math.max(pausedUntil, realNow() + pause);
    },
    speedUp() {
      successes += 1;
      if (limit === max || successes < successesPerRaise) return;
      successes = 0;
      limit += 1;
    },
    pauseMs,
    inFlight: () => active,
    queued: () => queue.length,
  };
}
