/** What differs between two runs and says nothing to a reader, in the order in which it is replaced. */
const unsteady: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://landfall'],
  // A picture's address is signed with a key of its own; the text beside it says what it shows.
  [/\/pictures\/[\w.-]+/g, '/pictures/‹map›.png'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '‹id›'],
  // Slack's time of a message, also as in a link to it.
  [/\b\d{10}\.\d{6}\b/g, '‹ts›'],
  [/\/p\d{16}\b/g, '/p‹ts›'],
  [/\bref [2-9A-Z]{6}\b/g, 'ref ‹ref›'],
  [/\blf_[\w-]{43}\b/g, 'lf_‹token›'],
];

/** Text that is the same in each run. */
export const steady = (text: string): string =>
  unsteady.reduce((shown, [pattern, replacement]) => shown.replaceAll(pattern, replacement), text);
