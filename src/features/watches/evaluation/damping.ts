/** Fixed limits that keep small changes from notifying people. Probabilities are 0 to 1. */
export const damping = {
  /** Another port becomes the next port at once if its probability is higher by this much. */
  leadToChange: 0.1,
  /** A smaller lead, a missing prediction or a newly likely vessel counts after this many consecutive polls. */
  consecutivePolls: 2,
  /** If the next port changes back within this time, the two ports waver until one has led for `settledHours`. */
  waveringHours: 24,
  settledHours: 6,
  /** A threshold can alert again after the probability has been this far above it. */
  rearm: 0.1,
  /** A due date can alert again after the ETA has been this long before it. */
  rearmDueHours: 1,
  /** A vessel becomes expected in a port at `likely`, and stays so until its probability falls under `unexpected`. */
  likely: 0.5,
  unexpected: 0.4,
  /** For this long after a vessel is no longer expected, it must reach `likely` + `rearm` to be expected again. */
  droppedDays: 7,
  /** If a port is no longer predicted this shortly before its ETA, the vessel has probably reached it. */
  reachedHours: 6,
  /** The service counts as not answering after this many polling intervals without an answer. */
  staleIntervals: 3,
} as const;
