import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import type { ActionContext } from '../../../src/features/feature.ts';
import { forgetAction } from '../../../src/features/stored-data/index.ts';
import { ada, ben, dmOf, dora, eve, ops, privateDesk, shared, type TestBot } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { columnsWith } from '../../support/person-rows.ts';
import { useBot } from '../../support/use-bot.ts';

/** Ben has something of each kind. */
async function useBotOfBen(): Promise<TestBot> {
  const bot = await useBot('socket');
  const here = [
    'watch 9461477',
    'digest add "Morning" weekdays 08:00 Europe/Berlin: nextport 9461477',
    'vessel name 9893890 ACE',
    'vessel ref 9893890 BK-77',
  ];
  const alone = ['watch 9811000', 'digest add "Mine" daily 07:00 Europe/Berlin: nextport 9811000'];
  for (const line of here) await bot.say(ben, ops, `/${line}`);
  for (const line of alone) await bot.say(ben, dmOf(ben), line);
  await bot.settled();
  return bot;
}

const ask = (bot: TestBot, who: string, line: string) =>
  bot.say(who, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === who });

/** The last file that the bot has sent to somebody. */
async function fileOf(bot: TestBot, who: string) {
  const { apiUrl, botToken } = bot.playground;
  const headers = { authorization: `Bearer ${botToken}` };
  const { files = [] } = bot.messages(dmOf(who)).findLast(({ files }) => files !== undefined) ?? {};
  const info = await fetch(`${apiUrl}files.info?file=${files[0]?.id}`, { headers });
  // The shape of Slack's answer to files.info.
  const { file } = (await info.json()) as { file: { url_private_download: string } };
  const text = await (await fetch(file.url_private_download, { headers })).text();
  // A list for each table, beside `about` and `counts`.
  return JSON.parse(text) as Record<string, Record<string, unknown>[]> & {
    about: unknown;
    counts: Record<string, number>;
  };
}

test('somebody gets all that is stored about them, deletes it, and starts anew', async () => {
  const bot = await useBotOfBen();
  const sent = await ask(bot, ben, '/landfall what do you store about me?');
  expect(sent.text).toMatch(
    /^Sent landfall-about-me-2026-11-23\.json \(\d+ rows\) to <\S+\|your direct messages>/,
  );
  const stored = await fileOf(bot, ben);
  expect(stored.watches?.map(({ title }) => title).sort()).toEqual(['DS CYPRESS', 'EVER GIVEN']);
  expect(stored.digests?.map(({ title }) => title).sort()).toEqual(['Mine', 'Morning']);
  expect(stored.vessel_names).toMatchObject([{ imo: 9893890, name: 'ACE', updated_by: ben }]);
  expect(stored.audit?.map(({ action }) => action)).toContain('reference.add');

  const question = await ask(bot, ben, '/landfall forget');
  expect(question.text).toBe(
    'Delete what is stored about you? Deleted: 1 personal watch and 1 personal digest. Stopped for everybody: 1 watch and 1 digest in channels. Hand over what should go on first: `/watch list mine` and `/digest list mine` list them. Stays for the workspace: 1 name of a vessel, 1 vessel with references and 5 entries in the log of changes. Instead of you, “someone who was forgotten” stands there. Messages that were posted stay in Slack · backups are deleted by the operator',
  );
  expect(await columnsWith({ db: await sharedDatabase() }, ben)).not.toEqual([]);
  const isDone = ({ text }: PageMessage) => text.startsWith('What was stored');
  const button = 'Forget me …';
  const done = await bot.after(
    () =>
      bot.playground.click({
        ...{ userId: ben, channelId: ops, messageTs: question.ts, actionId: 'stored-data:forget' },
      }),
    isDone,
  );
  expect(done.text).toContain('What was stored about you is deleted.');
  expect(JSON.stringify(question.blocks)).toContain(button);
  // The outbox closes the card in the channel, which is the team's.
  bot.advance(20_000);
  await bot.runDue();
  await bot.settled();
  const db = await sharedDatabase();
  expect(await columnsWith({ db }, ben)).toEqual([]);
  expect(await columnsWith({ db }, dmOf(ben))).toEqual([]);
  const stopped = 'no longer watched. Stopped by someone who was forgotten, Mon 23 Nov';
  for (const [channelId, title] of [
    [ops, 'DS CYPRESS'],
    [dmOf(ben), 'EVER GIVEN'],
  ] as const)
    expect(bot.messages(channelId).map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`${title}: ${stopped}`),
    );
  const log = await ask(bot, ada, '/landfall audit');
  expect(log.text).toContain('someone who was forgotten deleted what was stored about themselves');
  expect(log.text).toContain('someone who was forgotten named IMO 9893890');
  expect(log.text).not.toContain(ben);

  expect((await ask(bot, ben, '/landfall forget')).text).toBe(
    'Nothing is stored about you, so there is nothing to delete.',
  );
  await bot.say(ben, ops, '/watch 9461477', {
    match: ({ text }) => text.startsWith('Watching DS CYPRESS here'),
  });
});

test('an admin does so for somebody who has left, and for the workspace; nobody else can', async () => {
  const bot = await useBotOfBen();
  const refused = 'Only workspace admins can export or delete what is stored about others';
  for (const line of ['export workspace', 'forget workspace', `forget <@${ada}>`])
    expect((await ask(bot, ben, `/landfall ${line}`)).text).toContain(refused);

  await bot.say(ada, ops, '/watch 9755933');
  await bot.settled();
  expect((await ask(bot, ada, '/landfall export workspace')).text).toContain(
    'Only counted: 1 watch, 1 digest and 2 entries in the log',
  );
  const stored = await fileOf(bot, ada);
  expect(stored.watches?.map(({ title }) => title).sort()).toEqual(['DS CYPRESS', 'MSC DIANA']);
  expect(stored.counts).toMatchObject({ watches: 3, digests: 2 });
  // Somebody else's personal watch and digest.
  expect(JSON.stringify(stored)).not.toMatch(/"(?:title|subject)":"(?:EVER GIVEN|Mine)"/);

  const question = await ask(bot, ada, `/landfall forget <@${ben}>`);
  expect(question.text).toBe(
    `Delete what is stored about <@${ben}>? Stopped for everybody: 1 watch and 1 digest in channels. If they should go on, hand them over first: \`/landfall overview hand over\`. Stays for the workspace: 1 name of a vessel, 1 vessel with references and 4 entries in the log of changes. Instead of them, “someone who was forgotten” stands there. What is in private channels that you aren't in, and what is theirs alone, goes too. Messages that were posted stay in Slack · backups are deleted by the operator`,
  );
  const press = (ts: string, start: string) =>
    bot.after(
      () =>
        bot.playground.click({ userId: ada, channelId: ops, messageTs: ts, actionId: 'stored-data:forget' }),
      ({ text }) => text.startsWith(start),
    );
  await press(question.ts, `What was stored about <@${ben}> is deleted`);
  expect(await columnsWith({ db: await sharedDatabase() }, ben)).toEqual([]);

  const all = await ask(bot, ada, '/landfall forget workspace');
  expect(all.text).toContain('Deleted for everybody: 1 watch, ');
  expect(JSON.stringify(all.blocks)).toContain('"confirm"');
  await press(all.ts, 'What was stored about this workspace is deleted');
  bot.advance(20_000);
  await bot.runDue();
  const log = await ask(bot, ada, '/landfall audit');
  expect(log.text).toMatch(/^1 change: 1 .*> deleted what was stored about the workspace\. Newest first$/);
  expect(bot.messages(ops).map(({ text }) => text)).toContainEqual(
    expect.stringContaining('MSC DIANA: no longer watched. Stopped by ada'),
  );
  expect((await ask(bot, ada, '/watch list')).text).toContain('No watches');
  expect((await ask(bot, ada, '/vessel list')).text).toContain('No vessel has a name here yet');
});

test('an admin reads no numbers of what somebody has in private channels or alone, before they forget them', async () => {
  const bot = await useBot('socket');
  const desk = bot.playground.world.channels.find(({ id }) => id === privateDesk);
  if (!desk) throw new Error('the playground has no private channel');
  desk.memberIds = [ben, bot.botUserId];
  await bot.say(ben, ops, '/watch 9461477');
  await bot.settled();
  const asked = async () => (await ask(bot, ada, `/landfall forget <@${ben}>`)).text;
  const before = await asked();
  expect(before).toContain('Stopped for everybody: 1 watch in channels.');
  await bot.say(ben, privateDesk, '/watch 9839430 due NLRTM 20 dec 14:00');
  await bot.say(ben, privateDesk, '/digest add "Takeover" daily 06:00 Europe/Berlin: nextport 9839430');
  await bot.say(ben, dmOf(ben), 'watch 9811000');
  await bot.say(ben, dmOf(ben), 'digest add "Mine" daily 07:00 Europe/Berlin: nextport 9811000');
  await bot.settled();
  expect(await asked()).toBe(before);
  desk.memberIds.push(ada);
  bot.advance(700_000);
  expect(await asked()).toContain('Stopped for everybody: 2 watches and 1 digest in channels.');
});

test('the button deletes nothing for what cannot be the id of a person', async () => {
  for (const userId of ['%', 'C0OPS00001', 'U0BEN0001"', ''])
    await expect(
      // Its context isn't read.
      forgetAction.run(JSON.stringify({ id: '1', of: { userId } }), {} as ActionContext),
    ).rejects.toBeInstanceOf(ZodError);
});

test('a guest may have their own; people of other organisations are not served', async () => {
  const bot = await useBot('socket');
  expect((await ask(bot, eve, '/landfall export')).text).toMatch(/^Sent landfall-about-me-/);
  const question = await ask(bot, eve, '/landfall forget');
  const forgotten = ({ text }: PageMessage) => text.startsWith('What was stored about you is deleted');
  const press = { messageTs: question.ts, actionId: 'stored-data:forget' };
  await bot.after(() => bot.playground.click({ userId: eve, channelId: ops, ...press }), forgotten);
  const outside = await bot.say(dora, shared, '/landfall forget');
  expect(outside.text).not.toContain('stored');
});
