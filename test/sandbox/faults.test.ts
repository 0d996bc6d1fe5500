import { expect, test } from 'vitest';
import { startSandboxCaller } from '../support/sandbox-caller.ts';

const path = '/nextport/ship/9755933';

test('a status affects only its endpoint, and only the given number of requests', async () => {
  await using service = await startSandboxCaller();
  const { faults } = service.sandbox;
  const fault = faults.status(429, {
    endpoint: '/nextport/ship/*',
    times: 2,
    headers: { 'retry-after': '3' },
  });
  expect((await service.get('/nextport/port/NLRTM/predictions')).status).toBe(200);
  const first = await service.get(path);
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '3']);
  expect([fault.hits, fault.remaining, faults.list().length]).toEqual([1, 1, 1]);
  expect((await service.get(path)).status).toBe(429);
  expect((await service.get(path)).status).toBe(200);
  expect(faults.list()).toEqual([]);
});

test('a pattern is text with stars, not a regular expression', async () => {
  await using service = await startSandboxCaller();
  service.sandbox.faults.status(500, { endpoint: '/nextport/.+' });
  service.sandbox.faults.status(500, { endpoint: '/nextport' });
  expect((await service.get(path)).status).toBe(200);
  service.sandbox.faults.status(500, { endpoint: '*ship*' });
  expect((await service.get(path)).status).toBe(500);
});

test('malformed bodies are a web page or half of the answer', async () => {
  await using service = await startSandboxCaller();
  const whole = await (await service.get(path)).text();
  service.sandbox.faults.malformed('html', { times: 1 });
  const page = await service.get(path);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
  service.sandbox.faults.malformed('truncated', { times: 1 });
  const cut = await service.get(path);
  const text = await cut.text();
  expect(cut.status).toBe(200);
  expect(whole.startsWith(text) && text.length < whole.length).toBe(true);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

test('connections are cut before the answer and in the middle of it', async () => {
  await using service = await startSandboxCaller();
  expect((await service.get(path)).status).toBe(200);
  service.sandbox.faults.cut('before', { times: 1 });
  await expect(service.get(path)).rejects.toThrow();
  service.sandbox.faults.cut('in-body', { times: 1 });
  const response = await service.get(path);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect((await service.get(path)).status).toBe(200);
});

test('a stalled body never ends', async () => {
  await using service = await startSandboxCaller();
  await service.login();
  service.sandbox.faults.malformed('stalled', { endpoint: '/nextport/*' });
  const response = await service.get(path);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  const ended = reader?.read().then(
    () => 'ended',
    () => 'broken',
  );
  await service.sandbox.close();
  expect(await ended).toBe('broken');
});

test('a held request is answered when the hold is removed', async () => {
  await using service = await startSandboxCaller();
  await service.get(path);
  const hold = service.sandbox.faults.hold({ endpoint: '/nextport/ship/*', times: 1 });
  const held = service.get(path);
  // Other requests are answered meanwhile, so the first one waits for the hold and not in a queue.
  for (let round = 0; round < 50 && hold.hits === 0; round += 1)
    await service.get('/nextport/port/NLRTM/predictions');
  expect(hold.hits).toBe(1);
  expect((await service.get(path)).status).toBe(200);
  hold.remove();
  expect((await held).status).toBe(200);
});

test('a revoked token stays revoked, for that token only', async () => {
  await using service = await startSandboxCaller();
  const other = `Bearer ${await service.login()}`;
  expect((await service.get(path)).status).toBe(200);
  service.sandbox.faults.add({ kind: 'token-revoked' }, { times: 1 });
  expect((await service.get(path)).status).toBe(401);
  expect((await service.get(path)).status).toBe(401);
  expect((await service.get(path, { authorization: other })).status).toBe(200);
});

test('latency and another fault apply to the same request; clear removes all', async () => {
  await using service = await startSandboxCaller({ latencyMs: 1 });
  const latency = service.sandbox.faults.latency(1);
  const status = service.sandbox.faults.status(503);
  await expect(service.login()).rejects.toThrow('503');
  expect([latency.hits, status.hits]).toEqual([1, 1]);
  service.sandbox.faults.clear();
  expect((await service.get(path)).status).toBe(200);
});

test('requests are counted by endpoint; faults and refusals count as errors', async () => {
  await using service = await startSandboxCaller();
  await service.get(path);
  await service.get('/nextport/vessel/9755933/predictions');
  service.sandbox.faults.status(500, { times: 1 });
  await service.get(path);
  await service.get('/openapi.json');
  const { requests } = service.sandbox;
  expect(requests.byEndpoint).toEqual({
    login: 1,
    vessel: 1,
    port: 0,
    ship: 2,
    shiplist: 0,
    usage: 0,
    statistics: 0,
  });
  expect([requests.total, requests.logins, requests.errors]).toEqual([4, 1, 1]);
  requests.reset();
  expect([requests.total, requests.errors]).toEqual([0, 0]);
});
