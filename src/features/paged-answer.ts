import type { KnownBlock } from '@slack/types';
import type { AnswerActions } from '../messages/frame/answer-actions.ts';
import { answerMessage } from '../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../messages/frame/paging.ts';
import { joinText, paged } from '../messages/limits.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { Provenance } from '../reference/provenance.ts';

/** An answer of the service whose list may have several pages. */
export interface PagedAnswer extends Provenance {
  line: string;
  page: number;
}

interface Parts extends Omit<AnswerActions, 'line'> {
  /** The answer in words, escaped, its verdict first; shown as far as there is room. */
  texts: readonly string[];
  body: readonly KnownBlock[];
  /** The body without newer blocks, if it has any. */
  plainBody?: readonly KnownBlock[];
  /** Small print, escaped. */
  notes: readonly string[];
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
    message({ texts, body, plainBody, notes, runs = [], ...actions }: Parts): Message {
      const line = pageLine(answer.line, page.page);
      const buttons = [...pageButtons(answer.line, page, size), ...runs];
      const content = { text: joinText(texts), body, ...(plainBody && { plainBody }), notes };
      return answerMessage(
        { ...content, provenance: answer, actions: { ...actions, line, runs: buttons } },
        reader,
      );
    },
  };
}
