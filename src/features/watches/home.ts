import { formOption, pressOption } from '../../messages/action-ids.ts';
import { rowWithMenu } from '../../messages/blocks.ts';
import type { Reader } from '../../messages/message.ts';
import type { HomeSection, WorkspaceServices } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { watchActionIds } from './action-ids.ts';
import type { WatchService } from './service/watch-service.ts';
import type { WatchWithFollowings } from './store/watch-list.ts';
import { planNotes, watchLines } from './views/watch-list.ts';

export const watchesOnHome = (
  service: WatchService,
  { usageVisibleTo }: Pick<WorkspaceServices['settings'], 'usageVisibleTo'>,
): HomeSection => ({
  name: 'watches',
  label: 'Watches',
  opener: { form: 'watch', label: 'Watch a vessel …' },
  firstStep: '*Watch a vessel.* You are notified in a thread when its next port or its ETA changes.',
  empty: 'No watches here yet. For example: `/watch 9461477`',
  hasOwners: true,
  async read({ scope, ...page }, context) {
    const actor = actorIn(context);
    const { watches, total, plan } = await service.list(scope, actor, {
      ...page,
      withLatest: true,
    });
    const maySeeCosts = usageVisibleTo === 'everyone' || actor.isAdmin;
    return {
      total,
      rows: (reader) => watches.map((watch) => watchRow(watch, reader)),
      notes: (reader) => (maySeeCosts ? planNotes(plan, reader) : []),
    };
  },
});

/** A watch with its last alert, and what can be done to it. */
function watchRow(watch: WatchWithFollowings, reader: Reader) {
  const { id, status, news, acknowledgement, snooze } = watch;
  const isOpen = news !== null && acknowledgement === null;
  return rowWithMenu(watchLines(watch, { scope: 'all' }, reader), id, [
    ...(isOpen ? [pressOption('Acknowledge', watchActionIds.acknowledge, id)] : []),
    ...(status === 'paused' ? [pressOption('Resume', watchActionIds.resume, id)] : []),
    ...(status === 'active' ? snoozes(id, { isSnoozed: snooze !== null, room: isOpen ? 1 : 2 }) : []),
    ...(status === 'ended' ? [] : [{ label: 'Edit …', value: formOption('watch', { watchId: id }) }]),
    pressOption('Stop …', watchActionIds.askToStop, id),
  ]);
}

/** Slack's menus hold five. */
function snoozes(id: string, { isSnoozed, room }: { isSnoozed: boolean; room: number }) {
  const until = { label: 'Snooze until …', value: formOption('snooze', { watchId: id }) };
  const now = isSnoozed
    ? pressOption('Wake now', watchActionIds.snooze, `wake ${id}`)
    : pressOption('Snooze 1 hour', watchActionIds.snooze, `1h ${id}`);
  return [now, until].slice(0, room);
}
