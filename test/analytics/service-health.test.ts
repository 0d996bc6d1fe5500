import { describe, expect, test } from 'vitest';
import { UnavailableError } from '../../src/analytics/errors.ts';
import {
  analyticsHarness,
  cypress,
  diana,
  failure,
  hamburg,
  prediction,
  rotterdam,
} from '../support/analytics-harness.ts';
import { cutBeforeHeaders, type FakeReply } from '../support/fake-service.ts';

const good: FakeReply = { body: { predictions: [prediction()] } };

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
