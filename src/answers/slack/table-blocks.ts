import type { DataTableBlock, RichTextElement, TableBlock } from '@slack/types';
import { clip, limits } from '../limits.ts';
import type { Reader } from '../message.ts';
import type { Cell, Grid, TableSection } from '../table.ts';
import { isList, joined, partFor, type Text, toMrkdwn, toPlain } from '../text.ts';
import { channelMention, isLink, personMention, plain } from './mrkdwn.ts';

/** The rows that Slack shows at a time; it has buttons for the others. */
const rowsShown = 20;

type TableCell = DataTableBlock['rows'][number][number];

/** A table that people can page and sort. A message holds one table of either kind. */
export function dataTable({ caption, grid }: TableSection, reader: Reader): DataTableBlock {
  const { columns, rows } = grid(reader);
  return {
    type: 'data_table',
    caption: clip(plain(caption), limits.tableCaption) || '–',
    page_size: rowsShown,
    rows: cellsOf({ columns, rows: rows.slice(0, limits.tableRows) }, reader),
  };
}

/** A table for a container, which can't hold a `dataTable`. */
export function innerTable({ grid }: TableSection, reader: Reader): TableBlock {
  const { columns, rows } = grid(reader);
  return {
    type: 'table',
    column_settings: columns.map(({ isFigure }) => ({
      align: isFigure ? 'right' : 'left',
      is_wrapped: true,
    })),
    // One row of `table` is its header.
    rows: cellsOf({ columns, rows: rows.slice(0, limits.tableRows - 1) }, reader),
  };
}

const cellsOf = ({ columns, rows }: Grid, reader: Reader): TableCell[][] => [
  columns.map(({ header }) => rawText(header)),
  ...rows.map((row) => row.map((cell) => tableCell(cell, reader))),
];

function tableCell({ text, sort }: Cell, reader: Reader): TableCell {
  if (sort !== undefined)
    return { type: 'raw_number', value: sort, text: words(toPlain(text, { ...reader, isInTable: true })) };
  const plainWords = unmarked(text);
  if (plainWords !== undefined) return rawText(plainWords);
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: richText(text, reader) }] };
}

/** Undefined if anything in it is marked up, or depends on the reader. */
function unmarked(text: Text): string | undefined {
  if (typeof text === 'string') return text;
  if (!isList(text)) return 'inTable' in text ? text.inTable : undefined;
  const parts = text.map(unmarked);
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Slack refuses empty cells. */
const words = (text: string): string => clip(plain(text), limits.cellText) || '–';

const rawText = (text: string) => ({ type: 'raw_text', text: words(text) }) as const;

function richText(text: Text, reader: Reader): RichTextElement[] {
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text: words(text) }];
  if (isList(text)) return text.flatMap((part) => richText(part, reader));
  if ('only' in text) return richText(partFor(text, reader.audience), reader);
  if ('inTable' in text) return richText(text.inTable, reader);
  if ('link' in text)
    return isLink(text.link)
      ? [{ type: 'link', url: text.link, text: words(text.label) }]
      : [{ type: 'text', text: words(text.label) }];
  // Slack shows the names of channels to people who may see them.
  if ('channel' in text)
    return channelMention(text.channel).startsWith('<')
      ? [{ type: 'channel', channel_id: text.channel }]
      : [{ type: 'text', text: channelMention(text.channel) }];
  if ('person' in text && personMention(text.person).startsWith('<'))
    return [{ type: 'user', user_id: text.person }];
  return [{ type: 'text', text: words(toPlain(text, { ...reader, zone: 'UTC', isInTable: true })) }];
}

/** The rows in mrkdwn, a line each: `Maersk (MAEU) · Journeys 37 · …`. An empty cell is left out. */
export function rowsAsLines(
  { grid }: TableSection,
  reader: Reader,
  { maxColumns = Number.POSITIVE_INFINITY, isFallback = false } = {},
): string[] {
  const { columns, rows } = grid(reader);
  const inWords = (text: Text) => toMrkdwn(text, reader, { isFallback });
  return rows.map((row) => {
    const texts = row.flatMap(({ text }, index) => {
      const column = columns[index];
      const words = inWords(text);
      if (words === '' || words === '–') return [];
      return [column?.isLabelled ? [`${column.header} `, text] : text];
    });
    // To leave out a single one would save nothing.
    return inWords(joined(texts.length > maxColumns + 1 ? texts.slice(0, maxColumns) : texts));
  });
}
