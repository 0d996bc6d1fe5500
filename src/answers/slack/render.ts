import type { Button, DataTableBlock, KnownBlock, RichTextElement, TableBlock } from '@slack/types';
import {
  type Answer,
  type AnswerButton,
  type ChartSection,
  type DetailsSection,
  type HomePart,
  type LineOf,
  type Row,
  type RowsSection,
  type Section,
  lines as textSection,
  type Verdict,
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
  type TextPart,
  type Twinned,
  withPoints,
} from '../message.ts';
import type { Cell, Grid, TableSection } from '../table.ts';
import {
  channelMention,
  codeBlock,
  codeLine,
  escaped,
  isLink,
  isList,
  partFor,
  personMention,
  plain,
  type Text,
  toMrkdwn,
  toPlain,
} from '../text.ts';
import {
  answerActions,
  answerMessage,
  buttonOf,
  inventedSuffix,
  optionOf,
  pageButtons,
  pageLine,
  shownNote,
  smallPrint,
  spoken,
} from './answer-message.ts';
import { actionIds, context, overflow, sections as sectionBlocks, title as titleBlock } from './blocks.ts';
import { card, chartInWords, container, groupedBarChart, header, image, lineChart } from './rich-blocks.ts';

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
  const pageNotes = page ? shownNote(page, page.size) : [];
  return answerMessage(
    {
      ...bodyOf(answer, { reader, lineOf }),
      firstNotes: shownNotes(answer.firstNotes, reader),
      notes: [...shownNotes(answer.notes, reader), ...pageNotes],
      spokenNotes: [
        ...spokenNotes(answer.notes, reader),
        ...(page && page.pages > 1 ? pageNotes.slice(0, 1) : []),
      ],
      isForecast,
      provenance: answer.provenance,
      actions: answerActions(answer.actions ?? {}, {
        ...(isRepeatable && isOwn !== true && { line: page ? pageLine(line, page.page) : line }),
        pages: page && pageButtons(line, page, page.size),
        about: answer.actions?.about && toPlain(answer.actions.about, reader),
        verdict: toPlain(answer.verdict.strong, reader),
        lineOf,
        now: reader.now,
      }),
    },
    reader,
  );
}

/** The message of an answer that can't be asked again, such as what a button has done: nobody refreshes or shares it. */
export const toReply = (answer: Answer, context: Pick<Context, 'reader' | 'lineOf'>): Message =>
  toMessage(answer, { ...context, line: '', isRepeatable: false });

/** The verdict and the sections, and the whole answer in words. */
function bodyOf(
  { title, verdict, sections = [], firstNotes = [], page }: Answer,
  { reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>,
): { text: string; body: readonly Piece[] } {
  const all = verdictLines(verdict);
  const shown = all.map((text) => toMrkdwn(text, reader)).filter((line) => line !== '');
  const inWords = (texts: readonly Text[]) =>
    texts.map((text) => toMrkdwn(text, reader, { isFallback: true })).filter((line) => line !== '');
  const spoken = inWords(all);
  const said = withPoints(spoken);
  const [row, ...rows] = partsOf(sections, reader, { isAfterOneLine: said.length === 1 });
  const last = said.at(-1) ?? '';
  const isList = row !== undefined && sections[0]?.kind === 'rows' && !/[.!?]$/.test(last);
  const missingPage = page?.beyond === undefined ? [] : shownNote(page, page.size).slice(-1);
  const text = joinText([
    ...sentences(isList ? [...said.slice(0, -1), `${last}: ${row.text}`] : said),
    ...(row && !isList ? [row] : []),
    ...rows,
    ...sentences([...inWords([verdict.warning ?? '', ...firstNotes]), ...missingPage]),
  ]);
  return {
    text: title ? `${escaped(title.brief)}: ${text}` : text,
    body: [
      ...(title ? [header(title.text)] : []),
      ...(verdict.isCard ? card(spoken[0] ?? '', shown) : sectionBlocks(shown)),
      ...(verdict.warning === undefined ? [] : [context(toMrkdwn(verdict.warning, reader))]),
      ...createBody({ reader, lineOf, page }, linesRoom - charactersIn(shown))(sections),
    ],
  };
}

const verdictLines = ({ strong, rest = '', lines: more = [] }: Verdict): Text[] => [
  [{ strong }, rest],
  ...more,
];

const shownNotes = (notes: readonly Text[] = [], reader: Reader): string[] =>
  notes.map((note) => toMrkdwn(note, reader)).filter((note) => note !== '');

/** Without links, which nobody can follow there, and times in the reader's own zone, which would be in UTC. */
const spokenNotes = (notes: readonly Text[] = [], reader: Reader): string[] =>
  notes
    .filter((note) =>
      (isList(note) ? note : [note]).every(
        (part) => typeof part === 'string' || isList(part) || !('instant' in part || 'link' in part),
      ),
    )
    .map((note) => toMrkdwn(note, reader, { isFallback: true }))
    .filter((note) => note !== '');

/** The blocks of a part of the Home tab. */
export function homeBlocks(
  { heading, verdict, sections = [], notes, actions }: HomePart,
  { reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>,
): KnownBlock[] {
  const pieces = createBody(
    { reader, lineOf },
    Number.POSITIVE_INFINITY,
  )([...textSection(verdict ? verdictLines(verdict) : []), ...sections]);
  return [
    ...(heading === undefined ? [] : [titleBlock(heading)]),
    ...pieces.flatMap((piece) => ('native' in piece ? piece.twin : [piece])),
    ...smallPrint(shownNotes(notes, reader)),
    ...answerActions(actions ?? {}, { lineOf, now: reader.now }),
  ];
}

function withheld(what: string, reader: Reader): Message {
  const text = `${what} is not shown in a channel with people from another organisation`;
  return {
    text: `${text}${inventedSuffix(reader)}`,
    blocks: sectionBlocks([`${text}. Ask again in an internal channel, or in a direct message with me.`]),
  };
}

const sentences = (lines: readonly string[]): TextPart[] => lines.map((text) => ({ text, isSentence: true }));

/**
 * For the fallback text, which is read in a notification: every line, and the beginning of every row. Rows are a list,
 * which goes on from a verdict of one line, unless each is a sentence of its own: `Login: refused`.
 */
const partsOf = (sections: readonly Section[], reader: Reader, { isAfterOneLine = false } = {}): TextPart[] =>
  sections
    .map((section): TextPart[] => {
      if (section.kind === 'details') return partsOf(section.sections, reader, { isAfterOneLine });
      if (section.kind === 'image' && section.data)
        return partsOf([section.data], reader, { isAfterOneLine });
      const lines = wordsOf(section, reader).filter((line) => line !== '');
      const areSentences = section.kind === 'text' || lines.every((line) => /^\p{Lu}[^·:;]*: /u.test(line));
      return lines.map((text) => ({ text, isSentence: areSentences }));
    })
    .filter((parts) => parts.length > 0)
    .flatMap(([first, ...others], index) =>
      first ? [{ ...first, isSentence: first.isSentence || index > 0 || !isAfterOneLine }, ...others] : [],
    );

function wordsOf(section: Exclude<Section, DetailsSection>, reader: Reader): string[] {
  const inWords = (text: Text) => toMrkdwn(text, reader, { isFallback: true });
  if (section.kind === 'table')
    return rowsAsLines(section, reader, { maxColumns: 3, isFallback: true }).slice(section.inVerdict);
  if (section.kind === 'image') return [escaped(section.alt)];
  if (section.kind === 'bars') return isDrawn(section) && !section.isInTable ? [chartInWords(section)] : [];
  if (section.kind === 'rows') return section.rows.map(({ lines, text = lines[0] ?? '' }) => inWords(text));
  return section.kind === 'text' ? section.lines.map(inWords) : [];
}

/** A single bar would compare nothing. */
const isDrawn = ({ categories, series }: ChartSection): boolean => categories.length > 1 && series.length > 0;

const charactersOf = (blocks: readonly KnownBlock[]): number =>
  charactersIn(
    blocks.flatMap((block) => {
      if (block.type === 'section') return block.text?.text ?? '';
      return block.type === 'context' ? block.elements.map((each) => ('text' in each ? each.text : '')) : [];
    }),
  );

/** For the verdict and all lines together, beside the small print, titles and buttons. */
const linesRoom = 6_500;

/**
 * Returns a function that makes the blocks of sections. A message holds one table, so other tables become lines. `room`: in
 * characters.
 */
function createBody(
  { reader, lineOf, page }: Pick<Context, 'reader' | 'lineOf'> & { page?: Answer['page'] | undefined },
  room: number,
) {
  const words = (text: Text) => toMrkdwn(text, reader);
  let hasTable = false;
  let left = room;

  /** As many as there is room for, and the number of the others. */
  function fitting(all: readonly string[]): { shown: string[]; rest: string[] } {
    const shown = linesWithin(all, left);
    left -= charactersIn(shown);
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
    return [{ native: make(table, { reader, page }), twin: rows } satisfies Twinned];
  }

  function chartOf(section: ChartSection): readonly Piece[] {
    if (!isDrawn(section)) return [];
    const charts = groupedBarChart(section);
    return section.isInTable ? charts.map(({ native }) => ({ native, twin: [] })) : drawn(charts);
  }

  /** Charts and pictures, whose twins need some of the room. */
  function drawn(pieces: readonly Twinned[]): readonly Piece[] {
    left -= pieces.reduce((sum, { twin }) => sum + charactersOf(twin), 0);
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
        items.length > 0 ? overflow(actionIds.more, items) : offered && accessoryOf(offered, rows, index);
      return sectionBlocks([text]).map((block) => (accessory ? { ...block, accessory } : block));
    });
    return [...blocks, ...sectionBlocks(rest)];
  }

  function accessoryOf(offered: AnswerButton, rows: readonly Row[], index: number): Button | undefined {
    const isForAll = 'form' in offered ? offered.isForAll : !('press' in offered);
    if (!isForAll && reader.audience !== 'private') return undefined;
    // The buttons at the end have the first numbers.
    const id = actionIds.run(limits.actionsElements + index);
    const [shown] = buttonOf(offered, lineOf, { id, index });
    const { text, lines = [], about } = rows[index] ?? {};
    const isCalledTheSame = rows.filter((row) => row.button?.label === offered.label).length > 1;
    if (!shown || (about === undefined && !isCalledTheSame)) return shown;
    // In a screen reader's list of buttons.
    return spoken(shown, `${offered.label}: ${about ?? toPlain(text ?? lines[0] ?? '', reader)}`);
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

/** The rows that Slack shows at a time, with buttons for the others, unless the answer has such buttons itself. */
const rowsShown = 20;

type TableContext = Pick<Context, 'reader'> & { page?: Answer['page'] | undefined };

type TableCell = DataTableBlock['rows'][number][number];

/** A table that people can page and sort. A message holds one table of either kind. */
export function dataTable({ caption, grid }: TableSection, { reader, page }: TableContext): DataTableBlock {
  const { columns, rows } = grid(reader);
  const isPaged = page !== undefined && page.pages > 1;
  return {
    type: 'data_table',
    caption: clip(plain(caption), limits.tableCaption) || '–',
    page_size: isPaged ? Math.max(rowsShown, Math.min(rows.length, limits.tableRows)) : rowsShown,
    rows: cellsOf({ columns, rows: rows.slice(0, limits.tableRows) }, reader),
  };
}

/** A table for a container, which can't hold a `dataTable`. */
function innerTable({ grid }: TableSection, { reader }: TableContext): TableBlock {
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
function rowsAsLines(
  { grid, inWords: given }: TableSection,
  reader: Reader,
  { maxColumns = Number.POSITIVE_INFINITY, isFallback = false } = {},
): string[] {
  const inWords = (text: Text) => toMrkdwn(text, reader, { isFallback });
  if (given) return given.map(inWords);
  const { columns, rows } = grid(reader);
  return rows.map((row) => {
    const texts = row.flatMap(({ text }, index) => {
      const column = columns[index];
      const words = inWords(text);
      if (words === '' || words === '–') return [];
      return column?.isLabelled ? `${escaped(column.header)} ${words}` : words;
    });
    // To leave out a single one would save nothing.
    return (texts.length > maxColumns + 1 ? texts.slice(0, maxColumns) : texts).join(' · ');
  });
}
