// `npm run pictures` takes the README's pictures from the current page, with the sandbox, the playground and the bot in
// this process. Chromium is found as in the browser tests.
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import manifest from '../package.json' with { type: 'json' };
import { createApp, type Started } from '../src/app/app.ts';
import { createConfig } from '../src/config/config.ts';
import { launchBrowser, noBrowser } from '../test/support/playground-page-browser.ts';
import { waitUntil } from '../test/support/wait-until.ts';

if (noBrowser) throw new Error(noBrowser);
const browser = await launchBrowser();
try {
  await withApp({}, async (page, started) => {
    await takeAnswer(page);
    await takeAlert(page, started);
  });
  await withApp({ PLAYGROUND_WORKSPACES: '2' }, takeInstall);
} finally {
  await browser.close();
}
// A timer of the closed socket would keep the process alive for half a minute.
process.exit(0);

async function withApp(
  settings: Record<string, string>,
  take: (page: Page, started: Started) => Promise<void>,
): Promise<void> {
  const app = createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...settings }),
    logger: pino({ level: 'silent' }),
    version: manifest.version,
    automatic: false,
  });
  try {
    const started = await app.start();
    const page = await browser.newPage({ deviceScaleFactor: 2 });
    await page.goto(started.url);
    await take(page, started);
  } finally {
    await app.stop(5_000);
  }
}

/** Takes the whole page, with an answer. */
async function takeAnswer(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1120, height: 690 });
  await ask(page, '/nextport MSC DIANA');
  await page.getByText('Forecast as of').waitFor();
  await page.screenshot({ path: pathOf('nextport') });
}

/** Takes the thread of a watch, when the vessel has been diverted, which it is within ten days. */
async function takeAlert(page: Page, { playground, advance, runDue }: Started): Promise<void> {
  if (!playground) throw new Error('the playground has not been started');
  await ask(page, '/watch 9461477 only next port');
  const { botUserId } = playground.world.app;
  const channelId = opsOf(playground.world);
  const card = await playground.waitForMessage(
    (message) => message.channelId === channelId && message.userId === botUserId && !message.ephemeralTo,
  );
  await page.getByText('Watching DS CYPRESS here').waitFor();
  const replies = () => playground.messages(channelId).filter(({ threadTs }) => threadTs === card.ts);
  const isDiverted = () => replies().some(({ text }) => text.startsWith('🔴'));
  for (let day = 0; day < 10 && !isDiverted(); day += 0.25) await advance(6);
  // Slack takes only so many updates a minute, and this was days.
  await waitUntil('the card shows the diversion', async () => {
    await runDue();
    return playground.messages(channelId).some(({ ts, text }) => ts === card.ts && text.startsWith('🔴'));
  });
  await page.setViewportSize({ width: 1280, height: 1300 });
  await page
    .getByRole('button', { name: /repl(?:y|ies)/ })
    .first()
    .click();
  const articles = page.getByRole('complementary', { name: 'Thread' }).getByRole('article');
  await articles.nth(replies().length).waitFor();
  await page.mouse.move(0, 0);
  const [first, last] = [await articles.first().boundingBox(), await articles.last().boundingBox()];
  if (!first || !last) throw new Error('the thread is not shown');
  const height = last.y + last.height - first.y;
  await page.screenshot({ path: pathOf('alert'), clip: { ...first, height } });
}

/** Takes the form in which an admin connects the account, after an install. */
async function takeInstall(page: Page, { publicUrl = '', runDue }: Started): Promise<void> {
  await page.setViewportSize({ width: 1120, height: 760 });
  await page.goto(publicUrl);
  await page.getByRole('link', { name: 'Add to Slack' }).first().click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'Open Slack' }).click();
  await runDue();
  await page.getByRole('button', { name: 'Connect your account' }).click();
  await page.getByRole('dialog', { name: 'Connect your account' }).screenshot({ path: pathOf('account') });
}

async function ask(page: Page, line: string): Promise<void> {
  const composer = page.getByRole('combobox', { name: /^Message / });
  await composer.fill(line);
  await composer.press('Enter');
}

function opsOf({ channels }: { channels: readonly { id: string; name: string }[] }): string {
  const ops = channels.find(({ name }) => name === 'ops');
  if (!ops) throw new Error('there is no channel ops');
  return ops.id;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url));
}
