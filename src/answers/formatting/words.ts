/** `1 vessel`, `1,200 vessels`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;

/** Begins with a capital letter; the other letters stay as they are. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Now Antwerp` → `now Antwerp`; words in capitals, such as ETA, stay. */
export const uncapitalised = (text: string): string =>
  /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
