import type { Answer } from '../../src/answers/answer.ts';
import type { Reader } from '../../src/answers/message.ts';
import { toReply } from '../../src/answers/slack/render.ts';
import {
  acknowledgedAnswer,
  assignmentAnswer,
  reminderAnswer,
  replyAnswer,
  summaryAnswer,
} from '../../src/features/cards/views/alerts.ts';
import { cardAnswer, stoppedCardAnswer } from '../../src/features/cards/views/card.ts';
import {
  budgetNoticeAnswer,
  pauseNoticeAnswer,
  rulesNoticeAnswer,
} from '../../src/features/cards/views/notices.ts';
import { endQuestion } from '../../src/features/owned/kind.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import type { WatchRequest } from '../../src/features/watches/add-watch.ts';
import { addedAnswer, editedAnswer } from '../../src/features/watches/added-answer.ts';
import {
  changeQuestion,
  doneAnswer,
  stopAllQuestion,
  stopForeignQuestion,
} from '../../src/features/watches/change-answers.ts';
import { assignForm } from '../../src/features/watches/form/assign-form.ts';
import { snoozeForm } from '../../src/features/watches/form/snooze-form.ts';
import { watch as watchForm } from '../../src/features/watches/form/watch-form.ts';
import { listAnswer } from '../../src/features/watches/list-watches.ts';
import { watchKind } from '../../src/features/watches/watch-store.ts';
import { lineOf, messageOf } from '../../test/support/answer-message.ts';
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
      inChannelAs(`cardAnswer, ${what}`, cardAnswer(watch(more), names, inChannel)),
    ),
    inChannelAs('stoppedCardAnswer', stoppedCardAnswer(watch(), { at: now, byName: 'Ada' }, inChannel)),
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
    isPersonal: false,
    url: 'https://acme.slack.com/p1',
    byName: 'Ada',
  };
  return [
    inChannelAs('replyAnswer', replyAnswer(reply, names, inChannel)),
    inChannelAs(
      'replyAnswer, with more',
      replyAnswer({ ...reply, isInThread: false, more: 3 }, names, inChannel),
    ),
    inChannelAs(
      'summaryAnswer',
      summaryAnswer(
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
    inChannelAs('replyAnswer, assigned', replyAnswer(assigned, names, inChannel)),
    inChannelAs('replyAnswer, acknowledged', replyAnswer(acknowledged, names, inChannel)),
    inChannelAs('assignmentAnswer', assignmentAnswer({ ...named, isOwnChoice: false }, names, inChannel)),
    inChannelAs(
      'assignmentAnswer, by oneself',
      assignmentAnswer({ ...named, isOwnChoice: true }, names, inChannel),
    ),
    answered('reminderAnswer', reminderAnswer(elsewhere, names, reader)),
    answered('acknowledgedAnswer', acknowledgedAnswer(elsewhere, names, reader)),
  ];
}

const answered = (what: string, answer: Answer): ShownText =>
  shown(what, toReply(answer, { reader, lineOf }));

const inChannelAs = (what: string, answer: Answer): ShownText =>
  shown(what, toReply(answer, { reader: inChannel, lineOf }));

function watchAnswers(): ShownText[] {
  const plan = { plannedCalls: 900, dailyCalls: 1_000, stretch: 1 };
  const past = { replies: 5, since: new Date('2026-10-22T09:00:00Z') };
  const ctx = {
    ...runContext(),
    now: () => now,
    place: { channelId: 'C0OPS00001', destination: 'channel' },
  } as const;
  const before = chooseRules({ arrivingHours: [96] });
  const rules = chooseRules({});
  const request: WatchRequest = {
    ...{ channelId: 'C0OPS00001', destination: 'channel', title: 'DS CYPRESS', rules },
    ...{ subjects: [{ kind: 'vessel', imo: cypress.imo }], fleet: null, portGroup: null, condition: null },
  };
  const overlaps = [{ title: 'fleet NORTH', imos: [cypress.imo], ports: [] }];
  const estimate = { callsPerMonth: 1_100, plan, past, overlaps, answers: [] };
  const edited = watch({ channelId: 'C0OPS00001', rules: before });
  const change = { id: 'w1', was: '', rules: chooseRules({ etaMoved: { hours: 48, isScaled: false } }) };
  const asked = { kind: 'question', watch: edited, change: { ...change, ownerId: 'U0ADA0001' } } as const;
  const page = { page: 1, pages: 1, after: 0, scope: 'channel', plan, vessels: ctx.vessels, now } as const;
  const place = { channelId: 'C0OPS00001', reason: 'not_in_channel' };
  return [
    ...(['added', 'changed', 'same', 'would-be-added'] as const).map((how) =>
      answered(
        `addedAnswer, ${how}`,
        addedAnswer(
          { how, request, rules, estimate, ...(how === 'changed' && { before, ownerId: 'U0BEN0001' }) },
          ctx,
        ),
      ),
    ),
    answered('doneAnswer', doneAnswer({ did: 'No longer watched', watches: [watch()] })),
    answered('stopAllQuestion', stopAllQuestion(3, 'watch stop all yes', undefined)),
    answered('stopForeignQuestion', stopForeignQuestion(watch(), 'watch stop 9461477 yes', undefined)),
    shown(
      'listAnswer',
      messageOf(listAnswer({ ...page, lineOf, total: 1, watches: [watch()] }), 'watch list', reader),
    ),
    answered('changeQuestion', changeQuestion(asked, { now })),
    answered('editedAnswer', editedAnswer({ watch: edited, undo: 'u' })),
    answered('stopQuestion', endQuestion(watchKind, watch())),
    ...[850, 1_300].map((plannedCalls) =>
      answered(
        `budgetNoticeAnswer ${plannedCalls}`,
        budgetNoticeAnswer({
          plannedCalls,
          dailyCalls: 1_000,
          stretch: Math.max(1, plannedCalls / 1_000),
          users: [{ title: 'fleet ALPHA', channelId: 'C0OPS00001', calls: 412 }, { calls: 96 }],
          isForAdmin: true,
        }),
      ),
    ),
    answered(
      'pauseNoticeAnswer',
      pauseNoticeAnswer({ watchId: 'w1', title: 'DS CYPRESS', destination: 'channel', ...place }),
    ),
    answered(
      'rulesNoticeAnswer',
      rulesNoticeAnswer(
        {
          watchId: 'w1',
          title: 'DS CYPRESS',
          isPort: false,
          actorId: 'U0BEN0001',
          before,
          after: chooseRules({}),
          channelId: place.channelId,
          destination: 'channel',
        },
        reader,
      ),
    ),
  ];
}

async function watchForms(): Promise<ShownText[]> {
  const context = { ...runContext(), place: { channelId: 'C0OPS00001', destination: 'channel' as const } };
  const opened = async (target: object) => (await watchForm.open(target, context, reader)).view;
  return [
    form('watchForm, a vessel', await opened({ subject: '9461477' })),
    form('watchForm, a port', await opened({ subject: 'port Rotterdam' })),
    form(
      'assignForm',
      assignForm({ what: 'DS CYPRESS: Rotterdam → Antwerp 80%, Rotterdam 15%', assigneeId: '' }),
    ),
    form('snoozeForm', snoozeForm({ title: 'DS CYPRESS' }, reader)),
  ];
}
