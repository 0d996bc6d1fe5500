import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlayground, type Playground } from '../../src/index.ts';
import { quietLogger } from '../support/app.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';

let now = 1_790_000_000_000;
let slack: Playground;
let client: webApi.WebClient;

beforeEach(async () => {
  now = 1_790_000_000_000;
  slack = await createPlayground({ mode: 'socket', now: () => now });
  client = clientOf(slack);
});
afterEach(() => slack.close());

function clientOf(playground: Playground): webApi.WebClient {
  return new webApi.WebClient(playground.botToken, {
    slackApiUrl: playground.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quietLogger,
  });
}

/** The raw answer to requests that WebClient wouldn't send. */
async function call(method: string, body: unknown, token = slack.botToken) {
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  // The tests check the answers field by field.
  return (await response.json()) as Record<string, unknown>;
}

describe('authentication', () => {
  test('refuses missing and wrong tokens', async () => {
    expect(await call('auth.test', {}, '')).toEqual({ ok: false, error: 'not_authed' });
    expect(await call('auth.test', {}, 'xoxb-wrong')).toEqual({ ok: false, error: 'invalid_auth' });
  });

  test('refuses an app token instead of a bot token, and the other way round', async () => {
    expect(await call('auth.test', {}, slack.appToken)).toMatchObject({ error: 'not_allowed_token_type' });
    expect(await call('apps.connections.open', {})).toMatchObject({ error: 'not_allowed_token_type' });
  });

  test("refuses an unknown method, and a body that isn't JSON", async () => {
    expect(await call('chat.shout', {})).toMatchObject({ ok: false, error: 'unknown_method' });
    expect(await call('chat.postMessage', '{"chan')).toMatchObject({ ok: false, error: 'invalid_json' });
  });

  test('auth.test identifies the bot', async () => {
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      team: 'Harbour & Co',
      user_id: slack.world.app.botUserId,
      bot_id: slack.world.app.botId,
    });
  });
});

describe('posting', () => {
  test.each([
    ['an unknown channel', { channel: 'C0NOWHERE', text: 'x' }, 'channel_not_found'],
    ['a private channel without the bot', { channel: 'C0PRIVATE1', text: 'x' }, 'channel_not_found'],
    ['nothing to say', { channel: OPS }, 'no_text'],
    ['blank text', { channel: OPS, text: ' ' }, 'no_text'],
    ["blocks that aren't a list", { channel: OPS, text: 'x', blocks: '{' }, 'invalid_blocks_format'],
    ['metadata without a type', { channel: OPS, text: 'x', metadata: { a: 1 } }, 'invalid_metadata_schema'],
    ["a thread that doesn't exist", { channel: OPS, text: 'x', thread_ts: '1.2' }, 'cannot_reply_to_message'],
  ])('%s is refused', async (_name, body, error) => {
    expect(await call('chat.postMessage', body)).toMatchObject({ ok: false, error });
  });

  test('a public channel without the bot and an archived one are refused', async () => {
    const ops = slack.world.channels.find((channel) => channel.id === OPS);
    if (ops) ops.isArchived = true;
    expect(await call('chat.postMessage', { channel: OPS, text: 'x' })).toMatchObject({
      error: 'is_archived',
    });
    if (ops) ops.memberIds = [ADA];
    expect(await call('chat.postMessage', { channel: OPS, text: 'x' })).toMatchObject({
      error: 'not_in_channel',
    });
  });

  test('accepts a name, a user id, and a thread with broadcast', async () => {
    const parent = await client.chat.postMessage({ channel: '#ops', text: 'parent' });
    expect(parent.channel).toBe(OPS);
    const reply = await client.chat.postMessage({
      channel: OPS,
      text: 'reply',
      thread_ts: parent.ts ?? '',
      reply_broadcast: true,
    });
    expect(reply.message).toMatchObject({ subtype: 'thread_broadcast', thread_ts: parent.ts });
    // A reply to the reply goes to the same thread.
    await client.chat.postMessage({ channel: OPS, text: 'second', thread_ts: reply.ts ?? '' });
    expect(slack.messages(OPS).map((m) => [m.text, m.threadTs, m.replyCount])).toEqual([
      ['parent', undefined, 2],
      ['reply', parent.ts, undefined],
      ['second', parent.ts, undefined],
    ]);
    const dm = await client.chat.postMessage({ channel: ADA, text: 'hello' });
    expect(dm.channel).toBe('D0ADA0001');
  });

  test('long text is truncated to 40,000 characters; chat.update refuses more than 4,000', async () => {
    const posted = await client.chat.postMessage({ channel: OPS, text: 'x'.repeat(50_000) });
    expect(slack.messages(OPS)[0]?.text).toHaveLength(40_000);
    const update = { channel: OPS, ts: posted.ts, text: 'y'.repeat(4001) };
    expect(await call('chat.update', update)).toMatchObject({ error: 'msg_too_long' });
  });

  test('chat.update with text only removes the blocks and keeps the metadata', async () => {
    const metadata = { event_type: 'alert', event_payload: { id: '7' } };
    const blocks = [{ type: 'divider' as const }];
    const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'a', blocks, metadata });
    await client.chat.update({ channel: OPS, ts, text: 'b' });
    const { messages } = await client.conversations.history({ channel: OPS, include_all_metadata: true });
    expect(messages?.[0]).toMatchObject({ text: 'b', metadata, edited: { user: slack.world.app.botUserId } });
    expect(messages?.[0]).not.toHaveProperty('blocks');
  });

  test("other people's messages and ephemeral ones can't be updated", async () => {
    const { ts } = await slack.say({ userId: ADA, channelId: OPS, text: 'mine' });
    expect(await call('chat.update', { channel: OPS, ts, text: 'x' })).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await call('chat.delete', { channel: OPS, ts })).toMatchObject({ error: 'cant_delete_message' });
    const { message_ts } = await client.chat.postEphemeral({ channel: OPS, user: ADA, text: 'psst' });
    expect(await call('chat.update', { channel: OPS, ts: message_ts, text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
    expect(await call('chat.postEphemeral', { channel: OPS, user: 'U0DORA0001', text: 'x' })).toMatchObject({
      error: 'user_not_in_channel',
    });
  });
});

describe('reading', () => {
  test('replies start with the parent, history with the newest; metadata only on request', async () => {
    const metadata = { event_type: 'alert', event_payload: { id: '7' } };
    const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
    await client.chat.postMessage({ channel: OPS, text: 'event', thread_ts: ts, metadata });
    await client.chat.postEphemeral({ channel: OPS, user: ADA, text: 'psst', thread_ts: ts });
    await client.chat.postMessage({ channel: OPS, text: 'later' });
    const replies = await client.conversations.replies({ channel: OPS, ts, include_all_metadata: true });
    expect(replies.messages?.map((m) => [m.text, m.metadata?.event_type])).toEqual([
      ['card', undefined],
      ['event', 'alert'],
    ]);
    const bare = await client.conversations.replies({ channel: OPS, ts, oldest: ts });
    expect(bare.messages?.[1]).not.toHaveProperty('metadata');
    const history = await client.conversations.history({ channel: OPS, limit: 1 });
    expect(history).toMatchObject({ has_more: true, messages: [{ text: 'later' }] });
    const cursor = history.response_metadata?.next_cursor ?? '';
    const rest = await client.conversations.history({ channel: OPS, limit: 1, cursor });
    expect(rest).toMatchObject({ has_more: false, messages: [{ text: 'card', reply_count: 1 }] });
  });

  test('people and channels of another organisation are recognisable', async () => {
    expect((await client.users.info({ user: ADA })).user).toMatchObject({
      tz: 'Europe/Berlin',
      tz_offset: 7200,
      is_admin: true,
      team_id: slack.world.team.id,
    });
    const localeOf = async (user: string) =>
      (await client.users.info({ user, include_locale: true })).user?.locale;
    expect(await localeOf(ADA)).toBe('en-GB');
    expect(await localeOf('U0BEN0001')).toBe('en-US');
    expect((await client.users.info({ user: ADA })).user?.locale).toBeUndefined();
    expect((await client.users.info({ user: 'U0DORA0001' })).user).toMatchObject({
      team_id: slack.world.outsideTeam.id,
      is_stranger: false,
    });
    expect((await client.conversations.info({ channel: 'C0PARTNERS' })).channel).toMatchObject({
      is_ext_shared: true,
      connected_team_ids: [slack.world.outsideTeam.id],
    });
    expect(await call('users.info', { user: 'U0NOBODY' })).toMatchObject({ error: 'user_not_found' });
  });
});

describe('limits and faults', () => {
  test('posts beyond the burst get 429 with Retry-After until enough time has passed', async () => {
    await slack.close();
    slack = await createPlayground({
      mode: 'socket',
      now: () => now,
      rateLimit: { perSecond: 1, burst: 2 },
    });
    const post = (channel = OPS) =>
      fetch(`${slack.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${slack.botToken}` },
        body: new URLSearchParams({ channel, text: 'x' }),
      });
    expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await post('C0PLANS001')).status).toBe(200);
    now += 1000;
    expect((await post()).status).toBe(200);
    expect(slack.messages(OPS)).toHaveLength(3);
  });

  test('a planned error, 429 and 503 affect only the next calls of that method', async () => {
    slack.faults.next('chat.postMessage', { error: 'fatal_error' });
    slack.faults.next('chat.postMessage', { rateLimitedSeconds: 30 });
    slack.faults.next('chat.postMessage', { status: 503 });
    const post = () => client.chat.postMessage({ channel: OPS, text: 'x' });
    await client.auth.test();
    await expect(post()).rejects.toMatchObject({ data: { error: 'fatal_error' } });
    await expect(post()).rejects.toMatchObject({ retryAfter: 30 });
    await expect(post()).rejects.toMatchObject({ statusCode: 503 });
    await post();
    expect(slack.messages(OPS)).toHaveLength(1);
    slack.faults.next('*', { error: 'token_revoked' }, 100);
    await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } });
    slack.faults.clear();
    await client.auth.test();
  });

  test('a cut connection comes after the message was posted', async () => {
    slack.faults.next('chat.postMessage', { cut: true });
    await expect(client.chat.postMessage({ channel: OPS, text: 'once' })).rejects.toThrow();
    expect(slack.messages(OPS).map((message) => message.text)).toEqual(['once']);
    expect(await client.auth.test()).toMatchObject({ ok: true });
  });

  test('an answer can be delayed', async () => {
    const gate = Promise.withResolvers<void>();
    slack.faults.next('chat.postMessage', { until: gate.promise });
    const posting = client.chat.postMessage({ channel: OPS, text: 'slow' });
    await slack.waitForMessage((message) => message.text === 'slow');
    gate.resolve();
    expect(await posting).toMatchObject({ ok: true });
  });

  test('newer blocks can be refused, to test their fallbacks', async () => {
    slack.faults.refuseBlocks(['table']);
    const row = [{ type: 'raw_text' as const, text: 'a' }];
    const table = { channel: OPS, text: 'x', blocks: [{ type: 'table' as const, rows: [row] }] };
    await expect(client.chat.postMessage(table)).rejects.toMatchObject({ data: { error: 'invalid_blocks' } });
    slack.faults.refuseBlocks([]);
    expect(await client.chat.postMessage(table)).toMatchObject({ ok: true });
  });
});
