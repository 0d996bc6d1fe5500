import { UserError } from '../errors.ts';
import { meantBy, nearest } from '../reference/nearest.ts';
import { monthNames, weekdays } from './dates.ts';
import type { Direction } from './moment.ts';
import { parsePeriod } from './parse-period.ts';
import { formatPeriod } from './period.ts';
import { dayParts } from './times.ts';

/** `tomorow`, but not the word itself. */
export const isNearPeriodWord = (word: string): boolean => (meantBy(word, periodWords) ?? word) !== word;

const periodWords = [
  ...'next last past coming previous this since until today tomorrow yesterday tonight'.split(' '),
  ...weekdays,
  ...monthNames,
  ...Object.keys(dayParts),
  ...'hour hours day days week weeks weekend month months quarter year'.split(' '),
].map((word) => ({ key: word, value: word }));

/**
 * At most one canonical period, for misspelt or incomplete words: `tomorow`, `nxt 3 dyas`, `3 days`; of times, their days.
 */
export function nearestPeriods(typed: string, direction: Direction): string[] {
  const days = typed.replace(/(\d{4}-\d{2}-\d{2})T\d{2}:[\d:.]*(?:Z|[+-]\d{2}:\d{2})?/gi, '$1');
  const words = days.toLowerCase().split(' ').filter(Boolean);
  if (words.length > 5) return [];
  const corrected = words.map(nearestWord).join(' ');
  const [counting, ending] = direction === 'future' ? ['next', 'until'] : ['last', 'since'];
  const readings = [corrected, `${counting} ${corrected}`, `${ending} ${corrected}`];
  return readings.flatMap((text) => canonicalPeriod(text, direction)).slice(0, 1);
}

/** The same; else a period among the words. */
export function nearestPeriodOf(typed: string, direction: Direction): string[] {
  const near = nearestPeriods(typed, direction);
  return near.length > 0 ? near : periodAmong(typed, direction);
}

/** At most one: the longest period among words that together aren't one, as in `2026-11-25 5 days`. */
function periodAmong(typed: string, direction: Direction): string[] {
  const words = typed.split(' ').slice(0, 8);
  const runs = words.flatMap((_, from) =>
    words.slice(from).map((__, length) => words.slice(from, from + length + 1)),
  );
  const longestFirst = runs.toSorted((one, other) => other.length - one.length);
  return longestFirst.flatMap((run) => canonicalPeriod(run.join(' '), direction)).slice(0, 1);
}

/** Numbers and words of two letters stay as they are. */
function nearestWord(word: string): string {
  if (!/^\p{L}{3,}$/u.test(word)) return word;
  return nearest(word, periodWords, 1)[0] ?? word;
}

function canonicalPeriod(text: string, direction: Direction): string[] {
  try {
    return [formatPeriod(parsePeriod(text, { direction, example: '', line: (fixed) => fixed }))];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
