import { createPlayground } from 'bolt-playground';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { networkRemedy } from '../../../src/app/doctor/finding.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { startProxy } from '../../support/connect-proxy.ts';
import { createTestDatabase } from '../../support/create-test-database.ts';
import { accountSettings, linesOf, manifest, report, slackSettings, wrong } from '../../support/doctor.ts';
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

test('the addresses of accounts have to answer', async () => {
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

const slack = useStarted(() => createPlayground({ mode: 'socket', manifest }));

/** The clock section on a machine whose clock is that much ahead. */
const clockLines = async (env: Record<string, string>, aheadMs = 0) =>
  linesOf(await report(env, { realNow: () => Date.now() + aheadMs }), 'Clock');

const minute = 60_000;

test('a clock that is right, of each that answers', async () => {
  const env = {
    ...slackSettings(slack),
    ...accountSettings(sandbox),
    DATABASE_URL: await createTestDatabase('empty'),
    LANDFALL_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  expect(await clockLines(env)).toEqual([
    "✓ This machine's clock agrees with Slack's",
    "✓ This machine's clock agrees with the service's",
    "✓ This machine's clock agrees with the database's",
  ]);
  expect(await clockLines(env, -7 * minute)).toEqual([
    "✗ This machine's clock is 7 minutes behind Slack's: deliveries over HTTP are refused beyond 5 minutes",
    "✗ This machine's clock is 7 minutes behind the service's",
    "✗ This machine's clock is 7 minutes behind the database's",
  ]);
});

test('two minutes are a warning', async () => {
  const env = { ...slackSettings(slack), ANALYTICS_BASE_URL: 'sandbox' };
  expect(await clockLines(env, 2 * minute)).toEqual(["! This machine's clock is 2 minutes ahead of Slack's"]);
});

test('nobody answers', async () => {
  const SLACK_API_URL = `http://127.0.0.1:${await freePort()}/api/`;
  expect(await clockLines({ ...slackSettings(slack), SLACK_API_URL, ANALYTICS_BASE_URL: 'sandbox' })).toEqual(
    ['! Nothing answered with its time, so the clock could not be compared'],
  );
});

const direct = getGlobalDispatcher();
afterEach(() => setGlobalDispatcher(direct));

const withPassword = (url: string) => url.replace('//', '//clerk:s3cret-pass@');

test('a proxy through which the account is tried', async () => {
  const proxy = await startProxy();
  const { port } = new URL(sandbox.url);
  const env = {
    ...accountSettings(sandbox),
    ANALYTICS_BASE_URL: `http://service.test:${port}`,
    HTTP_PROXY: withPassword(proxy.url),
    NO_PROXY: 'else.test',
  };
  const reports = await report(env);
  const { host } = new URL(proxy.url);
  expect(linesOf(reports, 'Proxy')).toEqual([
    `✓ Connections go through the proxy ${host}, except to else.test`,
  ]);
  expect(linesOf(reports, 'Account')).toEqual([
    `✓ The service at service.test:${port} accepts the account and answers`,
  ]);
  expect(proxy.asked).toContain(`service.test:${port}`);
  expect(JSON.stringify(reports)).not.toContain('s3cret-pass');
});

test('a proxy that does not let Landfall out to Slack', async () => {
  const proxy = await startProxy({ refusal: 403 });
  const reports = await report({
    HTTPS_PROXY: proxy.url,
    SLACK_API_URL: 'https://slack.test/api/',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    ANALYTICS_BASE_URL: 'sandbox',
  });
  const { host } = new URL(proxy.url);
  expect(linesOf(reports, 'Slack')).toEqual([
    `✗ Slack can't be reached at slack.test: The proxy ${host} refuses to connect (status 403) to slack.test:443`,
  ]);
  expect(wrong(reports)[0]?.remedy).toBe('Ask whoever runs the proxy to allow that host: docs/hosting.md.');
});

test('a proxy that is not there', async () => {
  const port = await freePort();
  const reports = await report({ HTTPS_PROXY: withPassword(`http://127.0.0.1:${port}`) });
  expect(linesOf(reports, 'Proxy')).toEqual([
    `✗ The proxy 127.0.0.1:${port} can't be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
  ]);
  expect(JSON.stringify(reports)).not.toContain('s3cret-pass');
});

test('an address that is none, without showing it', async () => {
  const reports = await report({ HTTPS_PROXY: 'clerk:s3cret-pass@proxy.test:3128' });
  expect(linesOf(reports, 'Settings')).toEqual([
    '✗ HTTPS_PROXY should be the address of an HTTP proxy, such as http://proxy.example.com:3128',
  ]);
  expect(JSON.stringify(reports)).not.toContain('s3cret-pass');
});

test('ALL_PROXY is not read', async () => {
  expect(linesOf(await report({ all_proxy: 'http://proxy.test' }), 'Proxy')).toEqual([
    '! ALL_PROXY is set, but Landfall does not read it',
  ]);
});

test.each([
  ['self-signed certificate in certificate chain', 'NODE_EXTRA_CA_CERTS'],
  ["The proxy proxy.test:3128 can't be reached: timeout", 'See the proxy above.'],
  ['The proxy proxy.test:3128 refuses to connect (status 403) to slack.com:443', 'to allow that host'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'Check the network, HTTPS_PROXY if one is needed, and A_URL'],
])('what to do about %j', (reason, words) => {
  expect(networkRemedy(reason, 'A_URL')).toContain(words);
});
