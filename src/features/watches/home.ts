import { limits, type Reader } from '../../answers/message.ts';
import { formOption, pressOption, rowWithMenu } from '../../answers/slack/blocks.ts';
import { toMrkdwn } from '../../answers/text.ts';
import type { AskCtx } from '../ctx.ts';
import type { HomePage, HomeSection } from '../feature.ts';
import { type SnoozeChoice, watchActionIds } from './action-ids.ts';
import { findInScope } from './find-watches.ts';
import { planNotes, watchLines } from './list-watches.ts';
import { type CallPlan, callPlanHere } from './polling/poll-plan.ts';
import { isOfPort, type WatchWithSubjects } from './store/watch-list.ts';

export const watchesOnHome: HomeSection = {
  name: 'watches',
  label: 'Watches',
  opener: { form: 'watch', label: 'Watch a vessel …' },
  firstStep: '*Watch a vessel.* You are notified in a thread when its next port or its ETA changes.',
  empty: 'No watches here yet. For example: `/watch 9461477`',
  hasOwners: true,
  async read({ scope, ...page }, ctx) {
    const [found, plan] = await Promise.all([
      findInScope(scope, ctx, { ...page, withLatest: true }),
      callPlanHere(ctx),
    ]);
    return pageOf({ ...found, plan }, ctx);
  },
};

export function pageOf(
  { watches, total, plan }: { watches: readonly WatchWithSubjects[]; total: number; plan: CallPlan },
  { actor, services }: Pick<AskCtx, 'actor' | 'services'>,
): HomePage {
  const maySeeCosts = !actor.asksOnly && (services.settings.usageVisibleTo === 'everyone' || actor.isAdmin);
  return {
    total,
    rows: (reader) => watches.map((watch) => watchRow(watch, reader)),
    notes: (reader) => (maySeeCosts ? planNotes(plan).map((note) => toMrkdwn(note, reader)) : []),
  };
}

function watchRow(watch: WatchWithSubjects, reader: Reader) {
  const { id, status } = watch;
  const hasNews = watch.openAlerts;
  const before = [
    ...(hasNews ? [pressOption('Acknowledge', watchActionIds.acknowledge, id)] : []),
    ...(status === 'paused' ? [pressOption('Resume', watchActionIds.resume, id)] : []),
  ];
  const after = [
    ...(status === 'ended' ? [] : [{ label: 'Edit …', value: formOption('watch', { watchId: id }) }]),
    pressOption('Stop …', watchActionIds.askToStop, id),
  ];
  const room = limits.overflowOptions - before.length - after.length;
  const snoozes = status === 'active' ? snoozeOptions(watch).slice(0, room) : [];
  const lines = watchLines(watch, 'all', reader.now).map((line) => toMrkdwn(line, reader));
  return rowWithMenu(lines, id, [...before, ...snoozes, ...after]);
}

/** The most useful first. */
function snoozeOptions(watch: WatchWithSubjects) {
  const { id, snooze } = watch;
  const press = (label: string, choice: SnoozeChoice) =>
    pressOption(label, watchActionIds.snooze, `${choice} ${id}`);
  const untilDate = { label: 'Snooze until …', value: formOption('snooze', { watchId: id }) };
  if (snooze) return [press('Wake now', 'wake'), untilDate];
  const untilEta = press('Snooze until 24 h before the ETA', 'eta');
  return [press('Snooze 1 hour', '1h'), untilDate, ...(isOfPort(watch) ? [] : [untilEta])];
}
