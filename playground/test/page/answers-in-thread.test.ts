import { expect, it } from 'vitest';
import { type Action, emptyModel, type PageModel, reduce } from '../../page/model/page-model.ts';
import type { PageState } from '../../src/page-api/page-api.ts';
import { pageMessage, pageState } from '../support/page-message.ts';

const state = pageState('ADA');
const dm = { id: 'D1', name: 'bot', kind: 'dm' as const, topic: '', memberIds: ['ADA', 'BOT'] };
const agent = { prompts: { prompts: [] }, statuses: [] };

/** Ada's page with this channel open and this thread, after she has posted. */
const posted = (
  action: Omit<Extract<Action, { type: 'sent' }>, 'type'>,
  over: Partial<PageState> = {},
): PageModel =>
  [
    {
      type: 'loaded' as const,
      state: { ...state, agent, channels: [...state.channels, dm], ...over },
      channelId: 'D1',
    },
    { type: 'open_thread' as const, ts: '1.000001' },
    { type: 'sent' as const, ...action },
  ].reduce(reduce, emptyModel);

it('opens the thread of a message to an agent, since the answer comes there', () => {
  expect(posted({ channelId: 'D1', ts: '2.000001' }).threadTs).toBe('2.000001');
});

it('an answer that came before is not below the line above what is new', () => {
  const asked = pageMessage('2.000001', { channelId: 'D1', userId: 'ADA' });
  const answer = pageMessage('3.000001', { channelId: 'D1', userId: 'BOT', threadTs: '2.000001' });
  const after = posted({ channelId: 'D1', ts: '2.000001' }, { messages: [asked, answer] });
  expect(after.threadTs).toBe('2.000001');
  expect(after.threadNewSince).toBeUndefined();
});

it('leaves the open thread alone after a message elsewhere, and to an app that is no agent', () => {
  expect(posted({ channelId: 'C1', ts: '2.000001' }).threadTs).toBe('1.000001');
  const plain = posted({ channelId: 'D1', ts: '2.000001' }, { agent: { statuses: [] } });
  expect(plain.threadTs).toBe('1.000001');
  const other = { ...dm, memberIds: ['ADA', 'BOB'] };
  expect(posted({ channelId: 'D1', ts: '2.000001' }, { channels: [other] }).threadTs).toBe('1.000001');
});
