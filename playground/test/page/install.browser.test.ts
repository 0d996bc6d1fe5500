import { App, type AppOptions } from '@slack/bolt';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPlayground, type Playground, twoWorkspaces } from '../../src/index.ts';
import { quietLogger } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { FREIGHT, NORDERNEY, ORGANISATION, oauthOf, oauthOptions } from '../support/oauth.ts';
import { buildPage, launchBrowser, noBrowser } from '../support/page-browser.ts';
import { overflows } from '../support/page-layout.ts';

/** An app that has Bolt's own install pages and answers `/lookup`. */
function createApp(slack: Playground, options: { port: number; redirectUri: string }): App {
  const { clientId, clientSecret, authorizationUrl } = oauthOf(slack);
  const installerOptions: AppOptions['installerOptions'] = {
    authorizationUrl,
    directInstall: true,
    redirectUriPath: new URL(options.redirectUri).pathname,
  };
  const app = new App({
    clientId,
    clientSecret,
    signingSecret: slack.signingSecret,
    stateSecret: 'a state secret of at least thirty-two characters',
    scopes: ['commands', 'chat:write', 'files:read'],
    redirectUri: options.redirectUri,
    installerOptions,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logger: quietLogger,
  });
  app.command('/lookup', async ({ ack, respond, context }) => {
    await ack();
    await respond(`Rotterdam, says the bot of ${context.teamId}`);
  });
  return app;
}

describe.skipIf(noBrowser)(`installing in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const options = oauthOptions();
  let built: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  let slack: Playground;
  let app: App;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  let isFailureExpected: boolean;

  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await built?.remove();
  });
  beforeEach(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    slack = await createPlayground({
      ...options,
      workspaces: twoWorkspaces(),
      pageDir: built.pageDir,
      requestUrl: `${url}/slack/events`,
      oauth: { redirectUrls: [url], installUrl: `${url}/slack/install` },
    });
    app = createApp(slack, { port, redirectUri: `${url}/slack/oauth_redirect` });
    await app.start(port);
    errors = [];
    isFailureExpected = false;
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(45_000);
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      // The page of the app that has no icon.
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        errors.push(message.text());
    });
    page = await context.newPage();
    await page.goto(slack.url);
  });
  afterEach(async () => {
    await context.close();
    await app.stop();
    await slack.close();
    const expected = (error: string) => isFailureExpected && error.startsWith('Failed to load resource');
    expect(errors.filter((error) => !expected(error))).toEqual([]);
  });

  const composer = () => page.getByRole('combobox', { name: /^Message / });
  const type = async (line: string) => {
    await composer().fill(line);
    await composer().press('Enter');
  };
  const switchTo = async (name: string, channel: string) => {
    await page.getByRole('list', { name: 'Workspaces' }).getByRole('button', { name }).click();
    await page.getByRole('main', { name: channel }).waitFor();
  };
  const notInstalled = () => page.getByRole('complementary', { name: "Your app isn't installed" });
  /** Follows the link to the app, which sends the browser on to the consent page. */
  const openConsent = async () => {
    const opened = context.waitForEvent('page');
    await notInstalled().getByRole('link', { name: 'Add Your app' }).click();
    const consent = await opened;
    await consent.getByRole('button', { name: 'Allow' }).waitFor();
    return consent;
  };

  it('starts without the app, lets an admin add it, and leaves the other workspace alone', async () => {
    await notInstalled().waitFor();
    await type('/lookup 9461477');
    await page.getByText('/lookup is not a valid command. In Slack, all messages').waitFor();

    const consent = await openConsent();
    await consent
      .getByRole('heading', { name: 'Your app is requesting permission to access Harbour Freight' })
      .waitFor();
    await consent.getByText('Post messages, and edit or delete its own').waitFor();
    await consent.getByRole('checkbox', { name: /Read files/ }).uncheck();
    await consent.getByRole('button', { name: 'Allow' }).click();
    await consent.waitForURL(/oauth_redirect\?code=/);
    await notInstalled().waitFor({ state: 'detached' });
    await consent.close();

    await type('/lookup 9461477');
    await page.getByText(`Rotterdam, says the bot of ${FREIGHT}`).waitFor();
    await switchTo('Norderney Lines', '#fleet');
    await notInstalled().waitFor();
    expect(await page.getByText('Rotterdam').count()).toBe(0);
    await page.getByRole('button', { name: /You are Ines Duarte/ }).waitFor();
    await slack.say({ userId: 'U0HFOMAR', channelId: 'C0HFOPS', text: 'the pilot is late' });
    await switchTo('Harbour Freight, new messages', '#ops');
    await page.getByText(`Rotterdam, says the bot of ${FREIGHT}`).waitFor();
    await page.getByText('the pilot is late').waitFor();

    await page.getByRole('button', { name: 'Installation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your app in Harbour Freight' });
    await dialog.getByText('Maya Brandt').waitFor();
    await dialog.getByText('2 permissions').waitFor();
    await dialog.getByRole('button', { name: 'Uninstall Your app' }).click();
    await page
      .getByRole('dialog', { name: 'Uninstall Your app?' })
      .getByRole('button', { name: 'Uninstall' })
      .click();
    await dialog.getByText("Your app isn't installed in this workspace.").waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await notInstalled().waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Add Your app' }).count()).toBe(1);
  });

  it('tells a member whom to ask, and brings back whoever cancels', async () => {
    const consent = await openConsent();
    await consent.getByLabel('You are').selectOption('Omar Haddad');
    await consent.getByText('Only an admin of Harbour Freight can install apps. Ask Maya Brandt.').waitFor();
    expect(await consent.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true);
    await consent.getByLabel('Workspace').selectOption('Norderney Lines');
    await consent.getByRole('heading', { name: /Norderney Lines/ }).waitFor();
    expect(await consent.getByLabel('You are').inputValue()).toBe('U0NLINES');
    await consent.setViewportSize({ width: 390, height: 844 });
    expect(await consent.evaluate(overflows('html'))).toBe(false);
    // The failure page of the app has an error status, which the browser logs, maybe later.
    isFailureExpected = true;
    await consent.getByRole('button', { name: 'Cancel' }).click();
    await consent.waitForURL(/oauth_redirect\?error=access_denied/);
    expect([FREIGHT, NORDERNEY].map(oauthOf(slack).isInstalled)).toEqual([false, false]);
  });

  it('installs for a whole organisation, with tokens that expire', async () => {
    await page.getByRole('button', { name: 'Installation' }).click();
    await page.getByRole('checkbox', { name: /Token rotation/ }).check();
    await page.getByRole('checkbox', { name: /Enterprise organisation/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => oauthOf(slack).settings()).toMatchObject({ rotation: true, organisation: true });
    const consent = await openConsent();
    await consent.getByLabel('Workspace').selectOption(ORGANISATION);
    await consent.getByRole('heading', { name: /Coastal Group/ }).waitFor();
    await consent.getByRole('button', { name: 'Allow' }).click();
    // Bolt sends the installer on to Slack's page for adding the app to workspaces.
    await consent.waitForURL(`${slack.url}/#/U0HFMAYA/C0HFOPS`);
    await notInstalled().waitFor({ state: 'detached' });
    await switchTo('Norderney Lines', '#fleet');
    await type('/lookup 9461477');
    await page.getByText(`Rotterdam, says the bot of ${NORDERNEY}`).waitFor();
    await page.getByRole('button', { name: 'Installation' }).click();
    await page.getByText('Maya Brandt, for all of Coastal Group').waitFor();
    await page.getByRole('button', { name: 'Expire tokens now' }).waitFor();
  });
});
