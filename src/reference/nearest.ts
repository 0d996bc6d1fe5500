import { editDistance } from './edit-distance.ts';

export interface Named<T> {
  /** Folded without spaces. */
  key: string;
  value: T;
}

/**
 * The values whose names are nearest to a misspelt one (folded without spaces), best first, each once. A name
 * counts as near when about a third of its letters at most are wrong, or when what was typed is its beginning.
 * `weigh` orders those that are equally near: smaller first.
 */
export function nearest<T>(
  typed: string,
  names: Iterable<Named<T>>,
  { count, weigh }: { count: number; weigh: (value: T) => number },
): T[] {
  if (typed.length < 2 || typed.length > 60) return [];
  const limit = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  const best = new Map<T, number>();
  for (const { key, value } of names) {
    const near = editDistance(typed, key, limit);
    const distance = near <= limit ? near : isBeginning(typed, key) ? limit + 0.5 : undefined;
    if (distance === undefined) continue;
    best.set(value, Math.min(distance, best.get(value) ?? distance));
  }
  return [...best]
    .sort(([one, near], [other, far]) => near - far || weigh(one) - weigh(other))
    .slice(0, count)
    .map(([value]) => value);
}

const isBeginning = (typed: string, key: string): boolean => typed.length >= 3 && key.startsWith(typed);
