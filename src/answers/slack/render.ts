import type { Button, KnownBlock } from '@slack/types';
import { actionIds, formActionId, formOption, pressOption } from '../../messages/action-ids.ts';
import { actions, button, context, overflow, sections as sectionBlocks } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { answerMessage, inventedSuffix, staleWords } from '../../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../../messages/frame/paging.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { charactersIn, joinText, linesWithin } from '../../messages/limits.ts';
import { blocksOf, type Message, type Piece, type Reader, type Twinned } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { container, groupedBarChart, header, image, lineChart } from '../../messages/rich-blocks.ts';
import type { Answer, AnswerButton, ChartSection, DetailsSection, RowsSection, Section } from '../answer.ts';
import type { LineOf } from '../intent.ts';
import type { TableSection } from '../table.ts';
import { type Text, toMrkdwn } from '../text.ts';
import { dataTable, innerTable, rowsAsLines } from './table-blocks.ts';

interface Context {
  /** The canonical line that the answer is to. */
  line: string;
  reader: Reader;
  lineOf: LineOf;
}

/** The message of an answer. */
export function toMessage(answer: Answer, { line, reader, lineOf }: Context): Message {
  if (answer.membersOnly !== undefined && reader.audience === 'outside')
    return withheld(answer.membersOnly, reader);
  const { page, isForecast = false } = answer;
  const { watch, unnamed, runs = [], more = [] } = answer.actions ?? {};
  const watchLine = watch && lineOf(watch);
  const words = (text: Text) => toMrkdwn(text, reader);
  const choices = (offered: readonly AnswerButton[]) => offered.flatMap((action) => choiceOf(action, lineOf));
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
        line: page ? pageLine(line, page.page) : line,
        runs: [...(page ? pageButtons(line, page, page.size) : []), ...choices(runs)],
        others: pressesOf(runs),
        more: choices(more),
      },
    },
    markedFor(answer, reader),
  );
}

/** What the workspace has stored isn't invented. */
const markedFor = ({ isOwn = false }: Answer, reader: Reader): Reader =>
  isOwn ? { ...reader, source: 'service' } : reader;

/** The message of an answer that can't be asked again, such as what a button has done: nobody refreshes or shares it. */
export function toReply(answer: Answer, { reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>): Message {
  const { runs = [] } = answer.actions ?? {};
  const notes = notesOf(answer, reader);
  const { text, body } = bodyOf(answer, { reader, lineOf, notes });
  let lines = 0;
  const buttons = runs.flatMap(
    (offered) => pressOf(offered) ?? lineButtons(choiceOf(offered, lineOf), lines++),
  );
  const marked = markedFor(answer, reader);
  const small = smallPrint(notes, inventedNotes(marked));
  return {
    text: `${text}${inventedSuffix(marked)}`,
    ...blocksOf([...body, ...small, ...actions(buttons)]),
  };
}

/**
 * The verdict in one line of mrkdwn, without marks, and what qualifies it, for a message about several answers. `isWhole`:
 * only small print and buttons are left out.
 */
export function toBrief(answer: Answer, reader: Reader): { lines: string[]; isWhole: boolean } {
  const { verdict, sections = [], provenance } = answer;
  const words = (text: Text) => toMrkdwn(text, reader, { isFallback: true, isMarked: false });
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

/** The verdict and the sections, and the whole answer in words, with these notes. */
function bodyOf(
  { title, verdict, sections = [] }: Answer,
  { reader, lineOf, notes = [] }: Pick<Context, 'reader' | 'lineOf'> & { notes?: readonly string[] },
): { text: string; body: readonly Piece[] } {
  const all = [[{ strong: verdict.strong }, verdict.rest ?? ''], ...(verdict.lines ?? [])];
  const first = all.map((text) => toMrkdwn(text, reader)).filter((line) => line !== '');
  const inText = [[verdict.strong, verdict.rest ?? ''], ...(verdict.lines ?? [])].map((text) =>
    toMrkdwn(text, reader, { isFallback: true }).replace(/^• /, ''),
  );
  const [row, ...others] = wordsOf(sections, reader);
  // A list follows the verdict after a colon.
  const parts =
    row !== undefined && sections[0]?.kind === 'rows'
      ? [`${inText.join('; ')}: ${row}`, ...others]
      : [...inText, row ?? '', ...others];
  const text = joinText([...parts, ...notes].filter((line) => line !== ''));
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

function choiceOf(action: AnswerButton, lineOf: LineOf) {
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

const pressesOf = (offered: readonly AnswerButton[]): Button[] =>
  offered.flatMap((action) => pressOf(action) ?? []);

/** Undefined for a line. `index`: of several in a message that open the same form. */
function pressOf(action: AnswerButton, index?: number): Button | undefined {
  if ('form' in action)
    return button({
      id: formActionId(action.form, index),
      label: action.label,
      value: JSON.stringify(action.target),
    });
  if (!('press' in action)) return undefined;
  const press = button({ id: action.press, label: action.label, value: action.value });
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
      return rowsAsLines(section, reader, { maxColumns: 3 }).slice(section.inVerdict);
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

  function linesOf(all: readonly string[]): KnownBlock[] {
    const shown = linesWithin(all, room);
    room -= charactersIn(shown);
    const more = all.length - shown.length;
    return sectionBlocks(more > 0 ? [...shown, `… and ${more} more`] : shown);
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
    return rows.flatMap(({ lines: all, button: offered, menu = [] }, index) => {
      const pressed = offered && reader.audience === 'private' ? pressOf(offered, index) : undefined;
      const items = menu.flatMap((each) => optionOf(each, lineOf));
      const accessory = items.length > 0 ? overflow(actionIds.more, items) : pressed;
      const shown = all.map(words).filter((line) => line !== '');
      return sectionBlocks([shown.join('\n')]).map((block) => (accessory ? { ...block, accessory } : block));
    });
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
    }
  }

  return (sections: readonly Section[]): Piece[] => sections.flatMap(piecesOf);
}
