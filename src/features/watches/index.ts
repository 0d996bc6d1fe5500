import type { Fulfils, VesselGroup } from '../../answers/answer.ts';
import { joinWords } from '../../grammar/line.ts';
import { formatPort } from '../../grammar/port.ts';
import { findVessels, maxVessels } from '../../grammar/vessel.ts';
import type { AskCtx, WorkCtx } from '../ctx.ts';
import type { Feature, Shortcut } from '../feature.ts';
import { pauseRefused } from '../owned/pausing.ts';
import type { Pausable, StateKey } from '../services.ts';
import { watchActions } from './actions.ts';
import { createBudgetAlarm } from './budget/budget-alarm.ts';
import { resumeWatch } from './change-watch.ts';
import { watchCommand } from './command.ts';
import { findByCard } from './find-watches.ts';
import { assign } from './form/assign-form.ts';
import { snooze } from './form/snooze-form.ts';
import { watch as watchForm } from './form/watch-form.ts';
import { watchesOnHome } from './home.ts';
import { watchesHomeTop } from './home-top.ts';
import { formatList } from './list-watches.ts';
import { watchMessages } from './messages/outgoing.ts';
import { renderOf } from './messages/render-post.ts';
import { watchPrompts } from './own-prompts.ts';
import { createPoller, type Poller } from './polling/poll.ts';
import { createReminders } from './reminders.ts';
import { pausableWatches } from './store/pausable-watches.ts';
import { vesselsIn } from './store/watch-list.ts';
import { watchStoreOf } from './store/watch-store.ts';
import { formatWatchSubject } from './words/subject.ts';

export { type Snooze, snooze as snoozeSchema } from '../rules/evaluation/muting.ts';
export { rulesInBrief, rulesInWords, snoozeInWords } from '../rules/in-words.ts';
export type { Rules } from '../rules/list.ts';
export { watchRules } from '../rules/registry.ts';
export { polledSubjects } from './polled-subjects.ts';
export { duePolls } from './polling/poll.ts';
export { dueReminders } from './reminders.ts';
export { watchThreads } from './watch-threads.ts';

const pollerKey: StateKey<Poller> = { name: 'poller of watches' };
const remindersKey: StateKey<ReturnType<typeof createReminders>> = { name: 'reminders of alerts' };

const pausable: Pausable<WorkCtx, AskCtx> = {
  ...pausableWatches,
  getTitles: (watches, ctx) => renderOf(ctx).currentTitles(watches),
  resume: (id, _, ctx) => resumeWatch(id, ctx),
};

const fulfils: Fulfils = {
  'watch-port': ({ port }) => `watch port ${formatPort(port)}`,
  'watch-these': ({ vessels, at }) =>
    joinWords('watch', formatWatchSubject({ ...subjectOf(vessels), ...(at !== undefined && { at }) })),
  'stability-of': ({ imo }) => `watch stability ${imo}`,
  'watches-in': ({ scope, channelId }) => formatList({ scope, channelId, page: 1 }),
};

function subjectOf(vessels: VesselGroup) {
  if ('imos' in vessels) return { kind: 'vessels' as const, imos: vessels.imos };
  return 'list' in vessels
    ? { kind: 'list' as const, name: vessels.list }
    : { kind: 'fleet' as const, name: vessels.fleet };
}

/** “Watch a vessel”, from anywhere; “Watch vessel in message”, from the menu of a message. */
export const watchShortcuts: readonly Shortcut[] = [
  { id: 'watch_vessel', kind: 'global', form: 'watch', targetOf: () => ({}) },
  {
    id: 'watch_message',
    kind: 'message',
    form: 'watch',
    // Only the vessels that the message names are stored in the form, not its text.
    targetOf(words, { vessels }) {
      const imos = findVessels(words, vessels);
      return { subject: imos.slice(0, maxVessels).join(', '), found: imos.length };
    },
  },
];

/** Alert threads for vessels, fleets, lists and ports. */
export const watches: Feature = {
  commands: [watchCommand],
  fulfils,
  forms: [watchForm, snooze, assign],
  actions: watchActions,
  shortcuts: watchShortcuts,
  outgoing: watchMessages({
    pause: (transaction, refusal, ids, ctx) =>
      pauseRefused(transaction, refusal, { pausable, ids, toPerson: false }, ctx),
  }),
  pausable,
  jobs: [
    {
      name: 'polls',
      async runDue(now, mayClaim, { services }) {
        if (!(await services.account.exists())) return;
        const { pollMinutes: fixedMinutes, dailyCalls, leaseMs } = services.settings;
        const poller = services.state(pollerKey, () =>
          createPoller({
            ...{ ...services, fixedMinutes, dailyCalls, leaseMs },
            refreshAccount: services.account.refresh,
          }),
        );
        await poller.runDue(now, mayClaim);
        // With a fixed interval, watches are never polled less often.
        const budget = fixedMinutes === undefined ? dailyCalls : undefined;
        await createBudgetAlarm({ ...services, dailyCalls: budget }).check(now);
      },
    },
    {
      name: 'reminders',
      runDue: (now, mayClaim, { services }) =>
        services.state(remindersKey, () => createReminders(services)).runDue(now, mayClaim),
    },
  ],
  home: watchesOnHome,
  homeTop: watchesHomeTop,
  ownPrompts: watchPrompts,
  async vesselsOfThread(thread, ctx) {
    const watch = await findByCard(thread, { ...ctx, vessels: await ctx.registry.vessels(ctx) });
    return vesselsIn(watch?.followedSubjects ?? []);
  },
  onFleetsChanged(transaction, fleets, { record, ...by }, ctx) {
    const realNow = new Date(ctx.services.realNow());
    return watchStoreOf(ctx).followFleets(transaction, fleets, { by: { ...by, realNow }, record });
  },
};
