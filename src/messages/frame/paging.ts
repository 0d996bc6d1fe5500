import type { Page } from '../limits.ts';

/** The canonical line of another page of the same answer. */
export function pageLine(line: string, page: number): string {
  const base = line.replace(/ page \d+$/, '');
  return page > 1 ? `${base} page ${page}` : base;
}

/** Buttons for the next page and the previous page, if they exist. */
export function pageButtons(line: string, { page, after }: Page<unknown>, size: number) {
  return [
    ...(after > 0 ? [{ label: `Next ${Math.min(after, size)}`, line: pageLine(line, page + 1) }] : []),
    ...(page > 1 ? [{ label: 'Back', line: pageLine(line, page - 1) }] : []),
  ];
}

/** `9–16 of 40 shown`, if there are several pages; a second note if the requested page doesn't exist. */
export function shownNote({ page, pages, items, total, beyond }: Page<unknown>, size: number): string[] {
  const missing = beyond === undefined ? [] : [`there is no page ${beyond}: this is the last`];
  if (pages === 1) return missing;
  const from = (page - 1) * size + 1;
  return [`${from}–${from + items.length - 1} of ${total} shown`, ...missing];
}
