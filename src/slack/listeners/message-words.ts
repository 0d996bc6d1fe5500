/** What people read in a message, or what a link in it leads to; ids, values of buttons and the like are not theirs. */
const readKeys = new Set([
  'text',
  'url',
  'title',
  'title_link',
  'pretext',
  'fallback',
  'alt_text',
  'author_name',
  'footer',
]);
const deepest = 20;

/** All words of a message as Slack gives it: its text, its blocks, its attachments. Whatever is there may be missing. */
export function messageWords(message: unknown): string {
  return [...new Set(readStrings(message))].join('\n');
}

function readStrings(value: unknown, depth = 0): string[] {
  if (depth > deepest || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => readStrings(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return isRead(key, value) ? [inner] : [];
    return readStrings(inner, depth + 1);
  });
}

/** The field of an attachment is `{ title, value, short }`; the value of a button is no word. */
const isRead = (key: string, owner: object): boolean =>
  readKeys.has(key) || (key === 'value' && 'title' in owner);
