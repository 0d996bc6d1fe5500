import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, dora, ops, shared, type TestBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { addWatch, findWatch, forwardUntil, untilNotified } from '../support/bot-watch.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';
import { waitUntil } from '../support/wait-until.ts';

const inThread = (bot: TestBot, card: PageMessage) =>
  bot.messages(card.channelId).filter(({ threadTs }) => threadTs === card.ts);

test('the card and the thread of a watched vessel follow a voyage', async () => {
  const bot = await useBot();
  const { watch, card } = await addWatch(bot);
  expect(card().text).toMatch(/^DS CYPRESS → /);
  const first = card().text;

  const isChanged = ({ text }: PageMessage) => /: (?:Next leg: )?[A-Z][^,·]* → /.test(text);
  await forwardUntil(bot, () => inThread(bot, card()).filter(isChanged).length === 2);
  const replies = inThread(bot, card());
  expect(replies.length).toBeGreaterThan(2);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(replies.length);
  expect(bot.messages(ops).filter(({ threadTs }) => !threadTs)).toHaveLength(1);
  expect(card().text).not.toBe(first);
  expect(wordsOf(card())).toContain('Not acknowledged: ');
  // An ordinary next leg stays in the thread; only a surprise is broadcast to the channel.
  expect(replies.filter(isChanged).some(({ broadcast }) => !broadcast)).toBe(true);
  expect(replies.every(({ text }) => !/arrived/i.test(text))).toBe(true);
  await bot.say(ben, ops, '@landfall acknowledge', { threadTs: card().ts });
  expect((await findWatch(watch.id))?.acknowledgement?.by).toBe(ben);
});

test('an alert: its History answers only the person who asks, Acknowledge names them there, and lines in its thread act on the watch', async () => {
  const bot = await useBot();
  const { watch, card } = await addWatch(bot);
  await untilNotified(bot, card());
  const alert = inThread(bot, card()).at(-1);
  if (!alert) throw new Error('no alert');
  const history = await bot.click(ben, alert, 'History');
  expect(history).toMatchObject({ ephemeralTo: ben, threadTs: card().ts });
  expect(history.text).toContain('DS CYPRESS');
  const done = await bot.click(ben, alert, 'Acknowledge');
  expect(done.ts).toBe(alert.ts);
  expect(wordsOf(done)).toMatch(/Acknowledged by ben, \w{3} \d/);
  expect(buttonsOf(done).flatMap(({ text }) => text?.text ?? [])).toEqual(['History']);
  await bot.runDue();
  expect(inThread(bot, card()).find(({ ts }) => ts === alert.ts)?.text).toBe(done.text);
  // The first to acknowledge stays.
  expect((await findWatch(watch.id))?.acknowledgement?.by).toBe(ben);

  // In the thread, a command acts on the watch.
  const type = (words: string) => bot.say(ben, ops, `@landfall ${words}`, { threadTs: card().ts });
  const slept = await type('snooze 1h');
  expect(slept.text).toContain('DS CYPRESS');
  expect((await findWatch(watch.id))?.snooze).toMatchObject({ kind: 'until' });
  await type('wake');
  expect((await findWatch(watch.id))?.snooze).toBeNull();
  expect((await type('history')).text).toContain('DS CYPRESS');
  const elsewhere = await bot.say(ben, ops, '@landfall stop');
  expect(elsewhere.text).toContain('Which watch?');
  expect(await findWatch(watch.id)).toBeDefined();
  // The watch is Ada's.
  expect((await type('stop')).text).toContain('Stop DS CYPRESS, the watch of');
  expect(await findWatch(watch.id)).toBeDefined();
  await type('stop yes');
  expect(await findWatch(watch.id)).toBeUndefined();
});

test('what the menu of a personal card answers does not replace the card', async () => {
  const bot = await useBot();
  await bot.say(ada, dmOf(ada), '/watch 9461477');
  const isCard = ({ text, threadTs }: PageMessage) => !threadTs && /^DS CYPRESS → \w+ \d/.test(text);
  const find = () => bot.messages(dmOf(ada)).find(isCard);
  await forwardUntil(bot, () => find() !== undefined);
  const card = find();
  if (!card) throw new Error('no card');
  const answer = await bot.click(ada, card, 'All ports');
  expect(answer.ts).not.toBe(card.ts);
  expect(bot.messages(dmOf(ada)).find(({ ts }) => ts === card.ts)?.text).toBe(card.text);
});

test('Snooze until a date asks for the date, and refuses one that has passed or is too far away', async () => {
  const bot = await useBot();
  const { watch, card } = await addWatch(bot);
  const where = { userId: ben, channelId: ops, messageTs: card().ts };
  const menu = () => card().blocks?.at(-1)?.block_id;
  const before = menu();
  await bot.after(() =>
    bot.playground.click({ ...where, actionId: 'watch:snooze', optionValue: `date ${watch.id}` }),
  );
  // The card is drawn again, so the same option can be chosen again after the form is cancelled.
  expect(menu()).not.toBe(before);
  const modal = () => bot.playground.views(ben)[0];
  await waitUntil('it asks', () => modal() !== undefined);
  expect(JSON.stringify(modal())).toContain('Time (America/New_York)');
  const submit = (date: string) =>
    bot.playground.submitView({
      userId: ben,
      viewId: modal()?.id ?? '',
      values: { date: { field: date }, time: { field: '18:00' } },
    });
  expect(await submit('2020-01-01')).toMatchObject({
    errors: { date: '2020-01-01 18:00 is in the past. The time is read in your own time zone.' },
  });
  expect(await submit('2099-11-27')).toMatchObject({
    errors: { date: expect.stringContaining('at most 90 days') },
  });
  const changed = await bot.after(() => submit('2026-11-27'));
  expect(changed.ts).toBe(card().ts);
  expect(modal()).toBeUndefined();
  expect((await findWatch(watch.id))?.snooze).toEqual({
    kind: 'until',
    at: new Date('2026-11-27T23:00:00Z'),
  });
});

test('Refresh asks the service at once, at most once a minute', async () => {
  const bot = await useBot();
  const { card } = await addWatch(bot);
  bot.sandbox.clock.advance(5 * 60_000);
  const before = bot.sandbox.requests.total;
  const asked = await bot.click(ben, card(), 'Refresh');
  expect(asked.ts).toBe(card().ts);
  expect(bot.sandbox.requests.total - before).toBe(1);
  // The click and the poll both redraw the card, in either order.
  const isAda = ({ ephemeralTo }: PageMessage) => ephemeralTo === ada;
  const refused = await bot.after(() => bot.click(ada, card(), 'Refresh'), isAda);
  expect(refused.text).toContain('less than a minute ago');
  expect(bot.sandbox.requests.total - before).toBe(1);
});

test('in the thread of the card a line without a subject means its vessel', async () => {
  const bot = await useBot();
  const { card } = await addWatch(bot);
  const mention = '@landfall';
  const compared = await bot.say(ben, ops, `${mention} compare`, { threadTs: card().ts });
  expect(compared.threadTs).toBe(card().ts);
  expect(compared.text).toContain('DS CYPRESS');
  const alone = await bot.say(ben, ops, mention, { threadTs: card().ts });
  expect(alone.text).toMatch(/^DS CYPRESS → /);
  const asked = await bot.say(ben, ops, `${mention} when does it get to Rotterdam?`, { threadTs: card().ts });
  expect(asked.text).toMatch(/DS CYPRESS.*Understood as \/nextport 9461477 at NLRTM/);
  const elsewhere = await bot.say(ben, ops, `${mention} compare`);
  expect(elsewhere.text).not.toContain('DS CYPRESS');
  for (const line of ['where is it?', 'watch it'])
    expect((await bot.say(ben, ops, `${mention} ${line}`)).text).toContain('Which vessel is “it”?');
  const watched = await bot.say(ben, ops, `${mention} watch it`, { threadTs: card().ts });
  expect(watched.text).toContain('DS CYPRESS is already watched');
});

test("people of another organisation can't use the card's buttons, and the card does not show them its owner", async () => {
  const bot = await useBot();
  const { watch, card } = await addWatch(bot, { channelId: shared });
  expect(wordsOf(card())).not.toMatch(/\bada\b/i);
  const declined = await bot.click(dora, card(), 'Stop …');
  expect(declined.ephemeralTo).toBe(dora);
  expect(await findWatch(watch.id)).toBeDefined();
});

test('a revoked token: not ready; uninstalled: everything is deleted', async () => {
  const bot = await useBot();
  const { watch } = await addWatch(bot);
  await bot.playground.controls.revokeToken();
  const ready = await fetch(`${bot.playground.url}/readyz`);
  expect(await ready.json()).toMatchObject({ reasons: ["Slack does not accept the bot's token any more"] });
  expect(await findWatch(watch.id)).toBeDefined();
  await bot.playground.controls.uninstall();
  await bot.stop();
  const db = await sharedDatabase();
  for (const table of ['workspaces', 'watches', 'history', 'outbox', 'audit', 'accounts'] as const) {
    expect(await direct(db).selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test('a wish to be notified offers a watch, and changes nothing before its button is pressed', async () => {
  const bot = await useBot();
  const isReply = ({ threadTs }: PageMessage) => threadTs !== undefined;
  const offer = await bot.say(ada, ops, '@landfall tell me if ever given changes', { match: isReply });
  expect(offer.text).toBe(
    'Watch EVER GIVEN? You are notified in a thread when its next port or its ETA changes. Yes, watch it.',
  );
  expect((await bot.say(ada, ops, '/watch list')).text).toContain('No watches in this channel yet');
  const watching = ({ text }: PageMessage) => text.startsWith('Watching EVER GIVEN here');
  await bot.after(() => bot.click(ada, offer, 'Yes, watch it'), watching);
  expect((await bot.say(ada, ops, '/watch list')).text).toContain('EVER GIVEN');
});

test('a port whose group is watched here, and a group with such a port: the answer names the other watch', async () => {
  const bot = await useBot();
  // Neither the card nor its updates.
  const match = ({ ephemeralTo }: PageMessage) => ephemeralTo === ada;
  const say = async (line: string) => wordsOf(await bot.say(ada, ops, line, { match }));
  await say('/landfall ports ARA Rotterdam, Antwerp, Amsterdam');
  expect(await say('/watch port ARA')).not.toContain('Already watched');
  expect(await say('/watch port Rotterdam')).toContain(
    'Already watched here by the watch of group ARA; both threads are notified, and the channel sees each change once',
  );
  expect(await say('/watch port Hamburg')).not.toContain('Already watched');
  await say('/watch stop port ARA');
  expect(await say('/watch port ARA')).toContain(
    'Already watched here: Rotterdam by the watch of port Rotterdam (NLRTM);',
  );
});
