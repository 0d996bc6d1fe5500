import { expect, test } from 'vitest';
import { ada, ops, privateDesk, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';

const toAda = { match: ({ ephemeralTo }: { ephemeralTo?: string }) => ephemeralTo === ada };
const watches = async () =>
  direct(await sharedDatabase())
    .selectFrom('watches')
    .selectAll()
    .execute();

test.each([
  'socket',
  'http',
] as const)('/watch posts the card, says in private what it costs, and Undo removes the watch (%s)', async (mode) => {
  const bot = await useBot(mode);
  const said = await bot.say(ada, ops, '/watch 9461477 eta 6h', toAda);
  expect(said.text).toContain('DS CYPRESS');
  expect(wordsOf(said)).toMatch(/API calls a month/);
  const [card] = bot.messages(ops).filter(({ ephemeralTo }) => !ephemeralTo);
  expect(card?.text).toContain('The first answer is on its way');
  await bot.runDue();
  const shown = bot.messages(ops).find(({ ts }) => ts === card?.ts);
  expect(shown?.text).toMatch(/^DS CYPRESS → /);
  expect(shown && wordsOf(shown)).toContain("ada's watch");
  expect(await watches()).toHaveLength(1);

  await bot.click(ada, said, 'Undo');
  await bot.playground.waitForMessage(({ text }) => text.includes('Undone'));
  expect(await watches()).toHaveLength(0);
  expect(bot.messages(ops).find(({ ts }) => ts === said.ts)?.text).toContain('Undone');
  expect(bot.messages(ops).find(({ ts }) => ts === card?.ts)?.text).toContain('no longer watched');
});

test('in a channel without the bot nothing is saved, and the answer says what to do', async () => {
  const bot = await useBot('http');
  const said = await bot.say(ada, privateDesk, '/watch 9461477', toAda);
  expect(said.text).toContain('/invite @Landfall');
  expect(await watches()).toHaveLength(0);
});
