import { expect, test } from 'vitest';
import { ada, ben, dmOf, dora, ops, type TestBot, wordsOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { driveHome } from '../../support/home-driver.ts';
import { direct } from '../../support/statements/direct.ts';
import { useBot } from '../../support/use-bot.ts';

let bot: TestBot;

/** Makes the next users.info fail. */
const fail = () => bot.playground.faults.next('users.info', { error: 'internal_error' });
const noAnswer = "Slack can't tell me who you are right now, so";

test('a question is answered in UTC, and the answer says so', async () => {
  bot = await useBot('socket');
  fail();
  const answer = await bot.say(ada, ops, '/nextport 9461477');
  expect(answer.text).toMatch(/^DS CYPRESS [→·] /);
  expect(wordsOf(answer)).toContain("Slack doesn't give me your time zone, so days and times are in UTC");
  bot.advance(61_000);
  expect(wordsOf(await bot.say(ada, ops, '/nextport 9461477'))).not.toContain('UTC:');
});

test('nothing is changed until Slack answers', async () => {
  bot = await useBot('http');
  const db = await sharedDatabase();
  const lines = [
    '/digest add "Morning" daily 08:00: usage',
    '/watch 9461477 quiet 22:00-06:00',
    '/watch 9755933',
  ];
  fail();
  for (const line of lines) {
    const refused = await bot.say(ada, ops, line);
    expect(refused.text).toBe(`${noAnswer} nothing was changed. Please try again in a minute.`);
  }
  for (const table of ['digests', 'watches'] as const)
    expect(await direct(db).selectFrom(table).select('id').execute()).toEqual([]);
  bot.advance(61_000);
  for (const line of lines)
    await bot.say(ada, ops, line, { match: ({ text }) => /^(?:Digest saved|Watching)/.test(text) });
  const [digest] = await direct(db).selectFrom('digests').select('zone').execute();
  expect(digest?.zone).toBe('Europe/Berlin');
});

test('a person whose workspace no payload names is not served', async () => {
  bot = await useBot('http');
  const uploaded = bot.playground.upload({
    userId: dora,
    name: 'names.csv',
    content: Buffer.from('imo,name\n9811000,OUR GREEN ONE\n'),
  });
  if (!uploaded.ok) throw new Error(uploaded.error);
  fail();
  const { fileId } = uploaded;
  const answer = await bot.after(() =>
    bot.playground.say({ userId: dora, channelId: dmOf(dora), text: '', fileIds: [fileId] }),
  );
  expect(answer.text).toBe(`${noAnswer} I can't answer. Please try again in a minute.`);
  const db = await sharedDatabase();
  expect(
    await direct(db).selectFrom('vessel_names').select('imo').where('name', '=', 'OUR GREEN ONE').execute(),
  ).toEqual([]);
});

test('the Home tab says so, and is drawn once Slack answers', async () => {
  bot = await useBot('socket');
  fail();
  const home = driveHome(bot, ada);
  await home.open();
  await home.see(noAnswer);
  bot.advance(61_000);
  await home.open();
  await home.see('Watch a vessel');
});

test('nothing is handed over to a person unknown to Slack', async () => {
  bot = await useBot('http');
  await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage');
  fail();
  const refused = await bot.say(ada, ops, `/digest hand over 1 to <@${ben}>`);
  expect(refused.text).toContain("Slack can't tell me who that person is right now.");
  bot.advance(61_000);
  expect((await bot.say(ada, ops, `/digest hand over 1 to <@${ben}>`)).text).toContain('Digest handed over');
});
