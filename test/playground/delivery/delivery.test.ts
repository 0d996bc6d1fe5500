import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { DeliveryMark } from '../../../src/playground/delivery/deliver.ts';
import { sign } from '../../../src/playground/delivery/http-delivery.ts';
import {
  createPlayground,
  type Playground,
  type PlaygroundOptions,
} from '../../../src/playground/playground.ts';

const ADA = 'U0ADA0001';
const OPS = 'C0OPS00001';
const DM = 'D0ADA0001';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  /** Of a slash command; of a click its `payload` is read already. */
  form: Record<string, string>;
  json: Record<string, unknown>;
}

/** In order of arrival; `until` resolves once so many have come. */
type Inbox = Received[] & { until(count: number): Promise<void> };

type Answer = { status?: number; body?: string; type?: string } | 'never';

let slack: Playground;
let app: Server | undefined;
afterEach(async () => {
  app?.closeAllConnections();
  app?.close();
  await slack.close();
});

/** A bare HTTP app that records what Slack sends, and answers by the plan, then with an empty 200. */
async function start(options: Partial<PlaygroundOptions> = {}, plan: Answer[] = []): Promise<Inbox> {
  const received = inbox();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const form = Object.fromEntries(new URLSearchParams(raw));
    const isJson = request.headers['content-type'] === 'application/json';
    received.push({
      headers: request.headers,
      raw,
      form,
      json: JSON.parse(isJson ? raw : (form.payload ?? '{}')),
    });
    const answer = plan.shift() ?? {};
    if (answer === 'never') return;
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain' });
    response.end(answer.body ?? '');
  });
  app = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  slack = await createPlayground({ mode: 'http', requestUrl: `http://127.0.0.1:${port}/`, ...options });
  return received;
}

function inbox(): Inbox {
  const waiting: { count: number; resolve: () => void }[] = [];
  const received: Received[] = [];
  return Object.assign(received, {
    push(...items: Received[]) {
      const length = Array.prototype.push.apply(received, items);
      for (const { count, resolve } of waiting) if (length >= count) resolve();
      return length;
    },
    until: (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  });
}

const slash = (text: string) => slack.say({ userId: ADA, channelId: OPS, text });
const respond = (url: string | undefined, body: unknown) =>
  fetch(url ?? '', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const texts = (channelId = OPS) => slack.messages(channelId).map((message) => message.text);

describe('a slash command', () => {
  test('arrives signed, with all its fields', async () => {
    const received = await start({ signatureNow: () => 1_790_000_000_000 });
    expect(await slash('/nextport  9461477 for @ada in #ops & <x>')).toMatchObject({ ok: true });
    const [request] = received;
    expect(request?.headers['x-slack-request-timestamp']).toBe('1790000000');
    expect(request?.headers['x-slack-signature']).toBe(
      sign(slack.signingSecret, '1790000000', request?.raw ?? ''),
    );
    expect(request?.form).toMatchObject({
      command: '/nextport',
      text: `9461477 for <@${ADA}|ada> in <#${OPS}|ops> &amp; &lt;x&gt;`,
      user_id: ADA,
      user_name: 'ada',
      channel_id: OPS,
      channel_name: 'ops',
      team_id: slack.world.team.id,
    });
    expect(request?.form.response_url).toMatch(new RegExp(`^${slack.url}/commands/`));
  });

  test('of somebody of another organisation carries their team', async () => {
    const received = await start();
    await slack.say({ userId: 'U0DORA0001', channelId: 'C0CARRIERS', text: '/nextport x' });
    expect(received[0]?.form).toMatchObject({ team_id: slack.world.outsideTeam.id, user_name: 'dora' });
  });

  test('can be answered in the acknowledgement, as words or as JSON', async () => {
    await start({}, [
      { body: 'words' },
      { body: JSON.stringify({ text: 'json', response_type: 'in_channel' }), type: 'application/json' },
    ]);
    await slash('/a');
    await slash('/b');
    expect(slack.messages(OPS)).toMatchObject([{ text: 'words', ephemeralTo: ADA }, { text: 'json' }]);
    expect(slack.messages(OPS)[1]).not.toHaveProperty('ephemeralTo');
  });

  test.each<[string, Answer, string]>([
    ['an error status', { status: 500 }, '/x failed with the error "dispatch_failed"'],
    ['no acknowledgement in time', 'never', '/x failed with the error "operation_timeout"'],
    [
      'bad blocks in the acknowledgement',
      { body: '{"blocks":[{"type":"carpet"}]}', type: 'application/json' },
      '/x failed with the error "invalid_blocks"',
    ],
  ])('%s is shown to the user', async (_name, answer, error) => {
    await start({ ackTimeoutMs: 100 }, [answer]);
    expect(await slash('/x')).toMatchObject({ ok: false, error });
    expect(slack.wire().at(-1)).toMatchObject({ label: 'slash /x', direction: 'to-app' });
  });

  test('without an app, in a thread, or unknown to the manifest', async () => {
    slack = await createPlayground({
      mode: 'socket',
      commands: [{ command: '/lane', description: '', usageHint: '', shouldEscape: false }],
    });
    expect(await slash('/lane a')).toMatchObject({ error: '/lane failed with the error "dispatch_failed"' });
    const { ts = '' } = await slash('hello');
    const inThread = { userId: ADA, channelId: OPS, text: '/lane a', threadTs: ts };
    expect(await slack.say(inThread)).toMatchObject({ error: '/lane is not supported in threads. Sorry!' });
    expect(await slash('/lanes a')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not a valid command'),
    });
  });

  test('without should_escape arrives as typed', async () => {
    const commands = [{ command: '/lane', description: '', usageHint: '', shouldEscape: false }];
    const received = await start({ commands });
    await slash('/lane @ada <b> #ops');
    expect(received[0]?.form.text).toBe('@ada <b> #ops');
  });

  test('leaves marks for whoever measures', async () => {
    const marks: DeliveryMark[] = [];
    const received = await start({ onDelivery: (mark) => marks.push(mark) });
    const { deliveryId } = await slash('/nextport x');
    await respond(received[0]?.form.response_url, { text: 'the answer' });
    expect(marks.map((mark) => [mark.type, mark.id])).toEqual([
      ['delivered', deliveryId],
      ['acked', deliveryId],
      ['answered', deliveryId],
    ]);
    expect(marks[2]).toMatchObject({ message: { text: 'the answer' } });
    expect(marks[2]?.at).toBeGreaterThanOrEqual(marks[0]?.at ?? Number.POSITIVE_INFINITY);
  });
});

describe('a response address', () => {
  test('of a slash command takes five answers, and can replace nothing', async () => {
    const received = await start();
    await slash('/x');
    const url = received[0]?.form.response_url;
    for (let use = 1; use <= 5; use += 1) {
      expect((await respond(url, { text: `${use}`, replace_original: true })).status).toBe(200);
    }
    const sixth = await respond(url, { text: '6' });
    expect([sixth.status, await sixth.json()]).toEqual([404, { ok: false, error: 'used_url' }]);
    expect(texts()).toEqual(['1', '2', '3', '4', '5']);
  });

  test('is good for 30 minutes', async () => {
    let now = 1_790_000_000_000;
    const received = await start({ now: () => now });
    await slash('/x');
    const url = received[0]?.form.response_url;
    now += 30 * 60_000;
    expect((await respond(url, { text: 'in time' })).status).toBe(200);
    now += 1;
    expect(await (await respond(url, { text: 'late' })).json()).toEqual({ ok: false, error: 'expired_url' });
    expect((await respond(`${slack.url}/commands/T/no/such`, { text: 'x' })).status).toBe(404);
  });

  test('refuses what a message may not be, and that is no use', async () => {
    const received = await start();
    await slash('/x');
    const url = received[0]?.form.response_url;
    const refused = await respond(url, { text: '' });
    expect([refused.status, await refused.json()]).toEqual([400, { ok: false, error: 'no_text' }]);
    const blocks = await respond(url, { text: 'x', blocks: [{ type: 'carpet' }] });
    expect([blocks.status, await blocks.json()]).toMatchObject([400, { error: 'invalid_blocks' }]);
    for (let use = 1; use <= 5; use += 1) expect((await respond(url, { text: 'x' })).status).toBe(200);
  });
});

describe('a click', () => {
  const button = (action_id: string, more: object = {}) => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text: action_id },
    ...more,
  });
  const overflow = {
    type: 'overflow',
    action_id: 'more',
    options: [1, 2].map((n) => ({ text: { type: 'plain_text', text: `${n}` }, value: `v${n}` })),
  };
  const blocks = [
    { type: 'actions', block_id: 'b', elements: [button('go', { value: 'nextport 1' }), overflow] },
  ];

  async function posted(received: Inbox, responseType: string): Promise<string> {
    await slash('/x');
    await respond(received[0]?.form.response_url, { text: 'card', blocks, response_type: responseType });
    return slack.messages(OPS)[0]?.ts ?? '';
  }

  test('on a message of the channel carries the message and the value', async () => {
    const received = await start();
    const messageTs = await posted(received, 'in_channel');
    const click = { userId: 'U0BEN0001', channelId: OPS, messageTs, blockId: 'b', actionId: 'go' };
    expect(await slack.click(click)).toMatchObject({ ok: true });
    expect(received[1]?.json).toMatchObject({
      type: 'block_actions',
      user: { id: 'U0BEN0001', username: 'ben', team_id: slack.world.team.id },
      container: { type: 'message', message_ts: messageTs, channel_id: OPS, is_ephemeral: false },
      message: { ts: messageTs, text: 'card', bot_id: slack.world.app.botId },
      actions: [{ type: 'button', action_id: 'go', block_id: 'b', value: 'nextport 1' }],
    });
    await respond(String(received[1]?.json.response_url), { delete_original: true });
    expect(texts()).toEqual([]);
  });

  test('on an ephemeral message carries no message; only its reader can click it', async () => {
    const received = await start();
    const messageTs = await posted(received, 'ephemeral');
    const click = { channelId: OPS, messageTs, actionId: 'more', optionValue: 'v2' };
    expect(await slack.click({ ...click, userId: 'U0BEN0001' })).toMatchObject({ ok: false });
    expect(await slack.click({ ...click, userId: ADA })).toMatchObject({ ok: true });
    expect(received[1]?.json).not.toHaveProperty('message');
    expect(received[1]?.json).toMatchObject({
      container: { is_ephemeral: true },
      actions: [{ type: 'overflow', selected_option: { value: 'v2' } }],
    });
    const url = String(received[1]?.json.response_url);
    await respond(url, { text: 'an error beside it' });
    await respond(url, { text: 'replaced', replace_original: true });
    expect(slack.messages(OPS)).toMatchObject([
      { text: 'replaced', ts: messageTs, ephemeralTo: ADA },
      { text: 'an error beside it', ephemeralTo: ADA },
    ]);
  });

  test('on what is not there, or that the app refuses', async () => {
    const received = await start({}, [{}, { status: 500 }]);
    const messageTs = await posted(received, 'in_channel');
    const click = { userId: ADA, channelId: OPS, messageTs, actionId: 'go' };
    expect(await slack.click({ ...click, actionId: 'gone' })).toMatchObject({ ok: false });
    expect(await slack.click({ ...click, actionId: 'more', optionValue: 'v9' })).toMatchObject({ ok: false });
    expect(await slack.click({ ...click, messageTs: '1.2' })).toMatchObject({ ok: false });
    expect(await slack.click(click)).toMatchObject({
      ok: false,
      error: "The app didn't accept the click: dispatch_failed",
    });
  });
});

describe('an event', () => {
  test('that is not taken is repeated at once, after 1 and 5 minutes more, and then no more', async () => {
    let now = 1_790_000_000_000;
    const failing: Answer = { status: 500 };
    const received = await start({ now: () => now }, [failing, failing, failing, failing, failing]);
    await slack.say({ userId: ADA, channelId: DM, text: 'hello' });
    await slack.runDue();
    expect(received).toHaveLength(2);
    now += 60_000;
    await slack.runDue();
    expect(received).toHaveLength(3);
    now += 300_000;
    await slack.runDue();
    now += 3_600_000;
    await slack.runDue();
    expect(received.map((request) => request.headers['x-slack-retry-num'])).toEqual([
      undefined,
      '1',
      '2',
      '3',
    ]);
    expect(received[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(received.map((request) => request.json.event_id)).size).toBe(1);
  });

  test('a mention arrives once where the bot is a member; elsewhere Slackbot says so', async () => {
    const received = await start();
    await slack.say({ userId: 'U0DORA0001', channelId: 'C0CARRIERS', text: 'hi @landfall' });
    await received.until(1);
    expect(received[0]?.json).toMatchObject({
      type: 'event_callback',
      team_id: slack.world.team.id,
      is_ext_shared_channel: true,
      event: {
        type: 'app_mention',
        text: `hi <@${slack.world.app.botUserId}>`,
        user: 'U0DORA0001',
        user_team: slack.world.outsideTeam.id,
      },
    });
    await slack.say({ userId: ADA, channelId: 'C0PRIVATE1', text: '@landfall' });
    expect(slack.messages('C0PRIVATE1')[1]).toMatchObject({ userId: 'USLACKBOT', ephemeralTo: ADA });
    expect(received).toHaveLength(1);
  });

  test('typed ids and channel-wide mentions are only words', async () => {
    const received = await start();
    await slack.say({ userId: ADA, channelId: OPS, text: `<@${slack.world.app.botUserId}> <!channel>` });
    await slack.say({ userId: ADA, channelId: DM, text: 'see https://example.com/a?b=1&c=2 or port.com' });
    await received.until(1);
    expect(texts()).toEqual([`&lt;@${slack.world.app.botUserId}&gt; &lt;!channel&gt;`]);
    expect(received[0]?.json.event).toMatchObject({
      type: 'message',
      channel_type: 'im',
      text: 'see <https://example.com/a?b=1&amp;c=2> or <http://port.com|port.com>',
    });
  });

  test("the app's own posts, edits and deletions in a DM come back to it, as in Slack", async () => {
    const received = await start();
    const call = async (method: string, body: Record<string, string>) => {
      const headers = { authorization: `Bearer ${slack.botToken}` };
      await fetch(`${slack.apiUrl}${method}`, { method: 'POST', headers, body: new URLSearchParams(body) });
    };
    await call('chat.postMessage', { channel: DM, text: 'one' });
    const ts = slack.messages(DM)[0]?.ts ?? '';
    await call('chat.update', { channel: DM, ts, text: 'two' });
    await call('chat.delete', { channel: DM, ts });
    await call('chat.postEphemeral', { channel: DM, user: ADA, text: 'told to nobody' });
    await slack.runDue();
    expect(received.map((request) => request.json.event)).toMatchObject([
      { type: 'message', text: 'one', bot_id: slack.world.app.botId, channel_type: 'im' },
      { subtype: 'message_changed', message: { text: 'two' }, previous_message: { text: 'one' } },
      { subtype: 'message_deleted', deleted_ts: ts },
    ]);
  });

  test('the home is opened', async () => {
    const received = await start();
    await slack.openHome(ADA, 'home');
    expect(received[0]?.json.event).toMatchObject({ type: 'app_home_opened', user: ADA, tab: 'home' });
  });
});

test('the request URL is verified by a challenge', async () => {
  await start({}, [{ body: 'wrong' }]);
  expect(await slack.verifyRequestUrl()).toBe(false);
});
