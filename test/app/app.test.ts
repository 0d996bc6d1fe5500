import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createPlayground } from 'bolt-playground';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { lockDirectory } from '../../src/database/lock-file.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { ada, dmOf, ops, startBot } from '../support/bot.ts';
import { emptyDatabase } from '../support/bot-database.ts';
import { useBot } from '../support/use-bot.ts';

function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'landfall-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('after a restart the messages are there, and the invented time continues', async () => {
  const LANDFALL_DATA_DIR = dataDirectory();
  const first = await startBot('http', { env: { LANDFALL_DATA_DIR } });
  await first.say(ada, dmOf(ada), 'nextport 9461477');
  first.sandbox.clock.advance(48 * 3_600_000);
  const left = first.sandbox.clock.now().getTime();
  await first.stop();

  const second = await useBot('socket', { env: { LANDFALL_DATA_DIR } });
  const behind = second.sandbox.clock.now().getTime() - left;
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThan(3_600_000);
  expect(second.messages(dmOf(ada))).toHaveLength(1);
});

test("a data directory that can't be written stops the start", async () => {
  const file = join(dataDirectory(), 'file');
  writeFileSync(file, '');
  const env = { LANDFALL_DATA_DIR: join(file, 'data'), PORT: '0' };
  const app = createApp({ config: createConfig(env), logger: pino({ level: 'silent' }), version: '1.2.3' });
  await expect(app.start()).rejects.toThrow(/^Landfall can't write to the data directory .*ENOTDIR/);
  await app.stop(0);
});

test("a second bot on a data directory is refused, and leaves the first one's clock alone", async () => {
  const LANDFALL_DATA_DIR = dataDirectory();
  const lock = lockDirectory(join(LANDFALL_DATA_DIR, 'playground'));
  onTestFinished(lock.release);
  const clockFile = join(LANDFALL_DATA_DIR, 'playground', 'sandbox-clock.json');
  const clock = JSON.stringify({ domainMs: Date.now(), realMs: Date.now() - 60_000, speed: 60 });
  writeFileSync(clockFile, clock);
  const env = { LANDFALL_DATA_DIR, PORT: '0' };
  const app = createApp({ config: createConfig(env), logger: pino({ level: 'silent' }), version: '1.2.3' });
  await expect(app.start()).rejects.toThrow('Another Landfall');
  await app.stop(1_000);
  expect(readFileSync(clockFile, 'utf8')).toBe(clock);
});

test('a start without an answer of the database says why there is none', async () => {
  const connect = async () => {
    throw new StoreUnavailable('the database does not answer', { cause: new Error('disk is full') });
  };
  const config = createConfig({ LANDFALL_DATA_DIR: ':memory:', PORT: '0' });
  const app = createApp({ config, logger: pino({ level: 'silent' }), version: '1.2.3', connect });
  await expect(app.start()).rejects.toThrow('The database does not answer: disk is full');
  await app.stop(0);
});

test('a clock that nobody moved shows the real time, and is not stored', async () => {
  const LANDFALL_DATA_DIR = dataDirectory();
  const bot = await startBot('http', { env: { LANDFALL_DATA_DIR } });
  await bot.stop();
  expect(existsSync(join(LANDFALL_DATA_DIR, 'playground', 'sandbox-clock.json'))).toBe(false);
});

test('the bot connects again after Slack closes the connection', async () => {
  const bot = await useBot('socket');
  await bot.say(ada, ops, '/nextport 9461477');
  bot.playground.recycleConnections();
  const opened = () => bot.playground.wire().filter(({ label }) => label === 'apps.connections.open').length;
  // Slack itself answers `dispatch_failed` until the new connection is open.
  const answer = await bot.after(async () => {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const line = { userId: ada, channelId: ops, text: '/nextport 9811000' };
      if (opened() === 2 && (await bot.playground.say(line)).ok) return;
      await setImmediate();
    }
  });
  expect(answer.text).toMatch(/^EVER GIVEN [→·] /);
});

test('the health pages are on the page’s address, and a refused login makes the bot not ready', async () => {
  const bot = await useBot('socket');
  const ready = () => fetch(`${bot.playground.url}/readyz`);
  expect((await ready()).status).toBe(200);
  bot.sandbox.faults.status(401, { endpoint: '/authentication/login' });
  const answer = await bot.say(ada, ops, '/nextport 9461477');
  expect(answer.text).toContain("The analytics service doesn't accept the account");
  const refused = await ready();
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ ok: false, reasons: ['the analytics service refuses the login'] });
  expect((await fetch(`${bot.playground.url}/healthz`)).status).toBe(200);
});

test('in Socket Mode the bot’s own address serves only its health, and shows that Slack is gone', async () => {
  const playground = await createPlayground({ mode: 'socket' });
  const app = createApp({
    config: createConfig({
      SLACK_BOT_TOKEN: playground.botToken,
      SLACK_APP_TOKEN: playground.appToken,
      SLACK_API_URL: playground.apiUrl,
      ANALYTICS_BASE_URL: 'sandbox',
      LANDFALL_DATA_DIR: ':memory:',
      PORT: '0',
    }),
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
    connect: emptyDatabase,
  });
  onTestFinished(async () => void (await app.stop(1_000)));
  const { url, greeting } = await app.start();
  expect(greeting).toBe(`Landfall is ready in Harbour & Co. Health: ${url}/readyz. All data is invented.`);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/slack/events`, { method: 'POST', body: '{}' })).status).toBe(404);

  await playground.close();
  let answer = await fetch(`${url}/readyz`);
  for (let tries = 0; answer.status === 200 && tries < 1_000; tries += 1)
    answer = await fetch(`${url}/readyz`);
  expect(await answer.json()).toEqual({ ok: false, reasons: ['not connected to Slack'] });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('who may ask /usage is a setting', async () => {
  const bot = await useBot('socket', { env: { USAGE_FOR: 'admins' } });
  expect((await bot.say(ada, ops, '/usage')).text).toMatch(/^\w+ 20\d\d: [\d,]+ requests/);
  const refused = await bot.say('U0BEN0001', ops, '/usage');
  expect(refused.text).toContain('admin');
  expect(refused.text).not.toContain('API account');
});
