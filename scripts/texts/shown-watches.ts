import { assignForm } from '../../src/features/watches/form/assign-form.ts';
import { watch as watchFormOf } from '../../src/features/watches/form/watch-form.ts';
import { chooseRules } from '../../src/features/watches/rules/registry.ts';
import type { WatchesServices } from '../../src/features/watches/service/watch-service.ts';
import {
  acknowledgedView,
  assignmentView,
  reminderView,
} from '../../src/features/watches/views/alert-notices.ts';
import { changeQuestionView } from '../../src/features/watches/views/change-question.ts';
import {
  budgetNoticeView,
  pauseNoticeView,
  rulesNoticeView,
  stopQuestion,
} from '../../src/features/watches/views/notices.ts';
import {
  type WatchDone,
  watchAnswerView,
  watchEditedView,
} from '../../src/features/watches/views/watch-answer.ts';
import { stoppedCardView, watchCardView } from '../../src/features/watches/views/watch-card.ts';
import { snoozeForm } from '../../src/features/watches/views/watch-form.ts';
import { watchListView } from '../../src/features/watches/views/watch-list.ts';
import { watchReplyView, watchSummaryView } from '../../src/features/watches/views/watch-reply.ts';
import type { Reader } from '../../src/messages/message.ts';
import { runContext } from '../../test/support/run-command.ts';
import { cypress, now, port, reader } from '../../test/support/view-fixtures.ts';
import * as watches from '../../test/support/watch-view-fixtures.ts';
import { form, type ShownText, shown } from './shown-text.ts';

/** Cards, alerts, answers, notices and forms of watches. */
export const shownWatches = async (): Promise<ShownText[]> => [
  ...cards(),
  ...alerts(),
  ...watchAnswers(),
  ...(await watchForms()),
];

const { watch, names, openAlert, followedSubject, vesselState, vesselsState, changed, antwerp, rotterdam } =
  watches;
const inChannel: Reader = { ...reader, audience: 'channel' };

function cards(): ShownText[] {
  const due = [{ port: port('BEANR'), at: watches.at('22T06:00') }];
  const news = openAlert({ at: now, events: [changed] });
  const lost = followedSubject({ state: vesselsState({ [cypress.imo]: vesselState({ lost: true }) }) });
  const stale = followedSubject({
    state: vesselsState({ [cypress.imo]: vesselState() }, { stale: true }),
    failingSince: now,
  });
  const later = new Map([[cypress.imo, [{ ...rotterdam, probability: 0.6 }, antwerp]]]);
  const all: Record<string, Parameters<typeof watch>[0]> = {
    'the first answer is awaited': { followedSubjects: [followedSubject({ state: null, polledAt: null })] },
    'with an open alert': news,
    acknowledged: { acknowledgement: { by: 'U0BEN0001', at: now } },
    'another port is ahead': { followedSubjects: [followedSubject({ latest: later })] },
    'with a due date': {
      rules: { ...chooseRules({}), due },
      followedSubjects: [followedSubject({ latest: later })],
    },
    'no prediction any more': { followedSubjects: [lost] },
    'the service is silent': { followedSubjects: [stale] },
    paused: { status: 'paused', pauseReason: 'not_in_channel' },
    ended: { status: 'ended' },
    snoozed: { snooze: { kind: 'until-eta', hours: 24 } },
  };
  return [
    ...Object.entries(all).map(([what, more]) =>
      shown(`watchCardView, ${what}`, watchCardView(watch(more), names, inChannel)),
    ),
    shown('stoppedCardView', stoppedCardView(watch(), { at: now, byName: 'Ada' }, inChannel)),
  ];
}

function alerts(): ShownText[] {
  const reply = {
    messageId: 'm1',
    state: { total: 1, open: 1 },
    isShared: true,
    title: 'DS CYPRESS',
    isInThread: true,
    isOfOneVessel: true,
    events: [changed],
  };
  const assigned = { ...reply, state: { total: 1, open: 1, assignee: 'Ben' } };
  const acknowledged = { ...reply, state: { total: 1, open: 0, acknowledged: { name: 'Ben', at: now } } };
  const assignment = { assigneeId: 'U0BEN0001', by: 'U0ADA0001', at: now };
  const alert = watches.alert({ assignment, acknowledgement: { by: 'U0BEN0001', at: now } });
  const title = 'fleet NORTH';
  const named = { alerts: [alert], title, assigneeId: 'U0BEN0001', byName: 'Ada' };
  const elsewhere = {
    alert,
    title,
    channelId: 'C0OPS00001',
    url: 'https://acme.slack.com/p1',
    byName: 'Ada',
  };
  return [
    shown('watchReplyView', watchReplyView(reply, names, inChannel)),
    shown(
      'watchReplyView, with more',
      watchReplyView({ ...reply, isInThread: false, more: 3 }, names, inChannel),
    ),
    shown(
      'watchSummaryView',
      watchSummaryView(
        {
          ...reply,
          items: [
            { ...reply, watchId: 'w1', more: 1 },
            { ...reply, watchId: 'w2' },
          ],
        },
        names,
        inChannel,
      ),
    ),
    shown('watchReplyView, assigned', watchReplyView(assigned, names, inChannel)),
    shown('watchReplyView, acknowledged', watchReplyView(acknowledged, names, inChannel)),
    shown('assignmentView', assignmentView({ ...named, isOwnChoice: false }, names, inChannel)),
    shown('assignmentView, by oneself', assignmentView({ ...named, isOwnChoice: true }, names, inChannel)),
    shown('reminderView', reminderView(elsewhere, names, reader)),
    shown('acknowledgedView', acknowledgedView(elsewhere, names, reader)),
  ];
}

function watchAnswers(): ShownText[] {
  const plan = { plannedCalls: 900, dailyCalls: 1_000, stretch: 1 };
  const past = { replies: 5, since: new Date('2026-10-22T09:00:00Z') };
  const estimate = {
    callsPerMonth: 1_100,
    plan,
    past,
    overlaps: [{ title: 'fleet NORTH', vessels: [cypress] }],
    unknown: [cypress.imo],
  };
  const added = {
    kind: 'watch-added',
    title: 'DS CYPRESS',
    isPort: false,
    vesselCount: 1,
    isFleet: false,
    rules: chooseRules({}),
    estimate,
  } as const;
  const before = chooseRules({ arrivingHours: [96] });
  const done: readonly WatchDone['what'][] = [
    'stopped',
    'resumed',
    'snoozed',
    'woken',
    'handed-over',
    'acknowledged',
  ];
  const sure = { kind: 'watch-stop-question', count: 3, line: 'watch stop all yes' } as const;
  const list = {
    kind: 'watch-list',
    line: 'watch list',
    scope: 'channel',
    page: 1,
    pages: 1,
    after: 0,
    plan,
  } as const;
  const place = { channelId: 'C0OPS00001', reason: 'not_in_channel' };
  return [
    ...(['added', 'changed', 'same', 'would-be-added'] as const).map((how) =>
      shown(
        `watchAnswerView, ${how}`,
        watchAnswerView(
          { ...added, how, ...(how === 'changed' && { before, ownerId: 'U0BEN0001' }) },
          reader,
        ),
      ),
    ),
    ...done.map((what) =>
      shown(
        `watchAnswerView, ${what}`,
        watchAnswerView(
          {
            kind: 'watch-done',
            what,
            titles: ['DS CYPRESS'],
            snooze: { kind: 'until', at: now },
            newOwnerId: 'U0BEN0001',
          },
          reader,
        ),
      ),
    ),
    shown('watchAnswerView, stop all?', watchAnswerView(sure, reader)),
    shown(
      "watchAnswerView, stop somebody else's?",
      watchAnswerView({ ...sure, foreign: { title: 'DS CYPRESS', ownerId: 'U0BEN0001' } }, reader),
    ),
    shown('watchListView', watchListView({ ...list, total: 1, watches: [watch()] }, reader)),
    shown(
      'changeQuestionView',
      changeQuestionView(
        {
          kind: 'watch-change-question',
          title: 'fleet NORTH',
          ownerId: 'U0BEN0001',
          isPort: false,
          before,
          rules: chooseRules({ etaMoved: { hours: 48, isScaled: false } }),
          newOwnerId: 'U0ADA0001',
          value: '{}',
        },
        reader,
      ),
    ),
    shown('watchListView, none', watchListView({ ...list, total: 0, watches: [] }, reader)),
    shown(
      'watchEditedView',
      watchEditedView(
        {
          watchId: 'w1',
          title: 'DS CYPRESS',
          channelId: 'C0OPS00001',
          isPort: false,
          rules: before,
          undo: 'u',
        },
        reader,
      ),
    ),
    shown('stopQuestion', stopQuestion(watch())),
    ...[850, 1_300].map((plannedCalls) =>
      shown(
        `budgetNoticeView ${plannedCalls}`,
        budgetNoticeView({
          plannedCalls,
          dailyCalls: 1_000,
          stretch: Math.max(1, plannedCalls / 1_000),
          users: [{ title: 'fleet ALPHA', channelId: 'C0OPS00001', calls: 412 }, { calls: 96 }],
          isForAdmin: true,
        }),
      ),
    ),
    shown('pauseNoticeView', pauseNoticeView({ watchId: 'w1', title: 'DS CYPRESS', ...place })),
    shown(
      'rulesNoticeView',
      rulesNoticeView(
        {
          watchId: 'w1',
          title: 'DS CYPRESS',
          isPort: false,
          actorId: 'U0BEN0001',
          before,
          after: chooseRules({}),
          channelId: place.channelId,
        },
        reader,
      ),
    ),
  ];
}

async function watchForms(): Promise<ShownText[]> {
  // Opening the form needs no other services.
  const services = {
    watches: { find: async () => watch(), getToChange: async () => watch() },
  } as unknown as WatchesServices;
  const context = { ...runContext(), place: { channelId: 'C0OPS00001', destination: 'channel' as const } };
  const opened = async (target: object) => (await watchFormOf(services).open(target, context, reader)).modal;
  return [
    form('watchForm, a vessel', await opened({ subject: '9461477' })),
    form('watchForm, a port', await opened({ subject: 'port Rotterdam' })),
    form('watchForm, edit', await opened({ watchId: 'w1' })),
    form('assignForm', assignForm({ what: 'DS CYPRESS: Rotterdam → Antwerp, 80%', assigneeId: '' })),
    form('snoozeForm', snoozeForm({ title: 'DS CYPRESS' }, reader)),
  ];
}
