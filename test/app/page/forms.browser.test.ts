import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ops, startBot, type TestBot } from '../../support/bot.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';

describe.skipIf(noBrowser)(
  `the bot's forms in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`,
  () => {
    let bot: TestBot;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      [bot, browser] = await Promise.all([startBot('socket'), launchBrowser()]);
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(45_000);
      await page.goto(bot.playground.url);
    });
    afterAll(async () => {
      await browser?.close();
      await bot?.stop();
    });

    const dialog = () => page.getByRole('dialog').last();
    const field = (name: string) => dialog().getByRole('textbox', { name });
    const press = (name: string) => dialog().getByRole('button', { name, exact: true }).last().click();

    it('the Home tab shows first steps, and then the watch that was added there', async () => {
      const home = page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Home' });
      await page
        .getByRole('button', { name: /^Landfall/ })
        .first()
        .click();
      await home.click();
      await page.getByText('Welcome to Landfall.').waitFor();
      await page.getByRole('button', { name: 'Watch a vessel …' }).click();
      await field('What to watch').fill('9461477');
      await dialog().getByText('✓ DS CYPRESS (IMO 9461477)').waitFor();
      await dialog().getByRole('combobox', { name: 'Channel' }).focus();
      await page.keyboard.type('ops');
      await page.keyboard.press('Enter');
      await press('Watch');
      await dialog().getByText('Watching DS CYPRESS').waitFor();
      await press('Close');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Watches 1' }).waitFor();
      await page.getByText('DS CYPRESS: waiting for the first answer').waitFor();
      expect(await page.getByText('Welcome to Landfall.').count()).toBe(0);
      await page.getByRole('button', { name: /^ops/ }).first().click();
    });

    it('a digest is planned: its lines are checked while typing, previewed and saved', async () => {
      const composer = page.getByRole('combobox', { name: /^Message / });
      await composer.fill('/digest');
      await composer.press('Enter');
      await page.getByRole('button', { name: 'Add a digest …' }).click();
      await field('Line 1').pressSequentially('portcals rotterdam');
      await dialog().getByText('Did you mean /portcalls NLRTM').waitFor();
      await press('Add a line');
      await field('Line 2').pressSequentially('nextport 9461477');
      await dialog().getByText('✓ nextport 9461477').waitFor();
      await field('Line 1').fill('usage');
      await dialog().getByText('✓ usage').waitFor();
      await press('Preview');
      await dialog().getByText('Nothing is saved or posted yet.').waitFor();
      await dialog()
        .getByText(/requests, .* errors?/)
        .waitFor();
      await press('Close');
      // What was typed is still there.
      expect(await field('Line 2').inputValue()).toBe('nextport 9461477');
      await press('Save');
      await dialog().getByText('Usage, 9461477').waitFor();
      await press('Close');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The watch's card, and the answer to /digest.
      await expect.poll(() => bot.messages(ops)).toHaveLength(2);
    });

    it('the shortcut adds a watch, a wrong number is corrected, and the card appears', async () => {
      const own = await startBot('socket');
      const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      tab.setDefaultTimeout(45_000);
      try {
        await tab.goto(own.playground.url);
        await tab.getByRole('button', { name: 'Shortcuts' }).click();
        await tab.getByRole('menuitem', { name: /Watch a vessel/ }).click();
        const form = tab.getByRole('dialog', { name: 'Watch a vessel' });
        const what = form.getByRole('textbox', { name: 'What to watch' });
        await what.fill('9461478');
        await form.getByText("⚠ 9461478 isn't a valid IMO number").waitFor();
        await form.getByRole('combobox', { name: 'Channel' }).focus();
        await tab.keyboard.type('ops');
        await tab.keyboard.press('Enter');
        const send = form.getByRole('button', { name: 'Watch', exact: true });
        await send.click();
        await form.getByText(/^9461478 isn't a valid IMO number.*Did you mean DS CYPRESS/).waitFor();
        await what.fill('9461477');
        await form.getByText('✓ DS CYPRESS (IMO 9461477)').waitFor();
        await send.click();
        const answer = tab.getByRole('dialog', { name: 'Landfall' });
        await answer.getByText('Watching DS CYPRESS in').waitFor();
        await answer.getByRole('button', { name: 'Close' }).last().click();
        const messages = tab.getByRole('log', { name: /^Messages in #/ }).getByRole('article');
        await messages.filter({ hasText: 'DS CYPRESS' }).getByRole('combobox', { name: 'Snooze' }).waitFor();
      } finally {
        await tab.close();
        await own.stop();
      }
    });
  },
);
