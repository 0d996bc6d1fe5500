import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPlayground } from 'bolt-playground';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { setProxy } from '../../src/app/proxy.ts';
import { createConfig } from '../../src/config/config.ts';
import { networkReasonOf } from '../../src/errors.ts';
import { silentLogger } from '../../src/log.ts';
import { createBoltLogger } from '../../src/slack/connection/clients.ts';
import { identifyToken } from '../../src/slack/connection/connect.ts';
import { createResponseUrl } from '../../src/slack/posting/deliver.ts';
import { createSocketConnection } from '../../src/slack/receivers/socket-connection.ts';
import { createLoneClient } from '../support/analytics-client.ts';
import { account, cypress, failure } from '../support/analytics-harness.ts';
import { startProxy } from '../support/connect-proxy.ts';
import { startFakeService } from '../support/fake-service.ts';
import { freePort } from '../support/free-port.ts';
import { runScript } from '../support/run-script.ts';
import { untilTestEnds } from '../support/use-started.ts';

const direct = getGlobalDispatcher();
afterEach(() => setGlobalDispatcher(direct));

const use = (env: Record<string, string>) => setProxy(createConfig(env).proxy);

/** Slack on 127.0.0.1, under two names that only the proxy finds: the Web API, response URLs and Socket Mode. */
async function startSlack(): Promise<{ host: string; socketHost: string; apiUrl: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, team_id: 'T1', url: `ws://${socketHost}/link` }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send(JSON.stringify({ type: 'hello', num_connections: 1 })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const [host, socketHost] = [`slack.test:${port}`, `socket.test:${port}`];
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { host, socketHost, apiUrl: `http://${host}/api/` };
}

const identify = (apiUrl: string) =>
  identifyToken('xoxb-1', { apiUrl, fetch, realNow: Date.now, logger: silentLogger });

function connectTo(apiUrl: string) {
  const logger = silentLogger;
  const boltLogger = createBoltLogger(logger);
  const connection = createSocketConnection({ appToken: 'xapp-1', apiUrl, fetch, boltLogger, logger });
  onTestFinished(() => connection.stop());
  return connection;
}

const createClient = (baseUrl: string) =>
  createLoneClient({ baseUrl, ...account, now: () => new Date(), retryDelayMs: 1 });

describe('through the proxy of the settings goes', () => {
  test('every request to Slack, with Socket Mode', async () => {
    const proxy = await startProxy();
    const { host, socketHost, apiUrl } = await startSlack();
    use({ HTTP_PROXY: proxy.url });
    expect((await identify(apiUrl)).teamId).toBe('T1');
    await createResponseUrl(`http://${host}/response`).deleteOriginal();
    const connection = connectTo(apiUrl);
    await connection.start();
    expect(connection.connected()).toBe(true);
    expect(new Set(proxy.asked)).toEqual(new Set([host, socketHost]));
  });

  test('every request to the service, with the user and password of the proxy', async () => {
    const proxy = await startProxy();
    const service = untilTestEnds(await startFakeService(() => ({ body: { predictions: [] } })));
    const { port } = new URL(service.url);
    use({ HTTP_PROXY: proxy.url.replace('//', '//clerk:p%40ss@') });
    const client = createClient(`http://service.test:${port}`);
    expect((await client.vesselPredictions(cypress)).predictions).toEqual([]);
    expect(new Set(proxy.asked)).toEqual(new Set([`service.test:${port}`]));
    expect(new Set(proxy.credentials)).toEqual(new Set(['clerk:p@ss']));
    expect(service.logins[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('an https address, by HTTPS_PROXY or else HTTP_PROXY', async () => {
    const proxy = await startProxy({ refusal: 403 });
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy']) {
      use({ [name]: proxy.url });
      await failure(fetch('https://slack.test/'));
    }
    expect(proxy.asked).toEqual(Array(3).fill('slack.test:443'));
  });

  test('the whole bot as npm start runs it', async () => {
    const proxy = await startProxy();
    const port = await freePort();
    const playground = untilTestEnds(
      await createPlayground({ mode: 'http', port, allowedHosts: [`slack.test:${port}`] }),
    );
    const bot = runScript('main', [], {
      HTTP_PROXY: proxy.url,
      SLACK_API_URL: playground.apiUrl.replace('127.0.0.1', 'slack.test'),
      SLACK_BOT_TOKEN: playground.botToken,
      SLACK_SIGNING_SECRET: playground.signingSecret,
      ANALYTICS_BASE_URL: 'sandbox',
    });
    const output = await bot.printed('Landfall is ready');
    expect(output).toContain(`"proxy":"${new URL(proxy.url).host}"`);
    expect(proxy.asked).toContain(`slack.test:${port}`);
  });
});

test('every entry point sets it, except tools that use only the database', () => {
  const onlyDatabase = ['backup', 'restore', 'workspaces'];
  const entries = globSync('src/*.ts').filter((file) => readFileSync(file, 'utf8').includes('configOrExit('));
  const without = entries.filter((file) => !readFileSync(file, 'utf8').includes('setProxy(config.proxy)'));
  expect(entries).toContain(join('src', 'main.ts'));
  expect(without.toSorted()).toEqual(onlyDatabase.map((name) => join('src', `${name}.ts`)));
});

describe('the proxy is left out', () => {
  test('for this machine, also where the playground listens, and for the hosts of NO_PROXY', async () => {
    const proxy = await startProxy({ refusal: 403 });
    const service = untilTestEnds(await startFakeService());
    const { port } = new URL(service.url);
    use({ HTTP_PROXY: proxy.url, HOST: '127.0.0.9', NO_PROXY: 'elsewhere.test, localtest.invalid' });
    await fetch(service.url);
    await fetch(service.url.replace('127.0.0.1', 'localhost')).catch(() => {}); // it may have IPv6 first
    for (const host of ['127.0.0.9', '[::1]', 'api.localtest.invalid'])
      await fetch(`http://${host}:${port}`).catch(() => {}); // nobody is there
    expect(proxy.asked).toEqual([]);
    await failure(fetch('http://else.test/'));
    expect(proxy.asked).toEqual(['else.test:80']);
  });

  test('for all by NO_PROXY=*, and without the settings', () => {
    expect(createConfig({ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: '*' }).proxy).toBeUndefined();
    expect(createConfig({ NO_PROXY: 'slack.com' }).proxy).toBeUndefined();
    setProxy(undefined);
    expect(getGlobalDispatcher()).toBe(direct);
  });
});

describe('a proxy that does not work is named, without its password', () => {
  const withPassword = (url: string) => url.replace('//', '//clerk:s3cret-pass@');

  test('if it refuses an address', async () => {
    const proxy = await startProxy({ refusal: 403 });
    const host = new URL(proxy.url).host;
    use({ HTTPS_PROXY: withPassword(proxy.url) });
    const start = await failure(identify('https://slack.test/api/'));
    expect(start.message).toBe(
      `Slack can't be reached at https://slack.test/api/ (The proxy ${host} refuses to connect (status 403) to slack.test:443).`,
    );
    const client = createClient('https://service.test');
    const trouble = await failure(client.vesselPredictions(cypress));
    expect(trouble).toMatchObject({ code: 'unavailable' });
    expect(networkReasonOf(trouble)).toBe(
      `The proxy ${host} refuses to connect (status 403) to service.test:443`,
    );
  });

  test('if it refuses only the host of Socket Mode', async () => {
    const proxy = await startProxy({ refusal: 403, to: 'socket.test' });
    const { socketHost, apiUrl } = await startSlack();
    use({ HTTP_PROXY: withPassword(proxy.url) });
    const connection = connectTo(apiUrl);
    const error = await failure(connection.start());
    expect(error.message).toBe(
      `Slack accepts the token, but its Socket Mode connection can't be opened (The proxy ${new URL(proxy.url).host} refuses to connect (status 403) to ${socketHost}).`,
    );
  });

  test('if it wants other credentials', async () => {
    const proxy = await startProxy({ refusal: 407 });
    use({ HTTPS_PROXY: withPassword(proxy.url) });
    const error = await failure(fetch('https://slack.test/'));
    expect(networkReasonOf(error)).toMatch(/^The proxy 127.0.0.1:\d+ wants another user and password/);
  });

  test("if it isn't there", async () => {
    const port = await freePort();
    use({ HTTPS_PROXY: withPassword(`http://127.0.0.1:${port}`) });
    const error = await failure(fetch('https://slack.test/'));
    expect(networkReasonOf(error)).toBe(
      `The proxy 127.0.0.1:${port} can't be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  test('the log of a bot that can not start has no password', async () => {
    const proxy = await startProxy({ refusal: 407 });
    const bot = runScript('main', [], {
      HTTPS_PROXY: withPassword(proxy.url),
      LOG_LEVEL: 'trace',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_API_URL: 'https://slack.test/api/',
      ANALYTICS_BASE_URL: 'sandbox',
    });
    const { code, output } = await bot.ended;
    expect(code).toBe(1);
    expect(output).toContain("Landfall could not start: Slack can't be reached at https://slack.test/api/");
    for (const secret of ['s3cret', Buffer.from('clerk:s3cret-pass').toString('base64')])
      expect(output).not.toContain(secret);
  });
});
