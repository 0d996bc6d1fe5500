import { createHash } from 'node:crypto';

const shownRows = 4;

/** The first rows of a long file, and a sum by which a difference in the others is noticed. */
export function headOf(text: string): string {
  const rows = text.trimEnd().split('\n');
  const rest = rows.slice(shownRows).join('\n');
  if (rest === '') return rows.join('\n');
  const sum = createHash('sha256').update(rest).digest('hex').slice(0, 12);
  return [...rows.slice(0, shownRows), `… ${rows.length - shownRows} more, sum ${sum}`].join('\n');
}
