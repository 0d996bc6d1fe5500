import { button } from '../../../messages/blocks.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { snoozeInWords } from '../rules/in-words.ts';
import type { WatchService } from '../service/watch-service.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { shortMessage, undoButton } from './short-message.ts';

/** Replaces the answer with the Undo button. */
export function undoneNotice({ kind, watch }: Awaited<ReturnType<WatchService['undo']>>): Message {
  const title = escaped(watch.title);
  const texts = {
    stopped: `Undone: ${title} is no longer watched here.`,
    restored: `Undone: the watch of ${title} is as it was before.`,
    'watched-again': `Undone: ${title} is watched again, on a new card; changes from now on are posted there.`,
  };
  return shortMessage({ text: texts[kind] });
}

/** Says what was done to a watch, if the button wasn't in its channel: in a direct message or on the Home tab. */
export function elsewhereNotice(
  { title, channelId, snooze }: Pick<WatchWithFollowings, 'title' | 'channelId' | 'snooze'>,
  what: 'acknowledged' | 'snoozed' | 'woken' | 'resumed' | 'stopped',
  { now, undo }: { now: Date; undo?: string | undefined },
): Message {
  const where = `${escaped(title)} in ${channelMention(channelId)}`;
  const texts = {
    acknowledged: `Acknowledged: the news of ${where}. Its card says so.`,
    snoozed: `Snoozed ${snooze ? snoozeInWords(snooze, now) : ''}: ${where} notifies nobody meanwhile.`,
    woken: `Awake again: what has changed of ${where} is posted there now.`,
    resumed: `Resumed: ${where} is watched again, and what was held back is posted there now.`,
    stopped: `Stopped: ${where} is no longer watched.`,
  };
  return shortMessage({ text: texts[what], buttons: undoButton(undo) });
}

/** Asked on the Home tab, because Slack's own dialog can't ask about a single option of a menu. */
export function stopQuestion({ id, title, channelId }: WatchWithFollowings): Message {
  const text = `Stop the watch of ${escaped(title)} in ${channelMention(channelId)}? Nobody there will be notified any more; earlier alerts stay.`;
  const stop = button({ id: watchActionIds.stop, label: 'Stop it', value: id });
  return shortMessage({ text, buttons: [{ ...stop, style: 'danger' }] });
}
