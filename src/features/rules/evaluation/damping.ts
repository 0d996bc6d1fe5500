/** Fixed limits that keep small changes from notifying people. Probabilities are 0 to 1. */
export const damping = {
  /** A smaller lead, a missing prediction or a newly likely vessel counts after this many consecutive polls. */
  consecutivePolls: 2,
  /** If the next port changes back within this time, the two ports are in dispute. */
  backAndForthHours: 24,
  /** A dispute is settled once one port has led for this long, by more than `isUndecided` allows. */
  settledHours: 6,
  /** After a dispute, ports are undecided again only if one has led by this much in between. */
  rearmLead: 0.15,
  /** A threshold can alert again after the probability has been this far above it. */
  rearm: 0.1,
  /** A due date can alert again after the ETA has been this long before it. */
  rearmDueHours: 1,
  /** For this long after a vessel is no longer expected, it must reach `likely` + `rearm` to be expected again. */
  droppedDays: 7,
  /** A port's watch looks this far ahead, and says nothing of who is newly or no longer expected so near the ETA. */
  portDays: 7,
  /** The service counts as not answering after this many polling intervals without an answer. */
  staleIntervals: 3,
} as const;
