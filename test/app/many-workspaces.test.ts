import { afterEach, beforeEach, expect, test } from 'vitest';
import { freight, norderney, startManyBot } from '../support/many-workspaces.ts';

let bot: Awaited<ReturnType<typeof startManyBot>>;
beforeEach(async () => {
  bot = await startManyBot({ env: { ACCOUNTS: 'shared' } });
});
afterEach(() => bot.stop());

test('both workspaces install the app and are answered, each by its own bot', async () => {
  expect(await bot.install(freight)).toContain('Landfall is installed in Harbour Freight');
  expect(await bot.install(norderney)).toContain('Landfall is installed in Norderney Lines');
  for (const { admin, ops } of [freight, norderney]) {
    const answer = await bot.say(admin, ops, '/nextport 9461477');
    expect(answer.text).toMatch(/^DS CYPRESS: /);
  }
});

test('watches of one workspace are not those of the other, and an uninstall ends only its own', async () => {
  await bot.install(freight);
  await bot.install(norderney);
  await bot.say(freight.admin, freight.ops, '/watch add 9461477');
  await bot.say(norderney.admin, norderney.ops, '/watch add 9811000');
  await bot.runDue();
  expect((await bot.say(freight.admin, freight.ops, '/watch list')).text).toContain('DS CYPRESS');
  const list = await bot.say(norderney.admin, norderney.ops, '/watch list');
  expect(list.text).toContain('EVER GIVEN');
  expect(list.text).not.toContain('DS CYPRESS');

  await bot.playground.controls.uninstall(freight.teamId);
  const refused = await bot.playground.say({
    userId: freight.admin,
    channelId: freight.ops,
    text: '/watch list',
  });
  expect(refused.ok).toBe(false);
  expect((await bot.say(norderney.admin, norderney.ops, '/watch list')).text).toBe(list.text);

  // Installed again, it starts anew.
  await bot.install(freight);
  expect((await bot.say(freight.admin, freight.ops, '/watch list')).text).not.toContain('DS CYPRESS');
});
