import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { assistantLimit, createCallTurns } from '../../src/app/assistants.ts';
import { ada, ben, dora, eve, startBot, type TestBot } from '../support/bot.ts';
import { toolResult } from '../support/mcp-client.ts';
import { signatureOf } from '../support/sign.ts';
import { waitUntil } from '../support/wait-until.ts';

const slackMeta = z.object({
  slack: z.object({ blocks: z.array(z.looseObject({ type: z.string() })) }),
});

let bot: TestBot;
beforeAll(async () => {
  bot = await startBot('socket', { env: { METRICS_PORT: '0' } });
});
afterAll(() => bot.stop());
// What one test asks does not count against the limit of the next.
beforeEach(() => bot.advance(60_000));

const urlOf = () => new URL('/mcp', bot.playground.url);

interface Sender {
  userId?: string;
  teamId?: string;
  signingSecret?: string;
  /** Seconds. */
  ageSeconds?: number;
}

/** A request as Slackbot sends it: with the person in its `_meta`, signed. */
function asSlackbot(
  { userId, teamId = bot.playground.world.team.id, ...sender }: Sender,
  message: Record<string, unknown>,
): RequestInit {
  const { params = {} } = message;
  const slack = { user_id: userId, team_id: teamId, enterprise_id: null };
  const _meta = { ...z.looseObject({ _meta: z.looseObject({}).default({}) }).parse(params)._meta };
  const named = userId === undefined ? params : { ...Object(params), _meta: { ..._meta, slack } };
  return signed({ ...message, params: named }, sender);
}

function signed(
  message: object,
  { signingSecret = bot.playground.signingSecret, ageSeconds = 0 }: Sender = {},
) {
  const body = JSON.stringify(message);
  const at = Math.floor(bot.realNow().getTime() / 1000) - ageSeconds;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...signatureOf(body, signingSecret, at),
  };
  return { method: 'POST', headers, body };
}

/** Slackbot, as an MCP client of the SDK whose requests are signed on their way. */
async function connectSlackbot(sender: Sender = {}) {
  const client = new Client({ name: 'slackbot', version: '1' });
  const transport = new StreamableHTTPClientTransport(urlOf(), {
    async fetch(input, init) {
      if (init?.method !== 'POST') return fetch(input, init);
      const { body, ...signed } = asSlackbot(sender, JSON.parse(String(init.body)));
      const headers = new Headers(init.headers);
      for (const [name, value] of new Headers(signed.headers)) headers.set(name, value);
      return fetch(input, { ...init, headers, body: body ?? null });
    },
  });
  await client.connect(transport);
  return {
    client,
    async call(name: string, input: Record<string, unknown>) {
      const { content, ...result } = toolResult.parse(await client.callTool({ name, arguments: input }));
      return { text: content[0].text, ...result };
    },
  };
}

const post = (init: RequestInit) => fetch(urlOf(), init);
const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('Slackbot asks', () => {
  test('for a person, and gets text, data and blocks; the data is said to be invented', async () => {
    const { call } = await connectSlackbot({ userId: ada });
    const { text, structuredContent, _meta, isError } = await call('nextport', { vessel: 9461477 });
    expect(isError).not.toBe(true);
    expect(text).toContain('invented data');
    expect(structuredContent).toMatchObject({
      provenance: { source: 'sandbox', invented: true },
      notes: expect.arrayContaining(['predicted, not reported']),
    });
    const { blocks } = slackMeta.parse(_meta).slack;
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.map(({ type }) => type)).not.toContain('actions');
    const line = bot.log.find(({ surface }) => surface === 'mcp');
    expect(line).toMatchObject({ tool: 'nextport', outcome: 'answered', line: 'nextport 9461477' });
    expect(line?.ref).toMatch(/^[2-9A-Z]{6}$/);
  });

  test('without a person, and gets the tools but no answer', async () => {
    const { client, call } = await connectSlackbot();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['nextport', 'portcalls']));
    const { text, isError } = await call('nextport', { vessel: '9461477' });
    expect(isError).toBe(true);
    expect(text).toBe('Slack does not say who asks.');
  });

  test('for somebody of another organisation, or of a workspace without Landfall, and is refused', async () => {
    const outsider = await (await connectSlackbot({ userId: dora })).call('nextport', { vessel: '9461477' });
    expect(outsider.isError).toBe(true);
    expect(outsider.text).not.toContain('DS CYPRESS');
    const { call } = await connectSlackbot({ userId: ada, teamId: 'T0UNKNOWN' });
    const answer = await call('nextport', { vessel: '9461477' });
    expect(answer.isError).toBe(true);
    expect(answer.text).not.toContain('DS CYPRESS');
  });

  test('for a guest, who may only ask', async () => {
    const { call } = await connectSlackbot({ userId: eve });
    expect((await call('nextport', { vessel: '9461477' })).isError).not.toBe(true);
    const { text, isError } = await call('watch_add', { vessel: '9461477' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Guests of this workspace may ask, but can't change anything/);
  });

  test('to watch a vessel: the watch is the own one of the person', async () => {
    const { call } = await connectSlackbot({ userId: ada });
    const added = await call('watch_add', { vessel: '9461477' });
    // Not “here”: an assistant is elsewhere.
    expect(added.text).toMatch(
      /^Watching DS CYPRESS for you alone, in your direct message with Landfall · about/,
    );
    const mine = await call('watch_list', {});
    expect(mine.structuredContent).toMatchObject({ tables: { watches: [{ is_in_channel: false }] } });
    const others = await (await connectSlackbot({ userId: ben })).call('watch_list', {});
    expect(others.structuredContent).toMatchObject({ tables: { watches: [] } });
  });
});

test('of a burst of calls, those beyond the queue are asked to try again, and the others are answered', async () => {
  const { call } = await connectSlackbot({ userId: ada });
  // No earlier test has asked about this vessel.
  const fault = bot.sandbox.faults.hold();
  const calls = Array.from({ length: 4 + 12 + 1 }, () => call('nextport', { vessel: '9811000' }));
  // All others wait for the service, or for those that do.
  const refused = await Promise.race(calls);
  expect(refused).toMatchObject({
    isError: true,
    text: 'Landfall is busy: too many calls of assistants are waiting. Try again in 5 seconds, with fewer calls at once.',
  });
  expect(bot.log.at(-1)).toMatchObject({ surface: 'mcp', outcome: 'refused', code: 'too-busy' });
  // What is no call doesn't wait.
  expect(await (await post(asSlackbot({ userId: ada }, ping))).text()).toContain('"nextport"');
  fault.remove();
  const answered = (await Promise.all(calls)).filter(({ isError }) => isError !== true);
  expect(answered).toHaveLength(16);
});

test('callers who hang up make room, whether their calls wait or are being answered', async () => {
  const fault = bot.sandbox.faults.hold();
  const impatient = new AbortController();
  const params = { name: 'nextport', arguments: { vessel: '9755933' } };
  const init = asSlackbot({ userId: ada }, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const calls = Array.from({ length: 4 + 12 + 1 }, () => post({ ...init, signal: impatient.signal }));
  // All others are there once one is refused.
  await Promise.race(calls.map(async (call) => (await call).text()));
  const waiting = (await connectSlackbot({ userId: ben })).call('watch_list', {});
  impatient.abort();
  await Promise.allSettled(calls);
  expect((await waiting).structuredContent).toMatchObject({ tables: { watches: [] } });
  const cancelled = () => bot.log.filter(({ outcome }) => outcome === 'cancelled');
  await waitUntil('all are cancelled', () => cancelled().length === 16);
  fault.remove();
});

test('calls of one person leave room for those of others: beyond the limit for all, one of each may wait', async () => {
  const takeTurn = createCallTurns({ maxAtOnce: 2, maxWaiting: 4, maxWaitingOfPerson: 3 });
  const take = (personId: string) => takeTurn(personId, new AbortController().signal);
  const busy = {
    code: 'too-busy',
    message: 'Landfall is busy: too many calls of assistants are waiting.',
    hint: 'Try again in 5 seconds, with fewer calls at once.',
  };
  // All arrive before any of them can go on.
  const calls = ['U1', 'U1', 'U1', 'U1', 'U1', 'U2'].map(take);
  await expect(take('U2')).rejects.toMatchObject(busy);
  calls.push(take('U3'));
  await expect(take('U3')).rejects.toMatchObject(busy);
  await Promise.all(calls.map(async (call) => (await call)()));
  expect(await Promise.all(['U2', 'U2'].map(take))).toHaveLength(2);
});

const withHeaders = (init: RequestInit, headers: Record<string, string>): RequestInit => ({
  ...init,
  headers: { ...Object(init.headers), ...headers },
});

test.each<[string, (request: RequestInit) => RequestInit, number]>([
  ['with another signing secret', () => asSlackbot({ userId: ada, signingSecret: 'guessed' }, ping), 401],
  ['that was recorded 6 minutes ago', () => asSlackbot({ userId: ada, ageSeconds: 360 }, ping), 401],
  [
    'with an unknown token, even beside a signature',
    (request) => withHeaders(request, { authorization: 'Bearer lf_guess' }),
    401,
  ],
  [
    'whose signed body was changed on its way',
    (request) => ({ ...request, body: String(request.body).replace(ada, dora) }),
    401,
  ],
  ['of a page of another site', (request) => withHeaders(request, { origin: 'https://evil.example' }), 403],
  [
    'with a large body',
    () => asSlackbot({ userId: ada }, { ...ping, params: { filler: 'x'.repeat(1024 * 1024) } }),
    413,
  ],
  ['of another method', () => ({ method: 'GET' }), 405],
])('a request %s is refused', async (_, change, status) => {
  const response = await post(change(asSlackbot({ userId: ada }, ping)));
  expect(response.status).toBe(status);
  if (status === 401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
});

test('a page under another name of this address (DNS rebinding) is refused', async () => {
  const { headers, body } = withHeaders(asSlackbot({ userId: ada }, ping), { host: 'evil.example' });
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const options = { method: 'POST', headers: Object(headers) };
  const rebound = request(urlOf(), options, ({ statusCode }) => resolve(statusCode));
  rebound.on('error', reject).end(String(body));
  expect(await promise).toBe(403);
});

test.each([
  ['tools/call', { name: 'nextport', arguments: 'DS CYPRESS' }, 'Invalid tools/call request'],
  ['completion/complete', {}, 'The parameters of this request are not valid'],
])('%s with malformed parameters gets an error without internals', async (method, params, message) => {
  const response = await post(asSlackbot({ userId: ada }, { jsonrpc: '2.0', id: 1, method, params }));
  expect(await response.text()).toContain(JSON.stringify({ code: -32602, message }));
});

test('a sender who hangs up in the middle of a body is no failure of ours', async () => {
  const before = bot.log.length;
  const half = request(urlOf(), { method: 'POST', headers: { 'content-length': '1000' } });
  const closed = new Promise((resolve) => half.on('error', resolve));
  half.write('{"jsonrpc":', () => half.destroy());
  await closed;
  // A whole request after it: by its answer, the other one is settled.
  await (await connectSlackbot({ userId: ada })).call('nextport', { vessel: '9461477' });
  expect(bot.log.slice(before).filter(({ level }) => level > 30)).toEqual([]);
});

test('a batch is refused, whatever it holds, and so is what is no message of the protocol', async () => {
  const response = await post(signed(Array(2).fill(ping)));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Send each message in a request of its own' },
    id: null,
  });
  const unknown = await post(asSlackbot({ userId: ada }, { hello: 'world' }));
  expect(unknown.status).toBe(400);
  expect(await unknown.text()).not.toContain(' at ');
});

test('every request of a person counts, and those beyond the limit are asked to wait', async () => {
  // No time passes in which an assistant may ask again.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const methods = ['tools/list', 'ping', 'resources/list', 'initialize', 'no/such/method'];
  const ask = (userId: string, method = 'ping') => post(asSlackbot({ userId }, { ...ping, method }));
  for (let asked = 0; asked < assistantLimit.max; asked += 1)
    expect((await ask(ada, methods[asked % methods.length])).status).not.toBe(429);
  const refused = await ask(ada);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32000, message: 'This assistant sends too many requests. Try again in 5 seconds.' },
    id: null,
  });
  const metrics = await (await fetch(bot.metricsUrl ?? '')).text();
  expect(metrics).toContain('landfall_requests_refused_total{surface="assistant",reason="too-many"} 1');

  expect((await ask(ben)).status).toBe(200);
  bot.advance(5_000);
  expect((await ask(ada)).status).toBe(200);
});

test('the calls of assistants count against the budget of the day, which the refusal names', async () => {
  await bot.stop();
  bot = await startBot('socket', { env: { ANALYTICS_DAILY_CALLS: '1' } });
  const { call } = await connectSlackbot({ userId: ada });
  expect((await call('nextport', { vessel: '9461477' })).isError).not.toBe(true);
  const refused = await call('nextport', { vessel: '9811000' });
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatchInlineSnapshot(
    `"This workspace has used up today's budget of 1 call to the analytics service. Digests and assistants get answers again from 00:00 UTC; people who ask in Slack always do. Whoever runs Landfall can raise the budget (\`ANALYTICS_DAILY_CALLS\`)."`,
  );
  // From the cache.
  expect((await call('nextport', { vessel: '9461477' })).isError).not.toBe(true);
});
