/** What waits for a place. Both functions are called whenever a place is free, as others may have joined meanwhile. */
export interface Turn {
  /** Those whose turn it is. Without them, what came first goes first. */
  takers?(): readonly string[];
  isBackground?(): boolean;
  /** Ends the wait. */
  signal?: AbortSignal;
  onStart?(): void;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface Waiting {
  turn: Turn;
  start(): void;
}

/**
 * Bounds what is under way at once. Of those who wait, the one whose last turn was the longest ago is next, so nobody waits
 * for all that another has asked for. Background work goes last.
 */
export function createFairQueue({
  max,
  maxBackground = () => Number.POSITIVE_INFINITY,
  maxInARow = Number.POSITIVE_INFINITY,
}: {
  /** The number of places. If it shrinks, nobody loses a place. */
  max: () => number;
  /** The places that background work may take while others take `interactive` places. Default: all. */
  maxBackground?: (interactive: number) => number;
  /** After so many others in a row, background work gets a place. Default: never. */
  maxInARow?: number;
}) {
  /** An array: the tables that a Set outgrows keep what has left it, until a full garbage collection. */
  const waiting: Waiting[] = [];
  const taken = { interactive: 0, background: 0 };
  /** The number of each taker's last turn. Forgotten when no place is taken. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let inARow = 0;

  const countTaken = () => taken.interactive + taken.background;

  function startNext(): void {
    while (waiting.length > 0 && countTaken() < max()) {
      const next = findNext();
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      turns += 1;
      for (const taker of next.turn.takers?.() ?? []) lastTurns.set(taker, turns);
      next.start();
    }
  }

  function findNext(): Waiting | undefined {
    const interactive = findFirst('interactive');
    const mayStartBackground = taken.background < maxBackground(taken.interactive);
    const background = mayStartBackground ? findFirst('background') : undefined;
    const isInteractive = interactive && !(background && inARow >= maxInARow);
    inARow = isInteractive && background ? inARow + 1 : 0;
    return isInteractive ? interactive : background;
  }

  /** The oldest of those whose last turn was the longest ago. */
  function findFirst(kind: keyof typeof taken): Waiting | undefined {
    let first: Waiting | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (kindOf(one.turn) !== kind) continue;
      const takers = one.turn.takers?.() ?? [];
      const [lastTurn = 0] = takers.map((taker) => lastTurns.get(taker) ?? 0).sort((a, b) => a - b);
      if (lastTurn < earliest) [first, earliest] = [one, lastTurn];
      if (earliest === 0) break;
    }
    return first;
  }

  /** Takes a place; returns the function that gives it up. */
  function take(kind: keyof typeof taken): () => void {
    let isTaken = true;
    taken[kind] += 1;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken[kind] -= 1;
      startNext();
      if (countTaken() === 0) lastTurns.clear();
    };
  }

  /** Resolves to the function that gives up the place. Rejects with the signal's reason. */
  function enter(turn: Turn = {}): Promise<() => void> {
    const { signal } = turn;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const entry = {
        turn,
        start() {
          signal?.removeEventListener('abort', leave);
          turn.onStart?.();
          resolve(take(kindOf(turn)));
        },
      };
      function leave(): void {
        const index = waiting.indexOf(entry);
        if (index >= 0) waiting.splice(index, 1);
        reject(signal?.reason);
      }
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      startNext();
    });
  }

  return {
    enter,
    /** Does the work in its turn. Rejects with the signal's reason if that comes first. */
    async run<Result>(work: () => Promise<Result>, turn?: Turn): Promise<Result> {
      const leave = await enter(turn);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    /** Call when there are more places, or when what waits is no longer background work. */
    startNext,
    /** The places taken. */
    taken: countTaken,
    /** How many wait, of all or of one taker. */
    waiting: (taker?: string): number =>
      taker === undefined
        ? waiting.length
        : waiting.filter(({ turn }) => turn.takers?.().includes(taker)).length,
  };
}

const kindOf = ({ isBackground }: Turn) => (isBackground?.() ? 'background' : 'interactive');
