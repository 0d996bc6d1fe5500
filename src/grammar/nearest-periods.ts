import { UserError } from '../errors.ts';
import { nearest } from '../reference/nearest.ts';
import { weekdays } from './dates.ts';
import { parsePeriod } from './parse-period.ts';
import { type Direction, formatPeriod } from './period.ts';

const words = [
  ...[
    'next',
    'last',
    'past',
    'coming',
    'previous',
    'this',
    'since',
    'until',
    'today',
    'tomorrow',
    'yesterday',
  ],
  ...[...weekdays, 'hour', 'hours', 'day', 'days', 'week', 'weeks', 'month', 'months'],
].map((word) => ({ key: word, value: word }));

/** The canonical period most like misspelt words, or none: `tomorow`, `nxt 3 dyas`, `3 days`. */
export function nearestPeriods(typed: string, direction: Direction): string[] {
  const parts = typed.toLowerCase().split(' ').filter(Boolean);
  if (parts.length > 5) return [];
  const corrected = parts.map(nearestWord).join(' ');
  const counted = `${direction === 'future' ? 'next' : 'last'} ${corrected}`;
  const [first] = [corrected, counted].flatMap((text) => validPeriod(text, direction));
  return first === undefined ? [] : [first];
}

/** Numbers and words of two letters stay as they are. */
function nearestWord(part: string): string {
  if (!/^\p{L}{3,}$/u.test(part)) return part;
  const [near] = nearest(part, words, 1);
  return near ?? part;
}

function validPeriod(text: string, direction: Direction): string[] {
  try {
    return [formatPeriod(parsePeriod(text, { direction, example: '', line: (fixed) => fixed }))];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
