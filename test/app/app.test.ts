import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createPlayground, type PageMessage } from 'bolt-playground';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeParts } from '../../src/app/app.ts';
import { lockDirectory } from '../../src/database/lock-file.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { ada, dmOf, ops, startBot } from '../support/bot.ts';
import { emptyDatabase } from '../support/bot-database.ts';
import { addWatch } from '../support/bot-watch.ts';
import { slackSettings } from '../support/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { serve } from '../support/local-server.ts';
import { useApp } from '../support/use-app.ts';
import { useBot } from '../support/use-bot.ts';
import { useDirectory } from '../support/use-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const isMap = ({ blocks = [] }: PageMessage): boolean => blocks.some(({ type }) => type === 'image');

function imageIn({ blocks = [] }: PageMessage): { url: string; alt: string } {
  const image = blocks.find((block) => block.type === 'image');
  if (!image || !('image_url' in image)) throw new Error('this message has no image');
  return { url: image.image_url ?? '', alt: image.alt_text };
}

async function expectPng(url: string): Promise<void> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
}

test('after a restart messages and pictures are there; a clock that was moved goes on, and no other is stored', async () => {
  const env = { LANDFALL_DATA_DIR: await useDirectory() };
  const first = await startBot('http', { env });
  const map = await first.say(ada, dmOf(ada), 'nextport 9461477 map', { match: isMap });
  const before = first.messages(dmOf(ada)).length;
  await first.stop();
  expect(existsSync(join(env.LANDFALL_DATA_DIR, 'playground', 'sandbox-clock.json'))).toBe(false);

  const second = await startBot('socket', { env });
  expect(second.messages(dmOf(ada))).toHaveLength(before);
  // Its address says what it shows.
  await expectPng(`${second.playground.url}${new URL(imageIn(map).url).pathname}`);
  second.sandbox.clock.advance(48 * 3_600_000);
  const left = second.sandbox.clock.now().getTime();
  await second.stop();

  const third = await useBot('socket', { env });
  const behind = third.sandbox.clock.now().getTime() - left;
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThan(3_600_000);
});

test('npm run start:many and start:agent only add a setting; the first names the page on which both workspaces install the app', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts['start:many']).toBe('PLAYGROUND_WORKSPACES=2 npm start');
  expect(scripts['start:agent']).toBe('SLACK_AGENT=true npm start');
  const { greeting, url } = await useApp({ PLAYGROUND_WORKSPACES: '2' }).start();
  const [, pageUrl, installUrl = ''] =
    /^Landfall is ready for two workspaces. Open (http:\S+), and install it from (http:\S+)\. All data is invented\.$/.exec(
      greeting,
    ) ?? [];
  expect(pageUrl).toBe(url);
  expect((await fetch(`${pageUrl}/readyz`)).status).toBe(200);
  expect(await (await fetch(installUrl)).text()).toContain('Add to Slack');
});

describe('a start fails', () => {
  test("if the data directory can't be written", async () => {
    const file = join(await useDirectory(), 'file');
    writeFileSync(file, '');
    await expect(useApp({ LANDFALL_DATA_DIR: join(file, 'data') }).start()).rejects.toThrow(
      /^Landfall can't write to the data directory .*ENOTDIR/,
    );
  });

  test('if another bot has the data directory, whose clock is left alone', async () => {
    const LANDFALL_DATA_DIR = await useDirectory();
    onTestFinished(lockDirectory(join(LANDFALL_DATA_DIR, 'playground')).release);
    const clockFile = join(LANDFALL_DATA_DIR, 'playground', 'sandbox-clock.json');
    const clock = JSON.stringify({ domainMs: Date.now(), realMs: Date.now() - 60_000, speed: 60 });
    writeFileSync(clockFile, clock);
    const app = useApp({ LANDFALL_DATA_DIR });
    await expect(app.start()).rejects.toThrow('Another Landfall');
    await app.stop(1_000);
    expect(readFileSync(clockFile, 'utf8')).toBe(clock);
  });

  test('if the database does not answer, and says why', async () => {
    const connect = async () => {
      throw new StoreUnavailable('the database does not answer', { cause: new Error('disk is full') });
    };
    const app = useApp({}, { connect });
    await expect(app.start()).rejects.toThrow('The database does not answer: disk is full');
  });

  test.each(['PORT', 'METRICS_PORT'])('if %s is in use, and names it', async (name) => {
    const { port } = new URL(await serve(() => {}));
    await expect(useApp({ [name]: port }).start()).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set ${name} to another port.`,
    );
  });
});

describe('what listens where', () => {
  /** On Linux a server on 127.0.0.1 does not answer there, and one on 0.0.0.0 does. */
  const elsewhere = (url: string) => `http://127.0.0.2:${new URL(url).port}/healthz`;

  test("a playground that the settings don't name listens on loopback only; a named playground, on HOST", async () => {
    const unnamed = await useApp({ HOST: '0.0.0.0' }).start();
    expect((await fetch(`${unnamed.url}/healthz`)).status).toBe(200);
    await expect(fetch(elsewhere(unnamed.url))).rejects.toThrow('fetch failed');
    expect(unnamed.metricsUrl).toBeUndefined();
    expect((await fetch(`${unnamed.sandbox?.url}/_sandbox/state`)).status).toBe(404);

    const names = { SLACK_API_URL: 'playground', ANALYTICS_BASE_URL: 'sandbox', SANDBOX_CONTROLS: 'true' };
    const named = await useApp({ HOST: '0.0.0.0', ...names }).start();
    if (process.platform === 'linux') expect((await fetch(elsewhere(named.url))).status).toBe(200);
    const { sandbox } = named;
    expect(new URL(sandbox?.url ?? '').hostname).toBe('127.0.0.1');
    // With the setting, the sandbox has controls.
    const state = await fetch(`${sandbox?.url}/_sandbox/state`);
    expect(await state.json()).toMatchObject({ faults: [], clock: { speed: 1 } });
    const changed = await fetch(`${sandbox?.url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ speed: 60 }),
    });
    expect(await changed.json()).toMatchObject({ clock: { speed: 60 } });
    expect(sandbox?.clock.speed()).toBe(60);
  });

  test('the health pages and the pictures are on the page’s address; a refused login makes the bot not ready', async () => {
    const bot = await useBot('socket');
    const ready = () => fetch(`${bot.playground.url}/readyz`);
    expect((await ready()).status).toBe(200);
    const { card } = await addWatch(bot);
    const map = await bot.click(ada, card(), 'Map');
    expect(map.ephemeralTo).toBe(ada);
    const { url, alt } = imageIn(map);
    expect(url.startsWith(`${bot.playground.url}/pictures/`)).toBe(true);
    expect(alt).toMatch(/^Map of DS CYPRESS: 1 .*invented data$/);
    await expectPng(url);
    expect((await fetch(url.replace(/\/pictures\/../, '/pictures/AA'))).status).toBe(404);

    bot.sandbox.faults.status(401);
    const answer = await bot.say(ada, ops, '/nextport 9811000');
    expect(answer.text).toContain("The analytics service doesn't accept the account");
    const refused = await ready();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({ ok: false, reasons: ['the analytics service refuses the login'] });
    expect((await fetch(`${bot.playground.url}/healthz`)).status).toBe(200);
  });

  test('in Socket Mode the bot’s own address serves only its health and pictures, and shows that Slack is gone', async () => {
    const playground = await createPlayground({ mode: 'socket' });
    const port = String(await freePort());
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    const settings = { ...slackSettings(playground), ANALYTICS_BASE_URL: 'sandbox', PORT: port, PUBLIC_URL };
    const timing = { workingMs: 45_000, deadlineMs: 45_000 };
    const { url, greeting } = await useApp(settings, { timing, pictureTimeoutMs: 45_000 }).start();
    expect(greeting).toBe(`Landfall is ready in Harbour & Co. Health: ${url}/readyz. All data is invented.`);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/slack/events`, { method: 'POST', body: '{}' })).status).toBe(404);
    await playground.say({ userId: ada, channelId: dmOf(ada), text: 'nextport 9461477 map' });
    const image = imageIn(await playground.waitForMessage(isMap, 45_000));
    expect(image.url.startsWith(`${PUBLIC_URL}/pictures/`)).toBe(true);
    await expectPng(image.url);
    expect((await fetch(`${PUBLIC_URL}/pictures/x.png`)).status).toBe(404);

    await playground.close();
    await waitUntil('it is not ready', async () => (await fetch(`${url}/readyz`)).status !== 200);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      ok: false,
      reasons: ['not connected to Slack'],
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
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

describe('a stop', () => {
  const never = () => new Promise<never>(() => {});
  function createLog() {
    const lines: { part?: string; reason?: string; msg: string }[] = [];
    const write = (line: string) => lines.push(JSON.parse(line));
    return { lines, logger: pino({ level: 'warn' }, { write }) };
  }

  test('ends within its deadline even if Slack, the service and the database hang', async () => {
    const { lines, logger } = createLog();
    let hangs = false;
    const app = useApp(
      { PLAYGROUND_MODE: 'http' },
      {
        logger,
        automatic: true,
        // Once it hangs, it ignores even its signal.
        fetch: (...call) => (hangs ? never() : fetch(...call)),
        connect: async () => ({ ...(await emptyDatabase()), close: never }),
      },
    );
    const { playground, sandbox, url } = await app.start();
    hangs = true;
    const said = await playground?.say({ userId: ada, channelId: ops, text: '/nextport 9461477' });
    expect(said?.ok).toBe(true);
    expect(await app.stop(800)).toEqual({ unfinished: 1 });
    expect(lines).toContainEqual(
      expect.objectContaining({ part: 'store', msg: 'a part was not closed properly' }),
    );
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await expect(fetch(sandbox?.url ?? '')).rejects.toThrow('fetch failed');
  });

  test('closes all parts, also if one of them hangs or fails', async () => {
    const { lines, logger } = createLog();
    const closed: string[] = [];
    const parts = [
      { name: 'one', close: never },
      { name: 'two', close: () => Promise.reject(new Error('broken')) },
      { name: 'three', close: async () => closed.push('three') },
    ];
    await closeParts(parts, { deadlineMs: 30, logger });
    expect(closed).toEqual(['three']);
    expect(lines.map(({ part, reason }) => [part, reason])).toEqual([
      ['one', expect.stringMatching(/^no answer within /)],
      ['two', 'broken'],
    ]);
  });
});
