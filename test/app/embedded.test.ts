import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { emptyDatabase } from '../support/bot-database.ts';

async function start(env: Record<string, string>) {
  const app = createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...env }),
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
    connect: emptyDatabase,
    automatic: false,
  });
  onTestFinished(async () => void (await app.stop(1_000)));
  return app.start();
}

/** On Linux a server on 127.0.0.1 does not answer there, and one on 0.0.0.0 does. */
const elsewhere = (url: string) => `http://127.0.0.2:${new URL(url).port}/healthz`;

test("a playground that the settings don't name listens on loopback only; a named playground, on HOST", async () => {
  const unnamed = await start({ HOST: '0.0.0.0' });
  expect((await fetch(`${unnamed.url}/healthz`)).status).toBe(200);
  await expect(fetch(elsewhere(unnamed.url))).rejects.toThrow('fetch failed');

  const named = await start({ HOST: '0.0.0.0', SLACK_API_URL: 'playground' });
  if (process.platform === 'linux') expect((await fetch(elsewhere(named.url))).status).toBe(200);
});

test('the sandbox stays on loopback, even if the settings name it', async () => {
  const { sandbox } = await start({ HOST: '0.0.0.0', ANALYTICS_BASE_URL: 'sandbox' });
  expect(new URL(sandbox?.url ?? '').hostname).toBe('127.0.0.1');
});

test("SANDBOX_CONTROLS opens the sandbox's controls; without the setting there are none", async () => {
  const closed = await start({});
  expect((await fetch(`${closed.sandbox?.url}/_sandbox/state`)).status).toBe(404);

  const open = await start({ SANDBOX_CONTROLS: 'true' });
  const state = await fetch(`${open.sandbox?.url}/_sandbox/state`);
  expect(await state.json()).toMatchObject({ faults: [], clock: { speed: 1 } });
  const changed = await fetch(`${open.sandbox?.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ speed: 60 }),
  });
  expect(await changed.json()).toMatchObject({ clock: { speed: 60 } });
  expect(open.sandbox?.clock.speed()).toBe(60);
});
