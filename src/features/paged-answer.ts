import type { AnswerActions } from '../messages/frame/answer-actions.ts';
import { answerMessage } from '../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../messages/frame/paging.ts';
import { joinText, paged } from '../messages/limits.ts';
import type { Message, Piece, Reader } from '../messages/message.ts';
import type { Provenance } from '../reference/provenance.ts';

/** An answer of the service whose list may have several pages. */
export interface PagedAnswer extends Provenance {
  line: string;
  page: number;
}

interface Parts extends Omit<AnswerActions, 'line'> {
  /** The answer in words, escaped, its verdict first; shown as far as there is room. */
  texts: readonly string[];
  /** Its first block is the verdict. */
  body: readonly Piece[];
  /** Small print, escaped: before the age of the answer, and after it. */
  firstNotes?: readonly string[];
  notes: readonly string[];
  isForecast?: boolean;
}

/** The items on the answer's page, and a function that builds the message around them. */
export function pageOf<Item>(
  answer: PagedAnswer,
  items: readonly Item[],
  { size, reader }: { size: number; reader: Reader },
) {
  const page = paged(items, answer.page, size);
  return {
    items: page.items,
    /** The number of items on the previous pages. */
    offset: (page.page - 1) * size,
    /** `11–20 of 34 shown`; empty if there is only one page. */
    shownNote: shownNote(page, size),
    message({
      texts,
      body,
      firstNotes = [],
      notes,
      isForecast = true,
      runs = [],
      ...actions
    }: Parts): Message {
      const line = pageLine(answer.line, page.page);
      const buttons = [...pageButtons(answer.line, page, size), ...runs];
      const content = { text: joinText(texts), body, firstNotes, notes, isForecast };
      return answerMessage(
        { ...content, provenance: answer, actions: { ...actions, line, runs: buttons } },
        reader,
      );
    },
  };
}
