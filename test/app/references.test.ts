import { afterEach, expect, test } from 'vitest';
import { ada, ops, startBot, type TestBot } from '../support/bot.ts';
import { type FakeReply, type FakeService, startFakeService } from '../support/fake-service.ts';

let bot: TestBot;
let service: FakeService;
afterEach(async () => {
  await bot.stop();
  await service.close();
});

async function start(reply: FakeReply) {
  service = await startFakeService(() => reply);
  const account = { ANALYTICS_API_KEY: 'key', ANALYTICS_USER_ID: 'user', ANALYTICS_PASSWORD: 'password' };
  bot = await startBot('http', { env: { ANALYTICS_BASE_URL: service.url, ...account } });
}

test('the reference that a person is shown is in the log, and went to the service', async () => {
  await start({ body: '<html>' });
  const first = await bot.say(ada, ops, '/nextport 9461477');
  const second = await bot.say(ada, ops, '/nextport 9811000');
  const [firstRef, secondRef] = [first, second].map(({ text }) => /ref ([2-9A-Z]{6})/.exec(text)?.[1]);
  expect(firstRef).toBeDefined();
  expect(secondRef).not.toBe(firstRef);
  expect(service.requests.map(({ headers }) => headers['x-request-id'])).toEqual([firstRef, secondRef]);
  expect(service.logins.map(({ headers }) => headers['x-request-id'])).toEqual([firstRef]);
  const lines = bot.log.filter(({ ref }) => ref === firstRef);
  expect(lines.map(({ msg }) => msg)).toEqual(['logged in at the analytics service', 'command']);
  expect(lines.at(-1)).toMatchObject({ outcome: 'failed', line: 'nextport 9461477' });
});

test('a round of due work has a reference of its own', async () => {
  await start({ status: 404 });
  await bot.say(ada, ops, '/watch 9461477');
  await bot.runDue();
  bot.advance(25 * 3_600_000);
  await bot.runDue();
  const [asked, polled] = service.requests.map(({ headers }) => headers['x-request-id']);
  expect(asked).toBe(bot.log.find(({ line }) => line === 'watch 9461477')?.ref);
  expect(polled).toMatch(/^[2-9A-Z]{6}$/);
  expect(polled).not.toBe(asked);
});
