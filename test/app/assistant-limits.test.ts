import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assistantLimit } from '../../src/app/assistant-limits.ts';
import { ada, ben, startBot, type TestBot } from '../support/bot.ts';

let bot: TestBot;
beforeEach(async () => {
  // No time passes in which an assistant may ask again.
  vi.useFakeTimers({ toFake: ['Date'] });
  bot = await startBot('socket', { env: { METRICS_PORT: '0' } });
});
afterEach(async () => {
  await bot.stop();
  vi.useRealTimers();
});

/** Slackbot asks for a person. */
function ask(userId: string, method: string, params: object = {}): Promise<Response> {
  const slack = { user_id: userId, team_id: bot.playground.world.team.id };
  return send({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { slack } } });
}

function send(message: object): Promise<Response> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(bot.realNow().getTime() / 1000));
  const signature = createHmac('sha256', bot.playground.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  return fetch(new URL('/mcp', bot.playground.url), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-slack-signature': `v0=${signature}`,
      'x-slack-request-timestamp': timestamp,
    },
  });
}

test('a batch is refused, whatever it holds', async () => {
  const response = await send(Array(2).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Send each message in a request of its own' },
    id: null,
  });
});

test('every request of a person counts, and those beyond the limit are asked to wait', async () => {
  const methods = ['tools/list', 'ping', 'resources/list', 'initialize', 'no/such/method'];
  for (let asked = 0; asked < assistantLimit.max; asked += 1)
    expect((await ask(ada, methods[asked % methods.length] ?? '')).status).not.toBe(429);
  const refused = await ask(ada, 'ping');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32000, message: 'This assistant sends too many requests. Try again in 5 seconds.' },
    id: null,
  });
  const metrics = await (await fetch(bot.metricsUrl ?? '')).text();
  expect(metrics).toContain('landfall_requests_refused_total{surface="assistant",reason="too-many"} 1');

  expect((await ask(ben, 'ping')).status).toBe(200);
  bot.advance(5_000);
  expect((await ask(ada, 'ping')).status).toBe(200);
});

test('what is no call is answered while calls wait for the service', async () => {
  const hold = bot.sandbox.faults.hold();
  const params = { name: 'nextport', arguments: { vessel: '9461477' } };
  const calls = Array.from({ length: 4 + 12 + 1 }, async () => (await ask(ada, 'tools/call', params)).text());
  expect(await Promise.race(calls)).toContain('Landfall is busy');
  expect(await (await ask(ada, 'tools/list')).text()).toContain('"nextport"');
  hold.remove();
  await Promise.all(calls);
});
