/**
 * Says whether what was planned may lie too far ahead: at the first time that it is asked, and when the clock
 * stands before the time that it was asked last.
 */
export function createSetBack(): (now: Date) => boolean {
  let last = Number.POSITIVE_INFINITY;
  return (now) => {
    const isBack = now.getTime() < last;
    last = now.getTime();
    return isBack;
  };
}
