import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlayground, type PageMessage } from 'bolt-playground';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { ada, dmOf, type Mode, startBot } from '../support/bot.ts';
import { emptyDatabase } from '../support/bot-database.ts';
import { addWatch } from '../support/bot-watch.ts';
import { freePort } from '../support/free-port.ts';
import { useBot } from '../support/use-bot.ts';

const isMap = ({ blocks = [] }: PageMessage): boolean => blocks.some(({ type }) => type === 'image');

function imageIn({ blocks = [] }: PageMessage): { url: string; alt: string } {
  const image = blocks.find((block) => block.type === 'image');
  if (!image || !('image_url' in image)) throw new Error('this message has no image');
  return { url: image.image_url ?? '', alt: image.alt_text };
}

async function expectPng(url: string): Promise<void> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
}

test.each<Mode>([
  'socket',
  'http',
])('in the playground (%s) the page’s own server has the picture', async (mode) => {
  const bot = await useBot(mode);
  const map = await bot.say(ada, dmOf(ada), 'nextport 9461477 map', { match: isMap });
  const { url, alt } = imageIn(map);
  expect(url.startsWith(`${bot.playground.url}/pictures/`)).toBe(true);
  expect(alt).toMatch(/^Map of DS CYPRESS: 1 .*invented data$/);
  await expectPng(url);
  const forged = await fetch(url.replace(/\/pictures\/../, '/pictures/AA'));
  expect(forged.status).toBe(404);
});

test('the card of a watch offers the map, which the person who clicks sees', async () => {
  const bot = await useBot('socket');
  const { card } = await addWatch(bot);
  const map = await bot.click(ada, card(), 'Map');
  expect(map.ephemeralTo).toBe(ada);
  await expectPng(imageIn(map).url);
});

test('the picture is there after a restart, since its address says what it shows', async () => {
  const LANDFALL_DATA_DIR = mkdtempSync(join(tmpdir(), 'landfall-'));
  onTestFinished(() => rmSync(LANDFALL_DATA_DIR, { recursive: true }));
  const first = await startBot('socket', { env: { LANDFALL_DATA_DIR } });
  const map = await first.say(ada, dmOf(ada), 'nextport 9461477 map', { match: isMap });
  await first.stop();
  const second = await useBot('socket', { env: { LANDFALL_DATA_DIR } });
  const { pathname } = new URL(imageIn(map).url);
  await expectPng(`${second.playground.url}${pathname}`);
});

/** A bot whose Slack is not part of it. */
async function startWithSlack(env: Record<string, string>) {
  const playground = await createPlayground({ mode: 'socket' });
  onTestFinished(playground.close);
  const app = createApp({
    config: createConfig({
      SLACK_BOT_TOKEN: playground.botToken,
      SLACK_APP_TOKEN: playground.appToken,
      SLACK_API_URL: playground.apiUrl,
      ANALYTICS_BASE_URL: 'sandbox',
      LANDFALL_DATA_DIR: ':memory:',
      ...env,
    }),
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
    connect: emptyDatabase,
    timing: { workingMs: 45_000, deadlineMs: 45_000 },
  });
  onTestFinished(async () => void (await app.stop(1_000)));
  await app.start();
  const { botUserId } = playground.world.app;
  return async (text: string) => {
    await playground.say({ userId: ada, channelId: dmOf(ada), text });
    return await playground.waitForMessage(({ userId }) => userId === botUserId, 45_000);
  };
}

test('with a public address the bot’s own server has the picture, also in Socket Mode', async () => {
  const port = await freePort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  const ask = await startWithSlack({ PORT: String(port), PUBLIC_URL });
  const { url } = imageIn(await ask('nextport 9461477 map'));
  expect(url.startsWith(`${PUBLIC_URL}/pictures/`)).toBe(true);
  await expectPng(url);
  expect((await fetch(`${PUBLIC_URL}/pictures/x.png`)).status).toBe(404);
});

test('without a public address there is no map, and nothing offers one', async () => {
  const ask = await startWithSlack({ PORT: '0' });
  const refused = await ask('nextport 9461477 map');
  expect(refused.text).toContain('PUBLIC_URL');
  expect(isMap(refused)).toBe(false);
});
