export interface Named<T> {
  /** The name after `foldTight`. */
  key: string;
  value: T;
}

/**
 * The `count` values whose names are nearest to `typed`, best first, without duplicates. `typed` has passed `foldTight`.
 * A name is near if a third of its letters differ at most, or if it begins with `typed`. Of equals, the first wins.
 */
export function nearest<T>(typed: string, names: Iterable<Named<T>>, count: number): T[] {
  if (typed.length < 2 || typed.length > 60) return [];
  const limit = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  let best: { value: T; distance: number }[] = [];
  for (const { key, value } of names) {
    const worst = best.length < count ? Number.POSITIVE_INFINITY : (best.at(-1)?.distance ?? 0);
    if (worst === 0) break;
    const distance = distanceOf(typed, key, { limit, worst });
    if (distance >= worst) continue;
    const previous = best.find((match) => match.value === value);
    if (previous && previous.distance <= distance) continue;
    best = [...best.filter((match) => match !== previous), { value, distance }]
      .sort((one, other) => one.distance - other.distance)
      .slice(0, count);
  }
  return best.map(({ value }) => value);
}

/**
 * The value whose name `typed` misspells, or misspells least; undefined if it may be several, or none. `typed` has passed
 * `foldTight`.
 */
export function meantBy<T>(typed: string, names: Iterable<Named<T>>): T | undefined {
  let least = Number.POSITIVE_INFINITY;
  const meant = new Set<T>();
  for (const { key, value } of names) {
    const wrong = wrongLetters(typed, key);
    if (wrong === undefined || wrong > least) continue;
    if (wrong < least) meant.clear();
    least = wrong;
    meant.add(value);
  }
  const [value, ...others] = meant;
  return others.length === 0 ? value : undefined;
}

/**
 * How many letters of a misspelt name are wrong: one, or two in eight, or none if it is cut after the fifth letter. Figures are
 * never misspelt. Undefined for another name. Both have passed `foldTight`.
 */
function wrongLetters(typed: string, key: string, letters = typed.length): number | undefined {
  if (typed.length < 4) return undefined;
  const limit = letters < 8 ? 1 : 2;
  const isBeginning = typed.length >= 5 && key.startsWith(typed);
  const distance = isBeginning ? 0 : editDistance(typed, key, limit);
  return distance <= limit && figuresOf(typed) === figuresOf(key) ? distance : undefined;
}

/** `letters`: how many count, where a name is longer than what was typed. */
export const isMisspelt = (typed: string, key: string, letters = typed.length): boolean =>
  wrongLetters(typed, key, letters) !== undefined;

const figuresOf = (text: string): string => text.replace(/\D/g, '');

/** Infinite for a name that isn't near, or isn't nearer than `worst`. */
function distanceOf(typed: string, key: string, { limit, worst }: { limit: number; worst: number }): number {
  const within = Math.min(limit, Math.ceil(worst) - 1);
  const distance = editDistance(typed, key, within);
  if (distance <= within) return distance;
  // A name that begins with `typed` comes after all names within the limit.
  return typed.length >= 3 && key.startsWith(typed) ? limit + 0.5 : Number.POSITIVE_INFINITY;
}

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
    // Skips positions where the remaining edits can't reach the end of both words.
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

/** Letters that Unicode does not decompose into a letter and an accent. */
const specialLetters = new Map(
  Object.entries({ ø: 'o', đ: 'd', ł: 'l', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' }),
);

const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øđłıßæœþð]/g, (letter) => specialLetters.get(letter) ?? letter);

/** Folds a name for comparison: lower case, no accents, `st` for `Saint`, single spaces between words. */
export function fold(text: string): string {
  // Most names need no more, and each text is compared with thousands.
  const plain = /^[ -~]*$/.test(text) ? text.toLowerCase() : withoutAccents(text);
  return plain
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:saint|sankt|sint|ste)\b/g, 'st')
    .trim();
}

/** Folds a name and removes the spaces: `Hongkong` equals `Hong Kong`. */
export const foldTight = (text: string): string => fold(text).replaceAll(' ', '');
