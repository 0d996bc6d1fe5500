import { expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, eve, ops, startBot } from '../../support/bot.ts';
import { useStarted } from '../../support/use-started.ts';

const labels = (message: Parameters<typeof buttonsOf>[0]) =>
  buttonsOf(message).map(({ text }) => text?.text ?? '');

const bot = useStarted(() => startBot('http'));
const typed = async (line: string, userId = ada) =>
  (await bot.say(userId, dmOf(userId), line)).text.replace(/ \(Understood as .*/, '');

test('a limit for a month is kept as it was typed, and spread over the days of the month', async () => {
  const set = await bot.say(ada, ops, '/landfall limit 60,000 a month');
  expect(set.text).toContain('Limit: 60,000 API calls a month, so 2,000 a day in November,');
  const shown = await bot.say(ben, ops, '/landfall limit');
  expect(shown.text).toContain(
    `The limit is 60,000 a month, so 2,000 a day in November, set by <@${ada}> on 23 Nov 2026.`,
  );
  expect(labels(shown)).not.toContain('Remove the limit');
  const undone = await bot.click(ada, set, 'Undo');
  expect(undone.text).toContain('Before: 60,000 a month.');
  expect(labels(await bot.say(ada, ops, '/landfall limit none'))).not.toContain('Undo');
});

test('only admins set one, and guests see none', async () => {
  expect((await bot.say(ben, ops, '/landfall limit 10')).text).toContain(
    'Only workspace admins set a limit of API calls. Nothing was saved.',
  );
  expect((await bot.say(eve, ops, '/landfall limit')).text).toContain(
    "Guests of this workspace don't see references, usage or costs.",
  );
});

test.each([
  ['limit 2.000 calls per day', /^Limit: 2,000 API calls a day/],
  ["limit to 1'500/day", /^Limit: 1,500 API calls a day/],
  ['budget 300 daily', /^Limit: 300 API calls a day/],
  ['limit 9k monthly', /^Limit: 9,000 API calls a month, so 300 a day/],
  ['limit off', /^No limit of API calls/],
  ['limit 0', /^With a limit of 0, watches and digests could do nothing\./],
  ['limit 50 a week', /^A limit is for a day or a month, not for “week”\./],
  ['limit 999999999', /^A limit has at most 100,000,000 calls\./],
  ['lower the limit by 10%', /^I can't set a limit like “lower the limit by 10%”/],
  ['increase the limit by 500', /^I can't set a limit like “increase the limit by 500”/],
  ['set the limit of calls to 500 for ben', /it is a number of calls for the whole workspace/],
  ['set the limit to 2,000 a day for #ops', /^(?!.*Le Havre)“set the limit/],
  [
    'raise the limit to 2,000 a day',
    /^Nothing has changed yet\. Do you want \/landfall limit 2,?000 a day\?/,
  ],
  ['limit soon', /^“soon” isn't a number of calls\./],
])('%s', async (line, answer) => {
  expect(await typed(line)).toMatch(answer);
});

test.each([
  'are we near our limit?',
  "what's our budget",
  'budget',
  'limit',
  'is there a limit of calls',
])('“%s” shows the limit', async (question) => {
  expect(await typed(question, ben)).toMatch(/API calls? today|API calls used today/);
});

test.each([
  'costs',
  '/landfall costs',
  'cost',
  'what does this cost us?',
  'how many calls are left?',
  'the costs',
])('“%s” shows what Landfall used', async (question) => {
  const { text } = await bot.say(ben, dmOf(ben), question);
  expect(text).toMatch(/^November 2026: Landfall made /);
});
