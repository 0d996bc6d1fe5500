import { expect, it } from 'vitest';
import { ada, ben, ops, wordsOf } from '../../support/bot.ts';
import { useBot } from '../../support/use-bot.ts';

// Slack says that Ben's language is American English, and Ada's British.
it('reads a date in numbers in the order of the reader’s language, and answers with its words', async () => {
  const bot = await useBot('socket');
  const answerTo = async (person: string) => wordsOf(await bot.say(person, ops, '/portcalls Rotterdam 3/12'));
  expect(await answerTo(ben)).toContain('Fri 12 Mar');
  expect(await answerTo(ada)).toContain('Thu 3 Dec');
});
