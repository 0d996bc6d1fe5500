import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnreadableResponseError } from '../../src/analytics/errors.ts';
import type { Locode } from '../../src/reference/codes.ts';
import {
  account,
  analyticsHarness,
  cypress,
  diana,
  failure,
  hamburg,
  nextPort,
  prediction,
  rotterdam,
} from '../support/analytics-harness.ts';

const predictions = (...records: unknown[]) => ({ body: { predictions: records } });
const nextPorts = (...records: unknown[]) => ({ body: { records } });

describe('requests', () => {
  test('go to the paths of the contract with its three headers', async () => {
    const { client, service } = await analyticsHarness(({ path }) =>
      path.endsWith('/predictions') ? predictions() : nextPorts(),
    );
    await client.vesselPredictions(cypress);
    await client.portPredictions(rotterdam);
    await client.shipNextPorts(cypress);
    await client.shiplistNextPorts('NORTH');
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /nextport/vessel/9461477/predictions',
      'GET /nextport/port/NLRTM/predictions',
      'GET /nextport/ship/9461477',
      'GET /nextport/shiplist/NORTH',
    ]);
    for (const { headers } of service.requests) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-api-key': account.apiKey,
        authorization: 'Bearer token-1',
      });
    }
  });

  test('the login sends the key, the content type and the credentials, but no token', async () => {
    const { client, service } = await analyticsHarness(() => predictions());
    await client.vesselPredictions(cypress);
    const [login] = service.logins;
    expect(login?.method).toBe('POST');
    expect(login?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': account.apiKey,
    });
    expect(login?.headers.authorization).toBeUndefined();
    expect(JSON.parse(login?.body ?? '')).toEqual({
      user_id: account.userId,
      password: account.password,
    });
  });

  test('a base address may have a path and a trailing slash', async () => {
    const { another, service } = await analyticsHarness(() => predictions());
    service.login = () => ({ body: { token: 'one' } });
    const error = await failure(another({ baseUrl: `${service.url}/v1/` }).vesselPredictions(cypress));
    // The fake service has no login at this path; the test is about the request's path.
    expect(error.name).toBe('UnauthorizedError');
    expect(service.requests[0]?.path).toBe('/v1/authentication/login');
  });

  test('a shiplist name is one path segment, whatever its characters', async () => {
    const { client, service } = await analyticsHarness(() => nextPorts(nextPort()));
    const names = ['NORTH / BALTIC 50%?#', 'Ævintýri 船', 'a\\b;c', '..x', '%2e%2e', 'lone \ud800 half'];
    for (const name of names) expect((await client.shiplistNextPorts(name)).predictions).toHaveLength(1);
    expect(service.requests.map(({ path }) => path.split('/').length)).toEqual(names.map(() => 4));
    expect(service.requests.map(({ path }) => decodeURIComponent(path.split('/')[3] ?? ''))).toEqual(
      names.map((name) => name.toWellFormed()),
    );
  });

  test.each([
    '',
    '.',
    '..',
  ])('the name %j, which no path segment can hold, is an unknown list', async (name) => {
    const { client, service } = await analyticsHarness();
    expect((await client.shiplistNextPorts(name)).predictions).toEqual([]);
    expect(service.requests).toEqual([]);
  });
});

describe('answers', () => {
  test('are normalised: fraction, UTC time, zone given', async () => {
    const { client, clock } = await analyticsHarness(() => predictions(prediction()));
    expect(await client.vesselPredictions(cypress)).toEqual({
      predictions: [
        {
          imo: cypress,
          port: rotterdam,
          probability: 0.82,
          eta: new Date('2026-11-24T04:54:00Z'),
          etaZone: 'given',
        },
      ],
      scale: 'fraction',
      droppedRecords: 0,
      fetchedAt: clock.domain,
      cached: false,
    });
  });

  test('an ETA without offset is read as UTC and marked so; a missing ETA stays missing', async () => {
    const { client } = await analyticsHarness(() =>
      nextPorts(nextPort(), nextPort({ locode: 'DEHAM', probability: 0.1, eta: undefined })),
    );
    const answer = await client.shipNextPorts(cypress);
    expect(answer.predictions).toMatchObject([
      { port: 'NLRTM', eta: new Date('2026-11-24T04:54:00Z'), etaZone: 'assumed-utc' },
      { port: 'DEHAM' },
    ]);
    expect(answer.predictions[1]).not.toHaveProperty('eta');
    expect(answer.droppedRecords).toBe(0);
  });

  test('are sorted: probability, then ETA (none last), then port code, then IMO number', async () => {
    const records = [
      nextPort({ locode: 'DEHAM', probability: 0.2, eta: '2026-11-22T00:00:00' }),
      nextPort({ locode: 'BEANR', probability: 0.2, eta: '2026-11-23T00:00:00' }),
      nextPort({ locode: 'GBFXT', probability: 0.2, eta: '2026-11-23T00:00:00' }),
      nextPort({ locode: 'GBFXT', probability: 0.2, eta: '2026-11-23T00:00:00', imo: 9755933 }),
      nextPort({ locode: 'AEJEA', probability: 0.2, eta: undefined }),
      nextPort({ locode: 'NLRTM', probability: 0.9, eta: undefined }),
    ];
    const { client, service } = await analyticsHarness();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(records, { minLength: 6 }), async (shuffled) => {
        service.answer = () => nextPorts(...shuffled);
        const answer = await client.shiplistNextPorts('NORTH', { fresh: true });
        expect(answer.predictions.map(({ port, imo }) => `${port} ${imo}`)).toEqual([
          'NLRTM 9461477',
          'DEHAM 9461477',
          'BEANR 9461477',
          'GBFXT 9461477',
          'GBFXT 9755933',
          'AEJEA 9461477',
        ]);
      }),
      { numRuns: 30 },
    );
  });

  test('one bad record among good ones is dropped and counted', async () => {
    const bad: unknown[] = [
      prediction({ probability: '0.5' }),
      prediction({ probability: null }),
      prediction({ probability: -0.1 }),
      prediction({ probability: 100.5 }),
      prediction({ un_location_code: 'ROTTERDAM' }),
      prediction({ eta_datetime: 'soon' }),
      prediction({ eta_datetime: '2026-02-30T00:00:00Z' }),
      prediction({ eta_datetime: '1999-12-31T23:59:59Z' }),
      prediction({ eta_datetime: '9999-12-31T23:59:59-05:00' }),
      prediction({ vessel_imo_number: 12 }),
      prediction({ vessel_imo_number: '9461477' }),
      null,
      'text',
      [],
    ];
    const { client, service, logLines } = await analyticsHarness();
    for (const record of bad) {
      service.answer = () => predictions(record, prediction({ un_location_code: 'DEHAM' }));
      const answer = await client.vesselPredictions(cypress, { fresh: true });
      expect(answer, JSON.stringify(record)).toMatchObject({
        droppedRecords: 1,
        predictions: [{ port: 'DEHAM' }],
      });
    }
    expect(logLines.filter((line) => line.startsWith('records dropped'))).toHaveLength(bad.length);
  });

  test('extra fields are ignored; codes are read in any case, with a space', async () => {
    const { client } = await analyticsHarness(() =>
      predictions(prediction({ un_location_code: 'nl rtm', x: {} })),
    );
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      droppedRecords: 0,
      predictions: [{ port: 'NLRTM' }],
    });
  });

  test('a record about another vessel is dropped', async () => {
    const { client } = await analyticsHarness(({ path }) =>
      path.endsWith('/predictions')
        ? predictions(prediction(), prediction({ vessel_imo_number: 9755933 }))
        : nextPorts(nextPort(), nextPort({ imo: 9755933 })),
    );
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      droppedRecords: 1,
      predictions: [{ imo: cypress }],
    });
    expect(await client.shipNextPorts(cypress)).toMatchObject({
      droppedRecords: 1,
      predictions: [{ imo: cypress }],
    });
    expect((await client.shiplistNextPorts('ALL')).predictions.map(({ imo }) => imo)).toEqual([
      cypress,
      diana,
    ]);
  });

  test('a record about another port is dropped, unless it is another code of the same port', async () => {
    const { client } = await analyticsHarness(() =>
      predictions(
        prediction({ un_location_code: 'CNSGH' }),
        prediction({ un_location_code: 'CNNGB', vessel_imo_number: 9755933 }),
      ),
    );
    const answer = await client.portPredictions('CNSHA' as Locode); // well-formed
    expect(answer).toMatchObject({ droppedRecords: 1, predictions: [{ imo: cypress, port: 'CNSGH' }] });
  });

  test('of two records for one vessel and port, under any code, the more probable one is used', async () => {
    const { client } = await analyticsHarness(() =>
      predictions(
        prediction({ un_location_code: 'CNSHA', probability: 0.3 }),
        prediction({ un_location_code: 'CNSGH', probability: 0.6 }),
        prediction({ un_location_code: 'CNSHA', probability: 0.4 }),
      ),
    );
    const answer = await client.vesselPredictions(cypress);
    expect(answer).toMatchObject({ droppedRecords: 0, predictions: [{ port: 'CNSGH', probability: 0.6 }] });
    expect(answer.predictions).toHaveLength(1);
  });

  test('a record with a wrong check digit is used, and logged as a warning', async () => {
    const { client, logLines } = await analyticsHarness(() =>
      predictions(prediction({ vessel_imo_number: 9461478 })),
    );
    const answer = await client.portPredictions(rotterdam);
    expect(answer).toMatchObject({ droppedRecords: 0, predictions: [{ imo: 9461478 }] });
    expect(logLines).toContain('IMO numbers with a wrong check digit {"imos":[9461478]}');
  });
});

describe('an unknown vessel, port or list', () => {
  const replies = {
    'an empty list': { body: { predictions: [], records: [] } },
    'an empty body': { body: '' },
    'no content': { status: 204 },
    '404': { status: 404, body: { message: 'unknown' } },
    '404 in HTML': { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' },
    '422': { status: 422, body: { message: 'unknown' } },
  };
  test.each(Object.entries(replies))('%s is the same empty answer', async (name, reply) => {
    const { client, clock } = await analyticsHarness(() => reply);
    const empty = {
      predictions: [],
      scale: 'fraction',
      droppedRecords: 0,
      fetchedAt: clock.domain,
      cached: false,
      ...(name === '422' && { isRefused: true }),
    };
    expect(await client.vesselPredictions(cypress)).toEqual(empty);
    expect(await client.portPredictions(hamburg)).toEqual(empty);
    expect(await client.shipNextPorts(cypress)).toEqual(empty);
    expect(await client.shiplistNextPorts('nobody')).toEqual(empty);
  });
});

describe('a wrong envelope', () => {
  const bodies = {
    HTML: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>Sign in</html>' },
    'truncated JSON': { body: '{"predictions":[{"un_location_code":"NLR' },
    'another shape': { body: { predictions: 'none' } },
    'an array': { body: [] },
    null: { body: 'null' },
  };
  test.each(Object.entries(bodies))('%s is an UnreadableResponseError, without a retry', async (_, reply) => {
    const { client, service } = await analyticsHarness(() => reply);
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toBeInstanceOf(UnreadableResponseError);
    expect(error).toMatchObject({
      code: 'unreadable',
      status: 200,
      excerpt: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    });
    expect(service.requests).toHaveLength(1);
  });

  test('has an error with status, content type and the first 200 characters', async () => {
    const { client } = await analyticsHarness(() => ({
      headers: { 'content-type': 'text/html' },
      body: 'x'.repeat(5_000),
    }));
    const error = await failure(client.vesselPredictions(cypress));
    expect(error).toMatchObject({ contentType: 'text/html', excerpt: 'x'.repeat(200) });
    expect(error.message).toBe('The service sent something unreadable (status 200): not JSON');
  });
});

describe('the probability scale', () => {
  test('is fraction until a figure above 1.5, then always percent', async () => {
    const { client, service } = await analyticsHarness(() =>
      predictions(
        prediction({ probability: 1.0001 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.9 }),
      ),
    );
    const before = await client.vesselPredictions(cypress);
    expect(before).toMatchObject({
      scale: 'fraction',
      predictions: [{ probability: 1 }, { probability: 0.9 }],
    });

    service.answer = () =>
      predictions(
        prediction({ probability: 82 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.9 }),
      );
    const percent = await client.vesselPredictions(cypress, { fresh: true });
    expect(percent).toMatchObject({
      scale: 'percent',
      droppedRecords: 0,
      predictions: [{ probability: 0.82 }, {}],
    });
    expect(percent.predictions[1]?.probability).toBeCloseTo(0.009);

    service.answer = () => predictions(prediction({ probability: 0.9 }));
    const after = await client.vesselPredictions(cypress, { fresh: true });
    expect(after.scale).toBe('percent');
    expect(after.predictions[0]?.probability).toBeCloseTo(0.009);
  });

  test('a figure out of range decides nothing', async () => {
    const { client } = await analyticsHarness(() =>
      predictions(
        prediction({ probability: 4711 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.4 }),
      ),
    );
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      scale: 'fraction',
      droppedRecords: 1,
      predictions: [{ probability: 0.4 }],
    });
  });

  test('can be fixed by a setting', async () => {
    const { another, service } = await analyticsHarness(() => predictions(prediction({ probability: 0.9 })));
    const percent = await another({ probabilityScale: 'percent' }).vesselPredictions(cypress);
    expect(percent.scale).toBe('percent');
    expect(percent.predictions[0]?.probability).toBeCloseTo(0.009);
    service.answer = () => predictions(prediction({ probability: 55 }));
    expect(await another({ probabilityScale: 'fraction' }).vesselPredictions(cypress)).toMatchObject({
      scale: 'fraction',
      droppedRecords: 1,
      predictions: [],
    });
  });

  test('always results in fractions, for any numbers', async () => {
    const { service, another } = await analyticsHarness();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true, min: -200, max: 200 })), async (figures) => {
        service.answer = () => predictions(...figures.map((probability) => prediction({ probability })));
        const { predictions: read } = await another().vesselPredictions(cypress);
        for (const { probability } of read) expect(probability >= 0 && probability <= 1).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
