import { actions, button, context, sections } from '../../../messages/blocks.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { clip, joinWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { listLine, snoozeFor, type WatchAdded, watchAddedView } from './watch-added.ts';

/** What is said to the one who typed a line that changes watches. */
export type WatchReplyAnswer = WatchAdded | WatchDone | WatchSure;

export interface WatchDone {
  kind: 'watch-done';
  what: 'stopped' | 'resumed' | 'snoozed' | 'woken' | 'handed-over' | 'acknowledged';
  titles: readonly string[];
  snooze?: Snooze;
  /** A user's id. */
  to?: string;
  /** What an Undo button holds. */
  undo?: string;
  /** Where it is another channel than this one. */
  channelId?: string;
}

/** Asked before all are stopped, or one that is somebody else's; `line` does it. */
export interface WatchSure {
  kind: 'watch-sure';
  count: number;
  one?: { title: string; ownerId: string };
  /** Where it is another channel than this one. */
  channelId?: string;
  line: string;
}

export function watchAnswerView(answer: WatchReplyAnswer, reader: Reader): Message {
  switch (answer.kind) {
    case 'watch-added':
      return watchAddedView(answer, reader);
    case 'watch-done':
      return doneView(answer, reader);
    case 'watch-sure':
      return answer.one ? sureOfOne(answer, answer.one, reader) : sureView(answer);
  }
}

function doneView(answer: WatchDone, reader: Reader): Message {
  const { what, titles, snooze, to, undo } = answer;
  const shown = joinWithin(
    titles.map((title) => escaped(clip(title, 100))),
    ', ',
    1_500,
  );
  const which = titles.length > 3 ? `${titles.length} watches (${shown})` : shown;
  const said = sentence({ what, which, ...(snooze && { snooze }), ...(to !== undefined && { to }) }, reader);
  return {
    text: `${said}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([said]),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
      ...actions([
        ...(undo === undefined ? [] : [button({ id: watchActionIds.undo, label: 'Undo', value: undo })]),
        ...lineButtons([{ label: 'List the watches', line: listLine(answer) }]),
      ]),
    ],
  };
}

function sentence(
  { what, which, snooze, to }: { what: WatchDone['what']; which: string; snooze?: Snooze; to?: string },
  { now, zone, audience }: Reader,
): string {
  if (which === '') return 'There was nothing to stop';
  switch (what) {
    case 'stopped':
      return `No longer watched: ${which}`;
    case 'resumed':
      return `Resumed: ${which}. Messages that waited go out now`;
    case 'snoozed':
      return `Snoozed ${snooze ? snoozeFor(snooze, { now, zone }) : ''}: ${which}. After that one message says what has changed meanwhile`;
    case 'woken':
      return `Awake again: ${which}`;
    case 'handed-over':
      return `Handed over${to === undefined || audience !== 'private' ? '' : ` to ${personMention(to)}`}: ${which}`;
    case 'acknowledged':
      return `Acknowledged: ${which}`;
  }
}

function sureOfOne(
  answer: WatchSure,
  { title, ownerId }: NonNullable<WatchSure['one']>,
  { audience }: Reader,
): Message {
  const whose =
    audience === 'private' ? `, the watch of ${personMention(ownerId)}` : ', the watch of somebody else';
  const question = `Stop ${escaped(clip(title, 150))}${whose}? Nobody is notified of it any more; what was posted stays.`;
  return {
    text: question,
    blocks: [
      ...sections([question]),
      ...actions(
        lineButtons([
          { label: 'Stop it', line: answer.line },
          { label: 'Keep it', line: listLine(answer) },
        ]),
      ),
    ],
  };
}

function sureView(answer: WatchSure): Message {
  const { count, line, channelId } = answer;
  if (count === 0) {
    const none = `No watches ${channelId === undefined ? 'in this channel' : `in ${channelMention(channelId)}`} yet`;
    return {
      text: `${none}. For example: /watch 9461477`,
      blocks: sections([`*${none}*`, 'For example: `/watch 9461477`']),
    };
  }
  const many = `${count} ${count === 1 ? 'watch' : 'watches'}`;
  const where = channelId === undefined ? 'this channel' : channelMention(channelId);
  const question = `Stop all ${many} of ${where}? They stop for everybody; what was posted stays.`;
  return {
    text: question,
    blocks: [
      ...sections([question]),
      ...actions(
        lineButtons([
          { label: `Stop ${many}`, line },
          { label: 'Keep them', line: listLine(answer) },
        ]),
      ),
    ],
  };
}
