import { beforeEach, expect, test } from 'vitest';
import { ada, dmOf, eve, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;
beforeEach(async () => {
  bot = await useBot('socket');
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 BK-77');
  await bot.say(ada, ops, '/watch 9461477', { match: ({ text }) => text.startsWith('Watching') });
});

const asked = async (line: string, userId = eve): Promise<string> => {
  const message = await bot.say(userId, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });
  return `${message.text} ${wordsOf(message)}`;
};

test('guests see neither references nor usage and costs, unless they may do all that members may', async () => {
  for (const line of ['/usage', '/usage bot', '/usage bot as csv', '/vessel ref 9461477', '/vessel export'])
    expect(await asked(line)).toContain("Guests of this workspace don't see references, usage or costs.");
  // A reference that is stored is as unknown as any other.
  const answer = async (reference: string) => (await bot.say(eve, ops, `/nextport ${reference}`)).text;
  expect(await answer('BK-77')).toBe((await answer('BK-78')).replace('78', '77'));
  expect(await asked('/vessel list')).not.toContain('BK-77');
  const list = await asked('/watch list');
  expect(list).toContain('DS CYPRESS');
  expect(list).not.toContain('API calls');
  expect(await asked('/landfall audit')).toContain('Only workspace admins can see who changed what.');
  expect(await asked('/watch stop 9461477')).toContain("can't change anything");

  await bot.say(ada, dmOf(ada), '/landfall settings guests full');
  bot.advance(2_000);
  expect(await asked('/nextport BK-77')).toContain('DS CYPRESS');
  expect(await asked('/vessel ref 9461477')).toContain('BK-77');
  expect(await asked('/usage bot')).not.toContain('Guests');
  expect(await asked('/watch list')).toContain('API calls');
});

test('a personal watch and a digest that a guest owns show no references once guests may only ask', async () => {
  await bot.say(ada, dmOf(ada), '/landfall settings guests full');
  bot.advance(2_000);
  const watching = await bot.say(eve, dmOf(eve), 'watch 9461477', {
    match: ({ text }) => text.startsWith('Watching'),
  });
  expect(watching.channelId).toBe(dmOf(eve));
  await bot.say(eve, dmOf(eve), '/digest add daily 08:00 to me: usage bot; vessel list');
  const card = () => bot.messages(dmOf(eve)).find(({ text }) => /^DS CYPRESS/.test(text));
  await bot.forward(1);
  expect(wordsOf(card() as never)).toContain('BK-77');
  await bot.say(ada, dmOf(ada), '/landfall settings guests ask');
  await bot.forward(30);
  expect(wordsOf(card() as never)).not.toContain('BK-77');
  const digests = bot.messages(dmOf(eve)).filter(({ text }) => text.includes('First run'));
  expect(digests.map(({ text }) => text)).toEqual([expect.stringContaining('1 line could not be answered')]);
  expect(wordsOf(digests[0] as never)).toContain("Guests of this workspace don't see references");
});
