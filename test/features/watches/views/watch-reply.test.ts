import { describe, expect, test } from 'vitest';
import { eventsPerReply } from '../../../../src/features/watches/messages/group-replies.ts';
import type { WatchEvent } from '../../../../src/features/watches/rules/index.ts';
import { pauseNoticeView } from '../../../../src/features/watches/views/notices.ts';
import { watchReplyView, watchSummaryView } from '../../../../src/features/watches/views/watch-reply.ts';
import { asRead } from '../../../support/message-text.ts';
import { slackFaults } from '../../../support/slack-faults.ts';
import { reader } from '../../../support/view-fixtures.ts';
import { cypress } from '../../../support/watch-story.ts';
import {
  antwerp,
  at,
  changed,
  diana,
  names,
  notifiedRotterdam,
  port,
  rotterdam,
} from '../../../support/watch-view-fixtures.ts';

const inChannel = { ...reader, audience: 'channel' } as const;
const read = (events: readonly WatchEvent[], isNamedAbove = true, title = 'DS CYPRESS') => {
  const message = watchReplyView({ events, title, isNamedAbove }, names, inChannel);
  expect(slackFaults(message)).toEqual([]);
  expect(message.text.slice(0, 80)).toMatch(/\w/);
  return asRead(message);
};
const was = notifiedRotterdam;
const later = { ...rotterdam, eta: at('24T06:05') };
const imo = cypress;

const events: Record<WatchEvent['kind'], WatchEvent> = {
  'next-port-changed': changed,
  wavering: { kind: 'wavering', imo, was, next: antwerp, old: { ...rotterdam, probability: 0.15 } },
  'no-longer-predicted': { kind: 'no-longer-predicted', imo, was, next: antwerp },
  'eta-slipped': { kind: 'eta-slipped', imo, was, now: later },
  'eta-advanced': { kind: 'eta-advanced', imo, was, now: { ...rotterdam, eta: at('22T14:05') } },
  'probability-fell': {
    kind: 'probability-fell',
    imo,
    was,
    now: { ...rotterdam, probability: 0.44 },
    below: 0.5,
  },
  arriving: { kind: 'arriving', imo, now: antwerp, hours: 24, call: 1 },
  overdue: { kind: 'overdue', imo, now: { ...rotterdam, eta: at('21T02:00') }, hours: 6, call: 1 },
  due: { kind: 'due', imo, due: { port: port('NLRTM'), at: at('23T17:00') }, now: later, reasons: ['late'] },
  'prediction-lost': { kind: 'prediction-lost', imo, was },
  'prediction-back': { kind: 'prediction-back', imo, was: null, next: antwerp },
  'newly-expected': { kind: 'newly-expected', imo: diana, now: rotterdam },
  'no-longer-expected': {
    kind: 'no-longer-expected',
    imo: diana,
    was,
    now: { ...rotterdam, probability: 0.3 },
  },
  'expected-eta-moved': { kind: 'expected-eta-moved', imo: diana, was, now: later },
  stale: { kind: 'stale', since: at('20T22:00') },
};

describe('a reply in the thread', () => {
  test.each(Object.entries(events))('%s', (_, event) => {
    expect(read([event])).toMatchSnapshot();
  });

  test('names the other port beside a settled or an undecided one', () => {
    const settled = { ...changed, settled: true, rival: port('DEHAM') } as const;
    expect(read([{ ...settled, old: null } as WatchEvent])).toContain(
      '*Settled: next port is Antwerp (BEANR), 80%*; Hamburg (DEHAM) is no longer predicted.',
    );
    const hamburg = { ...rotterdam, port: port('DEHAM'), probability: 0.17 };
    expect(read([{ ...settled, old: hamburg } as WatchEvent])).toContain('; Hamburg (DEHAM) 17%.');
    // As written before the rival was stored.
    const old = { ...changed, was: { ...notifiedRotterdam, ...antwerp }, old: null, settled: true };
    expect(read([old as WatchEvent])).not.toContain('no longer predicted');
    const close = {
      ...changed,
      next: { ...antwerp, probability: 0.46 },
      old: { ...rotterdam, probability: 0.45 },
    };
    expect(read([close as WatchEvent])).toContain(
      '*Next port is undecided: Antwerp (BEANR), 46%*; Rotterdam (NLRTM) 45%.',
    );
  });

  test('says that the port is under 50% again, and names the likeliest other port', () => {
    const fell = {
      ...events['probability-fell'],
      was: { ...was, probability: 0.46 },
      other: { ...antwerp, probability: 0.3 },
    } as WatchEvent;
    expect(read([fell])).toContain('*Rotterdam (NLRTM) is again under 50%*: now 44%; Antwerp (BEANR) 30%.');
    expect(read([{ ...fell, other: { ...antwerp, probability: 0.4 } } as WatchEvent])).toContain(
      'now 44%; undecided, Antwerp (BEANR) 40%.',
    );
  });

  test('a vessel that left the list of its port hours before its ETA is not called unexpected', () => {
    const left = { ...events['no-longer-expected'], now: null, nearEta: at('21T12:05') } as WatchEvent;
    expect(read([left])).toContain('*No longer predicted, 3 h before its ETA: MSC DIANA (9755933)*.');
  });

  test('a port that is no longer predicted, a settled one, a due date at risk', () => {
    expect(read([{ ...changed, old: null, settled: true } as WatchEvent])).toMatchSnapshot();
    const due = { ...events.due, reasons: ['unlikely'], now: null } as WatchEvent;
    expect(read([due])).toMatchSnapshot();
    expect(read([{ ...due, now: { ...later, probability: 0.44 } } as WatchEvent])).toMatchSnapshot();
    const without = { ...rotterdam, eta: null };
    expect(read([{ ...events['eta-slipped'], now: without } as WatchEvent])).toContain('ETA not given');
  });

  test("names the vessel if its card doesn't", () => {
    expect(read([changed], false)).toContain('*DS CYPRESS: Next port is now Antwerp (BEANR), 80');
    expect(read([changed], true)).not.toContain('*DS CYPRESS');
  });

  test('shows all events that fit, and says how many follow', () => {
    const many = Array.from({ length: eventsPerReply }, (_, index) => ({
      ...changed,
      imo: (9_000_000 + index) as typeof imo,
    }));
    const message = watchReplyView(
      { events: many, more: 28, title: 'list ALL', isNamedAbove: false },
      names,
      inChannel,
    );
    const shown = asRead(message);
    for (const { imo: one } of many) expect(shown).toContain(`*IMO ${one}: Next port is now Antwerp`);
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
      title: 'DS CYPRESS',
      events: [changed],
      url: 'https://acme.slack.com/archives/C1/p17?thread_ts=1.2&cid=C1',
    },
    { title: 'list NORTH', events: [events['eta-slipped'], events.arriving] },
    { title: 'port Rotterdam (NLRTM)', events: [events['newly-expected']] },
    { title: 'MSC DIANA', events: [events.stale], url: 'javascript:alert(1)' },
  ];

  test('has a line and a link for each watch', () => {
    const message = watchSummaryView(items, names, inChannel);
    expect(asRead(message)).toMatchInlineSnapshot(`
      "text: 4 watches have news: DS CYPRESS: next port is now Antwerp (BEANR), 80%; Rotterdam (NLRTM) 15%.; list NORTH: DS CYPRESS, ETA Rotterdam (NLRTM) is 16 h later, 82%. And 1 more in its thread.; port Rotterdam (NLRTM): newly expected: MSC DIANA (9755933), 82%.; MSC DIANA: the analytics service has not answered since Fri 20 Nov 22:00 UTC.

      *4 watches have news*
      • *<https://acme.slack.com/archives/C1/p17?thread_ts=1.2&amp;cid=C1|DS CYPRESS>*: next port is now Antwerp (BEANR), 80%; Rotterdam (NLRTM) 15%.
      • *list NORTH*: DS CYPRESS, ETA Rotterdam (NLRTM) is 16 h later, 82%. And 1 more in its thread.
      • *port Rotterdam (NLRTM)*: newly expected: MSC DIANA (9755933), 82%.
      • *MSC DIANA*: the analytics service has not answered since Fri 20 Nov 22:00 UTC."
    `);
    expect(slackFaults(message, /<https:\/\/acme\.slack\.com\/[^|<>]*\|[^<>]*>/g)).toEqual([]);
  });

  test('says how many of sixty watches are left out', () => {
    const many = Array.from({ length: 60 }, () => ({ title: 'X'.repeat(200), events: [changed] }));
    const message = watchSummaryView(many, names, inChannel);
    expect(slackFaults(message)).toEqual([]);
    expect(asRead(message)).toContain('… and 40 more, each in its own thread in this channel');
  });
});

test.each([
  'is_archived',
  'not_in_channel',
  'token_revoked',
  'some_new_code',
])('the notice to an owner: %s', (reason) => {
  const notice = pauseNoticeView({ watchId: 'w1', title: 'DS CYPRESS', channelId: 'C0WATCHED1', reason });
  expect(slackFaults(notice, /<#C0WATCHED1>/g)).toEqual([]);
  expect(asRead(notice)).toMatchSnapshot();
});
