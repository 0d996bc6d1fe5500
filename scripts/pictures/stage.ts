import { mock } from 'node:test';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { createApp, type Started } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import type { Scene } from './picture.ts';

/** A Monday morning: each scene begins then, whatever the day on which its pictures are taken. */
const startsAt = Date.UTC(2026, 10, 23, 8, 5);
const stepMs = 60_000;

export interface Stage {
  page: Page;
  started: Started;
  /** A minute passes: the clock stands still within a step, so that two runs show the same times. */
  tick(): Promise<void>;
  /** Advances the world. */
  advance(hours: number): Promise<void>;
}

/** The sandbox, the playground and the bot in this process, whose clock is that of the scene, with a page in a browser. */
export async function onStage(
  browser: Browser,
  { seed = 1, workspaces = 1, isAgent = false }: Scene,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: startsAt });
  const app = createApp({
    config: createConfig({
      PORT: '0',
      LANDFALL_DATA_DIR: ':memory:',
      SANDBOX_SEED: String(seed),
      PLAYGROUND_WORKSPACES: String(workspaces),
      SLACK_AGENT: String(isAgent),
    }),
    logger: pino({ level: 'silent' }),
    version: manifest.version,
    automatic: false,
  });
  const context = await browser.newContext({
    deviceScaleFactor: 1.5,
    viewport: { width: 1120, height: 2000 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  try {
    const started = await app.start();
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    await page.clock.setFixedTime(startsAt);
    await page.goto(started.url);
    const pass = async (ms: number) => {
      // The page first: it adds the time since the server last sent the clock.
      await page.clock.setFixedTime(Date.now() + ms);
      mock.timers.setTime(Date.now() + ms);
    };
    await play({
      page,
      started,
      tick: () => pass(stepMs),
      async advance(hours) {
        // As the page's own control does it, so that its banner shows the new time.
        const moved = await page.request.post(new URL('/playground/clock', started.url).href, {
          data: { forwardHours: hours },
        });
        if (!moved.ok()) throw new Error(`the clock can't be moved: ${moved.status()}`);
        // Slack takes only so many messages and updates a minute.
        for (let minute = 0; minute < 5; minute += 1) {
          await pass(stepMs);
          await started.runDue();
        }
      },
    });
  } finally {
    await context.close();
    await app.stop(5_000);
    mock.timers.reset();
  }
}
