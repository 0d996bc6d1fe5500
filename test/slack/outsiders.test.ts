import { beforeEach, describe, expect, test } from 'vitest';
import { ada, buttonsOf, dora, privateDesk, shared, type TestBot, wordsOf } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

describe('people of another organisation', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await useBot('socket');
  });

  test('can use no slash command, mention or button, and the answer says so', async () => {
    const slash = await bot.say(dora, shared, '/nextport 9461477');
    expect(slash.ephemeralTo).toBe(dora);
    expect(slash.text).toContain('Landfall only answers people in the organisation that installed it');

    const post = await bot.say(ada, shared, '/nextport 9461477 public');
    const click = await bot.click(dora, post, 'refresh');
    expect(click).toMatchObject({ ephemeralTo: dora, text: slash.text });

    const mention = await bot.say(dora, shared, '@landfall nextport 9461477');
    expect(mention).toMatchObject({ ephemeralTo: dora, text: slash.text });
  });

  test('do not see usage', async () => {
    const privately = await bot.say(ada, shared, '/usage');
    expect(privately.text).toMatch(/^\w+ 20\d\d: [\d,]+ requests/);
    const mention = await bot.say(ada, shared, '@landfall usage');
    expect(mention.ephemeralTo).toBeUndefined();
    expect(mention.text).not.toMatch(/\d,\d{3}|API account/);
    expect(wordsOf(mention)).not.toContain('API account');
  });

  test('are mentioned before Share posts in their channel', async () => {
    const answer = await bot.say(ada, shared, '/nextport 9461477');
    const question = await bot.click(ada, answer, 'share');
    expect(question.ephemeralTo).toBe(ada);
    expect(question.text).toContain('People from another organisation can read this channel');
    const post = await bot.click(ada, question, 'Share here');
    expect(post.ephemeralTo).toBeUndefined();
    expect(post.text).toContain('DS CYPRESS');
    expect(bot.messages(shared).map(({ ts }) => ts)).not.toContain(question.ts);
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
