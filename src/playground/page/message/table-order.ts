import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';

export type Table = Extract<KnownBlock, { type: 'table' | 'data_table' }>;
export type Row = Table['rows'][number];
export type Cell = Row[number];

/** The column by which a reader has sorted a table. */
export interface Order {
  column: number;
  descending: boolean;
}

/** A click on a header sorts by its column, a second one backwards, a third one as the app has it. */
export function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? undefined : { column, descending: true };
}

/** Numbers and dates sort by value, all else by its text. Equal rows keep their order. */
export function sortedRows(rows: readonly Row[], order: Order | undefined): Row[] {
  if (!order) return [...rows];
  const sign = order.descending ? -1 : 1;
  const keyOf = (row: Row) => sortKey(row[order.column]);
  return rows.toSorted((a, b) => sign * compare(keyOf(a), keyOf(b)));
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Numbers stand before texts.
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function sortKey(cell: Cell | undefined): number | string {
  if (!cell) return '';
  if (cell.type === 'raw_number') return cell.value;
  if (cell.type === 'raw_text') return cell.text;
  const [first] = inlineOf(cell);
  return first?.type === 'date' ? first.timestamp : cellText(cell);
}

/** What a cell shows, without its formatting. A date stands as its fallback. */
export function cellText(cell: Cell): string {
  if (cell.type !== 'rich_text') return cell.text;
  return inlineOf(cell)
    .map((element) =>
      'text' in element ? element.text : 'fallback' in element ? element.fallback : undefined,
    )
    .join('');
}

const inlineOf = ({ elements }: RichTextBlock): RichTextElement[] =>
  elements.flatMap((part): RichTextElement[] =>
    part.type === 'rich_text_list' ? part.elements.flatMap((item) => item.elements) : part.elements,
  );

const PX_PER_CHARACTER = 8.7;
const PADDING_PX = 18;

/**
 * The most that the first two columns may take of a narrow screen, as CSS lengths, so that both are wholly visible:
 * short ones their width, long ones their share, none less than its longest word. The first never takes more than 55%, as
 * it stays in place while the others scroll.
 */
export function firstColumns(rows: readonly Row[]): { first: string; second: string } {
  const texts = (column: number) =>
    rows.map((row) => row[column]).map((cell) => (cell ? cellText(cell) : ''));
  const longest = (all: string[]) => Math.max(1, ...all.map(({ length }) => length));
  const width = (length: number) => `${Math.round(length * PX_PER_CHARACTER + PADDING_PX)}px`;
  const [one, two] = [longest(texts(0)), longest(texts(1))];
  const word = longest(texts(0).flatMap((text) => text.split(' ')));
  const share = `${Math.round((98 * one) / (one + two))}cqi`;
  const least = `min(${width(one)}, 40cqi)`;
  const first = `min(55cqi, max(98cqi - ${width(two)}, ${least}, ${share}, ${width(word)}))`;
  return { first, second: `max(98cqi - ${width(one)}, 98cqi - ${first})` };
}

/** Figures are set right, so that their digits stand below each other; times and words are not. */
export function alignOf(cell: Cell): 'left' | 'right' {
  return cell.type === 'raw_number' && !/\p{L}/u.test(cell.text) ? 'right' : 'left';
}
