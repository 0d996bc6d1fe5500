import type { ActionsBlock, Button, StaticSelect } from '@slack/types';
import { formActionId } from '../../../messages/action-ids.ts';
import { actions, button, confirmed, select } from '../../../messages/blocks.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { clip } from '../../../messages/limits.ts';
import { plain } from '../../../messages/mrkdwn.ts';
import { type SnoozeChoice, watchActionIds } from '../action-ids.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';

/** The row under a card: [Acknowledge] [Snooze ▾] [Refresh] [All ports] [Stop], or what fits its state. */
export function watchActions(
  watch: WatchWithFollowings,
  { more, now }: { more: readonly { label: string; line: string }[]; now: Date },
): ActionsBlock[] {
  const { id, status, news, acknowledgement } = watch;
  const isOpen = news !== null && acknowledgement === null;
  const rows = actions([
    ...(isOpen ? [button({ id: watchActionIds.acknowledge, label: 'Acknowledge', value: id })] : []),
    ...(status === 'paused' ? [button({ id: watchActionIds.resume, label: 'Resume', value: id })] : []),
    ...(status === 'active' ? [snoozeMenu(watch)] : []),
    ...(status === 'active' ? [button({ id: watchActionIds.refresh, label: 'Refresh', value: id })] : []),
    ...lineButtons(more),
    stopButton(watch),
  ]);
  // With an id of its own each drawing has a fresh menu, in which the same can be chosen again.
  return rows.map((row) => ({ ...row, block_id: `watch ${now.getTime()}` }));
}
/** Opens the watch's form; `index` where a message holds several. */
export function editButton(watchId: string, index?: number): Button {
  return button({ id: formActionId('watch', index), label: 'Edit', value: JSON.stringify({ watchId }) });
}

function snoozeMenu({ id, followings, snooze }: WatchWithFollowings): StaticSelect {
  const isPort = followings[0]?.subject.kind === 'port';
  const option = (choice: SnoozeChoice, label: string) => ({ label, value: `${choice} ${id}` });
  return select(watchActionIds.snooze, 'Snooze', [
    option('1h', '1 hour'),
    ...(isPort ? [] : [option('eta', 'Until 24 h before the ETA')]),
    option('date', 'Until a date …'),
    ...(isPort ? [] : [option('next-port', 'Until the next port changes')]),
    ...(snooze ? [option('wake', 'Wake now')] : []),
  ]);
}

function stopButton({ id, title, status }: WatchWithFollowings): Button {
  const pressed = button({
    id: watchActionIds.stop,
    label: status === 'ended' ? 'Remove' : 'Stop',
    value: id,
  });
  return confirmed(pressed, {
    title: 'Stop this watch?',
    question: `${plain(clip(title, 150))} is no longer watched in this channel, for nobody. What was posted stays here.`,
    yes: 'Stop',
  });
}
