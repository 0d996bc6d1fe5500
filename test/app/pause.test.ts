import { expect, test } from 'vitest';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { ada, dmOf, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { addWatch } from '../support/bot-watch.ts';
import { countRows } from '../support/every-table.ts';
import { driveHome } from '../support/home-driver.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;

const setPaused = async (pausedAt: Date | null) => {
  const db = await sharedDatabase();
  await db.updateTable('workspaces').set({ paused_at: pausedAt }).execute();
  // The bot notices within a second.
  bot.advance(1_001);
};
const requests = () => bot.sandbox.requests.total;

test('a paused workspace: people get a notice and nothing is polled, sent or run; resumed, all goes on', async () => {
  bot = await useBot('socket');
  const { card } = await addWatch(bot);
  await bot.say(ada, ops, '/digest add every day 08:00: nextport 9461477');
  await setPaused(new Date());
  const [before, posted] = [requests(), bot.messages(ops).length];
  const notice = await bot.say(ada, ops, '/nextport 9461477');
  expect(notice).toMatchObject({ ephemeralTo: ada });
  expect(notice.text).toContain('Landfall is paused in this workspace by whoever runs it.');
  const clicked = await bot.click(ada, card(), 'Stop …');
  expect(clicked.text).toBe(notice.text);
  expect((await bot.say(ada, dmOf(ada), 'nextport 9461477')).text).toBe(notice.text);
  const home = driveHome(bot, ada);
  await home.open();
  await home.see('Landfall is paused in this workspace');
  const text = card().text;
  await bot.forward(48);
  expect(requests()).toBe(before);
  expect(bot.messages(ops)).toHaveLength(posted + 2);
  expect(card().text).toBe(text);

  await setPaused(null);
  await bot.forward(0.25);
  expect(requests()).toBeGreaterThan(before);
  const later = () => bot.messages(ops).slice(posted + 2);
  // At most one alert for all that has changed meanwhile, and none that blames the service.
  expect(later().filter(({ threadTs }) => threadTs === card().ts).length).toBeLessThanOrEqual(1);
  expect(later().map(wordsOf).join()).not.toContain('has not answered');
  await bot.forward(24);
  expect(later().filter((message) => wordsOf(message).includes('digests were missed'))).toHaveLength(1);
  expect((await bot.say(ada, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS [→·] /);
});

test('a removed workspace: people read so until the next start, and nothing is written for it', async () => {
  bot = await useBot('http');
  await addWatch(bot);
  const db = await sharedDatabase();
  const { id } = bot.playground.world.team;
  await forgetWorkspace(db, id, new Date());
  bot.advance(1_001);
  const before = requests();
  const answer = await bot.say(ada, ops, '/nextport 9461477');
  expect(answer).toMatchObject({ ephemeralTo: ada });
  expect(answer.text).toContain('Landfall was removed from this workspace by whoever runs it');
  await bot.forward(24);
  bot.advance(60_000);
  await bot.runDue();
  expect(requests()).toBe(before);
  expect(Object.values(await countRows(db, id)).every((rows) => rows === 0)).toBe(true);
});
