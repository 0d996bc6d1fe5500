import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { accountSettings, linesOf, report, wrong } from '../../support/doctor.ts';
import { type FakeReply, startFakeService } from '../../support/fake-service.ts';
import { freePort } from '../../support/free-port.ts';
import { untilTestEnds, useStarted } from '../../support/use-started.ts';

const sandbox = useStarted(createSandbox);

const accountLines = async (env: Record<string, string>) => linesOf(await report(env), 'Account');

test('without an account in the settings, an admin connects one', async () => {
  expect(await accountLines({ ANALYTICS_BASE_URL: sandbox.url })).toEqual([
    '✓ No analytics account in the settings: a workspace admin connects one in Slack',
  ]);
});

test('addresses at which admins connect an account have to answer', async () => {
  const port = await freePort();
  const ACCOUNT_ADDRESSES = `${sandbox.url}, http://127.0.0.1:${port}`;
  expect(await accountLines({ ACCOUNT_ADDRESSES })).toEqual([
    '✓ No analytics account in the settings: a workspace admin connects one in Slack',
    `✗ The service can't be reached at http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
  ]);
});

test('a wrong key, and a wrong password, each have their own words', async () => {
  const env = accountSettings(sandbox);
  expect(await accountLines({ ...env, ANALYTICS_API_KEY: 'wrong-key' })).toEqual([
    '✗ The service refuses ANALYTICS_API_KEY (status 401: X-Api-Key is missing or unknown.)',
  ]);
  const reports = await report({ ...env, ANALYTICS_PASSWORD: 'not-this-one' });
  expect(linesOf(reports, 'Account')).toEqual([
    '✗ The service refuses ANALYTICS_USER_ID or ANALYTICS_PASSWORD (status 401: user_id or password is wrong.)',
  ]);
  expect(JSON.stringify(reports)).not.toContain('not-this-one');
});

test.each<[string, FakeReply, string]>([
  ['says nothing', { status: 403 }, 'The service refuses the account (status 403)'],
  [
    'repeats the password',
    { status: 401, body: { message: 'no such password: hunter2hunter2' } },
    'The service refuses ANALYTICS_USER_ID or ANALYTICS_PASSWORD (status 401: no such password: [secret])',
  ],
])('a service that refuses and %s', async (_, reply, text) => {
  const service = untilTestEnds(await startFakeService());
  service.login = () => reply;
  const env = { ...accountSettings(sandbox), ANALYTICS_BASE_URL: service.url };
  expect(await accountLines({ ...env, ANALYTICS_PASSWORD: 'hunter2hunter2' })).toEqual([`✗ ${text}`]);
});

test.each<[FakeReply, string]>([
  [{ status: 503 }, "can't answer now (status 503)"],
  [{ status: 200, body: '<h1>Hello</h1>' }, "isn't the analytics service (status 200)"],
  [{ status: 404 }, "isn't the analytics service (status 404)"],
  [
    { status: 302, headers: { location: 'http://elsewhere.test/' } },
    "isn't the analytics service (status 302)",
  ],
])('no refusal: %j', async (reply, text) => {
  const service = untilTestEnds(await startFakeService());
  service.login = () => reply;
  const [line] = await accountLines({ ...accountSettings(sandbox), ANALYTICS_BASE_URL: service.url });
  expect(line).toContain(text);
});

test('an account that logs in but may ask nothing', async () => {
  const service = untilTestEnds(await startFakeService(() => ({ status: 403 })));
  const [line] = await accountLines({ ...accountSettings(sandbox), ANALYTICS_BASE_URL: service.url });
  expect(line).toMatch(
    /^✗ The service at \S+ accepts the account, but gives no prediction: The account has no access/,
  );
});

test('nobody at its address', async () => {
  const port = await freePort();
  const env = { ...accountSettings(sandbox), ANALYTICS_BASE_URL: `http://127.0.0.1:${port}` };
  const reports = await report(env);
  expect(linesOf(reports, 'Account')).toEqual([
    `✗ The service can't be reached at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
  ]);
  expect(wrong(reports)[0]?.remedy).toContain('ANALYTICS_BASE_URL');
});
