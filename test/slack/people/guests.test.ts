import { expect, it } from 'vitest';
import { ada, ben, buttonsOf, dmOf, eve, ops, type TestBot, wordsOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { driveHome } from '../../support/home-driver.ts';
import { direct } from '../../support/statements/direct.ts';
import { useBot } from '../../support/use-bot.ts';

let bot: TestBot;

const onlyAsks = "Guests of this workspace may ask, but can't change anything. Nothing was changed.";
const notServed = 'Sorry, Landfall does not answer guests in this workspace.';

const choose = async (rights: string) => {
  const chosen = await bot.say(ada, ops, `/landfall settings guests ${rights}`);
  expect(chosen).toMatchObject({ ephemeralTo: ada });
  return chosen;
};

it('may ask, and change nothing', async () => {
  bot = await useBot('http');
  const answer = await bot.say(eve, ops, '/nextport 9461477');
  expect(answer.text).toMatch(/^DS CYPRESS [→·] /);
  for (const line of ['/watch list', '/digest list', '/vessel list', '/usage', '/landfall settings']) {
    expect((await bot.say(eve, ops, line)).text).not.toContain('Guests of this workspace may ask');
  }
  expect((await bot.click(eve, answer, 'share')).ephemeralTo).toBeUndefined();
  for (const line of [
    '/watch 9461477',
    '/digest add daily 08:00: usage',
    '/digest add daily 08:00 to me: usage',
    '/vessel name 9461477 MINE',
    '@landfall watch 9461477',
  ]) {
    const refused = await bot.say(eve, ops, line);
    expect([line, refused.ephemeralTo, refused.text.slice(0, onlyAsks.length)]).toEqual([
      line,
      eve,
      onlyAsks,
    ]);
  }
  const offered = buttonsOf(answer).map(({ text }) => text?.text);
  expect(offered).toContain('Share');
  expect(offered).not.toContain('Watch');
  const toOthers = await bot.say(ada, ops, '/nextport 9461477 public');
  expect((await bot.click(eve, toOthers, 'Watch')).text).toContain(onlyAsks);
  const db = await sharedDatabase();
  for (const table of ['digests', 'watches'] as const)
    expect(await direct(db).selectFrom(table).select('id').execute()).toEqual([]);
});

it('may refresh a watch, but not snooze or stop it or open a form', async () => {
  bot = await useBot('socket');
  const { card } = await addWatch(bot);
  bot.advance(61_000);
  await bot.click(eve, card(), 'Refresh');
  const toEve = ({ ephemeralTo }: { ephemeralTo?: string }) => ephemeralTo === eve;
  expect(bot.messages(ops).filter(toEve)).toEqual([]);
  const { id } =
    (await direct(await sharedDatabase())
      .selectFrom('watches')
      .select('id')
      .executeTakeFirst()) ?? {};
  const press = (what: { actionId: string; optionValue?: string }) =>
    bot.after(async () => {
      const pressed = { userId: eve, channelId: ops, messageTs: card().ts, ...what };
      expect(await bot.playground.click(pressed)).toMatchObject({ ok: true });
    }, toEve);
  const stop = { actionId: 'apart:menu', optionValue: `watch:ask-to-stop ${id}` };
  expect((await press(stop)).text).toContain(onlyAsks);
  for (const choice of ['1h', 'date'])
    expect((await press({ actionId: 'watch:snooze', optionValue: `${choice} ${id}` })).text).toContain(
      onlyAsks,
    );
  expect(bot.playground.views(eve)).toEqual([]);
  const home = driveHome(bot, eve);
  await home.open();
  const shown = await home.see('Only my watches');
  expect(shown).not.toContain('API calls');
  expect(shown).not.toContain('Watch a vessel');
});

it('are served like members or not at all, as an admin chooses; the setting is shown and audited', async () => {
  bot = await useBot('http');
  const refused = await bot.say(ben, ops, '/landfall settings guests full');
  expect(refused.text).toContain('Only workspace admins choose what guests may do. Nothing was saved.');
  expect((await bot.say(ben, ops, '/landfall settings')).text).toContain(
    'in the whole workspace: Guests may ask',
  );

  const full = await choose('full');
  expect(full.text).toContain('Guests can do what members can, in the whole workspace.');
  expect((await bot.say(eve, ops, '/digest add "Morning" mon 08:00: usage')).text).toContain('Digest saved');
  expect((await bot.say(ben, ops, '/landfall settings')).text).toContain('Guests can do what members can');

  await choose('none');
  for (const line of ['/nextport 9461477', '@landfall nextport 9461477', '/watch list']) {
    const declined = await bot.say(eve, ops, line);
    expect([declined.ephemeralTo, declined.text.slice(0, notServed.length)]).toEqual([eve, notServed]);
  }
  expect((await bot.say(eve, dmOf(eve), 'nextport 9461477')).text).toContain(notServed);
  expect((await bot.say(ben, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS [→·] /);

  const audit = await bot.say(ada, ops, '/landfall audit');
  expect(wordsOf(audit)).toContain("changed the workspace's settings");
  expect(wordsOf(audit)).toContain('same as members');
  const back = await bot.click(ada, await choose('ask'), 'Undo');
  expect(back.text).toContain('Guests are not served');
});

it("can't become owners of what they may not change", async () => {
  bot = await useBot('http');
  await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage');
  const refused = await bot.say(ada, ops, `/digest hand over 1 to <@${eve}>`);
  expect(refused.text).toContain("That person is a guest, and guests can't change anything here.");
  await choose('full');
  expect((await bot.say(ada, ops, `/digest hand over 1 to <@${eve}>`)).text).toContain('Digest handed over');
});

const startWithReference = async () => {
  bot = await useBot('socket');
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 BK-77');
  await bot.say(ada, ops, '/watch 9461477', { match: ({ text }) => text.startsWith('Watching') });
};

const asked = async (line: string, userId = eve): Promise<string> => {
  const message = await bot.say(userId, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });
  return `${message.text} ${wordsOf(message)}`;
};

it('see neither references nor usage and costs, unless they may do all that members may', async () => {
  await startWithReference();
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

  await choose('full');
  bot.advance(2_000);
  expect(await asked('/nextport BK-77')).toContain('DS CYPRESS');
  expect(await asked('/vessel ref 9461477')).toContain('BK-77');
  expect(await asked('/usage bot')).not.toContain('Guests');
  expect(await asked('/watch list')).toContain('API calls');
});

it('own watches and digests that show no references once they may only ask', async () => {
  await startWithReference();
  await choose('full');
  bot.advance(2_000);
  const watching = await bot.say(eve, dmOf(eve), 'watch 9461477', {
    match: ({ text }) => text.startsWith('Watching'),
  });
  expect(watching.channelId).toBe(dmOf(eve));
  await bot.say(eve, dmOf(eve), '/digest add daily 08:00 to me: usage bot; vessel list');
  const card = () => bot.messages(dmOf(eve)).find(({ text }) => /^DS CYPRESS/.test(text));
  await bot.forward(1);
  expect(wordsOf(card() as never)).toContain('BK-77');
  await choose('ask');
  await bot.forward(4);
  expect(wordsOf(card() as never)).not.toContain('BK-77');
  const digests = bot.messages(dmOf(eve)).filter(({ text }) => text.includes('First run'));
  expect(digests.map(({ text }) => text)).toEqual([expect.stringContaining('1 line could not be answered')]);
  expect(wordsOf(digests[0] as never)).toContain("Guests of this workspace don't see references");
});
