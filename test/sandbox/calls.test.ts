import { expect, test } from 'vitest';
import type { ServiceCall } from '../../src/sandbox/calls.ts';
import { startSandboxCaller } from '../support/sandbox-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/nextport/ship/9755933';

async function startObserved() {
  const service = await startSandboxCaller();
  const calls: ServiceCall[] = [];
  const stop = service.sandbox.observe((call) => calls.push(call));
  /** The first call of this path, which ends a moment after the client has its answer. */
  const callOf = async (wanted: string) => {
    await waitUntil(`the call of ${wanted}`, () => calls.some((call) => call.path === wanted));
    return calls.find((call) => call.path === wanted);
  };
  return { service, calls, callOf, stop };
}

test('an observer gets each call with its request and its answer, until it stops', async () => {
  const { service, calls, callOf, stop } = await startObserved();
  await using _ = service;
  const sent = await (await service.get(`${path}?unit=hours`)).text();
  expect(await callOf(`${path}?unit=hours`)).toMatchObject({
    method: 'GET',
    requestBody: '',
    requestHeaders: { 'x-api-key': service.sandbox.credentials.apiKey },
    status: 200,
    responseHeaders: { 'x-landfall-sandbox': 'invented data' },
    responseBody: sent,
    isComplete: true,
  });
  expect(await callOf('/authentication/login')).toMatchObject({
    method: 'POST',
    requestBody: JSON.stringify({ user_id: 'u1', password: 'sandbox-password' }),
    status: 200,
  });
  stop();
  await service.get(path);
  expect(calls).toHaveLength(2);
});

test('a call that is cut off, and one whose client stops waiting, are recorded too', async () => {
  const { service, callOf } = await startObserved();
  await using _ = service;
  await service.login();
  const { faults } = service.sandbox;
  faults.cut('in-body', { endpoint: path });
  await expect(service.get(path).then((response) => response.text())).rejects.toThrow();
  expect(await callOf(path)).toMatchObject({ status: 200, isComplete: false });

  faults.clear();
  const held = faults.hold();
  const leaving = new AbortController();
  const waiting = fetch(`${service.sandbox.url}/authentication/login?n=2`, { signal: leaving.signal });
  await waitUntil('the call waits', () => held.hits > 0);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(await callOf('/authentication/login?n=2')).toMatchObject({ status: undefined, isComplete: false });
});

test('a long body is shortened', async () => {
  const { service, callOf } = await startObserved();
  await using _ = service;
  const headers = { 'content-type': 'application/json' };
  await fetch(`${service.sandbox.url}/long`, { method: 'POST', headers, body: 'x'.repeat(150_000) });
  expect((await callOf('/long'))?.requestBody).toMatch(/^x{100000} … \(150000 characters\)$/);
});
