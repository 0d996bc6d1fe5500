import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startSandboxCaller } from '../support/sandbox-caller.ts';

/** Sends any Host header, such as that of a rebound page. fetch sets its own. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

const post = (url: string, body: unknown, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('faults can be added, listed and removed', async () => {
  await using service = await startSandboxCaller({ controls: true });
  const base = `${service.sandbox.url}/_sandbox`;
  const added = await post(`${base}/faults`, {
    kind: 'status',
    status: 503,
    endpoint: '/nextport/*',
    times: 2,
  });
  const state = (await added.json()) as { faults: { id: number }[] };
  expect(state.faults).toEqual([
    {
      id: 1,
      endpoint: '/nextport/*',
      remaining: 2,
      hits: 0,
      fault: { kind: 'status', status: 503, headers: {} },
    },
  ]);
  expect((await service.get('/nextport/ship/9755933')).status).toBe(503);
  await fetch(`${base}/faults/1`, { method: 'DELETE' });
  expect((await service.get('/nextport/ship/9755933')).status).toBe(200);
  await post(`${base}/faults`, { kind: 'cut', when: 'before' });
  await fetch(`${base}/faults`, { method: 'DELETE' });
  expect((await service.get('/nextport/ship/9755933')).status).toBe(200);
  await post(`${base}/revoke-tokens`, {});
  expect((await service.get('/nextport/ship/9755933')).status).toBe(401);
});

test('the clock can be moved and stopped', async () => {
  await using service = await startSandboxCaller({ controls: true });
  const answer = await post(`${service.sandbox.url}/_sandbox/clock`, { advanceMs: 6 * 3_600_000, speed: 0 });
  expect(await answer.json()).toMatchObject({ clock: { now: '2026-11-21T15:05:00.000Z', speed: 0 } });
  expect(service.sandbox.clock.now()).toEqual(new Date('2026-11-21T15:05:00Z'));
});

test('invalid input is refused', async () => {
  await using service = await startSandboxCaller({ controls: true });
  const base = `${service.sandbox.url}/_sandbox`;
  expect((await post(`${base}/faults`, { kind: 'fire' })).status).toBe(400);
  expect((await post(`${base}/faults`, { kind: 'status', status: 99 })).status).toBe(400);
  expect((await post(`${base}/clock`, { speed: -1 })).status).toBe(400);
  expect(
    (
      await fetch(`${base}/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{',
      })
    ).status,
  ).toBe(400);
  expect((await fetch(`${base}/clock`, { method: 'POST', body: '{}' })).status).toBe(415);
});

test('other names for this address and other pages are refused', async () => {
  await using service = await startSandboxCaller({ controls: true });
  const url = `${service.sandbox.url}/_sandbox/state`;
  const { host, port } = new URL(url);
  expect(await statusOf(url, { host })).toBe(200);
  expect(await statusOf(url, { host: `localhost:${port}` })).toBe(200);
  expect(await statusOf(url, { host: `rebound.example:${port}` })).toBe(403);
  expect(await statusOf(url, { host, origin: `http://${host}` })).toBe(200);
  expect(await statusOf(url, { host, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(url, { host, origin: 'null' })).toBe(403);
});
