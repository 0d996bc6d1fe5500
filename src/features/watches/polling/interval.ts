const minMinutes = 15;
const maxMinutes = 6 * 60;
const nearHours = 24;
const farHours = 10 * 24;
/** However short the budget, each subject is asked once a day. */
const slowestMinutes = 24 * 60;

/**
 * Minutes until the next poll: 15 while the nearest ETA is within 24 hours, 6 hours from ten days out or
 * where there is none, evenly in between. The provider updates its predictions about every 15 minutes.
 */
export function pollIntervalMinutes(nearestEta: Date | null, now: Date): number {
  if (!nearestEta) return maxMinutes;
  const hours = Math.abs(nearestEta.getTime() - now.getTime()) / 3_600_000;
  const share = Math.min(1, Math.max(0, (hours - nearHours) / (farHours - nearHours)));
  return Math.round(minMinutes + share * (maxMinutes - minMinutes));
}

/** How much longer to wait so that the planned calls fit the budget; 1 where they do. */
export function stretchFor(plannedCalls: number, dailyCalls: number | null): number {
  if (dailyCalls === null) return 1;
  return Math.max(1, plannedCalls / Math.max(1, dailyCalls));
}

export function stretch(minutes: number, factor: number): number {
  return Math.min(Math.max(slowestMinutes, minutes), minutes * factor);
}
