import { describe, expect, test } from 'vitest';
import { ForbiddenError, UnauthorizedError, UnreadableResponseError } from '../../src/analytics/errors.ts';
import type { Imo } from '../../src/reference/codes.ts';
import {
  analyticsHarness,
  cypress,
  diana,
  failure,
  gate,
  hamburg,
  prediction,
  rotterdam,
} from '../support/analytics-harness.ts';

const lane = { origin: rotterdam, destination: hamburg };
const isLane = (path: string) => path.startsWith('/tradelane-analytics/');
const reply = { body: { predictions: [prediction()], statistics: [] } };

describe('the login', () => {
  test('200 concurrent requests at the start cause one login', async () => {
    const { client, service } = await analyticsHarness(() => reply, { maxInFlight: 16 });
    const imos = Array.from({ length: 200 }, (_, index) => (9000000 + index) as Imo); // seven digits
    await Promise.all(imos.map((imo) => client.vesselPredictions(imo)));
    expect(service.requests).toHaveLength(200);
    expect(service.logins).toHaveLength(1);
  });

  test('a token revoked between requests costs one login and no failed request', async () => {
    const { client, service } = await analyticsHarness(() => reply);
    await client.vesselPredictions(cypress);
    service.liveTokens.clear();
    const imos = Array.from({ length: 50 }, (_, index) => (9000000 + index) as Imo); // seven digits
    await Promise.all(imos.map((imo) => client.vesselPredictions(imo)));
    expect(service.logins).toHaveLength(2);
  });

  test('a late 401 for an old token does not discard the new one', async () => {
    const { opened, open } = gate();
    const late = gate();
    const { client, service } = await analyticsHarness(async ({ path, headers }) => {
      if (!path.includes(String(diana)) || headers.authorization !== 'Bearer token-1') return reply;
      late.open();
      await opened;
      return { status: 401 };
    });
    const slow = client.vesselPredictions(diana);
    await late.opened;
    service.liveTokens.delete('token-1');
    await client.vesselPredictions(cypress);
    expect(service.logins).toHaveLength(2);
    open();
    await slow;
    await client.vesselPredictions(cypress, { fresh: true });
    expect(service.logins).toHaveLength(2);
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });
});

describe('a refused login', () => {
  test.each([
    400, 401, 403, 422,
  ])('(%d) is not tried again before its back-off, which begins anew after a successful login', async (status) => {
    const { client, service, clock } = await analyticsHarness(() => reply);
    service.login = () => ({ status });
    const first = await failure(client.vesselPredictions(cypress));
    expect(first).toBeInstanceOf(UnauthorizedError);
    expect(first).toMatchObject({ refused: 'login', retryAfterMs: 60_000 });
    clock.realMs += 59_000;
    const again = await failure(client.portPredictions(rotterdam));
    expect(again).toMatchObject({ code: 'unauthorized', refused: 'login', retryAfterMs: 1_000 });
    expect(again.message).toBe("The service refused the account's login");
    expect(service.logins).toHaveLength(1);
    expect(client.status().token.state).toBe('refused');

    clock.realMs += 1_000;
    service.login = () => ({ body: { token: 'good' } });
    await client.vesselPredictions(cypress);
    expect(client.status().token.state).toBe('live');

    // The next refusal is the first again.
    service.liveTokens.clear();
    service.login = () => ({ status });
    expect(await failure(client.portPredictions(rotterdam))).toMatchObject({ retryAfterMs: 60_000 });
  });
});

describe('a login that goes wrong', () => {
  test.each([
    [503, { code: 'unavailable', status: 503 }],
    [429, { code: 'rate-limited' }],
  ])('(%d) is not retried automatically, and leaves no back-off', async (status, trouble) => {
    const { client, service } = await analyticsHarness(() => reply);
    service.login = () => ({ status });
    expect(await failure(client.vesselPredictions(cypress))).toMatchObject(trouble);
    expect(service.logins).toHaveLength(1);
    service.login = () => ({ body: { token: 'good' } });
    await client.vesselPredictions(cypress);
  });

  test('404 means a wrong base address, not an unknown vessel', async () => {
    const { client, service } = await analyticsHarness(() => reply);
    service.login = () => ({ status: 404 });
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toBeInstanceOf(UnreadableResponseError);
    expect(error.message).toBe(
      'The service sent something unreadable (status 404): there is no login at this address',
    );
  });

  test.each([
    { body: { access_token: 'secret-token' } },
    { body: 'secret-token' },
    { body: { token: 'secret-token\r\nx-evil: 1' } },
    { body: { token: '' } },
    { body: { token: 42 } },
  ])('%j is unreadable, and no error quotes it', async (answer) => {
    const { client, service } = await analyticsHarness(() => reply);
    service.login = () => answer;
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject({ code: 'unreadable', excerpt: '' });
    expect(JSON.stringify(error) + error.stack).not.toContain('secret-token');
  });
});

describe('a new token that is refused', () => {
  test.each([401, 403])('(%d) on trade lanes alone means no access to the beta', async (status) => {
    const { client, service, clock } = await analyticsHarness(({ path }) =>
      isLane(path) ? { status } : reply,
    );
    await client.vesselPredictions(cypress);
    const error = await failure(client.journeyStatistics(lane));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({ code: 'forbidden', resource: 'trade lane statistics' });
    expect(error.message).toBe('The account has no access to trade lane statistics');

    const logins = service.logins.length;
    expect(logins).toBe(status === 401 ? 2 : 1);
    for (let times = 0; times < 20; times += 1) {
      expect(await failure(client.journeyStatistics(lane))).toBeInstanceOf(ForbiddenError);
      await client.vesselPredictions(cypress, { fresh: true });
    }
    expect(service.logins).toHaveLength(logins);

    // The account may get access later.
    clock.realMs += 15 * 60_000;
    service.answer = () => reply;
    expect((await client.journeyStatistics(lane)).statistics).toEqual([]);
  });

  test('by trade lanes means the same for the very first request', async () => {
    const { client, service } = await analyticsHarness(({ path }) =>
      isLane(path) ? { status: 401 } : reply,
    );
    expect(await failure(client.journeyStatistics(lane))).toBeInstanceOf(ForbiddenError);
    await client.vesselPredictions(cypress);
    expect(service.logins).toHaveLength(2);
  });

  test('by everything means a refused account, and is remembered for a while', async () => {
    const { client, service, clock } = await analyticsHarness(() => ({ status: 401 }));
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject({ code: 'unauthorized', refused: 'token', retryAfterMs: 60_000 });
    expect(error.message).toBe('The service refused a token it had just issued');
    expect(service.logins).toHaveLength(2);
    expect(await failure(client.journeyStatistics(lane))).toBeInstanceOf(UnauthorizedError);
    const logins = service.logins.length;
    for (let times = 0; times < 20; times += 1) await failure(client.vesselPredictions(diana));
    expect(service.logins).toHaveLength(logins);
    clock.realMs += 60_000;
    service.answer = () => reply;
    await client.vesselPredictions(cypress);
  });

  test('403 elsewhere is a ForbiddenError, without a new login', async () => {
    const { client, service } = await analyticsHarness(() => ({ status: 403 }));
    expect(await failure(client.vesselPredictions(cypress))).toMatchObject({
      resource: 'vessel predictions',
    });
    expect(service.logins).toHaveLength(1);
  });
});
