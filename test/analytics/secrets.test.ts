import { inspect } from 'node:util';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { redact } from '../../src/analytics/http-transport.ts';
import { account, analyticsHarness, cypress, hamburg, rotterdam } from '../support/analytics-harness.ts';
import type { Answer, FakeReply } from '../support/fake-service.ts';

const { apiKey, ...credentials } = account;
const token = await new SignJWT({ sub: 'ops' })
  .setProtectedHeader({ alg: 'HS256' })
  .setIssuedAt()
  .setExpirationTime('10h')
  .sign(new TextEncoder().encode('a key of the service, unknown to us'));

/** A careless service that sends back everything it receives. */
const echo =
  (status: number): Answer =>
  ({ headers }) => ({
    status,
    headers: { 'content-type': 'text/plain', 'retry-after': '9999' },
    body: `${headers.authorization} ${headers['x-api-key']} ${JSON.stringify(credentials)} ${encodeURIComponent(apiKey)}`,
  });

const cut: Answer = (_, response) => {
  response.destroy();
  return undefined;
};

const answers: [string, Answer][] = [
  ...[200, 302, 400, 401, 403, 404, 422, 429, 500].map((status): [string, Answer] => [
    String(status),
    echo(status),
  ]),
  ['a cut connection', cut],
];

const logins: [string, FakeReply][] = [
  ...[200, 400, 401, 404, 429, 500].map((status): [string, FakeReply] => [
    `login ${status}`,
    { status, body: `{"access": "${token}", "user": ${JSON.stringify(credentials)}, "key": "${apiKey}"` },
  ]),
  ['a login that works', { body: { token } }],
];

/** In the encodings of JSON and URLs too. */
const secrets = [token, token.slice(0, 30), apiKey, ...Object.values(credentials)].flatMap((secret) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]);

test.each(answers)('nothing secret in any error or log line: %s', async (_, answer) => {
  for (const [name, login] of logins) {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
    const { client, service } = await analyticsHarness(answer, { logger });
    service.login = () => login;
    const results = await Promise.allSettled([
      client.usage({ year: 2026, month: 10 })[Symbol.asyncIterator]().next(),
      client.journeyStatistics({ origin: rotterdam, destination: hamburg, begin: new Date(0) }),
      client.vesselPredictions(cypress, { fresh: true }),
    ]);
    const errors = results.flatMap((ended) => (ended.status === 'rejected' ? [ended.reason] : []));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) logger.error({ err: error }, 'failed');
    const shown = [
      ...lines,
      ...errors.flatMap((error) => [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)]),
      JSON.stringify(client.status()),
    ].join('\n');
    for (const secret of secrets) expect(shown.includes(secret), `${name}: ${secret}`).toBe(false);
    expect(lines.length).toBeGreaterThan(1);
  }
});

test('a key that no header can carry is refused without being shown', async () => {
  const { another } = await analyticsHarness();
  for (const bad of ['two\nlines', 'schlüssel', 'a b', '']) {
    expect(() => another({ apiKey: bad })).toThrow(
      new TypeError('apiKey holds characters that a header cannot carry'),
    );
  }
});

test('no secret stays in an excerpt, at any position', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 6, unit: fc.constantFrom('a', 'B', '7', '"', '/', '&', 'ö') }),
      fc.string(),
      fc.integer({ min: 0, max: 400 }),
      (secret, after, before) => {
        for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
          const excerpt = redact(`${'.'.repeat(before)} ${form} ${after.replaceAll(secret, '')}`, [secret]);
          expect(excerpt.length).toBeLessThanOrEqual(200);
          expect(excerpt).not.toContain(secret);
          expect(excerpt).not.toContain(encodeURIComponent(secret));
        }
      },
    ),
  );
});

test('text after Bearer and text that looks like a JWT is removed, known or not', () => {
  expect(redact(`{"auth":"Bearer abc.def","t":"${token}"}`, [])).toBe(
    '{"auth":"Bearer [secret]","t":"[secret]"}',
  );
});
