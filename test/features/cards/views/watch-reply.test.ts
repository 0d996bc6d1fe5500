import { describe, expect, test } from 'vitest';
import type { Reader } from '../../../../src/answers/message.ts';
import { eventsPerReply } from '../../../../src/features/alerts/replies.ts';
import { replyAnswer, summaryAnswer } from '../../../../src/features/cards/views/alerts.ts';
import { budgetNoticeAnswer, pauseNoticeAnswer } from '../../../../src/features/cards/views/notices.ts';
import type { WatchEvent } from '../../../../src/features/rules/list.ts';
import type { WatchNames } from '../../../../src/features/rules/registry.ts';
import { replyMessage } from '../../../support/answer-message.ts';
import { asRead } from '../../../support/message-text.ts';
import { ruleEvents as events } from '../../../support/rule-samples.ts';
import { slackFaults } from '../../../support/slack-faults.ts';
import { reader } from '../../../support/view-fixtures.ts';
import { cypress, diana } from '../../../support/watch-story.ts';
import { antwerp, at, changed, names, rotterdam } from '../../../support/watch-view-fixtures.ts';

const alertMessage = (reply: Parameters<typeof replyAnswer>[0], known: WatchNames, who: Reader) =>
  replyMessage(replyAnswer(reply, known, who), reply.isInThread ? { ...who, source: 'service' } : who);
const summaryMessage = (
  ...[summary, known, who]: [Parameters<typeof summaryAnswer>[0], WatchNames, Reader]
) => replyMessage(summaryAnswer(summary, known, who), who);
const isOpen = { messageId: 'm1', isShared: true, state: { total: 1, open: 1 } };
const inChannel = { ...reader, audience: 'channel' } as const;
const read = (events: readonly WatchEvent[], isInThread = true, isOfOneVessel = true) => {
  const reply = { ...isOpen, title: 'DS CYPRESS', events, isInThread, isOfOneVessel };
  const message = alertMessage(reply, names, inChannel);
  expect(slackFaults(message)).toEqual([]);
  expect(message.text.slice(0, 80)).toMatch(/\w/);
  return asRead(message);
};
const later = { ...rotterdam, eta: at('24T06:05') };
const imo = cypress;

describe('a reply in the thread', () => {
  test.each(Object.entries(events))('%s', (_, event) => {
    expect(read([event])).toMatchSnapshot();
  });

  test('two ports within 5 points are undecided, whichever leads', () => {
    const close = {
      ...changed,
      next: { ...antwerp, probability: 0.46 },
      old: { ...rotterdam, probability: 0.45 },
    };
    expect(read([close as WatchEvent])).toContain(
      '*🔴 Undecided: Antwerp 46% or Rotterdam 45%* (was Rotterdam 82%)\n',
    );
  });

  test('a dispute as it stands, settled and over', () => {
    const end = { kind: 'settled', at: at('21T12:05') } as const;
    const undecided = { ...events.undecided, other: { ...antwerp, probability: 0.3 } } as WatchEvent;
    const unlikely = { ...events.unlikely, other: { ...antwerp, probability: 0.4 } } as WatchEvent;
    const back = events['back-and-forth'];
    const evenAgain = {
      ...back,
      now: { ...antwerp, probability: 0.44 },
      other: { ...rotterdam, probability: 0.4 },
    };
    const all = [undecided, unlikely, back, evenAgain as WatchEvent];
    expect(all.map((event) => read([event])).join('\n')).toMatchSnapshot();
    expect(read([{ ...undecided, end } as WatchEvent])).toMatchSnapshot();
    expect(read([{ ...undecided, end: { ...end, kind: 'over' } } as WatchEvent])).toMatchSnapshot();
  });

  test('a port that was only unlikely never says that it was undecided', () => {
    const unlikely = {
      ...events.unlikely,
      below: 0.6,
      now: { ...rotterdam, probability: 0.72 },
    } as WatchEvent;
    const ended = (kind: 'settled' | 'over') =>
      read([{ ...unlikely, end: { kind, at: at('21T12:05') } } as WatchEvent]);
    expect(ended('settled')).toContain(
      '*⚪ Rotterdam 72%, no longer under 60%* (fell under 60% on Sat 21 Nov 06:05 UTC)',
    );
    expect(ended('over')).toContain(
      '*⚪ No longer current: Rotterdam under 60%* (from Sat 21 Nov 06:05 UTC to',
    );
    expect(`${ended('settled')}${ended('over')}`).not.toMatch(/undecided/i);
  });

  test('a port that is no longer predicted, a settled one, a due date at risk', () => {
    expect(read([{ ...changed, isSettled: true } as WatchEvent])).toMatchSnapshot();
    expect(read([{ ...changed, old: null, mayHaveCalled: true } as WatchEvent])).toMatchSnapshot();
    const due = { ...events.due, reasons: ['unlikely'], now: null } as WatchEvent;
    expect(read([due])).toMatchSnapshot();
    expect(read([{ ...due, now: { ...later, probability: 0.44 } } as WatchEvent])).toMatchSnapshot();
    const without = { ...rotterdam, eta: null };
    expect(read([{ ...events['eta-slipped'], now: without } as WatchEvent])).toContain('ETA not given');
  });

  test("names the vessel if its card doesn't", () => {
    const named = '*🔴 DS CYPRESS: Rotterdam → Antwerp 80%, Rotterdam 15%*';
    expect(read([changed], false)).toContain(named);
    expect(read([changed], true, false)).toContain(named);
    expect(read([changed], true)).not.toContain('*DS CYPRESS');
    // A phone's notification has only the text.
    expect(read([changed], true)).toContain('text: 🔴 DS CYPRESS: Rotterdam');
  });

  test.each([
    [0.499, 0.5, '→ 49.9%, under 50%'],
    [0.49999, 0.5, '→ 49.9%, under 50%'],
    [0.496, 0.5, '→ 49.6%, under 50%'],
    [0.49, 0.5, '→ 49%, under 50%'],
    [0.396, 0.4, '→ 39.6%, under 40%'],
  ])('a probability of %d never reads like the %d that it is under', (probability, below, words) => {
    const fell = { ...events.unlikely, now: { ...rotterdam, probability }, below } as WatchEvent;
    expect(read([fell])).toContain(words);
  });

  test('several changes: those that need attention, and the routine ones after a click', () => {
    const dianaChanged = { ...changed, imo: diana } as WatchEvent;
    const routine = [events.arriving, { ...events.arriving, imo: diana } as WatchEvent];
    expect(read([changed, dianaChanged, events['eta-slipped'], ...routine], true, false)).toMatchSnapshot();
    expect(read([changed, ...routine], false, false)).toMatchSnapshot();
    expect(read(routine, true, false)).toMatchSnapshot();
  });

  test('up to three changes of one vessel stand one below the other', () => {
    expect(read([changed, events.due, events.unlikely])).toMatchSnapshot();
    expect(read([changed, events.due, events.unlikely, events.overdue])).toContain('*🔴 4 need attention*');
  });

  test('says that data is invented only where no card above does', () => {
    const reply = { ...isOpen, title: 'DS CYPRESS', events: [changed], isOfOneVessel: true };
    const sandbox = { ...inChannel, source: 'sandbox' } as const;
    const shown = (isInThread: boolean) => asRead(alertMessage({ ...reply, isInThread }, names, sandbox));
    expect(shown(true)).not.toContain('invented');
    expect(shown(false).match(/invented data/g)).toHaveLength(2);
  });

  test('shows all events that fit, and says how many follow', () => {
    const many = Array.from({ length: eventsPerReply }, (_, index) => ({
      ...changed,
      imo: (9_000_000 + index) as typeof imo,
    }));
    const message = alertMessage(
      { ...isOpen, events: many, more: 28, title: 'list ALL', isInThread: false, isOfOneVessel: false },
      names,
      inChannel,
    );
    const shown = asRead(message);
    for (const { imo: one } of many)
      expect(shown).toContain(`| IMO ${one} | 🔴 Now Antwerp | Rotterdam 82% → Antwerp 80% |`);
    expect(shown).toContain('28 more changes follow in this thread');
    expect(message.text).toContain('28 more changes follow in this thread');
  });

  test('never says that the vessel has been at the notified port', () => {
    for (const event of Object.values(events)) expect(read([event])).not.toMatch(/\b(arrived|sailed)\b/i);
  });
});

describe('a summary of the channel', () => {
  const items = [
    {
      watchId: 'w1',
      title: 'DS CYPRESS',
      events: [changed],
      url: 'https://acme.slack.com/archives/C1/p17?thread_ts=1.2&cid=C1',
    },
    { watchId: 'w2', title: 'list NORTH', events: [events['eta-slipped'], events.arriving] },
    { watchId: 'w3', title: 'port Rotterdam (NLRTM)', events: [events['newly-expected']] },
    { watchId: 'w4', title: 'MSC DIANA', events: [events.stale], url: 'javascript:alert(1)' },
  ];

  test('has a line and a link for each watch', () => {
    const message = summaryMessage({ ...isOpen, items }, names, inChannel);
    const shown = asRead(message);
    expect(shown).toContain(
      '| MSC DIANA | 🟠 Service not answering | since Fri 20 Nov 22:00 UTC | – |\n▸ 2 routine changes\n',
    );
    expect(shown).toContain('4 watches, each with its thread in this channel\n[Acknowledge → m1]');
    expect(slackFaults(message, /<https:\/\/acme\.slack\.com\/[^|<>]*\|[^<>]*>/g)).toEqual([]);
  });

  test('says how many of sixty watches are left out', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      watchId: `w${index}`,
      title: 'X'.repeat(200),
      events: [changed],
    }));
    const message = summaryMessage({ ...isOpen, items: many }, names, inChannel);
    expect(slackFaults(message)).toEqual([]);
    expect(asRead(message)).toContain('… and 35 more, each in its thread');
  });
});

test.each([
  'is_archived',
  'not_in_channel',
  'token_revoked',
  'some_new_code',
])('the notice to an owner: %s', (reason) => {
  const where = { channelId: 'C0WATCHED1', destination: 'channel' } as const;
  const about = { watchId: 'w1', title: 'DS CYPRESS', ...where, reason };
  const notice = replyMessage(pauseNoticeAnswer(about));
  expect(slackFaults(notice, /<#C0WATCHED1>/g)).toEqual([]);
  expect(asRead(notice)).toMatchSnapshot();
});

const need = { plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.304 };

test('the notice of the budget names who needs most, but no personal watch', () => {
  const users = [{ title: 'fleet ALPHA', channelId: 'C0OPS00001', calls: 412.4 }, { calls: 96 }];
  expect(asRead(replyMessage(budgetNoticeAnswer({ ...need, users, isForAdmin: true })))).toContain(
    "Most calls: fleet ALPHA in <#C0OPS00001>, 412 a day · somebody's personal watch, 96 a day",
  );
});

test('the notice of the budget to owners who are not admins says why they get it', () => {
  const shown = asRead(replyMessage(budgetNoticeAnswer({ ...need, users: [], isForAdmin: false })));
  expect(shown).toContain('All watches are polled 1.4 times less often now');
  expect(shown).toContain(
    'Sent to those who own a watch or a digest, since no workspace admin uses Landfall',
  );
  expect(shown).toContain('[List my watches → watch list mine]');
});

describe('references of a vessel', () => {
  const many = ['BK123', 'MEDU4711', 'ACME', 'OLD 1', 'OLD 2'];
  const withReferences = {
    ...names,
    referencesOf: (vessel: number) => (vessel === cypress ? many : []),
  };
  const show = (given: readonly WatchEvent[], isOfOneVessel: boolean) => {
    const reply = { ...isOpen, title: 'NORTH', events: given, isInThread: true, isOfOneVessel };
    const message = alertMessage(reply, withReferences, inChannel);
    expect(slackFaults(message)).toEqual([]);
    return asRead(message);
  };

  test('stand in the second line of an alert, the newest three', () => {
    const shown = show([changed], true);
    expect(shown.match(/ · Ref BK123, MEDU4711, ACME and 2 more\n/g)).toHaveLength(2);
  });

  test('stand once above several changes of a vessel', () => {
    const shown = show([changed, events['eta-slipped']], true);
    const [text = '', body = ''] = shown.split(/\n\n(.*)/s);
    expect(text.match(/Ref BK123/g)).toHaveLength(1);
    expect(body.match(/Ref BK123/g)).toHaveLength(1);
  });

  test('are a column where several vessels changed', () => {
    const shown = show([changed, events['newly-expected'], events['no-longer-expected']], false);
    expect(shown).toContain('| Vessel | What | Was → Now | ETA | Ref |\n');
    expect(shown).toContain(' | BK123, MEDU4711, ACME +2 |\n');
    expect(shown).toContain('| MSC DIANA | 🟠 No longer expected at Rotterdam | 82% → 30% | – | – |\n');
  });
});
