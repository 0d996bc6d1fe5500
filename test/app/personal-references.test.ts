import { beforeEach, expect, test } from 'vitest';
import { ada, dmOf, type TestBot, wordsOf } from '../support/bot.ts';
import { untilNotified } from '../support/bot-watch.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;
beforeEach(async () => {
  bot = await useBot('socket');
  await bot.say(ada, dmOf(ada), 'vessel ref 9461477 BK-77');
});

/** The card of a watch in the direct message, which has no thread. */
const card = () => {
  const found = bot.messages(dmOf(ada)).find(({ text }) => /^DS CYPRESS(?!: added)/.test(text));
  if (!found) throw new Error('there is no card');
  return found;
};

test('the card and the alerts of a personal watch show references', async () => {
  await bot.say(ada, dmOf(ada), 'watch 9461477 next leg, arriving 72h 48h 24h', {
    match: ({ text }) => text.startsWith('Watching'),
  });
  await bot.runDue();
  expect(wordsOf(card())).toContain('BK-77');
  expect(wordsOf(await untilNotified(bot, card()))).toContain('BK-77');
});

test('in the direct message, usage can be asked with “public” too', async () => {
  const answer = await bot.say(ada, dmOf(ada), '/usage public');
  expect(answer.text).not.toContain('another organisation');
});

test('a personal digest sends the whole answer about usage', async () => {
  await bot.say(ada, dmOf(ada), '/digest add daily 08:00 to me: usage bot');
  await bot.say(ada, dmOf(ada), '/digest run 1');
  const sent = await bot.after(bot.runDue, ({ threadTs }) => threadTs !== undefined);
  expect(sent.text).not.toContain('another organisation');
});
