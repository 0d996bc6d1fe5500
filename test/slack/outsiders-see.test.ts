import type { PageMessage } from 'bolt-playground';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ada,
  ben,
  buttonsOf,
  dmOf,
  ops,
  privateDesk,
  shared,
  type TestBot,
  wordsOf,
} from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { addWatch, findWatch, forwardUntil } from '../support/bot-watch.ts';
import { driveForms } from '../support/form-driver.ts';
import { driveHome } from '../support/home-driver.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;
beforeEach(async () => {
  bot = await useBot('socket');
});

const watchQuestion =
  "This channel has people from outside your organisation. The watch's card and its alerts would be seen by them. Post it here?";
const labels = (message: PageMessage) => buttonsOf(message).map(({ text }) => text?.text);
/** Presses a button, and waits for the answer that matches: the card comes before it. */
const press = (message: PageMessage, label: string, match: (answer: PageMessage) => boolean) =>
  bot.after(async () => {
    const { action_id: actionId = '' } = buttonsOf(message).find(({ text }) => text?.text === label) ?? {};
    const { channelId, ts: messageTs } = message;
    expect(await bot.playground.click({ userId: ada, channelId, messageTs, actionId })).toMatchObject({
      ok: true,
    });
  }, match);
const isAnswer = ({ ephemeralTo }: PageMessage) => ephemeralTo === ada;
const publicIn = (channelId: string) => bot.messages(channelId).filter(({ ephemeralTo }) => !ephemeralTo);

async function rows(table: 'watches' | 'digests') {
  const db = await sharedDatabase();
  return await direct(db)
    .selectFrom(table)
    .select(['channel_id', 'outsiders_allowed_by', 'status'])
    .orderBy('owner_id')
    .execute();
}

describe('a watch where outsiders read', () => {
  test('is posted and saved only after Yes, which is recorded', async () => {
    const question = await bot.say(ada, shared, '/watch 9461477 eta 6h');
    expect(question).toMatchObject({ ephemeralTo: ada, text: watchQuestion });
    expect(labels(question)).toEqual(['Post it here', 'Send it to me instead', 'Cancel']);
    expect(publicIn(shared)).toEqual([]);
    expect(await rows('watches')).toEqual([]);

    const added = await press(question, 'Post it here', ({ text }) =>
      text.startsWith('Watching DS CYPRESS here'),
    );
    expect(added.ephemeralTo).toBe(ada);
    expect(await rows('watches')).toEqual([
      { channel_id: shared, outsiders_allowed_by: ada, status: 'active' },
    ]);
    expect(publicIn(shared)).toHaveLength(1);
    expect(wordsOf(publicIn(shared)[0] as never)).not.toMatch(/\bada\b/i);
    await forwardUntil(bot, () => publicIn(shared).length > 1);
    // The same watch with other rules needs no second Yes.
    const changed = await bot.say(ada, shared, '/watch 9461477 eta 8h');
    expect(changed.text).toContain('already watched here');
    const log = await bot.say(ada, dmOf(ada), '/landfall audit');
    expect(wordsOf(log)).toContain('shown outside by');
  });

  test('is asked about from another channel, and again after Stop and Undo', async () => {
    const question = await bot.say(ada, ops, `/watch 9461477 in #carriers-shared`);
    expect(question.text).toBe(
      `<#${shared}> has people from outside your organisation. The watch's card and its alerts would be seen by them. Post it there?`,
    );
    await press(question, 'Post it there', isAnswer);
    // The final card comes first.
    const stopped = await bot.say(ada, shared, '/watch stop 9461477', { match: isAnswer });
    const posted = publicIn(shared).length;
    const again = await bot.click(ada, stopped, 'Undo');
    expect(again).toMatchObject({ ephemeralTo: ada, text: watchQuestion });
    expect(labels(again)).toEqual(['Post it here', 'Cancel']);
    expect(publicIn(shared)).toHaveLength(posted);
    expect(await rows('watches')).toEqual([]);
    await press(again, 'Post it here', isAnswer);
    expect(publicIn(shared)).toHaveLength(posted + 1);
  });
});

describe('a form in a channel where outsiders read', () => {
  test.each([
    ['Post it here', { channel_id: shared, outsiders_allowed_by: ada, status: 'active' }],
    ['Send it to me instead', { channel_id: dmOf(ada), outsiders_allowed_by: null, status: 'active' }],
  ])('asks before it adds a watch: %s', async (label, saved) => {
    const modal = driveForms(bot, ada);
    await bot.playground.shortcut({ userId: ada, channelId: ops, callbackId: 'watch_vessel' });
    await modal.see('Watch');
    await modal.fill('what', '9461477');
    await modal.fill('channel', shared);
    await modal.submit();
    await modal.see("The watch's card and its alerts would be seen by them.");
    expect(await rows('watches')).toEqual([]);
    expect(publicIn(shared)).toEqual([]);
    await modal.press(label === 'Post it here' ? 'Post it there' : label);
    await modal.see('Watching DS CYPRESS');
    expect(await rows('watches')).toEqual([saved]);
    expect(publicIn(shared)).toHaveLength(saved.channel_id === shared ? 1 : 0);
  });
});

describe('a digest where outsiders read', () => {
  test('goes to the person alone if they choose so', async () => {
    const question = await bot.say(ada, shared, '/digest add daily 08:00: nextport 9461477');
    await bot.click(ada, question, 'Send it to me instead');
    expect(await rows('digests')).toEqual([
      { channel_id: ada, outsiders_allowed_by: null, status: 'active' },
    ]);
  });
});

describe('a channel that is shared later', () => {
  const setUp = async () => {
    const { watch, card } = await addWatch(bot);
    await bot.say(ben, ops, '/digest add daily 08:00: nextport 9461477');
    return { watch, card };
  };
  const isNotice = (userId: string) => (message: { channelId: string; text: string }) =>
    message.channelId === dmOf(userId) && message.text.includes('outside your organisation');

  test('its watches and digests are paused, and each owner is asked once', async () => {
    const { watch } = await setUp();
    const notice = await bot.after(() => bot.playground.controls.share(ops), isNotice(ada));
    expect(notice.text).toMatchInlineSnapshot(
      `"Your watch of DS CYPRESS in <#C0OPS00001> is paused: people from outside your organisation can read that channel now. If they may see what is posted there, press Resume. Its messages wait until then, and it makes no API calls meanwhile."`,
    );
    expect((await findWatch(watch.id))?.status).toBe('paused');
    const posted = publicIn(ops).length;
    await bot.forward(27);
    expect(publicIn(ops)).toHaveLength(posted);
    expect(bot.messages(dmOf(ben)).filter(isNotice(ben))).toHaveLength(1);

    const question = await press(notice, 'Resume', ({ text }) => text.includes('Post it there?'));
    expect(question.text).toBe(
      `<#${ops}> has people from outside your organisation. The watch's card and its alerts would be seen by them. Post it there?`,
    );
    expect((await findWatch(watch.id))?.status).toBe('paused');
    await press(question, 'Post it there', ({ text }) => text.includes('Resumed'));
    expect(await findWatch(watch.id)).toMatchObject({ status: 'active', outsidersAllowedBy: ada });
  });

  test('Resume all asks once for all of them', async () => {
    const { watch } = await setUp();
    await bot.say(ada, ops, '/digest add "Mine" daily 09:00: nextport 9461477');
    const notice = await bot.after(() => bot.playground.controls.share(ops), isNotice(ada));
    expect(notice.text).toMatch(/^Your 1 watch and 1 digest in /);
    const isQuestion = ({ text }: PageMessage) => text.includes('Post it there?');
    const question = await press(notice, 'Resume all', isQuestion);
    expect(question.text).toContain('What is paused there would be seen by them.');
    expect((await findWatch(watch.id))?.status).toBe('paused');
    await press(question, 'Post it there', ({ text }) => text.includes('Resumed: 2 of yours'));
    expect((await rows('watches')).map(({ status }) => status)).toEqual(['active']);
    expect((await rows('digests')).map((row) => [row.status, row.outsiders_allowed_by])).toEqual([
      ['active', ada],
      ['paused', null],
    ]);
  });

  test('even if Slack sends no event: the next message is held', async () => {
    const { watch } = await setUp();
    const channel = bot.playground.world.channels.find(({ id }) => id === ops);
    if (channel) channel.isShared = true;
    // What Slack said of the channel is cached for ten minutes.
    bot.advance(600_001);
    const posted = publicIn(ops).length;
    await forwardUntil(bot, async () => (await findWatch(watch.id))?.status === 'paused');
    expect(publicIn(ops)).toHaveLength(posted);
  });
});

test('whatever is typed there, nothing is posted without a Yes', async () => {
  await bot.say(ada, ops, '/vessel fleet ALPHA add 9461477, 9755933');
  for (const line of [
    '/watch 9461477',
    '/watch fleet:ALPHA only next port',
    '/watch list:FEEDERS',
    '/watch port Rotterdam',
    '/watch fleet:ALPHA at Rotterdam',
    '@landfall watch 9461477 public',
    '/landfall watch 9461477 public',
    '/watch 9461477 dry run',
    '/digest add daily 08:00: nextport 9461477',
    '@landfall digest add daily 08:00: nextport 9461477',
    '/digest add daily 08:00 dry run: nextport 9461477',
  ]) {
    const answer = await bot.say(ada, shared, line);
    expect([line, answer.ephemeralTo]).toEqual([line, ada]);
    expect([line, labels(answer).includes('Post it here')]).toEqual([line, !line.includes('dry run')]);
  }
  await bot.forward(30);
  expect(publicIn(shared)).toEqual([]);
  expect([await rows('watches'), await rows('digests')]).toEqual([[], []]);
});

test('if Slack cannot say who reads a channel, a new watch asks first and an existing one goes on', async () => {
  const { card } = await addWatch(bot);
  bot.playground.faults.next('conversations.info', { error: 'internal_error' }, 1_000);
  const question = await bot.say(ada, ops, '/watch 9755933');
  expect(question.text).toBe(
    "Slack can't say right now who reads this channel: there may be people from outside your organisation. The watch's card and its alerts would be seen by them. Post it here?",
  );
  bot.advance(600_001);
  await forwardUntil(bot, () => publicIn(ops).some(({ threadTs }) => threadTs === card().ts));
  expect(await rows('watches')).toHaveLength(1);
});

test('Resume on Home asks too', async () => {
  const { watch } = await addWatch(bot);
  await bot.after(
    () => bot.playground.controls.share(ops),
    ({ channelId }) => channelId === dmOf(ada),
  );
  const home = driveHome(bot, ada);
  await home.open();
  await home.see('DS CYPRESS');
  await home.choose('DS CYPRESS', 'Resume');
  await home.see('has people from outside your organisation');
  expect((await findWatch(watch.id))?.status).toBe('paused');
  await home.press('Post it there');
  await home.see(/resumed/i);
  expect(await findWatch(watch.id)).toMatchObject({ status: 'active', outsidersAllowedBy: ada });
});

test('they see no usage, and nothing else that is for the organisation; they may read where the bot is not', async () => {
  const privately = await bot.say(ada, shared, '/usage');
  expect(privately.text).toMatch(/^\w+ 20\d\d: [\d,]+ requests/);
  const mention = await bot.say(ada, shared, '@landfall usage');
  expect(mention.ephemeralTo).toBeUndefined();
  expect(mention.text).not.toMatch(/\d,\d{3}/);
  expect(`${mention.text} ${wordsOf(mention)}`).not.toContain('API account');
  // At the first click.
  for (const refused of [
    await bot.click(ada, privately, 'share'),
    await bot.say(ada, shared, '/usage public'),
  ]) {
    expect([refused.ephemeralTo, labels(refused)]).toEqual([ada, []]);
    expect(refused.text).toMatch(
      /^This isn't shown in a channel that people from another organisation can read\./,
    );
  }
  const question = await bot.click(ada, await bot.say(ada, privateDesk, '/nextport 9461477'), 'share');
  expect(labels(question)).toEqual(['Share here', "Don't share"]);
});
