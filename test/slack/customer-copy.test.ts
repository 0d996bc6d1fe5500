import type { PageMessage } from 'bolt-playground';
import { beforeEach, expect, test } from 'vitest';
import { ada, dmOf, eve, ops, shared, type TestBot, wordsOf } from '../support/bot.ts';
import { addWatch, forwardUntil } from '../support/bot-watch.ts';
import { driveForms } from '../support/form-driver.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;
beforeEach(async () => {
  bot = await useBot('socket');
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 BK-77');
});

/** The option of a message's menu that opens the text. */
function optionIn({ blocks = [] }: PageMessage) {
  const elements = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  for (const element of elements) {
    if (element.type !== 'overflow') continue;
    const value = element.options.find(({ text }) => text.text.startsWith('Copy for'))?.value;
    if (value !== undefined) return { actionId: element.action_id ?? '', optionValue: value };
  }
  throw new Error(`no copy in ${JSON.stringify(blocks)}`);
}

async function openCopy(message: PageMessage, userId = ada) {
  const { channelId, ts: messageTs } = message;
  await bot.playground.click({ userId, channelId, messageTs, ...optionIn(message) });
  const modal = driveForms(bot, userId);
  await modal.see('Copy for the customer');
  return modal;
}

const posted = () => [...bot.messages(ops), ...bot.messages(shared), ...bot.messages(dmOf(ada))].length;

test('an answer asked by a reference begins with it, and so does the text, which is sent to nobody', async () => {
  const answer = await bot.say(ada, ops, '/nextport bk 77');
  expect(answer.text).toMatch(/^BK-77 · DS CYPRESS [→·] /);
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 OTHER-1');
  const before = posted();
  const modal = await openCopy(answer);
  expect(modal.read()).toMatch(
    /\[Done\]\n(BK-77: DS CYPRESS is predicted at .+ local time\.\nThis is .+\nForecast of Mon 23 Nov, \d\d:\d\d UTC; it may change\. Invented data, only for trying out\.)\ntext: To change and copy = \1 \(/,
  );
  expect(await modal.submit()).toMatchObject({ ok: true });
  expect(modal.top()).toBeUndefined();
  expect(posted()).toBe(before);
});

test('of a vessel with several references it names none before one is chosen: they may be of several customers', async () => {
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 add OTHER-1 due Rotterdam 20 dec 14:00');
  const answer = await bot.say(ada, ops, '/nextport DS CYPRESS');
  expect(wordsOf(answer)).toContain('Ref OTHER-1, BK-77');
  const modal = await openCopy(answer);
  expect(modal.read()).toContain('The vessel has 2 references, perhaps of several customers');
  expect(modal.read()).toContain('= DS CYPRESS is ');
  expect(modal.read()).not.toContain('is needed');

  await modal.fill('naming', 'reference OTHER-1');
  await modal.see('= OTHER-1: ');
  expect(modal.read()).toContain('OTHER-1 is needed at Rotterdam by Sun 20 Dec, 14:00 local time');
  await modal.fill('naming', 'all');
  await modal.see('= OTHER-1 and BK-77: ');
  expect(modal.read()).not.toContain('is needed');
});

test('of a reference with a promise it says when the customer needs it, and how the forecast meets that', async () => {
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 add BK-77 due Rotterdam 20 dec 14:00');
  const modal = await openCopy(await bot.say(ada, ops, '/nextport BK-77'));
  expect(modal.read()).toContain('BK-77 is needed at Rotterdam by Sun 20 Dec, 14:00 local time');
});

test('an alert offers it, with what was predicted before', async () => {
  const { card } = await addWatch(bot);
  const alert = () =>
    bot.messages(ops).find(({ threadTs, text }) => threadTs === card().ts && / was /.test(text));
  await forwardUntil(bot, () => alert() !== undefined);
  const modal = await openCopy(alert() as PageMessage);
  expect(modal.read()).toContain('= BK-77: ');
  expect(modal.read()).toMatch(/\nForecast of /);
});

test('guests who may only ask get it without references, and people of other organisations see none', async () => {
  const toGuest = await bot.say(eve, ops, '/nextport 9461477');
  expect(wordsOf(toGuest)).not.toContain('BK-77');
  const modal = await openCopy(toGuest, eve);
  expect(modal.read()).toContain('= DS CYPRESS is ');
  expect(await modal.submit()).toMatchObject({ ok: true });
  expect(modal.top()).toBeUndefined();

  const isPublic = ({ ephemeralTo }: PageMessage) => ephemeralTo === undefined;
  for (const line of [
    '/nextport BK-77 public',
    '/nextport BK-77, 9755933 public',
    '/nextport 9461477 public',
  ]) {
    const answer = await bot.say(ada, shared, line, { match: isPublic });
    expect([line, JSON.stringify(answer)]).toEqual([line, expect.not.stringMatching(/BK.?77/)]);
    expect(answer.text).toContain('DS CYPRESS');
  }
});
