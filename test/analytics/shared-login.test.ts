import { expect, onTestFinished, test } from 'vitest';
import { createAnalyticsClient } from '../../src/analytics/client.ts';
import { createLogin, type LoginOptions, loginIdOf } from '../../src/analytics/login.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { account, cypress, diana, failure, gate, prediction } from '../support/analytics-harness.ts';
import { type Answer, cutBeforeHeaders, startFakeService } from '../support/fake-service.ts';

const good = () => ({ body: { predictions: [prediction()] } });

/** Two workspaces with the same account. */
async function twoClients(answer: Answer = good, options: Partial<LoginOptions> = {}) {
  const service = await startFakeService(answer);
  onTestFinished(() => service.close());
  const login = createLogin({ baseUrl: service.url, ...account, retryDelayMs: 1, ...options });
  const clock = { first: new Date('2026-11-21T12:00:00Z'), second: new Date('2026-11-21T13:00:00Z') };
  const first = createAnalyticsClient({ login, now: () => clock.first });
  const second = createAnalyticsClient({ login, now: () => clock.second });
  return { service, first, second };
}

test('clients with one login log in once, and share a refusal', async () => {
  const { service, first, second } = await twoClients();
  await Promise.all([first.vesselPredictions(cypress), second.vesselPredictions(diana)]);
  expect(service.logins).toHaveLength(1);

  const refused = await twoClients();
  refused.service.login = () => ({ status: 401 });
  const errors = [refused.first, refused.second].map((client) => failure(client.vesselPredictions(cypress)));
  for (const error of await Promise.all(errors)) expect(error).toMatchObject({ code: 'unauthorized' });
  expect(refused.service.logins).toHaveLength(1);
});

test('each counts its own requests, for what they are sent: repeated ones too, but neither logins nor answers from its cache', async () => {
  const service = await startFakeService(good);
  onTestFinished(() => service.close());
  const login = createLogin({ baseUrl: service.url, ...account, retryDelayMs: 1 });
  const counts = { first: 0, second: 0 };
  const causes: unknown[] = [];
  const cause = { kind: 'digest', id: 'D1', channelId: null } as const;
  const clientOf = (name: 'first' | 'second') => {
    const onRequest = (requestCause: unknown) => {
      counts[name] += 1;
      causes.push(requestCause);
    };
    return createAnalyticsClient({ login, now: () => new Date('2026-11-21T12:00:00Z'), onRequest });
  };
  const first = clientOf('first');
  const second = clientOf('second');
  await first.vesselPredictions(cypress);
  await first.vesselPredictions(cypress);
  expect(counts).toEqual({ first: 1, second: 0 });
  let refusals = 1;
  service.answer = () => (refusals-- > 0 ? { status: 401 } : good());
  await second.vesselPredictions(cypress);
  expect(counts).toEqual({ first: 1, second: 2 });
  expect(service.logins).toHaveLength(2);
  let failures = 2;
  service.answer = () => (failures-- > 0 ? { status: failures === 1 ? 503 : 429 } : good());
  await second.vesselPredictions(diana, { cause });
  expect(counts).toEqual({ first: 1, second: 5 });
  expect(causes).toEqual([undefined, undefined, undefined, cause, cause, cause]);
  // Whoever joins a request costs nothing.
  const other = { kind: 'watch', subject: 'vessel 1', channelIds: [] } as const;
  await Promise.all([cause, other].map((each) => first.vesselPredictions(diana, { cause: each })));
  expect(causes.slice(6)).toEqual([cause]);
});

test('they share neither answers, nor health, nor what is denied to one of them', async () => {
  const { service, first, second } = await twoClients();
  await first.vesselPredictions(cypress);
  expect((await second.vesselPredictions(cypress)).cached).toBe(false);
  expect((await second.vesselPredictions(cypress)).cached).toBe(true);

  service.answer = cutBeforeHeaders;
  await failure(first.vesselPredictions(cypress, { fresh: true }));
  expect(first.status().failingSince).toEqual(new Date('2026-11-21T12:00:00Z'));
  expect(second.status().failingSince).toBeUndefined();

  service.answer = () => ({ status: 401 });
  expect(await failure(first.vesselPredictions(cypress, { fresh: true }))).toMatchObject({
    refused: 'token',
  });
  service.answer = good;
  await second.vesselPredictions(cypress, { fresh: true });
});

test('a login that fails makes each of them unhealthy, since its own time', async () => {
  const { service, first, second } = await twoClients();
  service.login = () => ({ status: 503 });
  const [one, two] = await Promise.all([
    failure(first.vesselPredictions(cypress)),
    failure(second.vesselPredictions(cypress)),
  ]);
  expect(service.logins).toHaveLength(1);
  expect(one).toMatchObject({ code: 'unavailable', status: 503, since: new Date('2026-11-21T12:00:00Z') });
  expect(two).toMatchObject({ code: 'unavailable', status: 503, since: new Date('2026-11-21T13:00:00Z') });
  expect(second.status().failingSince).toEqual(new Date('2026-11-21T13:00:00Z'));
});

test('what one of them learns about percentages, the other knows', async () => {
  const percentages = { body: { predictions: [prediction({ probability: 82 })] } };
  const { service, first, second } = await twoClients(() => ({
    body: { predictions: [prediction({ probability: 0.9 })] },
  }));
  expect((await second.vesselPredictions(cypress)).scale).toBe('fraction');
  service.answer = () => percentages;
  await first.vesselPredictions(cypress);
  const again = await second.vesselPredictions(cypress);
  expect(again).toMatchObject({ cached: false, scale: 'percent', predictions: [{ probability: 0.82 }] });
});

test('their people, and their background work, take turns, even with the same ids', async () => {
  const came: string[] = [];
  const held: (() => void)[] = [];
  const { first, second } = await twoClients(
    async ({ path }) => {
      came.push(path.split('/')[3] ?? '');
      const { opened, open } = gate();
      held.push(open);
      await opened;
      return good();
    },
    { maxInFlight: 1 },
  );
  const imos = (...numbers: number[]) => numbers as Imo[]; // seven digits
  const polls = imos(9000011, 9000012).map((imo) => first.vesselPredictions(imo, { priority: 'background' }));
  const asked = [
    ...imos(9000001, 9000002, 9000003).map((imo) => first.vesselPredictions(imo, { askedBy: 'U1' })),
    ...imos(9000004).map((imo) => second.vesselPredictions(imo, { askedBy: 'U1' })),
    ...imos(9000013).map((imo) => second.vesselPredictions(imo, { priority: 'background' })),
  ];
  // Each sees only its own calls.
  expect(first.status()).toMatchObject({ inFlight: 1, queued: 4 });
  expect(second.status()).toMatchObject({ inFlight: 0, queued: 2 });
  const all = Promise.allSettled([...polls, ...asked]);
  let isDone = false;
  void all.then(() => {
    isDone = true;
  });
  while (!isDone) {
    held.shift()?.();
    await new Promise(setImmediate);
  }
  expect(came).toEqual(['9000011', '9000001', '9000004', '9000002', '9000003', '9000013', '9000012']);
});

test('the id of a login differs by address, key and user, and reveals none of them', () => {
  const one = { address: 'https://a.test', apiKey: 'key-1', userId: 'ops' };
  const others = [{ address: 'https://b.test' }, { apiKey: 'key-2' }, { userId: 'desk' }];
  const ids = [one, ...others.map((other) => ({ ...one, ...other }))].map(loginIdOf);
  expect(new Set(ids).size).toBe(ids.length);
  expect(loginIdOf({ ...one })).toBe(ids[0]);
  for (const id of ids) expect(id).not.toMatch(/key|ops|test/);
});
