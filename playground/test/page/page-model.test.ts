import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Action,
  callCount,
  emptyModel,
  type PageModel,
  reduce,
  unreadCount,
} from '../../page/model/page-model.ts';
import { channelMessages, threadMessages } from '../../page/model/shown-messages.ts';
import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import type { PageMessage } from '../../src/page-api/page-api.ts';
import { pageMessage, pageState } from '../support/page-message.ts';

const modelAfter = (...actions: Action[]): PageModel => actions.reduce(reduce, emptyModel);
const load = (userId: string, messages: PageMessage[] = [], channelId?: string): Action => ({
  type: 'loaded',
  state: pageState(userId, messages),
  ...(channelId && { channelId }),
});
const live = (message: PageMessage): Action => ({ type: 'live', event: { type: 'message', message } });
const tsOf = (messages: PageMessage[]) => messages.map(({ ts }) => ts);

describe('messages', () => {
  it('opens the first channel, or the requested one if the user may see it', () => {
    expect(modelAfter(load('ADA')).channelId).toBe('C1');
    expect(modelAfter(load('ADA', [], 'C2')).channelId).toBe('C2');
    expect(modelAfter(load('ADA', [], 'C9')).channelId).toBe('C1');
  });

  it('sorts by time, whatever the order of arrival, and applies updates to the same message', () => {
    const model = modelAfter(load('ADA', [pageMessage('3.000001')]), live(pageMessage('1.000001')), {
      type: 'live',
      event: { type: 'message', message: pageMessage('3.000001', { text: 'new', editedTs: '4.000001' }) },
    });
    expect(channelMessages(model, 'C1').map(({ ts, text }) => [ts, text])).toEqual([
      ['1.000001', 'at 1.000001'],
      ['3.000001', 'new'],
    ]);
  });

  it('reaches the same state if events are repeated after a reload', () => {
    const event = fc.record({
      ts: fc.constantFrom('1.000001', '2.000001', '3.000001'),
      text: fc.string({ maxLength: 3 }),
      deleted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.nat(8), (events, seen) => {
        const actions = events.map(({ ts, text, deleted }): Action => {
          if (!deleted) return live(pageMessage(ts, { text }));
          return { type: 'live', event: { type: 'message_deleted', channelId: 'C1', ts } };
        });
        const expected = modelAfter(load('ADA'), ...actions);
        const snapshot = modelAfter(load('ADA'), ...actions.slice(0, seen));
        const repeated = modelAfter(load('ADA', snapshot.messages), ...actions);
        expect(repeated.messages).toEqual(expected.messages);
      }),
    );
  });

  it('shows replies in their thread, and broadcast ones in the channel too', () => {
    const parent = pageMessage('1.000001', { replyCount: 2 });
    const reply = pageMessage('2.000001', { threadTs: '1.000001' });
    const broadcast = pageMessage('3.000001', { threadTs: '1.000001', broadcast: true });
    const model = modelAfter(
      load('ADA', [parent, reply, broadcast, pageMessage('4.000001', { channelId: 'C2' })]),
    );
    expect(tsOf(channelMessages(model, 'C1'))).toEqual(['1.000001', '3.000001']);
    expect(tsOf(threadMessages(model, 'C1', '1.000001'))).toEqual(['1.000001', '2.000001', '3.000001']);
  });

  it("doesn't show a dismissed message again after a reload", () => {
    const message = pageMessage('1.000001', { ephemeralTo: 'ADA' });
    const model = modelAfter(load('ADA', [message]), { type: 'dismissed', message }, load('ADA', [message]));
    expect(channelMessages(model, 'C1')).toEqual([]);
  });
});

describe('unread', () => {
  const old = pageMessage('1.000001', { channelId: 'C2' });
  const fresh = pageMessage('2.000001', { channelId: 'C2' });

  it('counts what arrived since the page was opened, per user, without their own messages', () => {
    const model = modelAfter(load('ADA', [old]), live(fresh));
    expect(unreadCount(model, 'C2')).toBe(1);
    expect(unreadCount(modelAfter(load('BOB', [old]), live(fresh)), 'C2')).toBe(0);
  });

  it('counts messages that arrived while another user was selected', () => {
    const bots = { ...fresh, userId: 'BOT' };
    const model = modelAfter(load('ADA', [old]), live(bots), load('BOB', [old, bots]));
    expect(unreadCount(model, 'C2')).toBe(1);
  });

  it('is cleared when the channel is opened, which marks the first unread message', () => {
    const model = modelAfter(load('ADA', [old]), live(fresh), { type: 'open_channel', channelId: 'C2' });
    expect(unreadCount(model, 'C2')).toBe(0);
    expect(model.newSince).toBe('2.000001');
  });
});

describe('the “New” line', () => {
  const c2 = { channelId: 'C2' };
  const read = [load('ADA', [pageMessage('1.000001', c2)]), { type: 'open_channel', ...c2 }] as const;
  const [first, second] = ['2.000001', '3.000001'].map((ts) => live(pageMessage(ts, c2)));
  if (!first || !second) throw new Error('there are two messages');

  it('is above what arrived while the page was hidden, but not above what the reader saw arrive', () => {
    const hidden = modelAfter(...read, first, second);
    expect(unreadCount(hidden, 'C2')).toBe(2);
    const back = reduce(hidden, { type: 'returned' });
    expect([back.newSince, unreadCount(back, 'C2')]).toEqual(['2.000001', 0]);
    const watched = modelAfter(...read, first, { type: 'seen' }, second, { type: 'seen' });
    expect([watched.newSince, unreadCount(watched, 'C2')]).toEqual([undefined, 0]);
  });

  it('goes with an answer in the channel, but not with an edit of an earlier message', () => {
    const mine = pageMessage('4.000001', { ...c2, userId: 'ADA' });
    const model = modelAfter(...read, first, { type: 'returned' });
    const answered = reduce(model, live(mine));
    expect([model.newSince, answered.newSince]).toEqual(['2.000001', undefined]);
    const again = [live(pageMessage('5.000001', c2)), { type: 'returned' } as const].reduce(reduce, answered);
    expect(reduce(again, live({ ...mine, text: 'edited' })).newSince).toBe('5.000001');
  });

  it('a mention or a direct message calls for the reader, other messages do not', () => {
    const mention = pageMessage('2.000001', { ...c2, text: 'for you, <@ADA>' });
    const model = modelAfter(load('ADA'), live(mention), live(pageMessage('3.000001', c2)));
    const [, channel] = model.world?.channels ?? [];
    if (!channel) throw new Error('there are two channels');
    expect(callCount(model, channel)).toBe(1);
    expect(callCount(model, { ...channel, kind: 'dm' })).toBe(2);
  });
});

describe('the wire', () => {
  const entry = (id: number): WireEntry => ({
    id,
    at: '2026-11-21T09:05:00Z',
    direction: 'to-app',
    label: `slash ${id}`,
    ok: true,
    request: {},
  });

  it('merges earlier entries with live ones, without duplicates', () => {
    const model = modelAfter(
      { type: 'live', event: { type: 'wire', entry: entry(2) } },
      { type: 'wire_loaded', wire: [entry(1), entry(2)] },
    );
    expect(model.wire.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('is limited', () => {
    const many = Array.from(
      { length: 700 },
      (_, id): Action => ({
        type: 'live',
        event: { type: 'wire', entry: entry(id) },
      }),
    );
    const { wire } = modelAfter(...many);
    expect([wire.length, wire.at(-1)?.id]).toEqual([500, 699]);
  });
});

describe('several workspaces', () => {
  const other: Action = {
    type: 'loaded',
    state: {
      ...pageState('EVE'),
      teamId: 'T2',
      channels: pageState('EVE').channels.map((channel) => ({ ...channel, id: `${channel.id}B` })),
    },
  };

  it('open where the reader left them, as the person they were', () => {
    const there = modelAfter(load('BOB', [], 'C2'), other, { type: 'open_channel', channelId: 'C2B' });
    expect(there.lastPlaces).toEqual({
      T1: { userId: 'BOB', channelId: 'C2' },
      T2: { userId: 'EVE', channelId: 'C2B' },
    });
    const back = reduce(there, load('BOB'));
    expect(back.channelId).toBe('C2');
    expect(reduce(back, other).channelId).toBe('C2B');
  });

  it('are marked by what is posted there until the reader goes there', () => {
    const posted = (teamId: string): Action => ({
      type: 'live',
      event: { type: 'posted_elsewhere', teamId },
    });
    const model = modelAfter(load('ADA'), posted('T2'), posted('T3'), posted('T2'));
    expect(model.unreadTeams).toEqual(['T2', 'T3']);
    expect(reduce(model, other).unreadTeams).toEqual(['T3']);
  });

  it('ignore the channel of the URL once the page is open', () => {
    const model = modelAfter(load('ADA', [], 'C2'), { type: 'open_channel', channelId: 'C1' });
    expect(reduce(model, load('BOB', [], 'C2')).channelId).toBe('C1');
  });
});
