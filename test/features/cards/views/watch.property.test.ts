import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../../../../src/answers/answer.ts';
import type { Message, Reader } from '../../../../src/answers/message.ts';
import { context } from '../../../../src/answers/slack/blocks.ts';
import { homeBlocks, toReply } from '../../../../src/answers/slack/render.ts';
import { eventsPerReply } from '../../../../src/features/alerts/replies.ts';
import {
  replyAnswer,
  type ShownAlertState,
  summaryAnswer,
} from '../../../../src/features/cards/views/alerts.ts';
import { cardAnswer } from '../../../../src/features/cards/views/card.ts';
import type { FollowedSubject, WatchWithSubjects } from '../../../../src/features/polling/watch-list.ts';
import type { Snooze } from '../../../../src/features/rules/evaluation/muting.ts';
import type { VesselState, WatchState } from '../../../../src/features/rules/evaluation/state.ts';
import type { Rules, WatchEvent } from '../../../../src/features/rules/list.ts';
import { homeTopView } from '../../../../src/features/watches/home.ts';
import { anImo, aPort, aReader, aTime, nasty } from '../../../support/answer-arbitraries.ts';
import { lineOf } from '../../../support/answer-message.ts';
import { ruleEvents, ruleValues } from '../../../support/rule-samples.ts';
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
    kind: fc.constantFrom(...Object.keys(ruleEvents)),
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
const rules: fc.Arbitrary<Rules> = fc.record({
  ...ruleValues,
  below: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
  due: some(fc.record({ port: aPort, at: aTime }), 8),
  quiet: orNull(fc.constant({ from: '22:00', to: '06:00', zone: 'America/Argentina/Buenos_Aires' })),
});

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

const owner = 'ADA LOVELACE';
const names = fc
  .record({ name: fc.option(nasty, { nil: undefined }), references: fc.array(nasty, { maxLength: 20 }) })
  .map(({ name, references }) => ({
    nameOf: () => name,
    referencesOf: () => references,
    ownerName: owner,
    acknowledgedBy: owner,
  }));
const events = fc.array(event, { minLength: 1, maxLength: eventsPerReply, size: 'max' });
const cardUrl = 'https://acme.slack.com/archives/C1/p1';
const own = /<#C0WATCHED1>|<https:\/\/acme\.slack\.com\/archives\/C1\/p1\|[^<>|]*>/g;

const replyOf = (answer: Answer, reader: Reader): Message => toReply(answer, { reader, lineOf });

// Other messages of watches are plain documents: the property of every answer holds for them.
const views: Record<string, fc.Arbitrary<(reader: Reader) => Message>> = {
  card: fc.tuple(aWatch, names).map(
    ([one, known]) =>
      (reader) =>
        replyOf(cardAnswer(one, known, reader), reader),
  ),
  reply: fc
    .record({
      events,
      more: fc.nat(5_000),
      title: nasty,
      isOfOneVessel: fc.boolean(),
      state: alertState,
      names,
    })
    .map(({ names: known, ...reply }) => (reader) => {
      const about = { ...reply, messageId: 'm1', isInThread: false, isShared: true, cardUrl };
      return replyOf(replyAnswer(about, known, reader), reader);
    }),
  summary: fc
    .record({
      items: fc.array(
        fc.record({ watchId: nasty, title: nasty, events: fc.array(event, { maxLength: 9 }), url: nasty }),
        { minLength: 1, maxLength: 60, size: 'max' },
      ),
      state: alertState,
      names,
    })
    .map(
      ({ names: known, ...summary }) =>
        (reader) =>
          replyOf(summaryAnswer({ messageId: 'm1', ...summary }, known, reader), reader),
    ),
  'top of Home': fc
    .record({
      alerts: some(
        fc.record({
          alert: fc.tuple(aTime, events).map(([at, all]) => alert({ at, events: all })),
          title: nasty,
          channelId: fc.constant('C0WATCHED1'),
          isPersonal: fc.boolean(),
          url: fc.constantFrom(undefined, cardUrl),
          isAssigned: fc.boolean(),
        }),
        5,
      ),
      moreAlerts: fc.nat(500),
      promises: some(
        nasty.map((words) => `Rotterdam ${words}`),
        20,
      ),
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
      blocks: [
        context('Home'),
        ...homeTopView(one, { names: known, now: reader.now, lineOf })
          .flatMap((part) => homeBlocks(part, { reader, lineOf }))
          .filter(({ type }) => type !== 'header'),
      ],
    })),
};

test.each(
  Object.entries(views),
)('%s: whatever is predicted and typed, it keeps the limits of Slack, mentions nobody and claims nothing', (_, view) => {
  fc.assert(
    fc.property(view, aReader, (show, reader) => {
      const message = show(reader);
      expect(slackFaults(message, own).join('; ')).toBe('');
      const shown = JSON.stringify(message);
      expect(shown).not.toMatch(/\b(arrived|sailed|blank sailings?)\b|U0WATCHER1/i);
      if (reader.audience === 'outside') expect(shown).not.toContain(owner);
    }),
    { numRuns: 100 },
  );
});
