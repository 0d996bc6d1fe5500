import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { networkRemedy } from '../../../src/app/doctor/finding.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { startProxy } from '../../support/connect-proxy.ts';
import { accountSettings, linesOf, report, wrong } from '../../support/doctor.ts';
import { freePort } from '../../support/free-port.ts';
import { untilTestEnds } from '../../support/use-started.ts';

const direct = getGlobalDispatcher();
afterEach(() => setGlobalDispatcher(direct));

const withPassword = (url: string) => url.replace('//', '//clerk:s3cret-pass@');

test('a proxy through which the account is tried', async () => {
  const sandbox = untilTestEnds(await createSandbox());
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
