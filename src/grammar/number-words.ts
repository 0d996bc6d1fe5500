export const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `a`, `two`, `12`; 0 for a word that isn't a whole number. */
export function readCount(typed: string): number {
  if (/^\d{1,4}$/.test(typed)) return Number(typed);
  return /^an?$/i.test(typed) ? 1 : numberWords.indexOf(typed.toLowerCase()) + 1;
}
