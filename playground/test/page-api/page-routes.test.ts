import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createPlayground, type Playground } from '../../src/index.ts';
import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import type { LiveEvent, MessagePage, PageState } from '../../src/page-api/page-api.ts';

const ADA = 'U0ADA0001';
const DORA = 'U0DORA0001';
const OPS = 'C0OPS00001';

let dir: string;
let slack: Playground;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'playground-'));
  slack = await createPlayground({
    mode: 'socket',
    dataFile: join(dir, 'data', 'slack.json'),
    pageDir: dir,
    routes: {
      '/map.png': () => new Response('picture', { headers: { 'content-type': 'image/png' } }),
      '/secret': () => new Response('secret'),
    },
  });
});
afterEach(async () => {
  await slack.close();
  rmSync(dir, { recursive: true });
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${slack.url}/playground/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
// The server's own contract.
const state = async (user: string) =>
  (await (await fetch(`${slack.url}/playground/state?user=${user}`)).json()) as PageState;

/** Sends any Host header, which fetch doesn't allow. */
function statusFor(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(`${slack.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject).end();
  });
}

describe('images', () => {
  const image = (url: string) => fetch(`${slack.url}/playground/image?url=${encodeURIComponent(url)}`);

  test('are fetched for the page, which may stand behind a port mapping', async () => {
    const answer = await image(`${slack.url}/map.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await answer.text()).toBe('picture');
  });

  test.each(['/secret', '/nothing', ''])('nothing else is, such as “%s”', async (path) => {
    expect((await image(path && slack.url + path)).status).toBe(404);
  });

  test('nor is anything from another machine', async () => {
    expect((await image('http://localhost.example/map.png')).status).toBe(404);
    expect((await image('https://user@127.0.0.1.example/map.png')).status).toBe(404);
  });
});

describe('what a user sees', () => {
  test('users see their own channels and ephemeral messages', async () => {
    const call = (method: string, body: Record<string, string>) =>
      fetch(`${slack.apiUrl}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${slack.botToken}` },
        body: new URLSearchParams(body),
      });
    await call('chat.postMessage', { channel: 'C0PARTNERS', text: 'for all' });
    await call('chat.postEphemeral', { channel: 'C0PARTNERS', user: ADA, text: 'for Ada' });
    const ada = await state(ADA);
    expect(ada.me).toMatchObject({ name: 'ada', isAdmin: true, isOutside: false });
    expect(ada.channels.map((channel) => channel.name)).toEqual([
      'ops',
      'plans',
      'partners-shared',
      'private-desk',
      'your_app',
    ]);
    expect(ada.messages.map((message) => message.text)).toEqual(['for all', 'for Ada']);
    expect(JSON.stringify(ada)).not.toContain('botId');
    const dora = await state(DORA);
    expect(dora.me.isOutside).toBe(true);
    expect(dora.channels.map((channel) => channel.name)).toEqual(['partners-shared', 'your_app']);
    expect(dora.messages.map((message) => message.text)).toEqual(['for all']);
  });

  test('without a user, the first one is used; an unknown one gets 404', async () => {
    expect((await state('')).me.id).toBe(ADA);
    expect((await fetch(`${slack.url}/playground/state?user=U0NOBODY`)).status).toBe(404);
  });

  test('live messages reach only those who may see them', async () => {
    const live = new WebSocket(`${slack.url.replace('http', 'ws')}/playground/live?user=${DORA}`);
    const events: LiveEvent[] = [];
    const all = new Promise<void>((resolve) => {
      live.on('message', (data) => {
        events.push(JSON.parse(data.toString()));
        if (events.some((event) => event.type === 'message' && event.message.text === 'last')) resolve();
      });
    });
    await new Promise((resolve) => live.once('open', resolve));
    await post('say', { userId: ADA, channelId: OPS, text: 'not for Dora' });
    await post('say', { userId: ADA, channelId: 'C0PARTNERS', text: 'last' });
    await all;
    const seen = events.filter((event) => event.type === 'message').map((event) => event.message.text);
    expect(seen).toEqual(['last']);
    live.terminate();
  });
});

describe('saying and clicking over HTTP', () => {
  test.each([
    ['an empty message', { userId: ADA, channelId: OPS, text: ' ' }, 'There is nothing to send.'],
    ['a channel of other people', { userId: DORA, channelId: OPS, text: 'x' }, 'There is no such channel.'],
    ['nobody', { userId: 'U0', channelId: OPS, text: 'x' }, 'There is no such user.'],
    ['the bot', { userId: 'U0APP00001', channelId: OPS, text: 'x' }, 'There is no such user.'],
    ['a long one', { userId: ADA, channelId: OPS, text: 'x'.repeat(12_001) }, 'This message is too long.'],
    [
      'a thread that no longer exists',
      { userId: ADA, channelId: OPS, text: 'x', threadTs: '1.2' },
      'This thread no longer exists.',
    ],
    [
      'a channel not joined',
      { userId: 'U0CHEN0001', channelId: 'C0PARTNERS', text: 'x' },
      'You are not in #partners-shared. Join it first.',
    ],
  ])('%s is refused with an explanation', async (_name, body, error) => {
    expect(await (await post('say', body)).json()).toEqual({ ok: false, error });
  });

  test('malformed requests get 400, other content types 415', async () => {
    expect((await post('say', { userId: 7 })).status).toBe(400);
    expect((await post('click', {})).status).toBe(400);
    expect((await post('say', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('other sites', () => {
  test('a foreign Host, Origin or site is refused on every route', async () => {
    const own = new URL(slack.url).host;
    for (const path of ['/', '/playground/state', '/api/auth.test']) {
      expect(await statusFor(path, { host: 'evil.example' })).toBe(403);
      expect(await statusFor(path, { host: '127.0.0.1:1' })).toBe(403);
      expect(await statusFor(path, { host: own, origin: 'https://evil.example' })).toBe(403);
      expect(await statusFor(path, { host: own, origin: 'null' })).toBe(403);
      expect(await statusFor(path, { host: own, origin: `http://${own}` })).toBe(200);
      expect(await statusFor(path, { host: own.replace('127.0.0.1', 'localhost') })).toBe(200);
    }
    expect(await statusFor('/playground/state', { host: own, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  test('a WebSocket from a foreign page is refused', async () => {
    const url = `${slack.url.replace('http', 'ws')}/playground/live?user=${ADA}`;
    const socket = new WebSocket(url, { origin: 'https://evil.example' });
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('403');
  });
});

test('an invalid upgrade is refused, and the server keeps running', async () => {
  const { host, hostname, port } = new URL(slack.url);
  for (const path of ['//', '/link/?ticket=guessed', '/playground/live?user=U0NOBODY', '/elsewhere']) {
    const socket = connect(Number(port), hostname);
    const ended = new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
    await ended;
    socket.resetAndDestroy();
  }
  expect((await state(ADA)).me.id).toBe(ADA);
});

test('it closes though connections hang that were refused or never read', async () => {
  const another = await createPlayground({ mode: 'socket' });
  const target = new URL(another.url);
  for (const path of ['/elsewhere', '/playground/live?user=U0NOBODY']) {
    const socket = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    // From here on it neither reads nor ends.
    socket.pause().on('error', () => {});
  }
  await another.close();
  await expect(fetch(another.url)).rejects.toThrow('fetch failed');
});

test('the inspector shows no token and no secret', async () => {
  await fetch(`${slack.apiUrl}auth.test`, {
    method: 'POST',
    body: new URLSearchParams({ token: slack.botToken, note: `my ${slack.botToken}` }),
  });
  await post('say', { userId: ADA, channelId: OPS, text: `/x ${slack.signingSecret}` });
  const wire = (await (await fetch(`${slack.url}/playground/wire`)).json()) as WireEntry[];
  expect(wire.map((entry) => [entry.label, entry.direction, entry.ok])).toEqual([
    ['auth.test', 'from-app', true],
    ['slash /x', 'to-app', false],
  ]);
  const shown = JSON.stringify(wire);
  for (const secret of [slack.botToken, slack.signingSecret]) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/"token":"(?!\(hidden\)")/);
});

test('messages of a channel and entries of the inspector are limited', async () => {
  await slack.close();
  slack = await createPlayground({ mode: 'socket', limits: { messages: 3, wireEntries: 2 } });
  for (let n = 1; n <= 5; n += 1) await slack.say({ userId: ADA, channelId: OPS, text: `${n}` });
  for (let n = 1; n <= 5; n += 1) await slack.say({ userId: ADA, channelId: OPS, text: `/x${n}` });
  expect(slack.messages(OPS).map((message) => message.text)).toEqual(['3', '4', '5']);
  expect(slack.wire().map((entry) => entry.label)).toEqual(['slash /x4', 'slash /x5']);
});

test('messages are read in portions, the newest with the state', async () => {
  for (let n = 1; n <= 600; n += 1) await slack.say({ userId: ADA, channelId: OPS, text: `${n}` });
  const newest = await state(ADA);
  expect([newest.messages.length, newest.messages.at(-1)?.text]).toEqual([250, '600']);
  const read = async (before = '') => {
    const answer = await fetch(`${slack.url}/playground/messages?user=${ADA}&before=${before}`);
    return (await answer.json()) as MessagePage;
  };
  const second = await read(newest.before);
  expect([second.messages[0]?.text, second.messages.at(-1)?.text]).toEqual(['101', '350']);
  const last = await read(second.before);
  expect([last.messages[0]?.text, last.messages.at(-1)?.text, last.before]).toEqual(['1', '100', undefined]);
  // Others see what they may see only.
  await slack.say({ userId: ADA, channelId: 'C0PRIVATE1', text: 'secret' });
  const forDora = await fetch(`${slack.url}/playground/messages?user=${DORA}`);
  expect(await forDora.json()).toEqual({ messages: [] });
  expect((await fetch(`${slack.url}/playground/messages?user=U0NOBODY`)).status).toBe(404);
});

test('messages survive a restart, for their owner only, and new ones follow them', async () => {
  const { ts = '' } = await slack.say({ userId: ADA, channelId: OPS, text: 'before' });
  await slack.say({ userId: ADA, channelId: OPS, text: 'reply', threadTs: ts });
  await slack.close();
  const dataFile = join(dir, 'data', 'slack.json');
  expect(statSync(dataFile).mode & 0o777).toBe(0o600);
  slack = await createPlayground({ mode: 'socket', dataFile, now: () => 0 });
  await slack.say({ userId: ADA, channelId: OPS, text: 'after', threadTs: ts });
  expect(slack.messages(OPS).map((message) => [message.text, message.replyCount])).toEqual([
    ['before', 2],
    ['reply', undefined],
    ['after', undefined],
  ]);
  const order = slack.messages(OPS).map((message) => Number(message.ts));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('a failed write of messages is reported, and everything else continues', async () => {
  await slack.close();
  writeFileSync(join(dir, 'file'), '');
  const errors: unknown[] = [];
  const dataFile = join(dir, 'file', 'slack.json');
  slack = await createPlayground({ mode: 'socket', dataFile, onError: (error) => errors.push(error) });
  expect((await slack.say({ userId: ADA, channelId: OPS, text: 'hello' })).ok).toBe(true);
  await slack.close();
  expect(errors).toHaveLength(1);
});

test('a missing page says how to build it; a built one is served; a broken data file is replaced', async () => {
  expect(await (await fetch(slack.url)).text()).toContain('npm run prepare');
  await slack.close();
  writeFileSync(join(dir, 'index.html'), '<title>page</title>');
  writeFileSync(join(dir, 'broken.json'), '{');
  slack = await createPlayground({ mode: 'http', pageDir: dir, dataFile: join(dir, 'broken.json') });
  const page = await fetch(slack.url);
  expect(await page.text()).toContain('<title>page</title>');
  expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
});

test('the manifest defines commands, scopes and events', async () => {
  await slack.close();
  const manifest = `features:
  slash_commands:
    - { command: /lane, description: Trade lanes, usage_hint: SGSIN CNXAM, should_escape: true }
oauth_config: { scopes: { bot: [commands, chat:write, channels:read] } }
settings: { event_subscriptions: { bot_events: [app_mention] } }
`;
  slack = await createPlayground({
    mode: 'socket',
    manifest,
    routes: { '/healthz': () => new Response('up') },
  });
  const { commands } = await state(ADA);
  expect(commands[0]).toEqual({ command: '/lane', description: 'Trade lanes', usageHint: 'SGSIN CNXAM' });
  expect(commands.map(({ command }) => command)).toEqual(['/lane', '/invite', '/remove', '/archive']);
  const headers = { authorization: `Bearer ${slack.botToken}` };
  const refused = await fetch(`${slack.apiUrl}users.info?user=${ADA}`, { headers });
  expect(await refused.json()).toMatchObject({ ok: false, error: 'missing_scope', needed: 'users:read' });
  const info = (channel: string) =>
    fetch(`${slack.apiUrl}conversations.info?channel=${channel}`, { headers }).then((answer) =>
      answer.json(),
    );
  expect(await info(OPS)).toMatchObject({ ok: true });
  expect(await info('D0ADA0001')).toMatchObject({ error: 'missing_scope', needed: 'im:read' });
  // The app doesn't subscribe to DMs, so no event is sent.
  await slack.say({ userId: ADA, channelId: 'D0ADA0001', text: 'hello' });
  expect(slack.wire().filter((entry) => entry.direction === 'to-app')).toEqual([]);
  expect(await (await fetch(`${slack.url}/healthz`)).text()).toBe('up');
});

test('it rejects if the port is in use', async () => {
  const port = Number(new URL(slack.url).port);
  await expect(createPlayground({ mode: 'socket', port })).rejects.toThrow('EADDRINUSE');
});
