import { describe, expect, test } from 'vitest';
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

const good = (probability = 0.82) => ({
  body: { predictions: [prediction({ probability })], statistics: [] },
});
const minutes = (start: Date, count: number) => new Date(start.getTime() + count * 60_000);

describe('an answer is cached', () => {
  test('for 5 minutes of the domain clock, unless it is turned back, and says when it was fetched', async () => {
    const { client, service, clock } = await analyticsHarness(() => good());
    const first = await client.vesselPredictions(cypress);
    clock.domain = minutes(first.fetchedAt, 4.9);
    expect(await client.vesselPredictions(cypress)).toEqual({ ...first, cached: true });
    expect(service.requests).toHaveLength(1);
    // The second time after a clock rollback.
    for (const count of [5, -60]) {
      clock.domain = minutes(first.fetchedAt, count);
      expect(await client.vesselPredictions(cypress)).toMatchObject({
        cached: false,
        fetchedAt: clock.domain,
      });
    }
    expect(service.requests).toHaveLength(3);
  });

  test('for an hour if it is statistics, for each question separately', async () => {
    const { client, service, clock } = await analyticsHarness(() => good());
    const lane = { origin: rotterdam, destination: hamburg };
    const first = await client.journeyStatistics(lane);
    clock.domain = minutes(first.fetchedAt, 59);
    expect((await client.journeyStatistics(lane)).cached).toBe(true);
    expect((await client.journeyStatistics({ ...lane, begin: new Date(0) })).cached).toBe(false);
    expect((await client.journeyStatistics({ origin: hamburg, destination: rotterdam })).cached).toBe(false);
    expect(service.requests).toHaveLength(3);
  });

  test('not at all with 0 minutes', async () => {
    const cacheMinutes = { predictions: 0, statistics: 0, usage: 0 };
    const { client, service } = await analyticsHarness(() => good(), { cacheMinutes });
    await client.vesselPredictions(cypress);
    await client.vesselPredictions(cypress);
    expect(service.requests).toHaveLength(2);
  });

  test('until a fresh question bypasses and replaces it', async () => {
    const { client, service } = await analyticsHarness(() => good());
    await client.vesselPredictions(cypress);
    service.answer = () => good(0.5);
    expect(await client.vesselPredictions(cypress, { fresh: true })).toMatchObject({ cached: false });
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      cached: true,
      predictions: [{ probability: 0.5 }],
    });
    expect(service.requests).toHaveLength(2);
  });
});

describe('a cache is bounded by the size of the answers', () => {
  const note = 'x'.repeat(1_500_000);
  const record = (path: string) => prediction({ vessel_imo_number: Number(/\d{7}/.exec(path)?.[0]), note });
  const imos = Array.from({ length: 6 }, (_, index) => (9_000_000 + index) as Imo); // seven digits

  test('few large answers leave no room for the oldest', async () => {
    const { client, service } = await analyticsHarness(({ path }) => ({
      body: { predictions: [record(path)] },
    }));
    for (const imo of imos) await client.vesselPredictions(imo);
    expect((await client.vesselPredictions(imos[5] ?? cypress)).cached).toBe(true);
    expect((await client.vesselPredictions(imos[0] ?? cypress)).cached).toBe(false);
    expect(service.requests).toHaveLength(7);
  });

  test('many small ones have room', async () => {
    const { client, service } = await analyticsHarness(() => good());
    const many = Array.from({ length: 200 }, (_, index) => (9_000_000 + index) as Imo); // seven digits
    await Promise.all(many.map((imo) => client.vesselPredictions(imo)));
    expect((await client.vesselPredictions(many[0] ?? cypress)).cached).toBe(true);
    expect(service.requests).toHaveLength(many.length);
  });
});

describe('single flight', () => {
  test('100 equal questions send one request', async () => {
    const { client, service } = await analyticsHarness(() => good());
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.vesselPredictions(cypress)));
    expect(answers.every(({ predictions }) => predictions.length === 1)).toBe(true);
    expect(service.requests).toHaveLength(1);
  });

  test('a fresh question joins no older request, and an older request does not replace its answer', async () => {
    const { opened, open } = gate();
    let asked = 0;
    const { client } = await analyticsHarness(async () => {
      asked += 1;
      if (asked > 1) return good(0.5);
      await opened;
      return good(0.1);
    });
    const older = client.vesselPredictions(cypress);
    expect(await client.vesselPredictions(cypress, { fresh: true })).toMatchObject({
      predictions: [{ probability: 0.5 }],
    });
    open();
    expect(await older).toMatchObject({ predictions: [{ probability: 0.1 }] });
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      cached: true,
      predictions: [{ probability: 0.5 }],
    });
  });

  test('a later question joins the fresh request, even after an older request has ended', async () => {
    const gates = [gate(), gate()];
    const asked = gate();
    let calls = 0;
    const { client, service } = await analyticsHarness(
      async () => {
        const own = gates[calls];
        calls += 1;
        if (calls === 2) asked.open();
        await own?.opened;
        return good();
      },
      { cacheMinutes: { predictions: 0, statistics: 0, usage: 0 } },
    );
    const older = client.vesselPredictions(cypress);
    const fresh = client.vesselPredictions(cypress, { fresh: true });
    await asked.opened;
    gates[0]?.open();
    await older;
    const joined = client.vesselPredictions(cypress);
    gates[1]?.open();
    await Promise.all([fresh, joined]);
    expect(service.requests).toHaveLength(2);
  });

  test("one caller's abort does not fail the others", async () => {
    const { opened, open } = gate();
    const { client, service } = await analyticsHarness(async () => {
      await opened;
      return good();
    });
    const leaver = new AbortController();
    const left = failure(client.vesselPredictions(cypress, { signal: leaver.signal }));
    const stays = client.vesselPredictions(cypress, { signal: new AbortController().signal });
    const reason = new Error('the user went away');
    leaver.abort(reason);
    expect(await left).toBe(reason);
    open();
    expect((await stays).predictions).toHaveLength(1);
    expect(service.requests).toHaveLength(1);
  });

  test('when all callers have left, the request is aborted and the next question sends a new one', async () => {
    const asked = gate();
    const cut = gate();
    const { client, service } = await analyticsHarness((_, response) => {
      response.on('close', cut.open);
      asked.open();
      return undefined;
    });
    const leaver = new AbortController();
    const left = failure(client.vesselPredictions(cypress, { signal: leaver.signal }));
    await asked.opened;
    leaver.abort(new Error('gone'));
    expect((await left).message).toBe('gone');
    await cut.opened;
    service.answer = () => good();
    expect((await client.vesselPredictions(cypress)).predictions).toHaveLength(1);
    expect(client.status()).toMatchObject({ inFlight: 0, queued: 0 });
    expect(client.status()).not.toHaveProperty('failingSince');
  });

  test('an aborted signal sends no request', async () => {
    const { client, service } = await analyticsHarness(() => good());
    const error = await failure(
      client.vesselPredictions(cypress, { signal: AbortSignal.abort(new Error('no')) }),
    );
    expect(error.message).toBe('no');
    expect(service.requests).toEqual([]);
  });
});

describe('a stale answer', () => {
  test.each([
    { status: 503, headers: {}, says: {} },
    { status: 429, headers: { 'retry-after': '3600' }, says: { throttled: true } },
  ])('is returned while the service is down ($status), for up to 24 h, and says when the outage began', async ({
    says,
    ...down
  }) => {
    const { client, service, clock } = await analyticsHarness(() => good());
    const first = await client.vesselPredictions(cypress);
    service.answer = () => down;
    const downAt = minutes(first.fetchedAt, 10);
    clock.domain = downAt;
    expect(await client.vesselPredictions(cypress)).toEqual({
      ...first,
      cached: true,
      staleSince: downAt,
      ...says,
    });
    clock.domain = minutes(first.fetchedAt, 24 * 60 - 1);
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      fetchedAt: first.fetchedAt,
      cached: true,
    });
    clock.domain = minutes(first.fetchedAt, 24 * 60);
    expect(await failure(client.vesselPredictions(cypress))).toHaveProperty('code');
  });

  test('is not the answer to a fresh question, nor an answer after other errors', async () => {
    const { client, service, clock } = await analyticsHarness(() => good());
    await client.vesselPredictions(cypress);
    service.answer = () => ({ status: 503 });
    expect(await failure(client.vesselPredictions(cypress, { fresh: true }))).toMatchObject({
      code: 'unavailable',
    });
    clock.domain = minutes(clock.domain, 10);
    service.answer = () => ({ body: '<html>' });
    expect(await failure(client.vesselPredictions(cypress))).toMatchObject({ code: 'unreadable' });
  });
});

describe('requests in flight', () => {
  /** Holds every request until `next`; `came` lists them in order. */
  function holding() {
    const held: (() => void)[] = [];
    const came: string[] = [];
    let arrived = gate();
    return {
      came,
      async answer({ path }: { path: string }) {
        const { opened, open } = gate();
        came.push(path.split('/')[3] ?? '');
        held.push(open);
        arrived.open();
        await opened;
        return good();
      },
      async next() {
        for (let tries = 0; held.length === 0 && tries < 100; tries += 1) {
          await arrived.opened;
          arrived = gate();
        }
        held.shift()?.();
      },
    };
  }

  test('are limited, and interactive requests go before background requests', async () => {
    const { came, answer, next } = holding();
    const { client, clock } = await analyticsHarness(answer, { maxInFlight: 1 });
    const background = [
      client.vesselPredictions(9000001 as Imo, { priority: 'background' }), // seven digits
      client.vesselPredictions(9000002 as Imo, { priority: 'background' }), // seven digits
      client.vesselPredictions(9000003 as Imo, { priority: 'background' }), // seven digits
    ];
    // Time in the queue does not count against the request's own deadline.
    clock.realMs += 3_600_000;
    const interactive = [
      client.vesselPredictions(9000004 as Imo), // seven digits
      // This question joins the third request, which becomes interactive.
      client.vesselPredictions(9000003 as Imo), // seven digits
    ];
    expect(client.status()).toMatchObject({ inFlight: 1, queued: 3 });
    for (let times = 0; times < 4; times += 1) await next();
    await Promise.all([...background, ...interactive]);
    expect(came).toEqual(['9000001', '9000003', '9000004', '9000002']);
  });

  test('an abort in the queue frees the place', async () => {
    const { came, answer, next } = holding();
    const { client } = await analyticsHarness(answer, { maxInFlight: 1 });
    const leaver = new AbortController();
    const first = client.vesselPredictions(cypress);
    const left = failure(client.vesselPredictions(diana, { signal: leaver.signal }));
    leaver.abort(new Error('gone'));
    expect((await left).message).toBe('gone');
    expect(client.status()).toMatchObject({ inFlight: 1, queued: 0 });
    await next();
    await first;
    expect(came).toEqual([String(cypress)]);
  });
});
