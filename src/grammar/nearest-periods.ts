import { UserError } from '../errors.ts';
import { nearest } from '../reference/nearest.ts';
import { weekdays } from './dates.ts';
import { parsePeriod } from './parse-period.ts';
import { type Direction, formatPeriod } from './period.ts';

const periodWords = [
  ...'next last past coming previous this since until today tomorrow yesterday'.split(' '),
  ...weekdays,
  ...'hour hours day days week weeks month months'.split(' '),
].map((word) => ({ key: word, value: word }));

/** The canonical period most like misspelt words, or none: `tomorow`, `nxt 3 dyas`, `3 days`. */
export function nearestPeriods(typed: string, direction: Direction): string[] {
  const words = typed.toLowerCase().split(' ').filter(Boolean);
  if (words.length > 5) return [];
  const corrected = words.map(nearestWord).join(' ');
  const counted = `${direction === 'future' ? 'next' : 'last'} ${corrected}`;
  return [corrected, counted].flatMap((text) => canonicalPeriod(text, direction)).slice(0, 1);
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
