import type { DataTableBlock, RichTextElement, TableBlock } from '@slack/types';
import { charactersIn, clip, limits } from '../../messages/limits.ts';
import type { Reader } from '../../messages/message.ts';
import { channelMention, plain } from '../../messages/mrkdwn.ts';
import type { Cell, Grid, TableSection } from '../table.ts';
import { isList, joined, type Text, toMrkdwn, toPlain } from '../text.ts';

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
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: richText(text) }] };
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

function richText(text: Text): RichTextElement[] {
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text: words(text) }];
  if (isList(text)) return text.flatMap(richText);
  if ('inTable' in text) return richText(text.inTable);
  if ('link' in text) return [{ type: 'link', url: text.link, text: words(text.label) }];
  // Slack shows the names of channels to people who may see them.
  if ('channel' in text)
    return channelMention(text.channel).startsWith('<')
      ? [{ type: 'channel', channel_id: text.channel }]
      : [{ type: 'text', text: channelMention(text.channel) }];
  return [{ type: 'text', text: words(toPlain(text, { zone: 'UTC', isInTable: true })) }];
}

/** Of a table as Slack shows it, roughly. */
export const charactersInCells = ({ grid }: TableSection, reader: Reader): number =>
  charactersIn(
    grid(reader).rows.flatMap((row) =>
      row.map(({ text }) => words(toPlain(text, { ...reader, isInTable: true }))),
    ),
  );

/** The rows in words: `Maersk (MAEU) · Journeys 37 · …`. An empty cell is left out. */
const rowsAsTexts = ({ columns, rows }: Grid, maxColumns: number): Text[] =>
  rows.map((row) =>
    joined(
      row
        .flatMap(({ text }, index) => {
          const column = columns[index];
          const words = toMrkdwn(text);
          if (words === '' || words === '–') return [];
          return [column?.isLabelled ? [`${column.header} `, text] : text];
        })
        .slice(0, maxColumns),
    ),
  );

/** The rows in mrkdwn, a line each. */
export const rowsAsLines = (
  { grid }: TableSection,
  reader: Reader,
  { maxColumns = Number.POSITIVE_INFINITY } = {},
): string[] => rowsAsTexts(grid(reader), maxColumns).map((row) => toMrkdwn(row));
