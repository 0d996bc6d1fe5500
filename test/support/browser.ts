import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Why the browser tests can't run; undefined if there is a browser. */
export const noBrowser = existsSync(chromiumPath)
  ? undefined
  : `there is no Chromium at ${chromiumPath}; set CHROMIUM_PATH`;

/** Without background traffic, so that tests see only the requests of the page. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
