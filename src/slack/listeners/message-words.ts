/** Keys whose values people can see, and links; not ids or values of buttons. */
const visibleKeys = new Set([
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
const maxDepth = 20;

/** All visible text of a message: its text, blocks and attachments, each of which may be missing. */
export function messageWords(message: unknown): string {
  return [...new Set(readStrings(message))].join('\n');
}

function readStrings(value: unknown, depth = 0): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => readStrings(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return isVisible(key, value) ? [inner] : [];
    return readStrings(inner, depth + 1);
  });
}

/** The `value` of an attachment's field is visible (`{ title, value, short }`); that of a button is not. */
const isVisible = (key: string, owner: object): boolean =>
  visibleKeys.has(key) || (key === 'value' && 'title' in owner);
