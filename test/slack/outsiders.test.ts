import { beforeEach, describe, expect, test } from 'vitest';
import { ada, buttonsOf, privateDesk, shared, type TestBot, wordsOf } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

describe('people of another organisation', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await useBot('socket');
  });

  test('do not see usage', async () => {
    const privately = await bot.say(ada, shared, '/usage');
    expect(privately.text).toMatch(/^\w+ 20\d\d: [\d,]+ requests/);
    const mention = await bot.say(ada, shared, '@landfall usage');
    expect(mention.ephemeralTo).toBeUndefined();
    expect(mention.text).not.toMatch(/\d,\d{3}|API account/);
    expect(wordsOf(mention)).not.toContain('API account');
  });

  test('never see what is private to the organisation: Share is refused at the first click, privately', async () => {
    const answer = await bot.say(ada, shared, '/usage');
    for (const refused of [
      await bot.click(ada, answer, 'share'),
      await bot.say(ada, shared, '/usage public'),
    ]) {
      expect(refused.ephemeralTo).toBe(ada);
      expect(refused.text).toMatch(
        /^This isn't shown in a channel that people from another organisation can read\./,
      );
      expect(buttonsOf(refused)).toEqual([]);
    }
  });

  test("are assumed to read a channel that the bot can't see", async () => {
    const answer = await bot.say(ada, privateDesk, '/nextport 9461477');
    const question = await bot.click(ada, answer, 'share');
    expect(buttonsOf(question).map(({ text }) => text?.text)).toEqual(['Share here', "Don't share"]);
  });
});
