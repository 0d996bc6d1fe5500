import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, ben, dmOf, ops, startBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { closeAll, driveForms } from '../support/form-driver.ts';
import { direct } from '../support/statements/direct.ts';
import { useStarted } from '../support/use-started.ts';
import { waitUntil } from '../support/wait-until.ts';

const bot = useStarted(() => startBot('http'));
beforeEach(async () => {
  await bot.say(ada, ops, '/watch 9461477 due NLRTM 27 Nov 18:00', to(ada));
});
afterEach(async () => {
  await closeAll(bot, ben);
  await bot.say(ada, ops, '/watch stop 9461477', to(ada));
  await direct(await sharedDatabase())
    .deleteFrom('audit')
    .execute();
});

const to = (userId: string) => ({
  match: ({ ephemeralTo }: { ephemeralTo?: string }) => ephemeralTo === userId,
});

const etaHours = async () => {
  const [watch] = await direct(await sharedDatabase())
    .selectFrom('watches')
    .select('rules')
    .execute();
  return (watch?.rules as { etaMoved?: { hours: number } | null } | undefined)?.etaMoved?.hours ?? null;
};
const changes = async () =>
  (
    await direct(await sharedDatabase())
      .selectFrom('audit')
      .select(['actor_id', 'action'])
      .execute()
  )
    .filter(({ action }) => action === 'watch.change')
    .map(({ actor_id }) => actor_id);
const notices = () => bot.messages(dmOf(ada)).filter(({ text }) => text.includes('has changed the rules'));

test("somebody else's watch is changed only after a question, and once, however often the button is pressed", async () => {
  const noticed = notices().length;
  const asked = await bot.say(ben, ops, '/watch 9461477 eta 2 days', to(ben));
  expect(asked.text).toContain(`Change the watch of DS CYPRESS? It belongs to <@${ada}>.`);
  expect(wordsOf(asked)).toContain('New: the ETA moves by 48 h or more.');
  // Its due date is a promise, which other rules leave alone.
  expect(wordsOf(asked)).toContain('No longer: the ETA moves by 12 h or more, once it is within 10 days.');
  expect(await etaHours()).toBe(12);

  const press = () =>
    bot.playground.click({
      userId: ben,
      channelId: ops,
      messageTs: asked.ts,
      actionId: 'watch:confirm-change',
    });
  const answers = () => bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === ben);
  await Promise.all([press(), press()]);
  await waitUntil('the answer has replaced the question', () =>
    answers().some(({ ts, text }) => ts === asked.ts && text.includes('has changed')),
  );
  await bot.runDue();
  expect(await etaHours()).toBe(48);
  expect(await changes()).toEqual([ben]);
  expect(notices().length - noticed).toBe(1);

  const answer = answers().find(({ ts }) => ts === asked.ts);
  if (!answer) throw new Error('no answer');
  await bot.click(ben, answer, 'Undo');
  expect(await etaHours()).toBe(12);
});

test('Cancel changes nothing, and removes the question', async () => {
  const asked = await bot.say(ben, ops, '/watch 9461477 eta 2 days', to(ben));
  await bot.playground.click({ userId: ben, channelId: ops, messageTs: asked.ts, actionId: 'dismiss' });
  await waitUntil('the question is gone', () => !bot.messages(ops).some(({ ts }) => ts === asked.ts));
  expect(await etaHours()).toBe(12);
  expect(await changes()).toEqual([]);
});

test('if the watch has been changed since, the question is asked again', async () => {
  const asked = await bot.say(ben, ops, '/watch 9461477 eta 2 days', to(ben));
  // Her own change is made at once, and she isn't notified of it.
  await bot.runDue();
  const noticed = notices().length;
  const own = await bot.say(ada, ops, '/watch 9461477 eta 6h', to(ada));
  expect(own.text).toContain('its rules have changed');
  await bot.runDue();
  expect(notices()).toHaveLength(noticed);
  const again = await bot.click(ben, asked, 'Change it');
  expect(again.text).toContain('No longer: the ETA moves by 6 h');
  expect(await etaHours()).toBe(6);
  await bot.click(ben, again, 'Change it');
  expect(await etaHours()).toBe(48);
});

test('the form asks too, in its window', async () => {
  const form = driveForms(bot, ben);
  const list = await bot.say(ben, ops, '/watch list', to(ben));
  await bot.playground.click({ userId: ben, channelId: ops, messageTs: list.ts, actionId: 'form:watch:0' });
  await form.see('# Edit watch');
  await form.fill('notify', ['diverted']);
  await form.submit();
  await form.see('Change the watch of DS CYPRESS?');
  expect(form.read()).toContain(
    'No longer: two ports are about equally likely, or take turns; the ETA moves by 12 h',
  );
  expect(await etaHours()).toBe(12);
  await form.press('Change it');
  await form.see('has changed');
  expect(await etaHours()).toBeNull();
  await form.press('Undo');
  await form.see('is as it was before');
  expect(await etaHours()).toBe(12);
});
