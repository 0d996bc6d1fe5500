/** Keeps small changes from notifying people. There are no settings for it. Probabilities are 0 to 1. */
export const damping = {
  /** Another port is the next one at once if it leads by this much. */
  lead: 0.1,
  /** A smaller lead, a missing prediction or a vessel newly expected counts after this many consecutive polls. */
  polls: 2,
  /** Two ports waver if the first returns within this time, until one of them has led for `settledHours`. */
  waveringHours: 24,
  settledHours: 6,
  /** A threshold is armed again this far above it. */
  rearm: 0.1,
  rearmDueHours: 1,
  /** A vessel becomes expected in a port at `likely`, and stays so until its probability falls under `unexpected`. */
  likely: 0.5,
  unexpected: 0.4,
  /** For this long, a vessel that is no longer expected must reach `likely` + `rearm` to be expected again. */
  droppedDays: 7,
  /** A port that is no longer predicted this near its ETA has probably been reached. */
  reachedHours: 6,
  /** The service has stopped answering after this many intervals. */
  staleIntervals: 3,
} as const;
