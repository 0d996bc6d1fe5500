/**
 * True at the first call, and whenever the clock reads less than at the call before: what was planned by the
 * clock's former time may then lie too far ahead.
 */
export function createRollbackCheck(): (now: Date) => boolean {
  let last = Number.POSITIVE_INFINITY;
  return (now) => {
    const hasRolledBack = now.getTime() < last;
    last = now.getTime();
    return hasRolledBack;
  };
}
