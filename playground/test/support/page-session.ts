import type { App } from '@slack/bolt';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { PlaygroundOptions } from '../../src/index.ts';
import { type PlaygroundApp, startPlaygroundApp } from './app.ts';
import { freePort } from './free-port.ts';
import { buildPage, launchBrowser } from './page-browser.ts';

/** One page in one browser with one local Slack for all tests of a file. Each test starts without messages. */
interface PageSession {
  slack(): PlaygroundApp;
  page(): Page;
  /** Stops the local Slack until the next `start`. */
  stop(): Promise<void>;
  /** Starts the local Slack on the same port as before. */
  start(): Promise<void>;
  /** Opens another local Slack in a new tab with the same checks. */
  visit(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Ignores an error that the browser logs in this test, before or after, and the page didn't cause. */
  ignoreError(text: string): void;
  composer(): Locator;
  /** The messages of the open channel. */
  messages(): Locator;
  thread(): Locator;
  button(name: string | RegExp): Locator;
  become(name: string): Promise<void>;
}

/** Registers the hooks. A test fails on any error of the page and on any request to another host. */
export function pageSession(
  options: Omit<PlaygroundOptions, 'mode'>,
  register: (app: App) => void,
): PageSession {
  let built: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  let slack: PlaygroundApp | undefined;
  let page: Page;
  let port: number;
  let errors: string[] = [];
  let ignored: string[] = [];

  const start = async () => {
    slack = await startPlaygroundApp({ ...options, mode: 'socket', port, pageDir: built.pageDir }, register);
  };
  const tab = async (host: string, options: BrowserContextOptions = {}) => {
    const opened = await browser.newPage(options);
    opened.setDefaultTimeout(45_000);
    opened.on('pageerror', (error) => errors.push(error.message));
    opened.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    opened.on('request', (request) => {
      const url = request.url();
      if (!/^(http|ws):/.test(url) || new URL(url).host !== host) errors.push(`request to ${url}`);
    });
    return opened;
  };
  const running = () => {
    if (!slack) throw new Error('the local Slack has been stopped');
    return slack;
  };

  beforeAll(async () => {
    [built, browser, port] = await Promise.all([buildPage(), launchBrowser(), freePort()]);
    await start();
    // The page keeps reconnecting while the local Slack is stopped, so the port stays the same.
    page = await tab(`127.0.0.1:${port}`);
  });
  afterAll(async () => {
    await browser?.close();
    await slack?.stop();
    await built?.remove();
  });
  beforeEach(async () => {
    // The page of the test before must not log anything more, nor show what is still on its way to it.
    await page.goto('about:blank');
    errors = [];
    ignored = [];
    if (!slack) await start();
    const { playground } = running();
    playground.clearMessages();
    for (const { id: userId } of playground.world.users) {
      const [root] = playground.views(userId);
      if (root) await playground.closeView({ userId, viewId: root.id, all: true });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(playground.url);
    await page.getByRole('combobox', { name: /^Message / }).waitFor();
    // Texts that get their font later change their size.
    await page.evaluate('document.fonts.ready.then(() => undefined)');
  });
  afterEach(() => expect(errors.filter((line) => !ignored.some((text) => line.includes(text)))).toEqual([]));

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  return {
    slack: running,
    page: () => page,
    start,
    async visit(url, options) {
      const opened = await tab(new URL(url).host, options);
      await opened.goto(url);
      return opened;
    },
    async stop() {
      await slack?.stop();
      slack = undefined;
    },
    ignoreError(text) {
      ignored.push(text);
    },
    composer: () => page.getByRole('combobox', { name: /^Message / }),
    messages: () => page.getByRole('log', { name: /^Messages in #/ }).getByRole('article'),
    thread: () => page.getByRole('complementary', { name: 'Thread' }),
    button,
    async become(name) {
      await button(/Switch user/).click();
      await page.getByRole('menuitemradio', { name: new RegExp(name) }).click();
      await button(new RegExp(`You are ${name}`)).waitFor();
    },
  };
}
