import type { Button } from '@slack/types';
import { limits, type Message, type Reader } from '../../../answers/message.ts';
import { inventedNotes, inventedSuffix, smallPrint } from '../../../answers/slack/answer-message.ts';
import { actions, button, formActionId, sections } from '../../../answers/slack/blocks.ts';
import { watchActionIds } from '../action-ids.ts';

/** The longest list in a message's `text`. It leaves room for what follows, such as the mark of invented data. */
export const maxListText = limits.messageText - 200;

/** Lines of mrkdwn, small print and a row of buttons. With a `reader` the message says if its data is invented. */
export function shortMessage(
  {
    text,
    lines = [text],
    notes = [],
    buttons = [],
  }: {
    text: string;
    lines?: readonly string[];
    notes?: readonly string[];
    buttons?: readonly Button[];
  },
  reader?: Reader,
): Message {
  return {
    text: `${text}${reader ? inventedSuffix(reader) : ''}`,
    blocks: [
      ...sections(lines),
      ...smallPrint([...notes, ...(reader ? inventedNotes(reader) : [])]),
      ...actions(buttons),
    ],
  };
}

/** `undo` is a value of undo.ts; no button if it is undefined. */
export const undoButton = (undo: string | undefined): Button[] =>
  undo === undefined ? [] : [button({ id: watchActionIds.undo, label: 'Undo', value: undo })];

/** Opens the watch's form. Each button of a message needs another `index`. */
export const editButton = (watchId: string, index?: number): Button =>
  button({ id: formActionId('watch', index), label: 'Edit', value: JSON.stringify({ watchId }) });
