/** The damping, which is no matter of taste: hours, or shares of 1. */
export const damping = {
  /** A port that leads by so much has changed at once; else when it leads in `polls` running. */
  lead: 0.1,
  polls: 2,
  waveringHours: 24,
  settledHours: 6,
  /** Armed again so far above the threshold that was passed. */
  rearm: 0.1,
  rearmDueHours: 1,
  /** A due port under this is unlikely; a vessel over it is expected in a port, until it is under the next. */
  likely: 0.5,
  unexpected: 0.4,
  /** Days in which a vessel notified of as no longer expected is expected again only `rearm` above `likely`. */
  droppedDays: 7,
  /** A port that leaves the list so near its ETA has probably been reached; it is never called that. */
  reachedHours: 6,
  staleIntervals: 3,
} as const;
