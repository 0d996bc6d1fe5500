import type { Button, DataTableBlock, KnownBlock, RichTextElement, TableBlock } from '@slack/types';
import type { Choice } from '../../errors.ts';
import type {
  Answer,
  AnswerButton,
  ChartSection,
  DetailsSection,
  LineOf,
  RowsSection,
  Section,
} from '../answer.ts';
import {
  charactersIn,
  clip,
  joinText,
  limits,
  linesWithin,
  type Message,
  type Piece,
  packLines,
  type Reader,
  type Twinned,
} from '../message.ts';
import type { Cell, Grid, TableSection } from '../table.ts';
import { isList, joined, partFor, type Text, toMrkdwn, toPlain } from '../text.ts';
import {
  answerMessage,
  inventedSuffix,
  lineButtons,
  pageButtons,
  pageLine,
  shownNote,
  staleWords,
} from './answer-message.ts';
import {
  actionIds,
  button,
  channelMention,
  codeBlock,
  codeLine,
  context,
  escaped,
  formActionId,
  formOption,
  overflow,
  personMention,
  plain,
  pressOption,
  primary,
  sections as sectionBlocks,
  withConfirmation,
} from './blocks.ts';
import { container, groupedBarChart, header, image, lineChart } from './rich-blocks.ts';

interface Context {
  /** The canonical line that the answer is to. */
  line: string;
  reader: Reader;
  lineOf: LineOf;
  /** The line can be asked again and shared. Default: true. */
  isRepeatable?: boolean;
}

/** The message of an answer. */
export function toMessage(
  answer: Answer,
  { line, reader: given, lineOf, isRepeatable = true }: Context,
): Message {
  if (answer.membersOnly !== undefined && given.audience === 'outside')
    return withheld(answer.membersOnly, given);
  const { page, isForecast = false, isOwn = false } = answer;
  const reader: Reader = isOwn ? { ...given, source: 'service' } : given;
  const { watch, unnamed, runs = [], more = [] } = answer.actions ?? {};
  const watchLine = watch && lineOf(watch);
  const words = (text: Text) => toMrkdwn(text, reader);
  return answerMessage(
    {
      ...bodyOf(answer, { reader, lineOf }),
      firstNotes: (answer.firstNotes ?? []).map(words),
      notes: [...notesOf(answer, reader), ...(page ? shownNote(page, page.size) : [])],
      isForecast,
      provenance: answer.provenance,
      actions: {
        ...(watchLine !== undefined && { watch: watchLine }),
        ...(unnamed !== undefined && { unnamed }),
        ...(isRepeatable && isOwn !== true && { line: page ? pageLine(line, page.page) : line }),
        runs: [
          ...(page ? pageButtons(line, page, page.size) : []),
          ...runs.flatMap((action): (Button | Choice)[] => {
            const press = pressOf(action);
            return press ? [press] : choiceOf(action, lineOf);
          }),
        ],
        more: more.flatMap((action) => choiceOf(action, lineOf)),
      },
    },
    reader,
  );
}

/** The message of an answer that can't be asked again, such as what a button has done: nobody refreshes or shares it. */
export const toReply = (answer: Answer, context: Pick<Context, 'reader' | 'lineOf'>): Message =>
  toMessage(answer, { ...context, line: '', isRepeatable: false });

/**
 * The verdict in one line of mrkdwn, without marks, and what qualifies it, for a message about several answers. `isWhole`:
 * only small print and buttons are left out.
 */
export function toBrief(answer: Answer, reader: Reader): { lines: string[]; isWhole: boolean } {
  const { verdict, sections = [], provenance } = answer;
  const words = (text: Text) => toMrkdwn(text, reader, { isFallback: true });
  return {
    lines: [
      words([verdict.strong, verdict.rest ?? '']),
      ...(provenance ? staleWords(provenance, reader) : []),
      ...(verdict.warning === undefined ? [] : [words(verdict.warning)]),
    ],
    isWhole:
      (verdict.lines ?? []).length === 0 &&
      sections.every(
        (section) =>
          (section.kind === 'table' && section.shownCount === 0) ||
          (section.kind === 'text' && section.lines.length === 0),
      ),
  };
}

/** The verdict and the sections, and the whole answer in words. */
function bodyOf(
  { title, verdict, sections = [], firstNotes = [] }: Answer,
  { reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>,
): { text: string; body: readonly Piece[] } {
  const all = [[{ strong: verdict.strong }, verdict.rest ?? ''], ...(verdict.lines ?? [])];
  const first = all.map((text) => toMrkdwn(text, reader)).filter((line) => line !== '');
  const spoken = all
    .map((text) => toMrkdwn(text, reader, { isFallback: true }))
    .filter((line) => line !== '');
  // A list of points is one sentence there.
  const isPoint = (line = '') => line.startsWith('• ');
  const said = spoken.map((line, index) =>
    isPoint(line) ? `${line.slice(2)}${isPoint(spoken[index + 1]) ? '' : '.'}` : line,
  );
  const rows = wordsOf(sections, reader).filter((row) => row !== '');
  const last = said.at(-1) ?? '';
  // A list follows the verdict after a colon.
  const isList = rows.length > 0 && sections[0]?.kind === 'rows' && !/[.!?]$/.test(last);
  const parts = isList ? [...said.slice(0, -1), `${last}: ${rows[0]}`, ...rows.slice(1)] : [...said, ...rows];
  // A block of code is not in the text.
  const next = sections.find(({ kind }) => kind !== 'code');
  const sentences = said.length + (next?.kind === 'text' ? next.lines.length : 0);
  const notes = firstNotes.map((note) => toMrkdwn(note, reader, { isFallback: true }));
  const text = joinText([...parts, ...notes], { sentences });
  return {
    text: title ? `${escaped(title.brief)}: ${text}` : text,
    body: [
      ...(title ? [header(title.text)] : []),
      ...sectionBlocks(first),
      ...(verdict.warning === undefined ? [] : [context(toMrkdwn(verdict.warning, reader))]),
      ...createBody({ reader, lineOf }, first)(sections),
    ],
  };
}

const notesOf = ({ notes = [] }: Answer, reader: Reader): string[] =>
  notes.map((note) => toMrkdwn(note, reader)).filter((note) => note !== '');

function choiceOf(action: AnswerButton, lineOf: LineOf): Choice[] {
  if (!('line' in action || 'intent' in action)) return [];
  const line = 'line' in action ? action.line : lineOf(action.intent);
  return line === undefined ? [] : [{ label: action.label, line }];
}

/** An option of an overflow menu, whose value has at most 150 characters. */
function optionOf(action: AnswerButton, lineOf: LineOf): { label: string; value: string }[] {
  const { label } = action;
  if ('press' in action) return [pressOption(label, action.press, action.value)];
  if ('form' in action) return [{ label, value: formOption(action.form, action.target) }];
  return choiceOf(action, lineOf).map(({ line }) => ({ label, value: line }));
}

/** Undefined for a line. `index`: of several in a message that open the same form. */
function pressOf(action: AnswerButton, index?: number): Button | undefined {
  const { label } = action;
  if ('form' in action) {
    const opens = button({
      id: formActionId(action.form, index),
      label,
      value: JSON.stringify(action.target),
    });
    return action.isPrimary ? primary(opens) : opens;
  }
  if (!('press' in action)) return undefined;
  const press = button({ id: action.press, label, value: action.value });
  if (action.confirm) return withConfirmation(press, action.confirm);
  return action.isDangerous ? { ...press, style: 'danger' } : press;
}

function withheld(what: string, reader: Reader): Message {
  const text = `${what} is not shown in a channel with people from another organisation`;
  return {
    text: `${text}${inventedSuffix(reader)}`,
    blocks: sectionBlocks([`${text}. Ask again in an internal channel, or in a direct message with me.`]),
  };
}

/** For the fallback text, which is read in a notification: every line, and the beginning of every row. */
const wordsOf = (sections: readonly Section[], reader: Reader): string[] =>
  sections.flatMap((section) => {
    if (section.kind === 'table')
      return rowsAsLines(section, reader, { maxColumns: 3, isFallback: true }).slice(section.inVerdict);
    if (section.kind === 'details') return wordsOf(section.sections, reader);
    if (section.kind === 'image')
      return section.data ? wordsOf([section.data], reader) : [escaped(section.alt)];
    const inWords = (text: Text) => toMrkdwn(text, reader, { isFallback: true });
    if (section.kind === 'rows') return section.rows.map(({ lines, text = lines[0] ?? '' }) => inWords(text));
    return section.kind === 'text' ? section.lines.map(inWords) : [];
  });

const charactersOf = (blocks: readonly KnownBlock[]): number =>
  charactersIn(
    blocks.flatMap((block) => {
      if (block.type === 'section') return block.text?.text ?? '';
      return block.type === 'context' ? block.elements.map((each) => ('text' in each ? each.text : '')) : [];
    }),
  );

/** For the verdict and all lines together, beside the small print, titles and buttons. */
const linesRoom = 6_500;

/** Returns a function that makes the blocks of sections. A message holds one table, so other tables become lines. */
function createBody({ reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>, verdict: readonly string[]) {
  const words = (text: Text) => toMrkdwn(text, reader);
  let hasTable = false;
  let room = linesRoom - charactersIn(verdict);

  /** As many as there is room for, and the number of the others. */
  function fitting(all: readonly string[]): { shown: string[]; rest: string[] } {
    const shown = linesWithin(all, room);
    room -= charactersIn(shown);
    const more = all.length - shown.length;
    return { shown, rest: more > 0 ? [`… and ${more} more`] : [] };
  }

  function linesOf(all: readonly string[]): KnownBlock[] {
    const { shown, rest } = fitting(all);
    return sectionBlocks([...shown, ...rest]);
  }

  function codeOf(lines: readonly string[]): KnownBlock[] {
    const { shown, rest } = fitting(lines.map((line) => codeLine(clip(line, 1_000))));
    // Six characters are for the backticks around the block.
    const texts = packLines(shown, limits.sectionText - 6);
    return sectionBlocks([...texts.map((text) => codeBlock([text])), ...rest]);
  }

  function tableOf(table: TableSection, make: typeof dataTable | typeof innerTable): Piece[] {
    if (table.shownCount === 0) return [];
    const rows = linesOf(rowsAsLines(table, reader));
    if (hasTable) return rows;
    hasTable = true;
    return [{ native: make(table, reader), twin: rows } satisfies Twinned];
  }

  function chartOf(section: ChartSection): readonly Piece[] {
    if (section.categories.length < 2) return [];
    const charts = groupedBarChart(section);
    return section.isInTable ? charts.map(({ native }) => ({ native, twin: [] })) : drawn(charts);
  }

  /** Charts and pictures, whose twins need some of the room. */
  function drawn(pieces: readonly Twinned[]): readonly Piece[] {
    room -= pieces.reduce((sum, { twin }) => sum + charactersOf(twin), 0);
    return pieces;
  }

  function detailsOf({ title, sections }: DetailsSection): Piece[] {
    const body = sections.flatMap((section) =>
      section.kind === 'text' ? linesOf(section.lines.map(words)) : tableOf(section, innerTable),
    );
    return container({ title, body });
  }

  function rowsOf({ rows }: RowsSection): KnownBlock[] {
    const texts = rows.map(({ lines }) =>
      lines
        .map(words)
        .filter((line) => line !== '')
        .join('\n'),
    );
    const { shown, rest } = fitting(texts);
    const blocks = shown.flatMap((text, index) => {
      const { button: offered, menu = [] } = rows[index] ?? {};
      const items = menu.flatMap((each) => optionOf(each, lineOf));
      const accessory =
        items.length > 0 ? overflow(actionIds.more, items) : offered && accessoryOf(offered, index);
      return sectionBlocks([text]).map((block) => (accessory ? { ...block, accessory } : block));
    });
    return [...blocks, ...sectionBlocks(rest)];
  }

  function accessoryOf(offered: AnswerButton, index: number): Button | undefined {
    const isForAll = 'form' in offered ? offered.isForAll : !('press' in offered);
    if (!isForAll && reader.audience !== 'private') return undefined;
    // The buttons at the end have the first numbers.
    const [runs] = lineButtons(choiceOf(offered, lineOf), limits.actionsElements + index);
    return pressOf(offered, index) ?? runs;
  }

  function piecesOf(section: Section): readonly Piece[] {
    switch (section.kind) {
      case 'text':
        return linesOf(section.lines.map(words));
      case 'table':
        return tableOf(section, dataTable);
      case 'rows':
        return rowsOf(section);
      case 'details':
        return detailsOf(section);
      case 'bars':
        return chartOf(section);
      case 'lines':
        return drawn(lineChart(section));
      case 'image':
        return drawn([image(section)]);
      case 'code':
        return codeOf(section.lines);
    }
  }

  return (sections: readonly Section[]): Piece[] => sections.flatMap(piecesOf);
}

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
  if ('link' in text) return [{ type: 'link', url: text.link, text: words(text.label) }];
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
function rowsAsLines(
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
