import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, ops, startBot, type TestBot } from '../support/bot.ts';
import { driveHome } from '../support/home-driver.ts';
import { startPostgres, type TestPostgres } from '../support/store-postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

let postgres: TestPostgres;
let bot: TestBot;

beforeAll(async () => {
  postgres = await startPostgres();
  bot = await startBot('socket', {
    automatic: true,
    env: {
      DATABASE_URL: await postgres.createDatabase(),
      LANDFALL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      LANDFALL_DATA_DIR: ':memory:',
      METRICS_PORT: '0',
    },
  });
});
afterAll(async () => {
  await bot?.stop();
  await postgres?.close();
});

const isReady = async () => (await fetch(`${bot.playground.url}/readyz`)).status === 200;

async function storeFailures(): Promise<number> {
  const text = await (await fetch(bot.metricsUrl ?? '')).text();
  return Number(/^landfall_store_failures_total (\d+)$/m.exec(text)?.[1]);
}

test("without the database, questions to the service are answered and other commands say why they can't; later all works again", async () => {
  expect((await bot.say(ada, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS [→·] /);
  await postgres.stop();
  await waitUntil('it is not ready', async () => !(await isReady()));
  expect(await (await fetch(`${bot.playground.url}/readyz`)).json()).toMatchObject({
    reasons: ['the database does not answer'],
  });
  const before = await storeFailures();
  expect(await storeFailures()).toBeGreaterThan(before);
  expect((await bot.say(ada, ops, '/nextport EVER GIVEN')).text).toMatch(/^EVER GIVEN [→·] /);
  const refused = await bot.say(ada, ops, '/digest list');
  expect(refused.text).toContain("can't be read at the moment");
  const home = driveHome(bot, ada);
  await home.open();
  expect(await home.see("can't be read at the moment")).toContain('last successful call ');

  await postgres.start();
  await waitUntil('it is ready again', isReady);
  expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests in this channel yet');
  await home.press('Try again');
  await home.see('Welcome to Landfall');
});
