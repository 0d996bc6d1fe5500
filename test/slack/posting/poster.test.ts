import { createPlayground, type Playground } from 'bolt-playground';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/answers/message.ts';
import { type Post, PostError, type Poster } from '../../../src/outbox/outgoing-message.ts';
import {
  createBoltLogger,
  createSlackClients,
  type SlackClients,
} from '../../../src/slack/connection/clients.ts';
import { createMessenger, createPoster } from '../../../src/slack/posting/messenger.ts';
import { createChannelMessages } from '../../../src/slack/services.ts';
import { ada, dmOf, ops } from '../../support/bot.ts';

let slack: Playground;
let poster: Poster;
let clients: SlackClients;
let looks: Message;

beforeEach(async () => {
  slack = await createPlayground({ mode: 'socket', rateLimit: false, limits: { messages: 2000 } });
  const { botToken, apiUrl } = slack;
  const logger = createBoltLogger(pino({ level: 'silent' }));
  clients = createSlackClients({ getToken: async () => botToken, apiUrl, fetch, logger });
  looks = { text: 'Next port is now Antwerp', blocks: [] };
  poster = createPoster(clients.background);
});
afterEach(() => slack.close());

const at = new Date();
const render = async () => looks;
const gone = '1700000000.000100';

/** A post in the channel, or in a thread of it. */
function post(
  where: { threadTs?: string; isBroadcast?: boolean; toPerson?: boolean } = {},
  { id = 'm1', channelId = ops } = {},
): Post {
  return { id, channelId, delivery: { operation: 'post', ...where, render }, isPossiblyRepeated: false };
}

const update = (ts: string | null): Post => ({ ...post(), delivery: { operation: 'update', ts, render } });
const removal = (id: string): Post => ({ ...post(), delivery: { operation: 'remove', id, since: at } });

const first = async () => (await poster.post(post({}, { id: 'first' }))).ts;

describe('where a message goes', () => {
  test('a reply goes to its thread, and a broadcast one to the channel too', async () => {
    const threadTs = await first();
    await poster.post(post({ threadTs }));
    await poster.post(post({ threadTs, isBroadcast: true }, { id: 'm2' }));
    await poster.post(post({}, { id: 'm3' }));
    expect(slack.messages(ops).map(({ threadTs, broadcast }) => [threadTs, broadcast])).toEqual([
      [undefined, undefined],
      [threadTs, undefined],
      [threadTs, true],
      [undefined, undefined],
    ]);
  });

  test('an update changes the message in place', async () => {
    const ts = await first();
    looks = { text: 'Antwerp 80 %', blocks: [] };
    expect(await poster.post(update(ts))).toEqual({ ts });
    expect(slack.messages(ops).map(({ text }) => text)).toEqual(['Antwerp 80 %']);
  });

  test('a removal finds the message and deletes it, once', async () => {
    await createChannelMessages(clients.background).post({ channelId: ops, id: 'w1' }, looks);
    await poster.post(removal('another'));
    expect(slack.messages(ops)).toHaveLength(1);
    await poster.post(removal('w1'));
    await poster.post(removal('w1'));
    expect(slack.messages(ops)).toEqual([]);
  });

  test('a message to a person goes to their direct message, and is found there', async () => {
    const notice = post({ toPerson: true }, { channelId: ada });
    const { ts } = await poster.post(notice);
    expect(slack.messages(dmOf(ada))).toHaveLength(1);
    expect(await poster.find(notice, at)).toEqual({ ts });
  });

  test('a reply goes to the channel if the first message of the thread was deleted', async () => {
    const lost = post({ threadTs: gone });
    await poster.post(lost);
    expect(slack.messages(ops)[0]?.threadTs).toBeUndefined();
    expect(await poster.find(lost, at)).toEqual({ ts: slack.messages(ops)[0]?.ts });
  });

  test.each([gone, null])('a message that does not exist (%s) is not updated', async (ts) => {
    await expect(poster.post(update(ts))).rejects.toMatchObject({
      code: 'message_not_found',
      isPermanent: false,
    });
    expect(slack.messages(ops)).toEqual([]);
  });

  test('the plain twin replaces refused blocks', async () => {
    slack.faults.refuseBlocks(['table']);
    const section = { type: 'section', text: { type: 'plain_text', text: 'plain' } } as const;
    const rows = [[{ type: 'raw_text', text: 'a' } as const]];
    looks = { text: 'words', blocks: [{ type: 'table', rows }], plain: [section] };
    await first();
    expect(slack.messages(ops)[0]?.blocks?.[0]?.type).toBe('section');
  });
});

describe('after an unknown outcome', () => {
  test.each(['thread', 'broadcast', 'channel'])('a %s message is found by its id', async (place) => {
    const threadTs = await first();
    slack.faults.next('chat.postMessage', { cut: true });
    const lost = post(place === 'channel' ? {} : { threadTs, isBroadcast: place === 'broadcast' });
    await expect(poster.post(lost)).rejects.not.toBeInstanceOf(PostError);
    const [, stands] = slack.messages(ops);
    expect(await poster.find(lost, at)).toEqual({ ts: stands?.ts });
    expect(await poster.find({ ...lost, id: 'another' }, at)).toBe('absent');
    expect(slack.messages(ops)).toHaveLength(2);
  });

  test('the search goes back to the first attempt', async () => {
    const { ts } = await poster.post(post());
    const later = (hours: number) => new Date((Number(ts) + hours * 3600) * 1000);
    expect(await poster.find(post(), later(3))).toBe('absent');
    // The clock was an hour ahead at the first attempt, and was set back after it.
    expect(await poster.find(post(), later(1))).toEqual({ ts });
  });

  test('a channel with too many messages to search does not count as absent', async () => {
    for (let count = 0; count < 1001; count += 1)
      await slack.say({ userId: ada, channelId: ops, text: `message ${count}` });
    expect(await poster.find(post(), at)).toBe('unknown');
  });

  test('if Slack refuses the search, the message says that it may be a repeat', async () => {
    slack.faults.next('conversations.history', { error: 'missing_scope' });
    const lost = post();
    expect(await poster.find(lost, at)).toBe('unknown');
    await poster.post({ ...lost, isPossiblyRepeated: true });
    expect(slack.messages(ops)[0]?.text).toContain('it may appear twice');
  });

  test.each([
    { status: 503 },
    { error: 'internal_error' },
  ])('%o leaves the outcome unknown', async (fault) => {
    slack.faults.next('chat.postMessage', fault);
    await expect(first()).rejects.not.toBeInstanceOf(PostError);
    slack.faults.next('chat.postMessage', fault);
    const posting = createChannelMessages(clients.background).post({ channelId: ops, id: 'w1' }, looks);
    await expect(posting).rejects.not.toBeInstanceOf(PostError);
  });
});

test.each([
  ['is_archived', true],
  ['token_revoked', true],
  ['not_in_channel', true],
  ['msg_too_long', false],
])('%s: permanent is %s', async (error, isPermanent) => {
  slack.faults.next('chat.postMessage', { error });
  await expect(first()).rejects.toMatchObject({ name: 'PostError', code: error, isPermanent });
  expect(slack.messages(ops)).toHaveLength(0);
});

test('a rate limit reports how long to wait, and does not wait', async () => {
  slack.faults.next('chat.postMessage', { rateLimitedSeconds: 30 });
  await expect(first()).rejects.toMatchObject({
    code: 'ratelimited',
    isPermanent: false,
    retryAfterMs: 30_000,
  });
  slack.faults.next('conversations.history', { rateLimitedSeconds: 60 });
  await expect(poster.find(post(), at)).rejects.toMatchObject({ retryAfterMs: 60_000 });
});

describe('the answers to a person', () => {
  const limited = (seconds: number) =>
    Response.json(
      { ok: false, error: 'ratelimited' },
      { status: 429, headers: { 'retry-after': `${seconds}` } },
    );
  const posting = (answers: Response[]) => {
    const waits: number[] = [];
    const { posts: client } = createSlackClients({
      getToken: async () => 'xoxb-1',
      apiUrl: 'http://slack.invalid/api/',
      fetch: async () => answers.shift() ?? Response.json({ ok: true, ts: '1.5' }),
      logger: createBoltLogger(pino({ level: 'silent' })),
    });
    const messenger = createMessenger(client, { wait: async (ms) => waits.push(ms) });
    return { waits, sent: messenger.post({ channel: 'C1' }, { text: 'answer', blocks: [] }) };
  };

  test('wait for as long as Slack asks', async () => {
    const { waits, sent } = posting([limited(30), limited(2), limited(1)]);
    expect(await sent).toBe('1.5');
    expect(waits).toEqual([30_000, 2_000, 1_000]);
  });

  test('wait for a minute in all', async () => {
    const { waits, sent } = posting(Array.from({ length: 9 }, () => limited(20)));
    await expect(sent).rejects.toThrow('rate-limit');
    expect(waits).toHaveLength(3);
  });
});
