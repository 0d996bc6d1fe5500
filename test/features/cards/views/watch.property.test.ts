import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../../src/answers/answer.ts';
import type { Message, Reader } from '../../../../src/answers/message.ts';
import { context } from '../../../../src/answers/slack/blocks.ts';
import { toReply } from '../../../../src/answers/slack/render.ts';
import { eventsPerReply } from '../../../../src/features/alerts/group-replies.ts';
import {
  replyAnswer,
  type ShownAlertState,
  summaryAnswer,
} from '../../../../src/features/cards/views/alert-answer.ts';
import {
  acknowledgedAnswer,
  assignmentAnswer,
  reminderAnswer,
} from '../../../../src/features/cards/views/alert-notices.ts';
import { cardAnswer, stoppedCardAnswer } from '../../../../src/features/cards/views/card.ts';
import { pauseNoticeAnswer } from '../../../../src/features/cards/views/notices.ts';
import { pausableDigests } from '../../../../src/features/digests/digests.ts';
import { channelNoticeAnswer } from '../../../../src/features/owned/channel-notice.ts';
import type { FollowedSubject, WatchWithSubjects } from '../../../../src/features/polling/watch-list.ts';
import type { Snooze } from '../../../../src/features/rules/evaluation/muting.ts';
import type { VesselState, WatchState } from '../../../../src/features/rules/evaluation/state.ts';
import type { Rules, WatchEvent } from '../../../../src/features/rules/list.ts';
import { defaultRules } from '../../../../src/features/rules/registry.ts';
import { homeTopView } from '../../../../src/features/watches/home-top.ts';
import { pausableWatches } from '../../../../src/features/watches/pausable-watches.ts';
import { anImo, aPort, aReader, aTime, nasty } from '../../../support/answer-arbitraries.ts';
import { lineOf } from '../../../support/answer-message.ts';
import { slackFaults } from '../../../support/slack-faults.ts';
import { alert, vesselState, watch } from '../../../support/watch-view-fixtures.ts';

const some = <T>(one: fc.Arbitrary<T>, maxLength: number) => fc.array(one, { maxLength, size: 'max' });
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one);
const prospect = fc.record({
  port: aPort,
  probability: fc.double({ min: 0, max: 1.5, noNaN: true }),
  eta: orNull(aTime),
});
const baseline = fc.tuple(prospect, aTime).map(([one, at]) => ({ ...one, at }));

const event: fc.Arbitrary<WatchEvent> = fc
  .record({
    kind: fc.constantFrom<WatchEvent['kind'][]>(
      'diverted',
      'moved-on',
      'undecided',
      'back-and-forth',
      'unlikely',
      'eta-slipped',
      'eta-advanced',
      'arriving',
      'overdue',
      'due',
      'prediction-lost',
      'prediction-back',
      'newly-expected',
      'no-longer-expected',
      'expected-eta-moved',
      'stale',
    ),
    imo: anImo,
    was: baseline,
    next: prospect,
    now: prospect,
    old: orNull(prospect),
    isSettled: fc.boolean(),
    mayHaveCalled: fc.boolean(),
    below: fc.double({ min: 0, max: 1, noNaN: true }),
    hours: fc.nat(240),
    call: fc.nat(9),
    due: fc.record({ port: aPort, at: aTime }),
    reasons: fc.constantFrom(['late'], ['unlikely'], ['late', 'unlikely']),
    since: aTime,
    other: prospect,
  })
  // Each kind reads its own fields; the others do no harm.
  .map((all) => all as unknown as WatchEvent);

const state: fc.Arbitrary<VesselState> = fc
  .record({
    baseline: orNull(baseline),
    lost: fc.boolean(),
    ended: fc.boolean(),
    dispute: orNull(
      fc.record({
        kind: fc.constantFrom('undecided', 'back-and-forth', 'unlikely'),
        since: aTime,
        was: baseline,
        port: aPort,
        rival: orNull(aPort),
        leader: aPort,
        ledSince: aTime,
        shown: fc.array(prospect, { maxLength: 2 }),
      }),
    ),
  })
  .map(vesselState);

const vessels: fc.Arbitrary<WatchState> = fc
  .record({
    snapshotAt: aTime,
    stale: fc.boolean(),
    vessels: some(fc.tuple(anImo.map(String), state), 80).map((pairs) => Object.fromEntries(pairs)),
  })
  .map((one) => ({ kind: 'vessels', ...one }));

const port: fc.Arbitrary<WatchState> = fc
  .record({
    snapshotAt: aTime,
    stale: fc.boolean(),
    expected: orNull(
      some(
        fc.tuple(baseline, anImo).map(([one, imo]) => ({ ...one, imo, missedPolls: 0 })),
        60,
      ),
    ),
  })
  .map((one) => ({ kind: 'port', scale: 'fraction', ...one }));

const latest = fc
  .array(fc.tuple(anImo, fc.array(prospect, { maxLength: 4 })), { maxLength: 5 })
  .map((all) => new Map(all));
const times = fc.record({
  nextPollAt: aTime,
  polledAt: orNull(aTime),
  failingSince: orNull(aTime),
  latest: orNull(latest),
});
const followedSubjects: fc.Arbitrary<FollowedSubject[]> = fc.oneof(
  fc
    .tuple(nasty, orNull(fc.oneof(vessels, port)), times)
    .map(([name, one, more]) => [{ subject: { kind: 'shiplist', name } as const, state: one, ...more }]),
  fc
    .tuple(aPort, orNull(port), times)
    .map(([code, one, more]) => [{ subject: { kind: 'port', port: code } as const, state: one, ...more }]),
  fc.array(fc.tuple(anImo, orNull(state), times), { minLength: 1, maxLength: 50, size: 'max' }).map((all) =>
    all.map(([imo, one, more]) => ({
      subject: { kind: 'vessel', imo } as const,
      state: one && {
        kind: 'vessels' as const,
        snapshotAt: more.nextPollAt,
        stale: false,
        vessels: { [imo]: one },
      },
      ...more,
      latest: more.latest && new Map([...more.latest.values()].map((ranked) => [imo, ranked])),
    })),
  ),
);

const snooze: fc.Arbitrary<Snooze> = fc.oneof(
  aTime.map((at) => ({ kind: 'until' as const, at })),
  fc.integer({ min: 1, max: 240 }).map((hours) => ({ kind: 'until-eta' as const, hours })),
  fc.constant({ kind: 'until-next-port' as const }),
);
const rules: fc.Arbitrary<Rules> = fc
  .record({
    etaMoved: orNull(fc.record({ hours: fc.integer({ min: 1, max: 240 }), isScaled: fc.boolean() })),
    below: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
    arrivingHours: some(fc.integer({ min: 1, max: 240 }), 5),
    due: some(fc.record({ port: aPort, at: aTime }), 8),
    untilNextPort: fc.boolean(),
    quiet: orNull(fc.constant({ from: '22:00', to: '06:00', zone: 'America/Argentina/Buenos_Aires' })),
    nextLeg: fc.boolean(),
  })
  .map((more) => ({ ...defaultRules, ...more }));

const aWatch: fc.Arbitrary<WatchWithSubjects> = fc
  .record({
    title: nasty,
    fleet: orNull(nasty),
    isFleetGone: fc.boolean(),
    condition: orNull(fc.record({ port: aPort, imos: orNull(some(anImo, 50)) })),
    followedSubjects,
    rules,
    snooze: orNull(snooze),
    status: fc.constantFrom('active', 'paused', 'ended'),
    pauseReason: orNull(nasty),
    openAlerts: orNull(
      fc.record({
        first: fc
          .record({ at: aTime, events: fc.array(event, { minLength: 1, maxLength: 60 }) })
          .map((one) => alert(one)),
        others: fc.constant([]),
        count: fc.integer({ min: 1, max: 9_999 }),
      }),
    ),
    acknowledgement: orNull(fc.record({ by: nasty, at: aTime })),
    id: fc.uuid(),
  })
  .map((more) => watch(more));

const alertState: fc.Arbitrary<ShownAlertState> = fc.record(
  {
    total: fc.integer({ min: 1, max: 12 }),
    open: fc.nat({ max: 1 }),
    acknowledged: fc.record({ name: nasty, at: aTime }),
    assignee: nasty,
  },
  { requiredKeys: ['total', 'open'] },
);

const elsewhere = {
  alert: fc
    .record({ at: aTime, events: fc.array(event, { minLength: 1, maxLength: 12 }) })
    .map((one) => alert(one)),
  title: nasty,
  channelId: fc.constant('C0WATCHED1'),
  url: fc.constantFrom(undefined, 'https://acme.slack.com/archives/C1/p1'),
};

const names = fc
  .record({
    name: fc.option(nasty, { nil: undefined }),
    owner: nasty,
    by: nasty,
    references: fc.array(nasty, { maxLength: 20 }),
  })
  .map(({ name, owner, by, references }) => ({
    nameOf: () => name,
    referencesOf: () => references,
    ownerName: owner,
    acknowledgedBy: by,
  }));
const own = /<#C0WATCHED1>|<@U0WATCHER1>|<https:\/\/acme\.slack\.com\/archives\/C1\/p1\|[^<>|]*>/g;

type View = fc.Arbitrary<(reader: Reader) => Message>;

/** Messages in channels: with nobody's name in them where others read. */
const replyOf = (answer: Answer, reader: Reader): Message => toReply(answer, { reader, lineOf });

const posted: Record<string, View> = {
  card: fc.tuple(aWatch, names).map(
    ([one, around]) =>
      (reader) =>
        replyOf(cardAnswer(one, around, reader), reader),
  ),
  'stopped card': fc.tuple(aWatch, aTime, nasty).map(
    ([one, at, byName]) =>
      (reader) =>
        replyOf(stoppedCardAnswer(one, { at, byName }, reader), reader),
  ),
  reply: fc
    .tuple(
      fc.array(event, { minLength: 1, maxLength: eventsPerReply, size: 'max' }),
      fc.nat({ max: 5_000 }),
      nasty,
      fc.boolean(),
      alertState,
      names,
    )
    .map(
      ([events, more, title, isOfOneVessel, state, around]) =>
        (reader) =>
          replyOf(
            replyAnswer(
              {
                messageId: 'm1',
                events,
                more,
                title,
                isInThread: false,
                isOfOneVessel,
                isShared: true,
                state,
                cardUrl: 'https://acme.slack.com/archives/C1/p1',
              },
              around,
              reader,
            ),
            reader,
          ),
    ),
  'reply in the thread': fc
    .tuple(
      fc.array(event, { minLength: 1, maxLength: eventsPerReply, size: 'max' }),
      nasty,
      fc.boolean(),
      alertState,
      names,
    )
    .map(
      ([events, title, isOfOneVessel, state, around]) =>
        (reader) =>
          replyOf(
            replyAnswer(
              { messageId: 'm1', events, title, isInThread: true, isOfOneVessel, isShared: true, state },
              around,
              reader,
            ),
            { ...reader, source: 'service' },
          ),
    ),
  summary: fc
    .tuple(
      fc.array(
        fc.record({ watchId: nasty, title: nasty, events: fc.array(event, { maxLength: 9 }), url: nasty }),
        {
          minLength: 1,
          maxLength: 60,
          size: 'max',
        },
      ),
      alertState,
      names,
    )
    .map(
      ([items, state, around]) =>
        (reader) =>
          replyOf(summaryAnswer({ messageId: 'm1', items, state }, around, reader), reader),
    ),
};

/** What one person reads. */
const answers: Record<string, View> = {
  'top of Home': fc
    .record({
      alerts: some(fc.record({ ...elsewhere, isAssigned: fc.boolean() }), 5),
      moreAlerts: fc.nat(500),
      calls: some(
        fc.record({
          imo: anImo,
          next: fc.oneof(fc.tuple(prospect), fc.tuple(prospect, prospect)),
          eta: aTime,
        }),
        20,
      ),
      names,
    })
    .map(({ names: known, ...one }) => (reader) => ({
      text: 'Home has no text',
      // Home has blocks of type header, and needs no twins.
      blocks: [context('Home'), ...homeTopView(one, known, reader).filter(({ type }) => type !== 'header')],
    })),
  reminder: fc.record({ ...elsewhere, byName: nasty, names }).map(
    ({ names: known, ...one }) =>
      (reader) =>
        replyOf(reminderAnswer(one, known, reader), reader),
  ),
  'acknowledged alert': fc.record({ ...elsewhere, byName: nasty, names }).map(
    ({ names: known, ...one }) =>
      (reader) =>
        replyOf(acknowledgedAnswer(one, known, reader), reader),
  ),
  assignment: fc.record({ ...elsewhere, byName: nasty, isOwnChoice: fc.boolean(), names }).map(
    ({ names: known, alert: one, ...more }) =>
      (reader) =>
        replyOf(
          assignmentAnswer({ ...more, alerts: [one], assigneeId: 'U0WATCHER1' }, known, reader),
          reader,
        ),
  ),
  notice: fc
    .record({ watchId: fc.uuid(), title: nasty, reason: nasty })
    .map((one) => (reader) => replyOf(pauseNoticeAnswer({ channelId: 'C0WATCHED1', ...one }), reader)),
  'notice for several': fc
    .record({ watches: some(nasty, 300), digests: some(nasty, 50), reason: nasty })
    .map(({ watches, digests, reason }) => (reader) => {
      const things = [
        { ...pausableWatches, titles: watches },
        { ...pausableDigests, titles: digests },
      ];
      return replyOf(channelNoticeAnswer({ channelId: 'C0WATCHED1', things, reason }), reader);
    }),
};

describe.each(Object.entries({ ...posted, ...answers }))('%s', (_, view) => {
  test('keeps every limit of Slack, and typed text mentions nobody', () => {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        expect(slackFaults(show(reader), own).join('; ')).toBe('');
      }),
      { numRuns: 100 },
    );
  });

  test('claims nothing that the service does not say', () => {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        expect(JSON.stringify(show(reader))).not.toMatch(/\b(arrived|sailed|blank sailings?)\b/i);
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(Object.entries(posted))('%s', (name, view) => {
  test('mentions nobody in a channel', () => {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        expect(JSON.stringify(show({ ...reader, audience: 'channel' }))).not.toContain('<@U0WATCHER1>');
      }),
      { numRuns: 20 },
    );
  });

  // The card above a thread says it for the whole thread.
  test.skipIf(name === 'reply in the thread')('says that invented data is invented', () => {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        const message = show({ ...reader, source: 'sandbox' });
        expect(message.text).toContain('invented data');
        expect(JSON.stringify(message.blocks)).toContain('invented data');
      }),
      { numRuns: 20 },
    );
  });
});

test("people of another organisation don't see owners", () => {
  fc.assert(
    fc.property(aWatch, (one) => {
      const reader: Reader = { now: new Date(), zone: 'UTC', source: 'service', audience: 'outside' };
      const known = { nameOf: () => undefined, referencesOf: () => [], ownerName: 'ADA LOVELACE' };
      const shown = JSON.stringify(
        replyOf(cardAnswer({ ...one, acknowledgement: null }, known, reader), reader),
      );
      expect(shown).not.toMatch(/ADA LOVELACE|U0WATCHER1/);
    }),
    { numRuns: 50 },
  );
});
