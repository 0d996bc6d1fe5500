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

const PADDING_PX = 18;

/**
 * The most that columns may take of a narrow screen, as CSS lengths. The first two are wholly visible: short ones get
 * their width, long ones their share, none less than its longest word. The first never takes more than 55%, as it stays
 * in place while the others scroll; those may be as wide as what is visible beside it.
 */
export function columnWidths(rows: readonly Row[]): { first: string; second: string; others: string } {
  const texts = (column: number) =>
    rows.map((row) => row[column]).map((cell) => (cell ? cellText(cell) : ''));
  const widest = (all: string[]) => Math.ceil(Math.max(...all.map(widthPx))) + PADDING_PX;
  const [one, two] = [widest(texts(0)), widest(texts(1))];
  const word = widest(texts(0).flatMap((text) => text.split(' ')));
  const share = `${Math.round((98 * one) / (one + two))}cqi`;
  const least = `min(${one}px, 40cqi)`;
  const first = `min(55cqi, max(98cqi - ${two}px, ${least}, ${share}, ${word}px))`;
  const second = `max(98cqi - ${one}px, 98cqi - ${first})`;
  return { first, second, others: `max(60cqi, 98cqi - ${one}px)` };
}

/** What a text takes at most in the font of tables. */
function widthPx(text: string): number {
  const count = (kind: RegExp) => text.match(kind)?.length ?? 0;
  const [emoji, wide] = [count(/\p{Emoji_Presentation}/gu), count(/[\p{Lu}mw%█░]/gu)];
  return 19 * emoji + 10 * wide + 7.5 * ([...text].length - emoji - wide);
}

/** Figures are set right, so that their digits stand below each other; times and words are not. */
export function alignOf(cell: Cell): 'left' | 'right' {
  return cell.type === 'raw_number' && !/\p{L}/u.test(cell.text) ? 'right' : 'left';
}
