import { join } from 'node:path';
import type { App } from '@slack/bolt';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlayground, twoWorkspaces } from '../../src/playground/playground.ts';
import { ada, ben, ops, startBot, type TestBot } from '../support/bot.ts';
import { startPlaygroundApp } from '../support/playground-app.ts';
import { authorizeUrl, oauthOptions } from '../support/playground-oauth.ts';
import { answer } from '../support/playground-page-app.ts';
import { violations } from '../support/playground-page-axe.ts';
import { PNG, picture } from '../support/playground-page-blocks.ts';
import { buildPage, launchBrowser, noBrowser } from '../support/playground-page-browser.ts';
import { everyInput, modal, plain } from '../support/playground-views.ts';

describe.skipIf(noBrowser)(`accessibility${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let built: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await built?.remove();
  });

  const open = async (url: string): Promise<Page> => {
    const page = await browser.newPage({ permissions: ['local-network-access'] });
    page.setDefaultTimeout(45_000);
    // The bot has the page of the last build; here it is that of the current sources.
    await page.route('**/', (route) => route.fulfill({ path: join(built.pageDir, 'index.html') }));
    await page.route('**/assets/*', (route) =>
      route.fulfill({ path: join(built.pageDir, new URL(route.request().url()).pathname) }),
    );
    await page.goto(url);
    return page;
  };
  const channels = async (page: Page) => {
    const menu = page.getByRole('button', { name: 'Show channels' });
    if (await menu.isVisible()) await menu.click();
    return page.getByRole('navigation', { name: 'Workspace' });
  };

  describe('of what the bot posts', () => {
    let bot: TestBot;
    let page: Page;
    beforeAll(async () => {
      bot = await startBot('socket');
      page = await open(bot.playground.url);
      await page.getByRole('combobox', { name: 'Message #ops' }).waitFor();
    });
    afterAll(() => bot?.stop());

    const messages = () => page.getByRole('log', { name: 'Messages in #ops' }).getByRole('article');

    it('is checked: an image without a text is found, and a text too faint in dark only', async () => {
      await page.evaluate('document.body.append(new Image())');
      await page.evaluate('document.querySelector(".channel-topic").style.color = "light-dark(black, #444)"');
      expect(await violations(page)).toEqual(
        [
          'light 1280 image-alt',
          'dark 1280 color-contrast',
          'light 390 image-alt',
          'dark 390 color-contrast',
        ].map((start) => expect.stringMatching(`^${start}:`)),
      );
      await page.reload();
      await page.getByRole('combobox', { name: 'Message #ops' }).waitFor();
    });

    it('holds for every kind of answer in a channel', async () => {
      const lines = ['nextport 9461477, 9755933', 'nextport 9461477', 'portcalls Rotterdam next 3 days'];
      const others = ['lane Singapore Xiamen', 'usage last month', 'nextport 9461477 map'];
      const errors = ['nextport 9461478', 'portcalls Rottredam', 'watch'];
      for (const line of [...lines, ...others, ...errors, 'landfall help', 'watch list'])
        await bot.say(ada, ops, `/${line}`);
      await bot.say(ada, ops, '/watch 9461477, 9755933 public');
      await bot.say(ben, ops, '@landfall nextport 9811000');
      await page.getByRole('combobox', { name: 'Message #ops' }).fill('/nope');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      const whole = { height: 12_000 };
      await page.setViewportSize({ width: 1280, ...whole });
      await expect.poll(() => page.locator('.row-far').count()).toBe(0);
      const closed = messages().locator('details:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      expect(await violations(page, whole)).toEqual([]);
      for (const chart of await messages().getByRole('button', { name: 'Show as table' }).all())
        await chart.click();
      expect(await violations(page, whole)).toEqual([]);
      expect(await page.locator('.row-far').count()).toBe(0);
    });

    it('holds in a thread, and for the line above what is new', async () => {
      await (await channels(page)).getByRole('button', { name: /^chartering/ }).click();
      await bot.say(ben, ops, '@landfall nextport 9461477 `code` *bold* https://example.com');
      await (await channels(page)).getByRole('button', { name: /^ops \d+ unread/ }).click();
      // Not the button of the thread, which says “New” as well.
      await page.locator(':not(button) > :text-is("New")').waitFor();
      // By the keyboard: the list may still grow under the pointer.
      const question = messages().filter({ hasText: 'https://example.com' });
      await question.getByRole('button', { name: /1 reply/ }).press('Enter');
      const thread = page.getByRole('complementary', { name: 'Thread' });
      await thread.getByText('1 reply', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await thread.getByRole('button', { name: 'Close the thread' }).click();
    });

    it('holds in a form of the bot with an error', async () => {
      await page.getByRole('button', { name: 'Shortcuts' }).click();
      await page.getByRole('menuitem', { name: /Watch a vessel/ }).click();
      const form = page.getByRole('dialog', { name: 'Watch a vessel' });
      await form.getByRole('textbox', { name: 'What to watch' }).fill('9461478');
      await form.getByText("⚠ 9461478 isn't a valid IMO number").waitFor();
      await form.getByRole('button', { name: 'Watch', exact: true }).click();
      await form.getByRole('alert').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await form.getByRole('button', { name: 'Close all' }).click();
      await form.waitFor({ state: 'detached' });
    });

    it('holds for the inspector, and for the panel of faults', async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: /^Inspector/ }).click();
      const inspector = page.getByRole('region', { name: 'Inspector' });
      await inspector.getByRole('button', { name: /slash \/lane/ }).click();
      await inspector.getByText('"command": "/lane"').waitFor();
      expect(await violations(page)).toEqual([]);
      await inspector.getByRole('button', { name: 'Close the inspector' }).click();
      await (await channels(page)).getByRole('button', { name: /^Faults/ }).click();
      await page.getByRole('button', { name: 'Close the faults' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Close the faults' }).click();
    });

    it('holds for menus, the clock, suggestions and the sidebar of a phone', async () => {
      // In a short channel: the messages of the long one have been checked, which takes most of the time.
      await (await channels(page)).getByRole('button', { name: /^chartering/ }).click();
      const composer = page.getByRole('combobox', { name: 'Message #chartering' });
      await composer.waitFor();
      const states = [
        () => page.getByRole('button', { name: 'Channel actions' }).click(),
        () => page.getByRole('button', { name: /^World clock/ }).click(),
        () => page.getByRole('button', { name: /members$/ }).click(),
        () => composer.fill('/'),
        async () => (await channels(page)).getByRole('button', { name: /Switch user/ }).click(),
      ];
      for (const state of states) {
        expect(await violations(page, { before: state })).toEqual([]);
        await page.keyboard.press('Escape');
        await composer.fill('');
        await page.reload();
        await composer.waitFor();
      }
    });

    it('holds for Home', async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await (await channels(page)).getByRole('button', { name: 'Landfall' }).click();
      await page.getByRole('button', { name: 'Home', exact: true }).click();
      await page.getByRole('button', { name: /^Watches/ }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  it('holds for a modal with each kind of field, their lists and errors, and for a question', async () => {
    const blocks = everyInput.map((block) => ({ ...block, hint: plain('A hint'), optional: false }));
    const register = (app: App) => {
      app.command('/form', async ({ ack, client, body }) => {
        await ack();
        await client.views.open({ trigger_id: body.trigger_id, view: modal(blocks) });
      });
      app.command('/answer', async ({ ack, client, body }) => {
        await ack();
        // On a busy machine the bot's own map may come too late for the message. This one doesn't.
        const blocks = [...answer(1), picture(`${slack.playground.url}/map.png`)];
        await client.chat.postMessage({ channel: body.channel_id, text: 'answer', blocks });
      });
    };
    const routes = {
      '/map.png': () => new Response(PNG, { headers: { 'content-type': 'image/png' } }),
    };
    const options = { mode: 'socket' as const, pageDir: built.pageDir, routes };
    const slack = await startPlaygroundApp(options, register);
    try {
      const page = await open(slack.playground.url);
      const composer = page.getByRole('combobox', { name: /^Message / });
      await composer.fill('/form');
      await composer.press('Enter');
      const form = page.getByRole('dialog', { name: 'Watch a vessel' });
      await form.getByRole('button', { name: 'Watch' }).click();
      await form.getByRole('alert').first().waitFor();
      expect(await violations(page)).toEqual([]);
      const pick = () => form.getByRole('combobox', { name: 'people' }).press('ArrowDown');
      expect(await violations(page, { before: pick })).toEqual([]);
      await page.keyboard.press('Escape');
      await form.getByRole('button', { name: 'Close all' }).click();
      await form.waitFor({ state: 'detached' });
      await composer.fill('/answer');
      await composer.press('Enter');
      await page.getByRole('img', { name: /^Map/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('dialog', { name: 'Stop it?' }).waitFor();
      expect(await violations(page)).toEqual([]);
    } finally {
      await slack.stop();
    }
  });

  it('holds for the consent page, and where the app is not installed', async () => {
    const options = { ...oauthOptions(), workspaces: twoWorkspaces(), pageDir: built.pageDir };
    const slack = await createPlayground({ ...options, requestUrl: 'http://127.0.0.1:9/slack/events' });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(45_000);
      await page.goto(authorizeUrl(slack));
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.goto(`${slack.url}/#`);
      await page.getByRole('complementary', { name: "Landfall isn't installed" }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Installation' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
    } finally {
      await slack.close();
    }
  });
});
