/** Where an ETA is in a period; `unknown` without an ETA. */
export type When = 'before' | 'within' | 'after' | 'unknown';

/**
 * The service reports no arrivals, so a vessel may still call long after its ETA: in a period that has begun it counts.
 * `end` isn't included.
 */
export function whenIn(
  period: { begin: Date; end: Date } | undefined,
  { eta, now }: { eta: Date | undefined; now: Date },
): When {
  if (!period) return 'within';
  if (!eta) return 'unknown';
  if (eta < now) return period.begin <= now ? 'within' : 'before';
  if (eta < period.begin) return 'before';
  return eta < period.end ? 'within' : 'after';
}
