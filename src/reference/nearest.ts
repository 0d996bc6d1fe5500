import { editDistance } from './edit-distance.ts';

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

/** Infinite for a name that isn't near, or isn't nearer than `worst`. */
function distanceOf(typed: string, key: string, { limit, worst }: { limit: number; worst: number }): number {
  const within = Math.min(limit, Math.ceil(worst) - 1);
  const distance = editDistance(typed, key, within);
  if (distance <= within) return distance;
  // A name that begins with `typed` comes after all names within the limit.
  return typed.length >= 3 && key.startsWith(typed) ? limit + 0.5 : Number.POSITIVE_INFINITY;
}
