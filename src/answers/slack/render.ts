import type { Button, KnownBlock } from '@slack/types';
import { formActionId } from '../../messages/action-ids.ts';
import { actions, button, context, sections as sectionBlocks } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { answerMessage, inventedSuffix } from '../../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../../messages/frame/paging.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { charactersIn, joinText, linesWithin } from '../../messages/limits.ts';
import { blocksOf, type Message, type Piece, type Reader, type Twinned } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { container, groupedBarChart, image, lineChart } from '../../messages/rich-blocks.ts';
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
      ...bodyOf(answer, reader),
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
    reader,
  );
}

/** The message of an answer that can't be asked again, such as what a button has done: nobody refreshes or shares it. */
export function toReply(answer: Answer, { reader, lineOf }: Pick<Context, 'reader' | 'lineOf'>): Message {
  const { runs = [] } = answer.actions ?? {};
  const { text, body } = bodyOf(answer, reader);
  let lines = 0;
  const buttons = runs.flatMap(
    (offered) => pressOf(offered) ?? lineButtons(choiceOf(offered, lineOf), lines++),
  );
  const small = smallPrint([...notesOf(answer, reader), ...inventedNotes(reader)]);
  return {
    text: `${text}${inventedSuffix(reader)}`,
    ...blocksOf([...body, ...small, ...actions(buttons)]),
  };
}

/** The verdict and the sections, and the whole answer in words. */
function bodyOf(
  { verdict, sections = [] }: Answer,
  reader: Reader,
): { text: string; body: readonly Piece[] } {
  const all = [[{ strong: verdict.strong }, verdict.rest ?? ''], ...(verdict.lines ?? [])];
  const first = all.map((text) => toMrkdwn(text, reader)).filter((line) => line !== '');
  const inText = [[verdict.strong, verdict.rest ?? ''], ...(verdict.lines ?? [])].map((text) =>
    toMrkdwn(text, reader, { isFallback: true }),
  );
  return {
    text: joinText([...inText, ...wordsOf(sections, reader)].filter((line) => line !== '')),
    body: [
      ...sectionBlocks(first),
      ...(verdict.warning === undefined ? [] : [context(toMrkdwn(verdict.warning, reader))]),
      ...createBody(reader, first)(sections),
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
    if (section.kind === 'rows') return section.rows.map(({ lines }) => inWords(lines[0] ?? ''));
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
function createBody(reader: Reader, verdict: readonly string[]) {
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
    return rows.flatMap(({ lines: all, button: offered }, index) => {
      const accessory = offered && reader.audience === 'private' ? pressOf(offered, index) : undefined;
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
