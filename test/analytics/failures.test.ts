import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { RateLimitedError, UnavailableError, UnreadableResponseError } from '../../src/analytics/errors.ts';
import { silentLogger } from '../../src/log.ts';
import type { Imo } from '../../src/reference/codes.ts';
import {
  analyticsHarness,
  cypress,
  diana,
  failure,
  hamburg,
  prediction,
  rotterdam,
} from '../support/analytics-harness.ts';
import { type Answer, cutBeforeHeaders, type FakeReply } from '../support/fake-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const good: FakeReply = { body: { predictions: [prediction()] } };

/** Gives one answer after the other, then repeats the last. */
function inTurn(...answers: (FakeReply | Answer)[]): Answer {
  let turn = 0;
  return (request, response) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    return typeof answer === 'function' ? answer(request, response) : answer;
  };
}

const cutInBody: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"predictions":[', () => response.destroy());
  return undefined;
};

/** Sends the beginning of an answer and nothing more. */
const neverEnds: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"predictions":[');
  return undefined;
};

/** Never stops sending, as fast as the client reads. */
const floods: Answer = (_, response) => {
  const chunk = ' '.repeat(1024 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', more);
  more();
  return undefined;
};

describe('a GET is retried', () => {
  test.each<[string, FakeReply | Answer]>([
    ['408', { status: 408 }],
    ['429', { status: 429 }],
    ['429 with Retry-After: 0', { status: 429, headers: { 'retry-after': '0' } }],
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503 in HTML', { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down</h1>' }],
    ['599', { status: 599 }],
    ['a connection cut before the answer', cutBeforeHeaders],
    ['a connection cut in mid-body', cutInBody],
  ])('after %s', async (_, bad) => {
    const { client, service } = await analyticsHarness(inTurn(bad, good));
    expect((await client.vesselPredictions(cypress)).predictions).toHaveLength(1);
    expect(service.requests).toHaveLength(2);
  });

  test('at most twice; then the service is unavailable', async () => {
    const { client, service, clock } = await analyticsHarness(() => ({ status: 503 }));
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ code: 'unavailable', status: 503, since: clock.domain });
    expect(error.message).toBe('The service does not answer (status 503)');
    expect(service.requests).toHaveLength(3);
  });

  test.each([400, 409, 410, 418])('but not after %d', async (status) => {
    const { client, service } = await analyticsHarness(() => ({ status, body: { message: 'no' } }));
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject({ code: 'unreadable', status, excerpt: '{"message":"no"}' });
    expect(service.requests).toHaveLength(1);
  });

  test('a redirect is not followed, since our key would be sent along', async () => {
    const { client, service } = await analyticsHarness(({ path }) =>
      path === '/elsewhere' ? good : { status: 302, headers: { location: '/elsewhere' } },
    );
    expect(await failure(client.vesselPredictions(cypress))).toMatchObject({
      code: 'unreadable',
      status: 302,
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const limited = (after: string, status = 429) => ({ status, headers: { 'retry-after': after } });

  test.each<[string, () => string]>([
    ['in seconds', () => '1'],
    ['as a date', () => new Date(Date.now() + 1_000).toUTCString()],
  ])('%s is obeyed if it fits into the deadline', async (_, after) => {
    const { another, service } = await analyticsHarness(inTurn(() => limited(after()), good));
    const warned: object[] = [];
    const logger = { ...silentLogger, warn: (details: object) => void warned.push(details) };
    await another({ logger, realNow: Date.now }).vesselPredictions(cypress);
    expect(service.requests).toHaveLength(2);
    expect(warned).toEqual([expect.objectContaining({ status: 429, retryCount: 1 })]);
  });

  test.each([
    ['in seconds', limited('3600'), { code: 'rate-limited', retryAfterMs: 3_600_000 }],
    ['as a date', limited('Sat, 21 Nov 2026 09:00:00 GMT'), { retryAfterMs: 3_600_000 }],
    ['with a 503', limited('3600', 503), { code: 'unavailable', status: 503 }],
  ])('%s, beyond the deadline, ends the request at once', async (_, reply, trouble) => {
    const { client, service } = await analyticsHarness(() => reply);
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject(trouble);
    expect(service.requests).toHaveLength(1);
  });

  test('applies to all requests of the account until it has passed', async () => {
    const { client, service, clock } = await analyticsHarness(inTurn(limited('3600'), good));
    const first = await failure(client.vesselPredictions(cypress));
    expect(first).toBeInstanceOf(RateLimitedError);
    expect(first.message).toBe('The service asks for fewer requests (status 429)');
    clock.realMs += 60_000;
    expect(await failure(client.vesselPredictions(diana))).toMatchObject({ retryAfterMs: 3_540_000 });
    expect(service.requests).toHaveLength(1);
    clock.realMs += 3_540_000;
    await client.vesselPredictions(cypress);
  });

  test("that can't be parsed counts as a 429 without it", async () => {
    const { client, service } = await analyticsHarness(() => limited('soon'));
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject({ code: 'rate-limited', retryAfterMs: undefined });
    expect(service.requests).toHaveLength(3);
  });
});

test('a compressed answer is read', async () => {
  const { client, service } = await analyticsHarness(({ headers }, response) => {
    expect(headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(good.body)));
    return undefined;
  });
  expect((await client.vesselPredictions(cypress)).predictions).toHaveLength(1);
  expect(service.requests).toHaveLength(1);
});

test('an answer whose compression is broken counts as no answer', async () => {
  const { client } = await analyticsHarness(() => ({ headers: { 'content-encoding': 'gzip' }, ...good }));
  const error = await failure(client.vesselPredictions(cypress));
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error.cause).toMatchObject({ cause: { code: 'Z_DATA_ERROR' } });
});

test('a service that handles one request at a time answers all twenty', async () => {
  let underWay = 0;
  const { client, service } = await analyticsHarness(
    async () => {
      if (underWay > 0) return { status: 429 };
      underWay += 1;
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { body: { predictions: [] } };
    },
    { maxInFlight: 32 },
  );
  const imos = Array.from({ length: 20 }, (_, index) => (9000000 + index) as Imo); // seven digits
  await Promise.all(imos.map((imo) => client.vesselPredictions(imo)));
  expect(service.requests.length).toBeLessThan(60);
});

describe('the deadline ends', () => {
  const slow = { timeoutMs: 60, deadlineMs: 150 };

  test.each<[string, Answer]>([
    ['a request without an answer', () => new Promise(() => {})],
    ['a body that never ends', neverEnds],
  ])('%s', async (_, answer) => {
    const { client } = await analyticsHarness(answer, slow);
    expect(await failure(client.vesselPredictions(cypress))).toBeInstanceOf(UnavailableError);
    // Its place is released a moment after the caller gets the error.
    await waitUntil('its place is free', () => {
      const { inFlight, queued } = client.status();
      return inFlight === 0 && queued === 0;
    });
  });

  test('an attempt that takes too long, which is retried', async () => {
    const { client } = await analyticsHarness(inTurn(neverEnds, good), {
      timeoutMs: 200,
      deadlineMs: 10_000,
    });
    expect((await client.vesselPredictions(cypress)).predictions).toHaveLength(1);
  });

  test('a login that hangs', async () => {
    // Long enough for the login to arrive on a busy machine.
    const { client, service } = await analyticsHarness(() => good, { timeoutMs: 10_000, deadlineMs: 1_000 });
    service.login = () => new Promise(() => {});
    expect(await failure(client.vesselPredictions(cypress))).toBeInstanceOf(UnavailableError);
    expect(service.logins).toHaveLength(1);
  });

  test('a queue that does not move, which is no failure of the service', async () => {
    const { client, clock } = await analyticsHarness(() => new Promise(() => {}), {
      maxInFlight: 1,
      deadlineMs: 100,
      timeoutMs: 10_000,
    });
    const [first, second] = await Promise.all([
      failure(client.vesselPredictions(cypress, { priority: 'background' })),
      failure(client.vesselPredictions(diana)),
    ]);
    expect(first).toBeInstanceOf(UnavailableError);
    expect(second).toMatchObject({ code: 'unavailable', since: clock.domain });
  });

  test('no flood of bytes, which the limit of 4 MB ends first', async () => {
    const { client, service } = await analyticsHarness(floods);
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toBeInstanceOf(UnreadableResponseError);
    expect(error.message).toContain('over 4194304 bytes');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a service that is down', () => {
  test('is reported with the start of the outage, until it answers again', async () => {
    const { client, service, clock } = await analyticsHarness(() => good);
    await client.vesselPredictions(cypress);
    expect(client.status()).toMatchObject({ lastSuccessAt: clock.domain, latencyMs: 0 });

    const downAt = new Date('2026-11-21T12:10:00Z');
    clock.domain = downAt;
    service.answer = cutBeforeHeaders;
    expect(await failure(client.portPredictions(rotterdam))).toMatchObject({ since: downAt });
    clock.domain = new Date('2026-11-21T12:40:00Z');
    expect(await failure(client.portPredictions(hamburg))).toMatchObject({ since: downAt });
    expect(client.status()).toMatchObject({ failingSince: downAt });

    service.answer = () => good;
    await client.vesselPredictions(diana);
    expect(client.status()).not.toHaveProperty('failingSince');
  });

  test.each([400, 403, 429])('does not mean a service that answers %d', async (status) => {
    const { client, service } = await analyticsHarness(() => good);
    await client.vesselPredictions(cypress);
    const before = client.status();
    service.answer = cutBeforeHeaders;
    await failure(client.portPredictions(rotterdam));
    expect(client.status()).toHaveProperty('failingSince');
    service.answer = () => ({ status, headers: { 'retry-after': '40' } });
    await failure(client.vesselPredictions(diana));
    expect(client.status()).toEqual(status === 429 ? { ...before, pausedMs: 40_000 } : before);
  });

  test('may be an address where nobody listens', async () => {
    const { another, service } = await analyticsHarness();
    await service.close();
    const error = await failure(another().vesselPredictions(cypress));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error.message).toBe('The service does not answer');
  });
});
