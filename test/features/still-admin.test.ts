import { beforeEach, expect, test } from 'vitest';
import { ada, ops, startBot } from '../support/bot.ts';
import { useStarted } from '../support/use-started.ts';

const bot = useStarted(() => startBot('socket'));

/** Slack's answer about a person is cached for an hour. */
const cachedMs = 3_700_000;

function setAdmin(isAdmin: boolean): void {
  const person = bot.playground.world.users.find(({ id }) => id === ada);
  if (!person) throw new Error('no Ada');
  person.isAdmin = isAdmin;
}

beforeEach(async () => {
  setAdmin(true);
  bot.advance(cachedMs);
  // From now on the bot takes her for an admin.
  await bot.say(ada, ops, '/landfall settings links off');
});

const overview = 'Only workspace admins can see what everybody has set up.';
const audit = 'Only workspace admins can see who changed what.';

test.each([
  ['overview', overview],
  ['overview unused', overview],
  ['overview as csv', overview],
  ['limit 5 a day', 'Only workspace admins set a limit of API calls. Nothing was saved.'],
  ['export workspace', 'Only workspace admins can export or delete what is stored about others'],
  ['audit', audit],
  ['audit as csv', audit],
  ['audit entry 1', audit],
  ['settings guests ask', 'Only workspace admins choose what guests may do. Nothing was saved.'],
  ['settings links on', 'Only workspace admins choose whether links to vessels show the next ports.'],
])('somebody who has just lost the role of an admin is refused “%s”', async (line, refusal) => {
  setAdmin(false);
  expect((await bot.say(ada, ops, `/landfall ${line}`)).text).toContain(refusal);
});

test('and an Undo from before changes nothing', async () => {
  const set = await bot.say(ada, ops, '/landfall limit 700 a day');
  setAdmin(false);
  expect((await bot.click(ada, set, 'Undo')).text).toContain('Nothing was saved.');
  expect((await bot.say(ada, ops, '/landfall limit')).text).toContain('The limit is 700 a day');
});
