import type { KnownBlock } from '@slack/types';
import { context, sections as sectionBlocks } from '../../messages/blocks.ts';
import { answerMessage, inventedSuffix } from '../../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../../messages/frame/paging.ts';
import { charactersIn, clip, joinText, limits, linesWithin, packLines } from '../../messages/limits.ts';
import type { Message, Piece, Reader, Twinned } from '../../messages/message.ts';
import { codeBlock, codeLine, escaped } from '../../messages/mrkdwn.ts';
import { container, groupedBarChart, image, lineChart } from '../../messages/rich-blocks.ts';
import type { Answer, AnswerAction, ChartSection, DetailsSection, Section } from '../answer.ts';
import type { LineOf } from '../intent.ts';
import type { TableSection } from '../table.ts';
import { type Text, toMrkdwn } from '../text.ts';
import { charactersInCells, dataTable, innerTable, rowsAsLines } from './table-blocks.ts';

interface Context {
  /** The canonical line that the answer is to. Left out if it must not be asked again: then there is no Refresh and no Share. */
  line?: string | undefined;
  reader: Reader;
  lineOf: LineOf;
}

/** The message of an answer. */
export function toMessage(answer: Answer, { line, reader, lineOf }: Context): Message {
  if (answer.membersOnly !== undefined && reader.audience === 'outside')
    return withheld(answer.membersOnly, reader);
  const { verdict, sections = [], page, isForecast = false, isTypedHere = false } = answer;
  const { watch, unnamed, runs, more, isFinal = false } = answer.actions ?? {};
  const watchLine = watch && lineOf(watch);
  const words = (text: Text) => toMrkdwn(text, reader);
  const first = [[{ strong: verdict.strong }, verdict.rest ?? ''], ...(verdict.lines ?? [])].map(words);
  const choices = (offered: readonly AnswerAction[] = []) =>
    offered.flatMap((action) => choiceOf(action, lineOf));
  return answerMessage(
    {
      text: joinText(
        [[verdict.strong, verdict.rest ?? ''], ...(verdict.lines ?? [])]
          .map((text) => toMrkdwn(text))
          .concat(wordsOf(sections, reader))
          // Semicolons separate them.
          .map((words) => words.replace(/\.$/, '')),
      ),
      body: [
        ...sectionBlocks(first),
        ...(verdict.warning === undefined ? [] : [context(words(verdict.warning))]),
        ...createBody(reader, first)(sections),
      ],
      firstNotes: (answer.firstNotes ?? []).map(words),
      notes: [...(answer.notes ?? []).map(words), ...(page ? shownNote(page, page.size) : [])],
      isForecast,
      provenance: answer.provenance,
      actions: {
        ...(watchLine !== undefined && { watch: watchLine }),
        ...(unnamed !== undefined && { unnamed }),
        ...(line !== undefined && !isFinal && { line: page ? pageLine(line, page.page) : line }),
        runs: [...(page && line !== undefined ? pageButtons(line, page, page.size) : []), ...choices(runs)],
        more: choices(more),
      },
    },
    isTypedHere ? { ...reader, source: 'service' } : reader,
  );
}

function choiceOf(action: AnswerAction, lineOf: LineOf) {
  const line = 'line' in action ? action.line : lineOf(action.intent);
  return line === undefined ? [] : [{ label: action.label, line }];
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
    return section.kind === 'text' ? section.lines.map((text) => toMrkdwn(text)) : [];
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

/** For the lines and a table's cells together: the small print, titles and buttons need the rest. */
const tableRoom = limits.blockTextInAll - 3_000;

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

  function codeOf(lines: readonly string[]): KnownBlock[] {
    const shown = linesWithin(
      lines.map((each) => codeLine(clip(each, 1_000))),
      room,
    );
    room -= charactersIn(shown);
    // Six characters are for the backticks around the block.
    return packLines(shown, limits.sectionText - 6).flatMap((text) => sectionBlocks([codeBlock([text])]));
  }

  function tableOf(table: TableSection, make: typeof dataTable | typeof innerTable): Piece[] {
    if (table.shownCount === 0) return [];
    const isTooLong = linesRoom - room + charactersInCells(table, reader) > tableRoom;
    const rows = linesOf(rowsAsLines(table, reader));
    if (hasTable || isTooLong) return rows;
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

  function bodyOf(section: Section): readonly Piece[] {
    switch (section.kind) {
      case 'text':
        return linesOf(section.lines.map(words));
      case 'table':
        return tableOf(section, dataTable);
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

  return (sections: readonly Section[]): Piece[] => sections.flatMap(bodyOf);
}
