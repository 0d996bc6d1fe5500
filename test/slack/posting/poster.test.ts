import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultRules } from '../../../src/features/watches/rules/registry.ts';
import type { Message } from '../../../src/messages/message.ts';
import { type Post, PostError, type Poster } from '../../../src/outbox/poster.ts';
import { createPlayground, type Playground } from '../../../src/playground/playground.ts';
import { createBoltLogger } from '../../../src/slack/connection/bolt-logger.ts';
import { createSlackClients, type SlackClients } from '../../../src/slack/connection/clients.ts';
import { createChannelMessages } from '../../../src/slack/posting/channel-messages.ts';
import { createPoster } from '../../../src/slack/posting/poster.ts';
import { ada, dmOf, ops } from '../../support/bot.ts';

let slack: Playground;
let poster: Poster;
let clients: SlackClients;
let looks: Message;

beforeEach(async () => {
  slack = await createPlayground({ mode: 'socket', rateLimit: false, limits: { messages: 2000 } });
  const { botToken, apiUrl } = slack;
  const logger = createBoltLogger(pino({ level: 'silent' }));
  clients = createSlackClients({ botToken, apiUrl, fetch, logger });
  looks = { text: 'Next port is now Antwerp', blocks: [] };
  poster = createPoster({ client: clients.background, render: async () => looks });
});
afterEach(() => slack.close());

const at = new Date();
const reply = { kind: 'reply' as const, events: [], subjects: [], more: 0 };

function post(message: Post['message'], { id = 'm1', cardTs = '' } = {}): Post {
  const watch = {
    id: 'w1',
    workspaceId: 'T0HARBOUR',
    credentialId: 'a1',
    channelId: ops,
    destination: 'channel',
    ownerId: ada,
    title: 'DS CYPRESS',
    rules: defaultRules,
    snooze: null,
    status: 'active',
    pauseReason: null,
    acknowledgement: null,
    news: null,
    cardTs: cardTs || null,
    createdAt: at,
  } as const;
  return {
    id,
    workspaceId: 'T0HARBOUR',
    channelId: message.kind === 'notice' ? ada : ops,
    message,
    createdAt: at,
    watch: message.kind === 'notice' ? null : watch,
    members: [],
    isPossiblyRepeated: false,
  };
}

const card = async () => (await poster.post(post({ kind: 'card' }, { id: 'card' }))).ts;

describe('where a message goes', () => {
  test('replies go to the thread of the card, critical ones to the channel as well', async () => {
    const cardTs = await card();
    await poster.post(post({ ...reply, place: 'thread' }, { cardTs }));
    await poster.post(post({ ...reply, place: 'broadcast' }, { id: 'm2', cardTs }));
    await poster.post(post({ ...reply, place: 'channel' }, { id: 'm3', cardTs }));
    expect(slack.messages(ops).map(({ threadTs, broadcast }) => [threadTs, broadcast])).toEqual([
      [undefined, undefined],
      [cardTs, undefined],
      [cardTs, true],
      [undefined, undefined],
    ]);
  });

  test('the card is changed in place', async () => {
    const cardTs = await card();
    looks = { text: 'Antwerp 80 %', blocks: [] };
    expect(await poster.post(post({ kind: 'card-update' }, { cardTs }))).toEqual({ ts: cardTs });
    expect(slack.messages(ops).map(({ text }) => text)).toEqual(['Antwerp 80 %']);
  });

  test('a card whose watch was not saved is found and deleted, once', async () => {
    const { background: client } = clients;
    const { watch } = post({ kind: 'card' });
    if (!watch) throw new Error('a card is that of a watch');
    await createChannelMessages(client).post({ channelId: watch.channelId, id: watch.id }, looks);
    const removal = { kind: 'card-removal', watchId: watch.id, since: at } as const;
    await poster.post(post({ ...removal, watchId: 'another' }));
    expect(slack.messages(ops)).toHaveLength(1);
    await poster.post(post(removal));
    await poster.post(post(removal));
    expect(slack.messages(ops)).toEqual([]);
  });

  test('the card of a stopped watch becomes its final card, unless somebody deleted it', async () => {
    const cardTs = await card();
    looks = { text: 'no longer watched', blocks: [] };
    const stopped = { kind: 'card-stopped', cardTs, title: 'DS CYPRESS', userId: ada, at } as const;
    await poster.post(post(stopped));
    await poster.post(post({ ...stopped, cardTs: '1700000000.000100' }));
    expect(slack.messages(ops).map(({ text }) => text)).toEqual(['no longer watched']);
  });

  test('a notice goes to its owner alone', async () => {
    await poster.post(post({ kind: 'notice', title: 'DS CYPRESS', channelId: ops, reason: 'is_archived' }));
    expect(slack.messages(dmOf(ada))).toHaveLength(1);
  });

  test('where the card was deleted the reply goes to the channel, and the card is posted again', async () => {
    const gone = post({ ...reply, place: 'thread' }, { cardTs: '1700000000.000100' });
    await poster.post(gone);
    expect(slack.messages(ops)[0]?.threadTs).toBeUndefined();
    expect(await poster.find(gone, at)).toEqual({ ts: slack.messages(ops)[0]?.ts });
    const update = post({ kind: 'card-update' }, { cardTs: '1700000000.000100' });
    await expect(poster.post(update)).rejects.toMatchObject({
      code: 'message_not_found',
      isPermanent: false,
    });
    await expect(poster.post(post({ kind: 'card-update' }))).rejects.toMatchObject({
      code: 'message_not_found',
    });
  });

  test('blocks that are refused are replaced by their plain twin', async () => {
    slack.faults.refuseBlocks(['table']);
    const section = { type: 'section', text: { type: 'plain_text', text: 'plain' } } as const;
    const rows = [[{ type: 'raw_text', text: 'a' } as const]];
    looks = { text: 'words', blocks: [{ type: 'table', rows }], plain: [section] };
    await card();
    expect(slack.messages(ops)[0]?.blocks?.[0]?.type).toBe('section');
  });
});

describe('after an unknown outcome', () => {
  test.each(['thread', 'broadcast', 'channel'] as const)('a %s message is found by its id', async (place) => {
    const cardTs = await card();
    slack.faults.next('chat.postMessage', { cut: true });
    const lost = post({ ...reply, place }, { cardTs });
    await expect(poster.post(lost)).rejects.not.toBeInstanceOf(PostError);
    const [, stands] = slack.messages(ops);
    expect(await poster.find(lost, at)).toEqual({ ts: stands?.ts });
    expect(await poster.find({ ...lost, id: 'another' }, at)).toBe('absent');
    expect(slack.messages(ops)).toHaveLength(2);
  });

  test('a notice is found in the direct message', async () => {
    const notice = post({ kind: 'notice', title: 'DS CYPRESS', channelId: ops, reason: 'is_archived' });
    const { ts } = await poster.post(notice);
    expect(await poster.find(notice, at)).toEqual({ ts });
  });

  test('it is not looked for before its first attempt', async () => {
    const { ts } = await poster.post(post({ kind: 'card' }));
    const later = (hours: number) => new Date((Number(ts) + hours * 3600) * 1000);
    expect(await poster.find(post({ kind: 'card' }), later(3))).toBe('absent');
    // Our clock was an hour ahead at the first attempt, then rolled back.
    expect(await poster.find(post({ kind: 'card' }), later(1))).toEqual({ ts });
  });

  test('it is not called absent where there are too many messages to search', async () => {
    for (let count = 0; count < 1001; count += 1)
      await slack.say({ userId: ada, channelId: ops, text: `message ${count}` });
    expect(await poster.find(post({ kind: 'card' }), at)).toBe('refused');
  });

  test('a refused look-up is reported, and the message says that it may be a repeat', async () => {
    slack.faults.next('conversations.history', { error: 'missing_scope' });
    const lost = post({ kind: 'card' });
    expect(await poster.find(lost, at)).toBe('refused');
    await poster.post({ ...lost, isPossiblyRepeated: true });
    expect(slack.messages(ops)[0]?.text).toContain('it may stand here twice');
  });

  test.each([
    { status: 503 },
    { error: 'internal_error' },
  ])('%o leaves the outcome unknown', async (fault) => {
    slack.faults.next('chat.postMessage', fault);
    await expect(card()).rejects.not.toBeInstanceOf(PostError);
  });
});

test.each([
  ['is_archived', true],
  ['token_revoked', true],
  ['not_in_channel', true],
  ['msg_too_long', false],
])('%s: permanent is %s', async (error, isPermanent) => {
  slack.faults.next('chat.postMessage', { error });
  await expect(card()).rejects.toMatchObject({ name: 'PostError', code: error, isPermanent });
  expect(slack.messages(ops)).toHaveLength(0);
});

test('a rate limit gives the time of the next attempt, without waiting', async () => {
  slack.faults.next('chat.postMessage', { rateLimitedSeconds: 30 });
  await expect(card()).rejects.toMatchObject({
    code: 'ratelimited',
    isPermanent: false,
    retryAfterMs: 30_000,
  });
  slack.faults.next('conversations.history', { rateLimitedSeconds: 60 });
  await expect(poster.find(post({ kind: 'card' }), at)).rejects.toMatchObject({ retryAfterMs: 60_000 });
});
