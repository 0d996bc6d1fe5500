/** What a difference is for: the history of a vessel, `watch changes`, the news of a digest, an alert. */
export type Purpose = 'history' | 'changes' | 'digest' | 'alert';

export const never = Number.POSITIVE_INFINITY;

/**
 * From what size on a difference counts: whatever counts for an alert counts for the others too. Probabilities and shares
 * are 0 to 1.
 */
const table = {
  /** An ETA has moved by so many hours, and by this share of the time left. */
  etaHours: { history: 1, changes: 3, digest: 6, alert: 12 },
  etaShare: { history: 0, changes: 0.05, digest: 0, alert: 0.05 },
  /** Farther ahead than this, moved ETAs and disputes don't count. */
  daysAhead: { history: never, changes: never, digest: never, alert: 10 },
  /** The probability of the next port has changed by this much. */
  probability: { history: 0.1, changes: 0.1, digest: never, alert: never },
  /** Another port is clearly the next one. */
  lead: { history: 0, changes: 0.1, digest: 0, alert: 0.1 },
  /** The next port has become unlikely. */
  below: { history: 0, changes: 0.5, digest: 0, alert: 0.5 },
  /** Its ETA passed so long ago. */
  overdueHours: { history: never, changes: 6, digest: never, alert: 6 },
  /** A port expects a vessel from `likely` on, and goes on doing so until its probability falls under `unexpected`. */
  likely: { history: 0.5, changes: 0.5, digest: 0.5, alert: 0.5 },
  unexpected: { history: 0.4, changes: 0.4, digest: 0.4, alert: 0.4 },
  /** So near its ETA, or after it, a vessel that is no longer expected isn't news. */
  leftHours: { history: 0, changes: 12, digest: 0, alert: 12 },
} as const satisfies Record<string, Record<Purpose, number>>;

export type Thresholds = Record<keyof typeof table, number>;

const columnOf = (purpose: Purpose): Thresholds =>
  // The columns have the rows of the table.
  Object.fromEntries(Object.entries(table).map(([key, row]) => [key, row[purpose]])) as Thresholds;

export const thresholds: Record<Purpose, Thresholds> = {
  history: columnOf('history'),
  changes: columnOf('changes'),
  digest: columnOf('digest'),
  alert: columnOf('alert'),
};
