/**
 * The number of letters to add, drop, change or swap with a neighbour (optimal string alignment); `limit + 1` for more
 * than `limit`. Landau and Vishkin's algorithm: its time grows with the length plus the square of `limit`.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const aheadAtEnd = to.length - from.length;
  if (Math.abs(aheadAtEnd) > limit) return limit + 1;
  const middle = limit + 1;
  // How many letters of `from` the edits can match if the position in `to` is `index - middle` letters further.
  let previous: number[] = new Array(2 * middle + 1).fill(unreached);
  let current = previous.slice();
  for (let edits = 0; edits <= limit; edits += 1) {
    // Skips positions from which the remaining edits can't reach the end of both words.
    const editsLeft = limit - edits;
    const first = Math.max(-edits, aheadAtEnd - editsLeft);
    const last = Math.min(edits, aheadAtEnd + editsLeft);
    for (let ahead = first; ahead <= last; ahead += 1) {
      const index = middle + ahead;
      const furthest = edits === 0 ? 0 : oneEditAfter(previous, index);
      let at = Math.min(furthest, from.length, to.length - ahead);
      while (at < from.length && from.charCodeAt(at) === to.charCodeAt(at + ahead)) at += 1;
      current[index] = at;
    }
    if ((current[middle + aheadAtEnd] ?? unreached) >= from.length) return edits;
    // Old values in the reused array came from fewer edits, so they are still correct.
    [previous, current] = [current, previous];
  }
  return limit + 1;

  function oneEditAfter(reached: readonly number[], index: number): number {
    const same = reached[index] ?? unreached;
    const ahead = index - middle;
    const isSwap =
      from.charCodeAt(same) === to.charCodeAt(same + ahead + 1) &&
      from.charCodeAt(same + 1) === to.charCodeAt(same + ahead);
    const added = reached[index - 1] ?? unreached;
    const dropped = (reached[index + 1] ?? unreached) + 1;
    return Math.max(same + (isSwap ? 2 : 1), added, dropped);
  }
}

const unreached = -1_000_000;
