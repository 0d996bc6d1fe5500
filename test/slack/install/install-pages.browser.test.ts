import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from '../../support/browser.ts';
import { type InstallApp, startInstallApp } from '../../support/install-app.ts';
import { oauthOptions } from '../../support/oauth.ts';

describe.skipIf(noBrowser)(
  `the install pages in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`,
  () => {
    const options = oauthOptions();
    let app: InstallApp;
    let browser: Browser;
    beforeAll(async () => {
      app = await startInstallApp(options);
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await app.stop();
    });

    test.each([
      ['light', 1200],
      ['dark', 320],
    ] as const)('show in %s at %i pixels what their policy allows, and fit', async (colorScheme, width) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 } });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      for (const path of ['/', '/slack/oauth_redirect?error=access_denied', '/slack/oauth_redirect?code=x']) {
        await page.goto(`${app.url}${path}`);
        const color = await page.evaluate(
          "getComputedStyle(document.querySelector('.button')).backgroundColor",
        );
        expect(color).toBe(colorScheme === 'light' ? 'rgb(18, 48, 79)' : 'rgb(191, 220, 245)');
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow).toBeLessThanOrEqual(0);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      }
      // A browser asks for an icon, and logs a status of 400.
      expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
      await context.close();
    });
  },
);
