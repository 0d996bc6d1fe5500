import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, dora, ops, privateDesk, type TestBot, wordsOf } from '../support/bot.ts';
import { addWatch, findWatch, forwardUntil } from '../support/bot-watch.ts';
import { driveForms } from '../support/form-driver.ts';
import { driveHome } from '../support/home-driver.ts';
import { useBot } from '../support/use-bot.ts';
import { waitUntil } from '../support/wait-until.ts';

const labelsOf = (message: PageMessage) => buttonsOf(message).flatMap(({ text }) => text?.text ?? []);

/** A watched vessel with a critical alert. */
async function alerted() {
  const bot = await useBot();
  const { watch, card } = await addWatch(bot);
  const inThread = () => bot.messages(ops).filter(({ threadTs }) => threadTs === card().ts);
  const critical = () => inThread().find(({ text }) => text.startsWith('🔴'));
  await forwardUntil(bot, () => critical() !== undefined);
  const { ts } = critical() ?? card();
  const alert = (): PageMessage => inThread().find((message) => message.ts === ts) ?? card();
  return { bot, watch, card, alert, inThread };
}

/** Fills in the form under an alert. */
async function assign(bot: TestBot, alert: PageMessage, { by, to }: { by: string; to: string }) {
  const modal = driveForms(bot, by);
  await bot.playground.click({ userId: by, channelId: ops, messageTs: alert.ts, actionId: 'form:assign' });
  await modal.see(/Who takes this\? DS CYPRESS: .* → /);
  await modal.fill('assignee', to);
  return await modal.submit();
}

test('an alert: assigned, reminded of after 30 minutes, acknowledged, gone from the card and from Home', async () => {
  const { bot, watch, card, alert, inThread } = await alerted();
  expect(labelsOf(alert())).toEqual(['Acknowledge', 'Assign …', 'History']);
  expect(await assign(bot, alert(), { by: ada, to: ben })).toEqual({ ok: true });
  await bot.runDue();
  expect(wordsOf(alert())).toContain('Assigned to ben');
  expect(labelsOf(alert())).toContain('Reassign …');
  const named = inThread().filter(({ text }) => text.includes('please take this'));
  expect(named.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^<@U0BEN0001>, please take this: 🔴 DS CYPRESS: /),
  ]);
  expect(wordsOf(card())).toContain('Assigned to ben, not acknowledged: ');

  const home = driveHome(bot, ben);
  await home.open();
  await home.see(/Needs you\n🔴 .*DS CYPRESS.*\nAssigned to you · /u);
  expect(bot.messages(dmOf(ben))).toEqual([]);
  await bot.forward(0.5);
  await bot.forward(5);
  const [reminder, ...more] = bot.messages(dmOf(ben));
  expect(more).toEqual([]);
  if (!reminder) throw new Error('no reminder');
  expect(reminder.text).toMatch(/^Not acknowledged yet: 🔴 DS CYPRESS: /);
  expect(wordsOf(reminder)).toMatch(/Assigned to you by ada, \w{3} .* nobody has acknowledged it yet/);
  expect(wordsOf(reminder)).toContain('|Open the thread>');

  const before = alert().text;
  const done = await bot.click(ben, reminder, 'Acknowledge');
  expect(done.ts).toBe(reminder.ts);
  expect(done.text).toMatch(/^Acknowledged by ben, /);
  expect(buttonsOf(done)).toEqual([]);
  await bot.runDue();
  // What it says is as old as the message, whenever it is drawn again.
  expect(alert().text).toContain(before.slice(0, before.indexOf('. Assigned to ben')));
  expect(alert().text).toContain('. Acknowledged by ben, ');
  expect(labelsOf(alert())).toEqual(['History']);
  // Only this alert: those after it are open, or have closed by themselves.
  const later = inThread().filter(({ ts, text }) => ts !== alert().ts && !text.includes('please take this'));
  const open = later.filter((message) => labelsOf(message).includes('Acknowledge'));
  expect(open.length).toBeGreaterThanOrEqual((await findWatch(watch.id))?.openAlerts?.count ?? 0);
  for (const message of open) await bot.click(ada, message, 'Acknowledge');
  await bot.runDue();
  expect(labelsOf(card())).not.toContain('Acknowledge');
  expect(inThread().flatMap(labelsOf)).not.toContain('Acknowledge');
  await home.open();
  await waitUntil('Home needs nobody', () => !home.read().includes('Needs you'));
});

test('an alert is assigned to somebody who sees the channel, again to somebody else, and typed in the thread', async () => {
  const { bot, card, alert, inThread } = await alerted();
  expect(await assign(bot, alert(), { by: ada, to: dora })).toMatchObject({
    errors: { assignee: expect.stringContaining('of another organisation') },
  });
  const modal = driveForms(bot, ada);
  await modal.close();
  await assign(bot, alert(), { by: ada, to: ada });
  await bot.runDue();
  expect(inThread().at(-1)?.text).toMatch(/^ada takes this: 🔴 DS CYPRESS/);
  const answer = await bot.say(ada, ops, `@landfall assign <@${ben}>`, { threadTs: card().ts });
  expect(answer.text).toMatch(/^Assigned: the open alerts of DS CYPRESS/);
  await bot.runDue();
  expect(wordsOf(alert())).toContain('Assigned to ben');
  expect(inThread().filter(({ text }) => text.startsWith(`<@${ben}>, please take`))).toHaveLength(1);
  const nobody = await bot.say(ada, ops, '@landfall assign', { threadTs: card().ts });
  expect(nobody.text).toContain('Who should take its alerts?');
  expect(bot.messages(privateDesk)).toEqual([]);
});
