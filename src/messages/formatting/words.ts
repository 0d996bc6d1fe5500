/** `1 vessel`, `1,200 vessels`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;

/** Begins with a capital letter; the other letters stay as they are. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
