import type { App } from '@slack/bolt';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { PlaygroundOptions } from '../../src/playground/playground.ts';
import { freePort } from './free-port.ts';
import { type PlaygroundApp, startPlaygroundApp } from './playground-app.ts';
import { buildPage, launchBrowser } from './playground-page-browser.ts';

/** One page in one browser on one local Slack for all tests of a file; each begins with no messages. */
export interface PageSession {
  slack(): PlaygroundApp;
  page(): Page;
  /** Stops the local Slack, so that `start` may be called. */
  stop(): Promise<void>;
  /** On the same port as before. */
  start(): Promise<void>;
  /** Another local Slack, in a tab of its own, watched like the first. */
  visit(url: string): Promise<Page>;
  /** What the browser noted by itself, and is no fault of the page. */
  allow(complaint: string): void;
  composer(): Locator;
  /** Of the open channel. */
  messages(): Locator;
  thread(): Locator;
  button(name: string | RegExp): Locator;
  become(name: string): Promise<void>;
}

/** Registers the hooks. Nothing may break, be blocked by the page's policy, or ask another machine. */
export function pageSession(
  options: Omit<PlaygroundOptions, 'mode'>,
  register: (app: App) => void,
): PageSession {
  let built: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  let slack: PlaygroundApp | undefined;
  let page: Page;
  let port: number;
  let complaints: string[] = [];

  const start = async () => {
    slack = await startPlaygroundApp({ ...options, mode: 'socket', port, pageDir: built.pageDir }, register);
  };
  const tab = async (host: string) => {
    const opened = await browser.newPage();
    opened.setDefaultTimeout(45_000);
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    opened.on('request', (request) => {
      const url = request.url();
      if (!/^(http|ws):/.test(url) || new URL(url).host !== host) complaints.push(`asked for ${url}`);
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
    // It asks on while the local Slack is stopped; its port stays the same.
    page = await tab(`127.0.0.1:${port}`);
    await page.goto(running().playground.url);
  });
  afterAll(async () => {
    await browser?.close();
    await slack?.stop();
    await built?.remove();
  });
  beforeEach(async () => {
    complaints = [];
    if (!slack) await start();
    running().playground.clearMessages();
    await page.setViewportSize({ width: 1280, height: 800 });
    // A reload keeps the page's address, which names a user and a channel.
    await page.evaluate('history.replaceState(null, "", "#")');
    await page.reload();
    await page.getByRole('combobox', { name: /^Message / }).waitFor();
  });
  afterEach(() => expect(complaints).toEqual([]));

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  return {
    slack: running,
    page: () => page,
    start,
    async visit(url) {
      const opened = await tab(new URL(url).host);
      await opened.goto(url);
      return opened;
    },
    async stop() {
      await slack?.stop();
      slack = undefined;
    },
    allow(complaint) {
      complaints = complaints.filter((line) => !line.includes(complaint));
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
