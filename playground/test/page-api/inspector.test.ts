import { afterEach, expect, test } from 'vitest';
import type { ServiceCall } from '../../src/delivery/service-calls.ts';
import { createPlayground, type Playground } from '../../src/index.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';

let slack: Playground;
afterEach(() => slack.close());

async function start(limits = {}) {
  const listeners = new Set<(call: ServiceCall) => void>();
  slack = await createPlayground({
    mode: 'socket',
    limits,
    service: {
      observe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      faults: [],
    },
  });
  const record = (over: Partial<ServiceCall>) => {
    for (const listener of listeners) listener({ ...call, ...over });
  };
  return { record, listeners };
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJl';
const call: ServiceCall = {
  method: 'GET',
  path: '/lookup/ship/9461477',
  requestHeaders: { 'x-api-key': 'the-key', authorization: `Bearer ${jwt}`, accept: 'application/json' },
  requestBody: '',
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: '{"records":[]}',
  isComplete: true,
  tookMs: 12,
};

test('a call to the service is listed with its request and its answer, without secrets', async () => {
  const { record } = await start();
  record({});
  record({
    method: 'POST',
    path: '/authentication/login',
    requestBody: '{"user_id":"u1","password":"hunter2"}',
    responseBody: JSON.stringify({ token: jwt }),
  });
  record({ status: 401, responseBody: '{"code":"invalid_credentials"}' });
  // Half of an answer isn't JSON.
  record({ responseBody: `{"token":"${jwt.slice(0, 30)}`, isComplete: false });
  record({ status: undefined, responseBody: '', isComplete: false });
  const shown = slack.wire();
  expect(
    shown.map(({ label, direction, ok, status, error }) => [direction, label, ok, status, error]),
  ).toEqual([
    ['to-service', 'GET /lookup/ship/9461477', true, 200, undefined],
    ['to-service', 'POST /authentication/login', true, 200, undefined],
    ['to-service', 'GET /lookup/ship/9461477', false, 401, undefined],
    ['to-service', 'GET /lookup/ship/9461477', false, 200, 'cut off'],
    ['to-service', 'GET /lookup/ship/9461477', false, undefined, 'no answer'],
  ]);
  expect(shown[0]).toMatchObject({
    tookMs: 12,
    headers: { request: { 'x-api-key': '(hidden)', authorization: '(hidden)', accept: 'application/json' } },
    response: { records: [] },
  });
  expect(shown[1]).toMatchObject({
    request: { user_id: 'u1', password: '(hidden)' },
    response: { token: '(hidden)' },
  });
  // Not a secret here: in a sign-in of Slack it is.
  expect(shown[2]?.response).toEqual({ code: 'invalid_credentials' });
  expect(shown[3]?.response).toBe('{"token":"(hidden)');
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|the-key|eyJ/);
});

test("the service's calls don't displace Slack's, and each kind is limited", async () => {
  const { record, listeners } = await start({ wireEntries: 2 });
  for (let n = 1; n <= 3; n += 1) await slack.say({ userId: ADA, channelId: OPS, text: `/x${n}` });
  for (let n = 1; n <= 5; n += 1) record({ path: `/${n}` });
  expect(slack.wire().map(({ label }) => label)).toEqual(['slash /x2', 'slash /x3', 'GET /4', 'GET /5']);
  await slack.close();
  expect(listeners.size).toBe(0);
});

test("an answer of Slack is listed with its status and its error; a delivery, with the app's acknowledgement", async () => {
  await start();
  const send = (method: string, token: string) =>
    fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      body: new URLSearchParams({ token, channel: 'C0NONE' }),
    });
  await send('conversations.info', slack.botToken);
  await send('apps.connections.open', slack.appToken);
  await slack.say({ userId: ADA, channelId: OPS, text: '/x' });
  const [refused, opened, slash] = slack.wire();
  expect(refused).toMatchObject({
    ok: false,
    status: 200,
    error: 'channel_not_found',
    request: { token: '(hidden)', channel: 'C0NONE' },
    response: { ok: false, error: 'channel_not_found' },
  });
  expect(JSON.stringify(opened?.response)).toMatch(/\?ticket=\(hidden\)/);
  expect(slash).toMatchObject({ direction: 'to-app', ok: false, error: 'dispatch_failed' });
  expect(slash).not.toHaveProperty('status');
});

test('the page knows whether calls to the service are recorded', async () => {
  await start();
  expect(slack.state()?.isServiceRecorded).toBe(true);
  await slack.close();
  slack = await createPlayground({ mode: 'socket' });
  expect(slack.state()).toMatchObject({ isServiceRecorded: false });
  expect(slack.state()?.faults.every(({ of }) => of === 'slack')).toBe(true);
});
