import { formOption, pressOption } from '../../messages/action-ids.ts';
import { rowWithMenu } from '../../messages/blocks.ts';
import type { Reader } from '../../messages/message.ts';
import type { HomeSection, WorkspaceServices } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { watchActionIds } from './action-ids.ts';
import type { WatchService } from './service/watch-service.ts';
import { hasOpenNews } from './store/watch.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';
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
    const { watches, total, plan } = await service.list(scope, actor, { ...page, withLatest: true });
    const maySeeCosts = usageVisibleTo === 'everyone' || actor.isAdmin;
    return {
      total,
      rows: (reader) => watches.map((watch) => watchRow(watch, reader)),
      notes: (reader) => (maySeeCosts ? planNotes(plan, reader) : []),
    };
  },
});

function watchRow(watch: WatchWithSubjects, reader: Reader) {
  const { id, status } = watch;
  const hasNews = hasOpenNews(watch);
  // Slack's menus hold five options.
  const snoozes = status === 'active' ? snoozeOptions(watch).slice(0, hasNews ? 1 : 2) : [];
  return rowWithMenu(watchLines(watch, { scope: 'all' }, reader), id, [
    ...(hasNews ? [pressOption('Acknowledge', watchActionIds.acknowledge, id)] : []),
    ...(status === 'paused' ? [pressOption('Resume', watchActionIds.resume, id)] : []),
    ...snoozes,
    ...(status === 'ended' ? [] : [{ label: 'Edit …', value: formOption('watch', { watchId: id }) }]),
    pressOption('Stop …', watchActionIds.askToStop, id),
  ]);
}

const snoozeOptions = ({ id, snooze }: WatchWithSubjects) => [
  snooze
    ? pressOption('Wake now', watchActionIds.snooze, `wake ${id}`)
    : pressOption('Snooze 1 hour', watchActionIds.snooze, `1h ${id}`),
  { label: 'Snooze until …', value: formOption('snooze', { watchId: id }) },
];
