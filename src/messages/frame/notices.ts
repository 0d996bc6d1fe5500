import type { Digest } from '../../features/digests/digest.ts';
import { snoozeInWords } from '../../features/watches/rules/in-words.ts';
import type { WatchService } from '../../features/watches/service/watch-service.ts';
import type { WatchWithFollowings } from '../../features/watches/store/watch-list.ts';
import { digestActionIds, watchActionIds } from '../action-ids.ts';
import { actions, button, sections } from '../blocks.ts';
import type { Message } from '../message.ts';
import { channelMention, escaped } from '../mrkdwn.ts';

export const workingNotice: Message = { text: 'Working on it …', blocks: [] };

export function outsideNotice(): Message {
  const text =
    'Sorry, Landfall answers only people of the organisation that installed it. Ask somebody there to share an answer in the channel.';
  return { text, blocks: sections([text]) };
}

/** The buttons of `shareQuestion`; the value of the first is the command line. */
export const shareAnyway = 'share_outside';
export const dismiss = 'dismiss';

/** Asked before an answer is posted where people of another organisation may read. */
export function shareQuestion(line: string): Message {
  const text = 'People of another organisation may read this channel. Share the answer with them too?';
  return {
    text,
    blocks: [
      ...sections([text]),
      ...actions([
        button({ id: shareAnyway, label: 'Share here', value: line }),
        button({ id: dismiss, label: "Don't share", value: dismiss }),
      ]),
    ],
  };
}

/** In place of the answer that had the Undo button. */
export function undoneNotice({ kind, watch }: Awaited<ReturnType<WatchService['undo']>>): Message {
  const what = escaped(watch.title);
  const text = {
    stopped: `Undone: ${what} is not watched here any more.`,
    restored: `Undone: the watch of ${what} is as it was before.`,
    'watched-again': `Undone: ${what} is watched again, on a new card; changes from now on are posted there.`,
  }[kind];
  return { text, blocks: sections([text]) };
}

/** In place of a notice in the owner's direct message, and on the Home tab: what became of a watch elsewhere. */
export function elsewhereNotice(
  { title, channelId, snooze }: Pick<WatchWithFollowings, 'title' | 'channelId' | 'snooze'>,
  what: 'acknowledged' | 'snoozed' | 'woken' | 'resumed' | 'stopped',
  { now, undo }: { now: Date; undo?: string | undefined },
): Message {
  const where = `${escaped(title)} in ${channelMention(channelId)}`;
  const text = {
    acknowledged: `Acknowledged: the news of ${where}. Its card says so.`,
    snoozed: `Snoozed ${snooze ? snoozeInWords(snooze, now) : ''}: ${where} notifies nobody meanwhile.`,
    woken: `Awake again: what has changed of ${where} is posted there now.`,
    resumed: `Resumed: ${where} is watched again, and what was held back is posted there now.`,
    stopped: `Stopped: ${where} is no longer watched.`,
  }[what];
  const back = undo === undefined ? [] : [button({ id: watchActionIds.undo, label: 'Undo', value: undo })];
  return { text, blocks: [...sections([text]), ...actions(back)] };
}

/** The same of a digest, with the way back. */
export function digestNotice(
  { id, title, channelId, ownerId }: Pick<Digest, 'id' | 'title' | 'channelId' | 'ownerId'>,
  what: 'running' | 'paused' | 'resumed' | 'removed',
): Message {
  const where = channelId === ownerId ? 'your own digest' : `the digest in ${channelMention(channelId)}`;
  const verb = { running: 'On its way', paused: 'Paused', resumed: 'Resumed', removed: 'Removed' }[what];
  const text = `${verb}: “${escaped(title)}”, ${where}.`;
  const back = {
    running: [],
    paused: [button({ id: digestActionIds.resume, label: 'Resume', value: id })],
    resumed: [button({ id: digestActionIds.pause, label: 'Pause', value: id })],
    removed: [],
  }[what];
  return { text, blocks: [...sections([text]), ...actions(back)] };
}

export function resumedAllNotice(channelId: string, count: number): Message {
  const where = channelMention(channelId);
  const text =
    count === 0
      ? `Nothing of yours is paused in ${where} any more.`
      : `Resumed: ${count} of yours in ${where}, and what was held back is posted there now.`;
  return { text, blocks: sections([text]) };
}
