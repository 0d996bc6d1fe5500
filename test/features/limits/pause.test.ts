import { expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, ops, wordsOf } from '../../support/bot.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { driveHome } from '../../support/home-driver.ts';
import { useBot } from '../../support/use-bot.ts';

const paused = 'All watches and digests have been paused since ';

test('while everything is paused, people are answered and nothing else happens; resumed, each watch posts once', async () => {
  const bot = await useBot('socket');
  const { card } = await addWatch(bot);
  await bot.say(ada, ops, '/digest add "Morning" every day 08:00: nextport 9461477');
  const asked = await bot.say(ada, dmOf(ada), "pls pause everything, we're being invoiced per call");
  expect(asked.text).toContain(
    'Pause everything in this workspace? 1 watch and 1 digest will be paused until an admin resumes it.',
  );
  const begun = await bot.click(ada, asked, 'Pause everything');
  expect(begun.text).toContain('Everything is paused until an admin resumes it.');
  const posted = () => bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  await bot.runDue();
  expect(card().text).toMatch(/Paused since Mon 23 Nov \d\d:\d\d UTC, with all watches and digests/);
  const [requests, before, text] = [bot.sandbox.requests.total, posted().length, card().text];
  await bot.forward(72);
  expect(bot.sandbox.requests.total).toBe(requests);
  expect(posted()).toHaveLength(before);
  expect(card().text).toBe(text);

  expect((await bot.say(ben, ops, '/nextport 9811000')).text).toMatch(/^EVER GIVEN [→·] /);
  for (const line of ['/watch list', '/digest list', '/landfall status', '/watch 9839430'])
    expect(
      (await bot.say(ben, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === ben })).text,
      line,
    ).toContain(paused);
  expect((await bot.say(ada, ops, '/digest list')).text).toContain('Morning, next run after the pause');
  expect(wordsOf(await bot.say(ada, ops, '/watch list'))).not.toContain('API calls a day');
  const overview = await bot.say(ada, ops, '/landfall overview');
  expect(overview.text).toContain(paused);
  expect(buttonsOf(overview).map(({ text }) => text?.text)).toContain('Resume everything');
  const home = driveHome(bot, ada);
  await home.open();
  expect(await home.see(paused)).toContain('Resume everything');
  await expect(bot.click(ada, card(), 'Refresh').then(wordsOf)).resolves.toContain(
    'All watches of this workspace are paused, so none is refreshed.',
  );
  // What somebody asks for now, they get.
  await bot.say(ada, ops, '/digest run 1');
  await bot.runDue();
  const digests = () => posted().filter((message) => wordsOf(message).includes('Morning'));
  expect(digests()).toHaveLength(1);

  const resumedFrom = posted().length;
  const resumed = await bot.say(ada, dmOf(ada), 'resume');
  expect(resumed.text).toContain('Everything is running again: 2 watches and 1 digest.');
  await bot.forward(1);
  const news = posted().slice(resumedFrom);
  expect(bot.sandbox.requests.total).toBeGreaterThan(requests);
  expect(news.filter(({ threadTs }) => threadTs === card().ts).length).toBeLessThanOrEqual(1);
  expect(card().text).not.toContain('Paused');
  expect(news.map(wordsOf).join()).not.toContain('has not answered');
  expect(digests()).toHaveLength(1);
  await bot.forward(24);
  expect(digests()).toHaveLength(2);
  expect(posted().map(wordsOf).join()).not.toContain('missed');
  expect((await bot.say(ada, ops, '/watch list')).text).not.toContain(paused);
});

test('a pause with an end is over by then, and says until when it lasts', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  await bot.say(ada, ops, '/digest add "Morning" every day 08:00: nextport 9461477');
  const asked = await bot.say(ada, ops, '/landfall pause for 2 days');
  const length = 'It lasts 2 d, and 2 runs of digests are skipped.';
  expect(asked.text).toContain(length);
  expect((await bot.click(ada, asked, 'Pause everything')).text).toContain(length);
  expect((await bot.say(ada, ops, '/digest list')).text).toContain(
    'Morning, next Wed 25 Nov 08:00, after the pause',
  );
  expect(wordsOf(await bot.say(ada, ops, '/usage bot'))).toMatch(
    /watches and digests are paused until Wed 25 Nov 05:1\d UTC, so they make no calls then/,
  );
  const requests = bot.sandbox.requests.total;
  const until = /until 25 Nov 2026 05:1\d UTC/;
  expect((await bot.say(ben, ops, '/landfall status')).text).toMatch(until);
  await bot.forward(47);
  expect(bot.sandbox.requests.total).toBe(requests);
  const later = await bot.say(ada, ops, '/landfall pause');
  expect(later.text).toContain('Pause everything until an admin resumes it instead?');
  await bot.forward(2);
  expect(bot.sandbox.requests.total).toBeGreaterThan(requests);
  expect((await bot.say(ben, ops, '/landfall status')).text).not.toContain(paused);
  expect(wordsOf(await bot.say(ada, ops, '/landfall audit'))).toContain('resumed all watches and digests');
});
