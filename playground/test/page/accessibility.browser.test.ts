import { join } from 'node:path';
import type { App } from '@slack/bolt';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlayground, twoWorkspaces } from '../../src/index.ts';
import { startPlaygroundApp } from '../support/app.ts';
import { authorizeUrl, oauthOptions } from '../support/oauth.ts';
import { answer } from '../support/page-app.ts';
import { violations } from '../support/page-axe.ts';
import { PNG, picture } from '../support/page-blocks.ts';
import { buildPage, launchBrowser, noBrowser } from '../support/page-browser.ts';
import { everyInput, modal, plain } from '../support/views.ts';

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
      await page.getByRole('complementary', { name: "Your app isn't installed" }).waitFor();
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
