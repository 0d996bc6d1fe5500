/** How many of some vessels call, if each calls with its own probability. */
export interface LikelyCalls {
  /** The sum of the probabilities. */
  likely: number;
  /** In eight of ten cases, at least `low` and at most `high` vessels call, if they don't influence each other. */
  low: number;
  high: number;
  /** The number of vessels that may call. */
  vessels: number;
}

/** One case in ten is below the range, and one above. */
const tail = 0.1;

/** Probabilities go from 0 to 1; a rounding error beyond counts as 0 or 1. */
export function likelyCallsOf(probabilities: readonly number[]): LikelyCalls {
  const trials = probabilities.map((probability) => Math.min(1, Math.max(0, probability)));
  const chances = chancesOfCounts(trials);
  return {
    likely: trials.reduce((sum, probability) => sum + probability, 0),
    low: quantile(chances, tail),
    high: quantile(chances, 1 - tail),
    vessels: trials.length,
  };
}

/**
 * The Poisson binomial distribution: the chance that exactly n of the independent trials succeed, at index n. Exact, in
 * steps that grow with the square of the number of trials.
 */
export function chancesOfCounts(probabilities: readonly number[]): number[] {
  // In place: an array for each of a thousand vessels would hold up everything else.
  const chances = new Float64Array(probabilities.length + 1);
  chances[0] = 1;
  for (const [index, probability] of probabilities.entries())
    for (let count = index + 1; count >= 0; count -= 1)
      chances[count] =
        (chances[count] ?? 0) * (1 - probability) + (count > 0 ? (chances[count - 1] ?? 0) : 0) * probability;
  return [...chances];
}

/** The smallest number that isn't exceeded with this chance. Allows for rounding. */
function quantile(chances: readonly number[], chance: number): number {
  let sum = 0;
  const found = chances.findIndex((each) => {
    sum += each;
    return sum >= chance - 1e-9;
  });
  return found < 0 ? chances.length - 1 : found;
}
