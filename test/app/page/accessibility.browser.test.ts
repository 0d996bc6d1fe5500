import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../../support/axe.ts';
import { ada, ben, ops, startBot, type TestBot } from '../../support/bot.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';

describe.skipIf(noBrowser)(
  `accessibility of what the bot posts${noBrowser ? ` (skipped: ${noBrowser})` : ''}`,
  () => {
    let bot: TestBot;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      [bot, browser] = await Promise.all([startBot('socket'), launchBrowser()]);
      page = await browser.newPage({ permissions: ['local-network-access'] });
      page.setDefaultTimeout(45_000);
      await page.goto(bot.playground.url);
      await page.getByRole('combobox', { name: 'Message #ops' }).waitFor();
    });
    afterAll(async () => {
      await browser?.close();
      await bot?.stop();
    });

    const channels = async () => {
      const menu = page.getByRole('button', { name: 'Show channels' });
      if (await menu.isVisible()) await menu.click();
      return page.getByRole('navigation', { name: 'Workspace' });
    };
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
      await (await channels()).getByRole('button', { name: /^chartering/ }).click();
      await bot.say(ben, ops, '@landfall nextport 9461477 `code` *bold* https://example.com');
      await (await channels()).getByRole('button', { name: /^ops \d+ unread/ }).click();
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
      await (await channels()).getByRole('button', { name: /^Faults/ }).click();
      await page.getByRole('button', { name: 'Close the faults' }).waitFor();
      // All of the panel: a switch that its edge cuts off would count as too small.
      expect(await violations(page, { height: 1400 })).toEqual([]);
      await page.getByRole('button', { name: 'Close the faults' }).click();
    });

    it('holds for menus, the clock, suggestions and the sidebar of a phone', async () => {
      // In a short channel: the messages of the long one have been checked, which takes most of the time.
      await (await channels()).getByRole('button', { name: /^chartering/ }).click();
      const composer = page.getByRole('combobox', { name: 'Message #chartering' });
      await composer.waitFor();
      const states = [
        () => page.getByRole('button', { name: 'Channel actions' }).click(),
        () => page.getByRole('button', { name: /^World clock/ }).click(),
        () => page.getByRole('button', { name: /members$/ }).click(),
        () => composer.fill('/'),
        async () => (await channels()).getByRole('button', { name: /Switch user/ }).click(),
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
      await (await channels()).getByRole('button', { name: 'Landfall' }).click();
      await page.getByRole('button', { name: 'Home', exact: true }).click();
      await page.getByRole('button', { name: /^Watches/ }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  },
);
