import type { Fulfils, VesselGroup } from '../../answers/intent.ts';
import { joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import { findVessels, maxVessels } from '../../grammar/vessel.ts';
import type { Feature, FeatureSet, GetFleet, Shortcut } from '../feature.ts';
import type { Pausable, PauseRefused } from '../pausable.ts';
import type { WorkspaceServices } from '../services.ts';
import { watchActions } from './actions.ts';
import { createBudgetAlarm } from './budget/budget-alarm.ts';
import { watch } from './command.ts';
import { formatWatchLine } from './commands/parse-watch-line.ts';
import { assign } from './form/assign-form.ts';
import { snooze } from './form/snooze-form.ts';
import { watch as watchForm } from './form/watch-form.ts';
import { watchesOnHome } from './home.ts';
import { watchesHomeTop } from './home-top.ts';
import { watchMessages } from './messages/outgoing.ts';
import { findShown } from './messages/read-post.ts';
import { createRender } from './messages/render-post.ts';
import { watchPrompts } from './own-prompts.ts';
import { createPoller } from './polling/poll.ts';
import { createReminders } from './reminders.ts';
import { createCardPoster } from './service/card-poster.ts';
import { createWatchService } from './service/watch-service.ts';
import { createAlertStore } from './store/alert-store.ts';
import { pausableWatches } from './store/pausable-watches.ts';
import { vesselsIn } from './store/watch-list.ts';
import { createWatchStore } from './store/watch-store.ts';
import { formatWatchSubject } from './words/subject.ts';

export { type Snooze, snooze as snoozeSchema } from './evaluation/muting.ts';
export { duePolls } from './polling/poll.ts';
export { dueReminders } from './reminders.ts';
export { rulesInBrief, rulesInWords, snoozeInWords } from './rules/in-words.ts';
export type { Rules } from './rules/index.ts';
export { watchRules } from './rules/registry.ts';
export { polledSubjects } from './service/polled-subjects.ts';
export { watchThreads } from './service/watch-threads.ts';

interface WatchesOptions extends WorkspaceServices, Pick<FeatureSet, 'vessels'> {
  getFleet: GetFleet;
  pauseRefused: PauseRefused;
}

/** Alert threads for vessels, fleets, lists and ports. */
export function createWatches(options: WatchesOptions): Feature {
  const { store, slack, account, settings, getFleet, vessels: names } = options;
  const { maxWatchesPerChannel: maxPerChannel, pollMinutes: fixedMinutes, dailyCalls, leaseMs } = settings;
  const render = createRender({ ...options, names });
  const watchStore = createWatchStore({ ...options, maxPerChannel });
  const watches = createWatchService({
    ...options,
    watchStore,
    alerts: createAlertStore(options),
    cards: createCardPoster({
      ...options,
      messages: slack.messages,
      render: render.card,
      renderStopped: render.stoppedCard,
    }),
    names,
    checkAccount: account.check,
    fixedMinutes,
    dailyCalls,
  });
  const refreshAccount = account.refresh;
  const poller = createPoller({ ...options, refreshAccount, fixedMinutes, dailyCalls, leaseMs });
  // With a fixed interval, watches are never polled less often.
  const budget = createBudgetAlarm({
    ...options,
    dailyCalls: fixedMinutes === undefined ? dailyCalls : undefined,
  });
  const pausable: Pausable = {
    ...pausableWatches,
    getTitles: render.currentTitles,
    resume: watches.resume,
  };
  const own = { watches, getFleet, analytics: options.analytics };
  return {
    commands: [watch(own)],
    fulfils,
    forms: [watchForm(own), snooze(own), assign(own)],
    actions: watchActions(own, {
      card: render.card,
      message: async (id) => {
        const shown = await findShown(store, id);
        return shown && render.post(shown.post);
      },
      acknowledged: render.acknowledged,
    }),
    shortcuts: watchShortcuts,
    outgoing: watchMessages({
      store,
      render,
      isMember: async (userId, channelId) => (await options.access.getJoinedChannels(userId)).has(channelId),
      pause: (transaction, refusal, ids) =>
        options.pauseRefused(transaction, refusal, { pausable, ids, toPerson: false }),
    }),
    pausable,
    jobs: [
      {
        name: 'polls',
        async runDue(now, mayClaim) {
          if (!(await account.exists())) return;
          await poller.runDue(now, mayClaim);
          await budget.check(now);
        },
      },
      { name: 'reminders', runDue: createReminders(options).runDue },
    ],
    home: watchesOnHome(watches, settings),
    homeTop: watchesHomeTop(watches, slack.messages),
    ownPrompts: watchPrompts(watches),
    vesselsOfThread: async (thread) => vesselsIn((await watches.findByCard(thread))?.followedSubjects ?? []),
    onFleetsChanged: (transaction, fleets, { record, ...by }) => {
      const realNow = new Date(options.realNow());
      return watchStore.followFleets(transaction, fleets, { by: { ...by, realNow }, record });
    },
  };
}

const fulfils: Fulfils = {
  'watch-port': ({ port }) => `watch port ${formatPort(port)}`,
  'watch-these': ({ vessels, at }) =>
    joinWords('watch', formatWatchSubject({ ...subjectOf(vessels), ...(at !== undefined && { at }) })),
  'stability-of': ({ imo }) => `watch stability ${imo}`,
  'watches-in': ({ scope, channelId }) => formatWatchLine({ kind: 'list', scope, channelId, page: 1 }),
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
