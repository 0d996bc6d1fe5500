import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';

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

/** Builds the page from the current sources into a temporary folder. */
export async function buildPage(): Promise<{ pageDir: string; remove: () => Promise<void> }> {
  const pageDir = await mkdtemp(join(tmpdir(), 'playground-page-'));
  const root = fileURLToPath(new URL('../../page/', import.meta.url));
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: pageDir, emptyOutDir: true },
  });
  return { pageDir, remove: () => rm(pageDir, { recursive: true }) };
}
