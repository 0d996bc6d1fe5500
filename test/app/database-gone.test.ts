import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, ops, startBot, type TestBot } from '../support/bot.ts';
import { driveHome } from '../support/home-driver.ts';
import { startPostgres, type TestPostgres } from '../support/store-postgres.ts';

let postgres: TestPostgres;
let bot: TestBot;

beforeAll(async () => {
  postgres = await startPostgres();
  bot = await startBot('socket', {
    byItself: true,
    env: {
      DATABASE_URL: await postgres.createDatabase(),
      LANDFALL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      LANDFALL_DATA_DIR: ':memory:',
    },
  });
}, 60_000);
afterAll(async () => {
  await bot?.stop();
  await postgres?.close();
});

const isReady = async () => (await fetch(`${bot.playground.url}/readyz`)).status === 200;

/** Bounded; each look is a request. */
async function until(wanted: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 20_000; tries += 1) if (await wanted()) return true;
  return false;
}

test('while the database is away, questions to the service are answered; what needs it says so; then it goes on', async () => {
  expect((await bot.say(ada, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS: /);
  await postgres.stop();
  expect(await until(async () => !(await isReady()))).toBe(true);
  expect(await (await fetch(`${bot.playground.url}/readyz`)).json()).toMatchObject({
    reasons: ['the database does not answer'],
  });
  expect((await bot.say(ada, ops, '/nextport EVER GIVEN')).text).toMatch(/^EVER GIVEN: /);
  const refused = await bot.say(ada, ops, '/digest list');
  expect(refused.text).toContain('can not be read at the moment');
  const home = driveHome(bot, ada);
  await home.open();
  expect(await home.see('can not be read at the moment')).toContain('Last good call: ');

  await postgres.start();
  expect(await until(isReady)).toBe(true);
  expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests in this channel yet');
  await home.press('Try again');
  await home.see('Welcome to Landfall');
}, 60_000);
