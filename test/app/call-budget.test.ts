import { expect, test } from 'vitest';
import { ada, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;

const sent = () => bot.sandbox.requests.total - bot.sandbox.requests.logins;

test('once the budget of the day is used up, digests say so and send nothing; people are answered', async () => {
  bot = await useBot('http', { env: { ANALYTICS_DAILY_CALLS: '3' } });
  await bot.say(ada, ops, '/digest add "Morning" daily 08:00 UTC: portcalls NLRTM; portcalls DEHAM');
  for (const port of ['NLRTM', 'SGSIN', 'BEANR']) await bot.say(ada, ops, `/portcalls ${port}`);
  expect(sent()).toBe(3);

  const digest = () => bot.messages(ops).findLast(({ text }) => text.includes('Morning')) ?? expect.fail();
  await bot.forward(3);
  expect(sent()).toBe(3);
  expect(wordsOf(digest())).toContain(
    "This workspace has used up today's budget of 3 calls to the analytics service",
  );

  const answer = await bot.say(ada, ops, '/portcalls Genoa');
  expect(answer.text).toContain('Genoa');
  expect(sent()).toBe(4);

  await bot.forward(24);
  expect(sent()).toBe(6);
  expect(wordsOf(digest())).not.toContain('budget');
});
