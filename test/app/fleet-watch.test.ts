import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ada, ben, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { forwardUntil } from '../support/bot-watch.ts';
import { useBot } from '../support/use-bot.ts';

/** Types a line in the channel; the answer is for the person alone. */
const type = (bot: TestBot, userId: string, line: string): Promise<PageMessage> =>
  bot.say(userId, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });

/** The newest card that contains these words. */
function cardOf(bot: TestBot, words: string): PageMessage {
  const posted = bot.messages(ops).filter(({ ephemeralTo, threadTs }) => !ephemeralTo && !threadTs);
  const card = posted.findLast(({ text }) => text.includes(words));
  if (!card) throw new Error(`there is no card of ${words}`);
  return card;
}

const thread = (bot: TestBot, { ts }: PageMessage): PageMessage[] =>
  bot.messages(ops).filter(({ threadTs }) => threadTs === ts);

async function startWithFleet(size: number): Promise<TestBot> {
  const bot = await useBot('http');
  const imos = bot.sandbox.vessels.slice(0, size).map(({ imo }) => imo);
  await type(bot, ada, `/vessel fleet ALPHA add ${imos.join(', ')}`);
  return bot;
}

test('the watch of a fleet follows the fleet: its card and who is polled', async () => {
  const bot = await startWithFleet(2);
  const [first, second, third] = bot.sandbox.vessels;
  await type(bot, ada, '/watch fleet:ALPHA');
  await bot.runDue();
  expect(wordsOf(cardOf(bot, 'Fleet ALPHA'))).toContain('follows the fleet (2 vessels)');
  const added = await type(bot, ben, `/vessel fleet alpha add ${third?.imo}`);
  expect(added.text).toContain('Fleet ALPHA, 3 vessels; 1 added, also to its watch');
  await type(bot, ben, `/vessel fleet ALPHA remove ${first?.imo}`);
  await bot.runDue();
  await bot.runDue();
  const card = cardOf(bot, 'Fleet ALPHA');
  const words = wordsOf(card);
  expect(words).toContain('follows the fleet (2 vessels)');
  for (const vessel of [second, third]) expect(words).toContain(vessel?.name);
  expect(words).not.toContain(first?.name);
  expect(thread(bot, card)).toEqual([]);

  const gone = await type(bot, ben, '/vessel fleet ALPHA forget');
  expect(gone.text).toContain('Its watch keeps the last vessels until it is stopped.');
  await bot.runDue();
  expect(wordsOf(cardOf(bot, 'Fleet ALPHA'))).toContain(
    'The fleet no longer exists: its last vessels stay watched',
  );
  const stopped = await type(bot, ada, '/watch stop fleet:ALPHA');
  await type(bot, ada, `/vessel fleet ALPHA add ${first?.imo}`);
  await bot.click(ada, stopped, 'Undo');
  await bot.playground.waitForMessage(({ text }) => text.includes('is watched again'));
  await bot.runDue();
  const again = wordsOf(cardOf(bot, String(first?.name)));
  expect(again).toContain(first?.name);
  expect(again).toContain('follows the fleet (1 vessel)');
});

test('a fleet at a port: notified when one of its vessels is newly expected there', async () => {
  const bot = await startWithFleet(40);
  await type(bot, ada, '/watch port Rotterdam');
  const added = await type(bot, ada, '/watch fleet:ALPHA at Rotterdam');
  expect(added.text).toContain('Watching fleet ALPHA at Rotterdam (NLRTM) here.');
  expect(wordsOf(added)).toContain('No extra API calls');
  await bot.runDue();
  const card = () => cardOf(bot, 'Fleet ALPHA at Rotterdam');
  expect(wordsOf(card())).toMatch(/Fleet ALPHA at Rotterdam: (?:none|\d+) of 40 vessels expected/);
  const newly = () => thread(bot, card()).filter(({ text }) => text.includes('Newly expected at Rotterdam'));
  await forwardUntil(bot, () => newly().length > 0);
  const names = bot.sandbox.vessels.slice(0, 40).map(({ name }) => name);
  for (const { text } of thread(bot, card()))
    expect(names.some((name) => text.includes(name)) || text.includes('does not answer')).toBe(true);
  const stopped = await type(bot, ada, '/watch stop fleet:ALPHA at Rotterdam');
  expect(stopped.text).toContain('No longer watched: fleet ALPHA at Rotterdam (NLRTM)');
  const left = await type(bot, ada, '/watch list');
  expect(left.text).toMatch(/^1 watch in this channel/);
});
