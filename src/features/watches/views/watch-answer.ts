import { counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { clip, joinWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { changeQuestionView, type WatchChangeQuestion } from './change-question.ts';
import { editButton, shortMessage, undoButton } from './short-message.ts';
import {
  listLine,
  rulesList,
  snoozeFor,
  type WatchAdded,
  watchAddedView,
  whenNotified,
} from './watch-added.ts';

/** The answer to a line that changes watches. */
export type WatchReplyAnswer = WatchAdded | WatchDone | WatchStopQuestion | WatchChangeQuestion;

export interface WatchDone {
  kind: 'watch-done';
  what: 'stopped' | 'resumed' | 'snoozed' | 'woken' | 'handed-over' | 'acknowledged' | 'assigned';
  titles: readonly string[];
  snooze?: Snooze;
  newOwnerId?: string;
  assigneeId?: string;
  /** The value of an Undo button. */
  undo?: string;
  /** Set if the watches are in another channel. */
  channelId?: string;
}

/** The question before all watches of a channel are stopped, or one that belongs to somebody else. */
export interface WatchStopQuestion {
  kind: 'watch-stop-question';
  count: number;
  /** Set if somebody else owns the watch. */
  foreign?: { title: string; ownerId: string };
  channelId?: string;
  /** The command line that stops them. */
  line: string;
}

export function watchAnswerView(answer: WatchReplyAnswer, reader: Reader): Message {
  switch (answer.kind) {
    case 'watch-added':
      return watchAddedView(answer, reader);
    case 'watch-done':
      return doneView(answer, reader);
    case 'watch-change-question':
      return changeQuestionView(answer, reader);
    case 'watch-stop-question':
      return stopQuestionView(answer, reader);
  }
}

function doneView(answer: WatchDone, reader: Reader): Message {
  const list = { label: 'List the watches', line: listLine(answer) };
  const buttons = [...undoButton(answer.undo), ...lineButtons([list])];
  return shortMessage({ text: doneText(answer, reader), buttons }, reader);
}

function doneText({ what, titles, snooze, newOwnerId, assigneeId }: WatchDone, reader: Reader): string {
  if (titles.length === 0) return 'There was nothing to stop';
  const names = titles.map((title) => escaped(clip(title, 100)));
  const shown = joinWithin(names, ', ', 1_500);
  const which = titles.length > 3 ? `${titles.length} watches (${shown})` : shown;
  const toOwner =
    newOwnerId === undefined || reader.audience !== 'private' ? '' : ` to ${personMention(newOwnerId)}`;
  const toAssignee =
    assigneeId === undefined || reader.audience !== 'private' ? '' : ` to ${personMention(assigneeId)}`;
  const texts = {
    stopped: `No longer watched: ${which}`,
    resumed: `Resumed: ${which}. Waiting messages are sent now`,
    snoozed: `Snoozed ${snooze ? snoozeFor(snooze, reader) : ''}: ${which}. Afterwards, one message says what has changed`,
    woken: `Awake again: ${which}`,
    'handed-over': `Handed over${toOwner}: ${which}`,
    acknowledged: `Acknowledged: ${which}`,
    assigned: `Assigned${toAssignee}: the open alerts of ${which}`,
  };
  return texts[what];
}

function stopQuestionView(answer: WatchStopQuestion, { audience }: Reader): Message {
  const { count, foreign, channelId, line } = answer;
  const keep = { label: foreign ? 'Keep it' : 'Keep them', line: listLine(answer) };
  if (foreign) {
    const owner = audience === 'private' ? personMention(foreign.ownerId) : 'somebody else';
    const text = `Stop ${escaped(clip(foreign.title, 150))}, the watch of ${owner}? Nobody will be notified of it any more; what was posted stays.`;
    return shortMessage({ text, buttons: lineButtons([{ label: 'Stop it', line }, keep]) });
  }
  const channel = channelId === undefined ? 'this channel' : channelMention(channelId);
  if (count === 0) {
    const none = `No watches in ${channel} yet`;
    const lines = [`*${none}*`, 'For example: `/watch 9461477`'];
    return shortMessage({ text: `${none}. For example: /watch 9461477`, lines });
  }
  const watches = counted(count, 'watch', 'watches');
  const text = `Stop all ${watches} in ${channel}? They stop for everybody; what was posted stays.`;
  return shortMessage({ text, buttons: lineButtons([{ label: `Stop ${watches}`, line }, keep]) });
}

/** The answer to an edit in the form. `undo` is omitted if nothing was changed. */
export function watchEditedView(
  edited: Pick<WatchAdded, 'title' | 'isPort' | 'rules' | 'undo'> &
    Pick<WatchDone, 'newOwnerId'> & { watchId: string; channelId: string },
  reader: Reader,
): Message {
  const { watchId, title, channelId, newOwnerId, undo } = edited;
  const how = undo === undefined ? 'already has these rules' : 'has changed';
  const heading = `The watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)} ${how}`;
  const handedOver = newOwnerId === undefined ? [] : [`Handed over to ${personMention(newOwnerId)}.`];
  const { first, rules } = rulesList(edited, reader);
  return shortMessage(
    {
      text: [`${heading}.`, ...handedOver, whenNotified(edited, reader)].join(' '),
      lines: [[`*${heading}*.`, ...handedOver, first].join(' '), ...rules],
      buttons: [...undoButton(undo), editButton(watchId)],
    },
    reader,
  );
}
