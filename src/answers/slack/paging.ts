import { type PageNumbers, pageNumbers } from '../limits.ts';

/** The canonical line of another page of the same answer. */
export function pageLine(line: string, page: number): string {
  const base = line.replace(/ page \d+$/, '');
  return page > 1 ? `${base} page ${page}` : base;
}

/** Buttons for the next page and the previous page, if they exist. */
export function pageButtons(line: string, { page, after }: PageNumbers, size: number) {
  return [
    ...(after > 0 ? [{ label: `Next ${Math.min(after, size)}`, line: pageLine(line, page + 1) }] : []),
    ...(page > 1 ? [{ label: 'Back', line: pageLine(line, page - 1) }] : []),
  ];
}

/** Reads the requested page from the database, or the last page if there are fewer. */
export async function readPage<Found extends { total: number }>(
  requested: number,
  size: number,
  read: (range: { limit: number; offset: number }) => Promise<Found>,
): Promise<Found & PageNumbers> {
  const readNumber = (page: number) => read({ limit: size, offset: (page - 1) * size });
  const found = await readNumber(requested);
  const numbers = pageNumbers(found.total, requested, size);
  return { ...(numbers.beyond === undefined ? found : await readNumber(numbers.page)), ...numbers };
}

/** `9–16 of 40 shown`, if there are several pages; a second note if the requested page doesn't exist. */
export function shownNote({ page, pages, total, after, beyond }: PageNumbers, size: number): string[] {
  const missing = beyond === undefined ? [] : [`there is no page ${beyond}: this is the last`];
  if (pages === 1) return missing;
  const from = (page - 1) * size + 1;
  return [`${from}–${total - after} of ${total} shown`, ...missing];
}
