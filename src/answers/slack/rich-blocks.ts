import type {
  Button,
  ContainerBlock,
  DataTableBlock,
  KnownBlock,
  RichTextBlock,
  RichTextElement,
  TableBlock,
} from '@slack/types';
import { blocksOf, clip, limits, linesWithin, type Piece, type Twinned } from '../message.ts';
import { actions, context, escaped, plain, sections, title } from './blocks.ts';

/** Plain text; a figure by which Slack can sort, such as a time in ms; a link; or channels and a text after them. */
export type Cell =
  | string
  | { value: number; text: string }
  | { url: string; text: string }
  | { channelIds: readonly string[]; text: string };

interface Table {
  /** What the table lists, for people who can't see it. */
  caption: string;
  /** The first two are all that a phone shows without scrolling. */
  columns: readonly { header: string; align?: 'left' | 'right' }[];
  /** As many cells as columns. The view pages, so that all rows fit; no row: no table. */
  rows: readonly (readonly Cell[])[];
  /** The rows of the twin, in mrkdwn. If left out, the cells of each row in one line. */
  lines?: readonly string[];
}

/** The rows that Slack shows at a time; it has buttons for the others. */
const rowsShown = 20;

/** A table that people can page and sort. A message holds one table of either kind. Its twin has a line for each row. */
export function dataTable(table: Table): Twinned[] {
  const { caption, columns, rows } = table;
  if (rows.length === 0) return [];
  const header = columns.map(({ header }) => rawText(header));
  const native: DataTableBlock = {
    type: 'data_table',
    caption: clip(plain(caption), limits.tableCaption) || '–',
    page_size: rowsShown,
    rows: [header, ...rows.slice(0, limits.tableRows).map((row) => row.map(tableCell))],
  };
  return [{ native, twin: twinOf(table) }];
}

/** A table for a container, which can't hold a `dataTable`. */
export function innerTable(table: Table): Twinned[] {
  const { columns, rows } = table;
  if (rows.length === 0) return [];
  const header = columns.map(({ header }) => rawText(header));
  const native: TableBlock = {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    // One row of `table` is its header.
    rows: [header, ...rows.slice(0, limits.tableRows - 1).map((row) => row.map(tableCell))],
  };
  return [{ native, twin: twinOf(table) }];
}

function tableCell(cell: Cell): DataTableBlock['rows'][number][number] {
  if (typeof cell === 'string') return rawText(cell);
  const text = clip(plain(cell.text), limits.cellText) || '–';
  if ('value' in cell) return { type: 'raw_number', value: cell.value, text };
  if ('channelIds' in cell) return richText(channelElements(cell));
  const { url } = cell;
  return richText([{ type: 'link', url, text }]);
}

const richText = (elements: RichTextElement[]): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});

/** Slack shows the names of the channels to people who may see them. */
const channelElements = ({ channelIds, text }: { channelIds: readonly string[]; text: string }) =>
  [
    ...channelIds.flatMap((channel_id, index): RichTextElement[] => [
      ...(index > 0 ? [{ type: 'text', text: ', ' } as const] : []),
      { type: 'channel', channel_id },
    ]),
    ...(text === '' ? [] : [{ type: 'text', text: clip(plain(text), limits.cellText) } as const]),
  ] satisfies RichTextElement[];

/** Slack refuses empty cells. */
const rawText = (text: string) =>
  ({ type: 'raw_text', text: clip(plain(text), limits.cellText) || '–' }) as const;

/** The first of a view's lines that fit beside the rest of a message. */
const twinRoom = 7_000;

function twinOf({ rows, lines = rows.map(lineOf) }: Table): KnownBlock[] {
  const shown = linesWithin(lines, twinRoom);
  const more = lines.length - shown.length;
  return sections(more > 0 ? [...shown, `… and ${more} more`] : shown);
}

const lineOf = (row: readonly Cell[]): string =>
  row
    .map((cell) => (typeof cell === 'string' ? cell : cell.text))
    .filter((text) => text !== '' && text !== '–')
    .map(escaped)
    .join(' · ');

interface LineChart {
  /** At most 50 characters each. The title names the unit. */
  title: string;
  yLabel: string;
  /** At most 20, with at most 20 characters. */
  labels: readonly string[];
  /** At most 6, with a value for each label: Slack draws no gaps. */
  lines: readonly { name: string; values: readonly number[] }[];
}

/** Lines over the same labels. Its twin has the changes of each line: `Rotterdam: −14 (Thu 19 Nov), 0 (Fri 20 Nov)`. */
export function lineChart({ title, yLabel, labels, lines }: LineChart): Twinned[] {
  if (lines.length === 0 || labels.length === 0) return [];
  const categories = uniqueLabels(labels);
  const names = uniqueLabels(lines.map(({ name }) => name));
  const native = {
    type: 'data_visualization' as const,
    title: clip(plain(title), limits.chartTitle),
    chart: {
      type: 'line' as const,
      series: lines.map(({ values }, index) => ({
        name: names[index] ?? '',
        data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
      })),
      axis_config: { categories, y_label: clip(plain(yLabel), limits.chartTitle) },
    },
  };
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value}`.replace('-', '−');
  const inWords = lines.map(({ name, values }) => {
    const changes = values.flatMap((value, at) =>
      value === values[at - 1] ? [] : [`${signed(value)} (${escaped(labels[at] ?? '')})`],
    );
    return `${escaped(name)}: ${changes.join(', ')}`;
  });
  return [{ native, twin: sections([escaped(title), ...inWords]) }];
}

interface GroupedBarChart {
  /** At most 50 characters. It names the unit. */
  title: string;
  /** At most 20, of at most 20 characters. */
  categories: readonly string[];
  /** At most 6, with a bar for each category. `text`: the value as the twin shows it. */
  series: readonly { name: string; bars: readonly { value: number; text: string }[] }[];
}

/** Bars of the series side by side. Its twin has a line for each series: `Likely calls: Sat 2.1 · Sun 3.4`. */
export function groupedBarChart({ title, categories, series }: GroupedBarChart): Twinned[] {
  if (categories.length === 0 || series.length === 0) return [];
  const labels = uniqueLabels(categories);
  const names = uniqueLabels(series.map(({ name }) => name));
  const native = {
    type: 'data_visualization' as const,
    title: clip(plain(title), limits.chartTitle),
    chart: {
      type: 'bar' as const,
      series: series.map(({ bars }, index) => ({
        name: names[index] ?? '',
        data: bars.map(({ value }, at) => ({ label: labels[at] ?? '', value })),
      })),
      axis_config: { categories: labels },
    },
  };
  const lines = series.map(({ name, bars }) => {
    const inWords = bars
      .map(({ text }, at) => `${escaped(categories[at] ?? '')} ${escaped(text)}`)
      .join(' · ');
    return `${escaped(series.length > 1 ? name : title)}: ${inWords}`;
  });
  return [{ native, twin: sections(series.length > 1 ? [escaped(title), ...lines] : lines) }];
}

/** Slack refuses a label that occurs twice. */
function uniqueLabels(texts: readonly string[]): string[] {
  const labels = texts.map((text) => clip(plain(text), limits.chartLabel));
  return labels.map((label, index) => {
    const before = labels.slice(0, index).filter((each) => each === label);
    const number = before.length === 0 ? '' : ` ${before.length + 1}`;
    return `${clip(label, limits.chartLabel - number.length)}${number}`;
  });
}

/**
 * Blocks that are shown after a click on their title. Its twin is `twin`, such as a button that shows them; if left
 * out, the title and the twins of the blocks.
 */
export function container({
  title,
  body,
  twin,
}: {
  title: string;
  body: readonly Piece[];
  twin?: readonly KnownBlock[];
}): Twinned[] {
  if (body.length === 0) return [];
  const { blocks, plain: twins = blocks } = blocksOf(body.slice(0, limits.containerBlocks));
  const native: ContainerBlock = {
    type: 'container',
    title: { type: 'plain_text', text: clip(plain(title), limits.containerTitle), emoji: false },
    is_collapsible: true,
    default_collapsed: true,
    // The callers put only children into it that Slack allows.
    child_blocks: blocks as ContainerBlock['child_blocks'],
  };
  // Without newer blocks among them, the blocks are their own twins.
  return [{ native, twin: twin ?? [...sections([escaped(title)]), ...(twins as KnownBlock[])] }];
}

/** A card; its twin is a section. Texts are mrkdwn. Slack allows it at most three buttons. */
export function card({
  title,
  subtitle,
  body,
  buttons = [],
}: {
  title: string;
  subtitle?: string | undefined;
  body?: string | undefined;
  buttons?: readonly Button[];
}): Twinned {
  const text = (words: string, max: number) =>
    ({ type: 'mrkdwn', text: clip(words, max), verbatim: true }) as const;
  const lines = [`*${title}*`, ...(subtitle ? [subtitle] : []), ...(body ? [body] : [])];
  return {
    native: {
      type: 'card',
      title: text(title, limits.cardTitle),
      ...(subtitle && { subtitle: text(subtitle, limits.cardTitle) }),
      ...(body && { body: text(body, limits.cardBody) }),
      ...(buttons.length > 0 && { actions: buttons.slice(0, limits.cardButtons) }),
    },
    twin: [...sections(lines), ...actions(buttons)],
  };
}

/** A title in large letters, not escaped. */
export const header = (text: string): Twinned => ({
  native: title(text),
  twin: sections([`*${escaped(text)}*`]),
});

/** A picture. `alt` says all that it shows, and stands for it where Slack can't fetch it. */
export const image = ({ url, alt }: { url: string; alt: string }): Twinned => ({
  native: { type: 'image', image_url: url, alt_text: clip(plain(alt), limits.altText) },
  twin: [context(escaped(alt))],
});
