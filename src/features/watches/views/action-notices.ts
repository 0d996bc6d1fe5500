import { actions, button, sections } from '../../../messages/blocks.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { snoozeInWords } from '../rules/in-words.ts';
import type { WatchService } from '../service/watch-service.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';

/** In place of the answer that had the Undo button. */
export function undoneNotice({ kind, watch }: Awaited<ReturnType<WatchService['undo']>>): Message {
  const what = escaped(watch.title);
  const text = {
    stopped: `Undone: ${what} is no longer watched here.`,
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

/** Asked on the Home tab, whose menus have one dialog for all of their options. */
export function stopQuestion({ id, title, channelId }: WatchWithFollowings): Message {
  const text = `Stop the watch of ${escaped(title)} in ${channelMention(channelId)}? Nobody there will be notified any more; earlier alerts stay.`;
  const yes = button({ id: watchActionIds.stop, label: 'Stop it', value: id });
  return { text, blocks: [...sections([text]), ...actions([{ ...yes, style: 'danger' }])] };
}
