import { beforeEach, expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, ops, startBot, type TestBot, wordsOf } from '../../support/bot.ts';
import { useStarted } from '../../support/use-started.ts';

const bot = useStarted(() => startBot('http'));

const say = (userId: string, line: string): ReturnType<TestBot['say']> =>
  bot.say(userId, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });
const inAll = (message: Awaited<ReturnType<typeof say>>) =>
  /Now in all: ([^"·]+)/.exec(wordsOf(message))?.[1]?.trim();

beforeEach(async () => {
  await say(ada, '/watch stop EVER GIVEN yes');
  await say(ada, '/watch EVER GIVEN below 40%');
});

test('rules of different kinds are added to the watch of the channel, with Undo, also those of another person', async () => {
  expect(inAll(await say(ada, '/watch EVER GIVEN eta 6h'))).toBe('ETA 6 h; under 40%; 24 h before ETA');
  const added = await say(ben, '/watch EVER GIVEN due NLRTM 27 Dec 18:00');
  expect(inAll(added)).toContain('ETA 6 h; under 40%; 24 h before ETA; due Rotterdam');
  expect(wordsOf(added)).toContain(`It is the watch of <@${ada}>, who is notified of the change`);
  expect(wordsOf(added)).not.toContain('No longer');
  await bot.click(ben, added, 'Undo');
  const same = await say(ben, '/watch EVER GIVEN');
  expect(same.text).toMatch(/^EVER GIVEN is already watched here\. /);
});

test("another figure changes one's own watch at once, and somebody else's only after a question", async () => {
  const own = await say(ada, '/watch EVER GIVEN below 30%');
  expect(wordsOf(own)).toContain(
    'New: the probability falls under 30% · No longer: the probability falls under 40%',
  );
  const asked = await say(ben, '/watch EVER GIVEN below 60%');
  expect(asked.text).toContain(`Change the watch of EVER GIVEN? It belongs to <@${ada}>.`);
  expect(buttonsOf(asked).map(({ text }) => text?.text)).toEqual([
    'Change it',
    'Watch it for me alone',
    'Cancel',
  ]);
  const alone = await bot.click(ben, asked, 'Watch it for me alone');
  expect(alone.channelId === dmOf(ben) || alone.ephemeralTo === ben).toBe(true);
  expect(inAll(await say(ada, '/watch EVER GIVEN eta 6h'))).toContain('under 30%');
});

test.each([
  'quiet 22:00-06:00',
  'until next port',
  'only diverted',
])('what would silence or end it is asked too: %s', async (rule) => {
  expect((await say(ben, `/watch EVER GIVEN ${rule}`)).text).toContain('Change the watch of EVER GIVEN?');
  const own = await say(ada, `/watch EVER GIVEN ${rule}`);
  expect(own.text).toContain('its rules have changed');
});

test("another date for a port replaces the older one; somebody else's only after a question, which knows what has changed since", async () => {
  await say(ada, '/watch EVER GIVEN due Rotterdam 7 dec');
  const moved = await say(ada, '/watch EVER GIVEN due Rotterdam 9 dec 14:00 UTC');
  expect(wordsOf(moved)).toContain('New: the ETA at Rotterdam (NLRTM) passes Wed 9 Dec 15:00 LT');
  expect(wordsOf(moved)).toContain('No longer: the ETA at Rotterdam (NLRTM) passes Mon 7 Dec 23:59 LT');
  expect(inAll(await say(ada, '/watch EVER GIVEN due Antwerp 9 dec'))).toMatch(
    /; due Rotterdam .*; due Antwerp/,
  );

  const asked = await say(ben, '/watch EVER GIVEN eta 2 days');
  expect((await say(ben, '/watch EVER GIVEN due Rotterdam 8 dec')).text).toContain('It belongs to');
  await say(ada, '/watch EVER GIVEN due Rotterdam 12 dec');
  const again = await bot.click(ben, asked, 'Change it');
  expect(again.text).toContain('Somebody has changed it since you were asked');
  expect(again.text).not.toContain('Rotterdam');
  await bot.click(ben, again, 'Change it');
  const all = inAll(await say(ada, '/watch EVER GIVEN below 20%'));
  expect(all).toContain('ETA 48 h');
  expect(all).toContain('due Rotterdam (NLRTM) Sat 12 Dec');
});
