/** One call's place in the queue. The priority may rise while it waits (somebody joined the call). */
export interface Ticket {
  priority: 'interactive' | 'background';
  /** Set when it leaves the queue. */
  begun: boolean;
}

export interface CallLimiter {
  /** Resolves to the function that gives the place back. Rejects with the signal's reason. */
  enter(ticket: Ticket, signal: AbortSignal): Promise<() => void>;
  /** The service said 429: half as many at once, none before `pauseMs` have passed. */
  slowDown(pauseMs?: number): void;
  speedUp(): void;
  /** How long nothing will be started. */
  pauseMs(): number;
  inFlight(): number;
  queued(): number;
}

interface Waiting {
  ticket: Ticket;
  start: () => void;
}

const successesPerRaise = 10;

/** Bounds the calls in flight: halved by every 429, raised by one after every ten answers, interactive first. */
export function createCallLimiter({ max, realNow }: { max: number; realNow: () => number }): CallLimiter {
  let limit = max;
  let active = 0;
  let successes = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;
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
    while (active < limit && queue.length > 0) {
      const interactive = queue.findIndex(({ ticket }) => ticket.priority === 'interactive');
      const [next] = queue.splice(Math.max(0, interactive), 1);
      active += 1;
      next?.start();
    }
  }

  function release(): void {
    active -= 1;
    drain();
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
            resolve(once(release));
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

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
