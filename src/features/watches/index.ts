import { sql } from 'kysely';
import type { Fulfils } from '../../answers/answer.ts';
import { joinWords } from '../../grammar/line.ts';
import { findVessels, maxVessels } from '../../grammar/vessel.ts';
import { remindDue } from '../alerts/index.ts';
import { currentTitles, watchMessages } from '../cards/index.ts';
import type { AskCtx, WorkCtx } from '../ctx.ts';
import type { Feature, Shortcut } from '../feature.ts';
import { endWatched } from '../history/index.ts';
import { pausableRows, pauseRefused } from '../owned/index.ts';
import {
  arePollsPaused,
  checkBudget,
  findByCard,
  followFleets,
  followPortGroups,
  pollDue,
  vesselsIn,
} from '../polling/index.ts';
import type { Pausable } from '../services.ts';
import { watchActions } from './actions.ts';
import { endWatch, handOverWatch, resumeWatch } from './change-watch.ts';
import { watchCommand } from './command.ts';
import { assign } from './form/assign-form.ts';
import { snooze } from './form/snooze-form.ts';
import { watch as watchForm } from './form/watch-form.ts';
import { watchesHomeTop, watchesOnHome } from './home.ts';
import { formatList } from './list-watches.ts';
import { watchPrompts } from './own-prompts.ts';
import { watchKind } from './watch-store.ts';
import { formatWatchSubject } from './words/subject.ts';

export { dueReminders } from '../alerts/index.ts';
export { duePolls } from '../polling/index.ts';

const rows = pausableRows(watchKind, {
  noticeKind: 'notice',
  canPause: (store) => sql`(status = 'active' or status = 'ended' and exists (
    select 1 from outbox
    where ${store.isOwn('outbox')} and outbox.thread_key = watches.id and outbox.kind = 'reply' and outbox.status in ('pending', 'sending', 'held')
  ))`,
  messages: () => ({ status: 'held' }),
  noticeOf: ({ id: threadKey, title }) => ({ threadKey, message: { kind: 'notice', title } }),
});

/** Active watches, and ended ones whose last replies have not been sent. A pause holds their waiting messages. */
export const pausableWatches: Omit<Pausable, 'resume' | 'handOver' | 'end' | 'getTitles'> = {
  effectOfPause: 'Their messages wait until then, and they make no API calls meanwhile.',
  resumeChecksChannel: false,
  ...rows,
  /** What is polled meanwhile is polled for others. */
  async pause(transaction, which) {
    const paused = await rows.pause(transaction, which);
    for (const { id } of paused) await endWatched(transaction, { watchId: id, now: which.now });
    return paused;
  },
};

const pausable: Pausable<WorkCtx, AskCtx> = {
  ...pausableWatches,
  getTitles: currentTitles,
  resume: (id, _, ctx) => resumeWatch(id, ctx),
  handOver: (id, ownerId, _, ctx) => handOverWatch(id, ownerId, ctx),
  end: endWatch,
};

const fulfils: Fulfils = {
  'watch-port': ({ port }) => joinWords('watch', formatWatchSubject({ kind: 'port', port })),
  'watch-these': ({ vessels, at }) =>
    joinWords('watch', formatWatchSubject({ ...vessels, ...(at !== undefined && { at }) })),
  'stability-of': ({ imo }) => `watch stability ${imo}`,
  promises: () => 'watch promises',
  'watches-in': ({ scope, channelId }) => formatList({ scope, channelId, page: 1 }),
};

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
      async runDue(now, mayClaim, ctx) {
        if (!(await ctx.services.account.exists()) || (await arePollsPaused(now, ctx))) return;
        await pollDue(now, mayClaim, ctx);
        await checkBudget(now, ctx);
      },
    },
    {
      name: 'reminders',
      runDue: async (now, mayGoOn, ctx) =>
        (await ctx.services.pauses.at(now)) ? undefined : remindDue(now, mayGoOn, ctx),
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
    const { newId, realNow } = ctx.services;
    const changedBy = { ...by, realNow: new Date(realNow()) };
    return followFleets(transaction, fleets, { newId, by: changedBy, record });
  },
  onPortGroupsChanged(transaction, groups, { record, ...by }, ctx) {
    const { newId, realNow } = ctx.services;
    const changedBy = { ...by, realNow: new Date(realNow()) };
    return followPortGroups(transaction, groups, { newId, by: changedBy, record });
  },
};
