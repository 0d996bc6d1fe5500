import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { startSandboxCaller } from '../support/sandbox-caller.ts';

const path = '/nextport/ship/9755933';
const codeOf = async (response: Response) => {
  const { status, code } = (await response.json()) as { status: number; code: string };
  expect(status).toBe(response.status);
  return `${status} ${code}`;
};

test('a request needs the key, a token and the content type', async () => {
  await using service = await startSandboxCaller();
  expect(await codeOf(await service.get(path, { 'x-api-key': 'wrong' }))).toBe('401 invalid_api_key');
  expect(await codeOf(await service.get(path, { 'x-api-key': undefined }))).toBe('401 invalid_api_key');
  expect(await codeOf(await service.get(path, { authorization: undefined }))).toBe('401 missing_token');
  expect(await codeOf(await service.get(path, { authorization: 'Bearer abc.def.ghi' }))).toBe(
    '401 invalid_token',
  );
  expect(await codeOf(await service.get(path, { 'content-type': undefined }))).toBe('415 content_type');
  expect((await service.get(path)).status).toBe(200);
});

test('a login is refused for a wrong key, a wrong password and an invalid body', async () => {
  await using service = await startSandboxCaller();
  const { credentials } = service.sandbox;
  await expect(service.login({ ...credentials, password: 'x' })).rejects.toThrow('401');
  await expect(service.login({ ...credentials, apiKey: 'x' })).rejects.toThrow('401');
  const headers = { 'content-type': 'application/json', 'x-api-key': credentials.apiKey };
  for (const body of ['{', '{}', '[]', '{"user_id":1,"password":"x"}']) {
    const response = await fetch(`${service.sandbox.url}/authentication/login`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status, body).toBe(400);
  }
  expect(service.sandbox.requests.logins).toBe(6);
  expect(service.sandbox.requests.errors).toBe(6);
});

test('a token is valid for ten hours of real time, whatever the domain clock shows', async () => {
  let realMs = Date.parse('2026-11-21T09:00:00Z');
  await using service = await startSandboxCaller({ realNow: () => realMs });
  const { exp = 0, iat = 0 } = decodeJwt(await service.login());
  expect([iat * 1000, exp - iat]).toEqual([realMs, 36_000]);
  expect((await service.get(path)).status).toBe(200);
  service.sandbox.clock.advance(30 * 86_400_000);
  expect((await service.get(path)).status).toBe(200);
  realMs += 36_001_000;
  expect(await codeOf(await service.get(path))).toBe('401 token_expired');
});

test('revoked tokens are refused, later ones are not', async () => {
  await using service = await startSandboxCaller();
  expect((await service.get(path)).status).toBe(200);
  service.sandbox.faults.revokeTokens();
  expect(await codeOf(await service.get(path))).toBe('401 token_revoked');
  expect((await service.get(path, { authorization: `Bearer ${await service.login()}` })).status).toBe(200);
});

test('a token of another sandbox is invalid', async () => {
  await using issuer = await startSandboxCaller();
  await using other = await startSandboxCaller();
  const authorization = `Bearer ${await issuer.login()}`;
  expect(await codeOf(await other.get(path, { authorization }))).toBe('401 invalid_token');
});
