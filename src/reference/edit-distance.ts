/**
 * Letters to add, drop, change, or swap with their neighbour to get from one word to the other (optimal string
 * alignment); `limit + 1` for anything beyond `limit`. Landau and Vishkin's algorithm: its steps are the letters that
 * are the same and about the square of `limit`, so a long name takes less than a microsecond.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const lead = to.length - from.length;
  if (Math.abs(lead) > limit) return limit + 1;
  const middle = limit + 1;
  // How many letters of `from` that many edits can match, where `to` is `index - middle` letters ahead.
  let before: number[] = new Array(2 * middle + 1).fill(unreached);
  let done = before.slice();
  for (let edits = 0; edits <= limit; edits += 1) {
    // The remaining edits have to suffice to get to the last letters of both.
    const left = limit - edits;
    for (let ahead = Math.max(-edits, lead - left); ahead <= Math.min(edits, lead + left); ahead += 1) {
      const index = middle + ahead;
      const furthest = edits === 0 ? 0 : oneEditAfter(before, index);
      let at = Math.min(furthest, from.length, to.length - ahead);
      while (at < from.length && from.charCodeAt(at) === to.charCodeAt(at + ahead)) at += 1;
      done[index] = at;
    }
    if ((done[middle + lead] ?? unreached) >= from.length) return edits;
    // What the other one still holds was reached with fewer edits, so it remains true.
    [before, done] = [done, before];
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
