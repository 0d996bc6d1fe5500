import type { PageMessage } from 'bolt-playground';
import { parse } from 'csv-parse/sync';
import readExcelFile from 'read-excel-file/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ada,
  ben,
  buttonsOf,
  dmOf,
  eve,
  ops,
  privateDesk,
  startBot,
  type TestBot,
} from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { freight, norderney, startManyBot } from '../../support/many-workspaces.ts';
import { blockLines } from '../../support/message-text.ts';
import { useStarted } from '../../support/use-started.ts';

const chen = 'U0CHEN0001';
const chartering = 'C0CHARTER1';
const shared = 'C0CARRIERS';
/** What nobody but the members of the private channel, and the owners, may know of. */
const secrets = ['MSC GULSUN', '9839430', 'Takeover', privateDesk, 'Only mine', '9321483'];

const say = async (bot: TestBot, userId: string, channelId: string, text: string): Promise<PageMessage> => {
  const said = await bot.say(userId, channelId, text);
  await bot.settled();
  return said;
};

/** The answer that only this person sees. */
const ask = (bot: TestBot, userId: string, line: string, channelId = ops): Promise<PageMessage> =>
  bot.say(userId, channelId, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });

const read = ({ text, blocks = [] }: PageMessage): string =>
  [text, '', ...blocks.flatMap(blockLines)].join('\n');
const rowsOf = (message: PageMessage): string[] =>
  read(message)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2).split(' | ', 1)[0] ?? '');

/** Ada, an admin, isn't in the private channel. */
async function setUp(bot: TestBot): Promise<void> {
  const { channels } = bot.playground.world;
  const desk = channels.find(({ id }) => id === privateDesk);
  if (!desk) throw new Error('the playground has no private channel');
  desk.memberIds = [ben, chen, bot.botUserId];
  await say(bot, ada, ops, '/watch 9461477');
  await say(bot, ben, ops, '/watch 9811000 due NLRTM 20 dec 14:00');
  await say(bot, ben, ops, '/digest add "Morning" weekdays 08:00: portcalls Rotterdam');
  await say(bot, ben, chartering, '/watch 9755933');
  await say(bot, chen, chartering, '/watch 9461477');
  await say(bot, ben, privateDesk, '/watch 9839430 due NLRTM 20 dec 14:00');
  await say(bot, ben, privateDesk, '/digest add "Takeover" daily 06:00: nextport 9839430');
  await say(bot, chen, dmOf(chen), 'watch 9321483');
  await say(bot, chen, dmOf(chen), 'digest add "Only mine" daily 06:00: nextport 9321483');
  await say(bot, chen, dmOf(chen), 'vessel ref 9755933 add BK-4402 due Antwerp 22 dec 14:00');
}

const channelOf = (bot: TestBot, id: string) => {
  const channel = bot.playground.world.channels.find((one) => one.id === id);
  if (!channel) throw new Error(`the playground has no channel ${id}`);
  return channel;
};

describe('for an admin', () => {
  const bot = useStarted(() => startBot('http'));
  beforeAll(() => setUp(bot));

  test('lists all of the channels that they may look into, and only counts what is elsewhere', async () => {
    const shown = read(await ask(bot, ada, '/landfall overview'));
    expect(shown).toMatch(
      /\*4 watches, 1 digest and 2 promises in 2 channels\*: about [\d,]+ API calls a month\n/,
    );
    expect(shown).toMatch(
      /\nNot listed: 1 watch, 1 digest and 1 promise in private channels that you or Landfall aren't in \(about [\d,]+ API calls a month\); 1 watch and 1 digest that people have set up for themselves \(about [\d,]+ API calls a month\) · a poll that several watches share counts in the row of each\n/,
    );
    expect(shown).toContain('| EVER GIVEN at Rotterdam (promise) |');
    // Everybody sees a reference's promise, but not who typed it in a direct message.
    expect(shown).toContain(
      '| BK-4402 · MSC DIANA at Antwerp (promise) | by Tue 22 Dec 14:00 LT (13:00 UTC) | – | – |',
    );
  });

  test('says the whole of each row to a screen reader', async () => {
    const { text } = await ask(bot, ada, '/landfall overview');
    expect(text).toMatch(
      new RegExp(
        `MSC DIANA · <#${chartering}> · <@${ben}> · [\\d,]+ calls a month · last used [^·]+ · active[;.]`,
      ),
    );
    expect(text).toContain('Morning (digest) · ');
  });

  test('by kind, channel and person', async () => {
    expect(rowsOf(await ask(bot, ada, '/landfall overview digests'))).toEqual(['Morning (digest)']);
    const ofChartering = await ask(bot, ada, '/landfall overview of #chartering');
    expect(rowsOf(ofChartering).toSorted()).toEqual(['DS CYPRESS', 'MSC DIANA']);
    expect(ofChartering.text).toContain(`2 watches in <#${chartering}>: about `);
    const ofBoth = await ask(bot, ada, '/landfall overview watches of #chartering by @ben');
    expect(rowsOf(ofBoth)).toEqual(['MSC DIANA']);
    expect((await ask(bot, ada, '/landfall overview of nowhere')).text).toMatch(
      /^I don't understand “of nowhere” here\./,
    );
  });

  test('hands over only what the filter leaves: everything of a person only where all of it is listed', async () => {
    const offered = async (filter: string) => {
      const menus = buttonsOf(await ask(bot, ada, `/landfall overview${filter}`));
      return menus.flatMap(({ options = [] }) => options.map(({ text }) => text.text));
    };
    const everything = (labels: readonly string[]) => labels.filter((label) => /^Everything of/.test(label));
    expect(everything(await offered(''))).toEqual(['Everything of ben (3)']);
    expect(everything(await offered(' by @ben'))).toEqual(['Everything of ben (3)']);
    for (const filter of [' by @ada', ' of #chartering', ' watches by @ben', ' of #chartering by @ben'])
      expect([filter, everything(await offered(filter))]).toEqual([filter, []]);
    expect((await offered(' by @ada')).some((label) => /ben|chen/.test(label))).toBe(false);
  });

  test('the audit log and the usage of the bot hide it too', async () => {
    const audit = read(await ask(bot, ada, '/landfall audit by @ben'));
    expect(audit).toMatch(/ added a watch in a private channel\n/);
    expect(audit).toMatch(/ added a digest in a private channel\n/);
    expect(audit).toContain(` added the watch of MSC DIANA in <#${chartering}>`);
    const usage = read(await ask(bot, ada, '/usage bot'));
    expect(usage).toContain('Other channels');
    expect(usage).toContain(`<#${chartering}>`);
    for (const secret of secrets) expect(audit + usage).not.toContain(secret);
    const refused = read(await ask(bot, ada, '/landfall audit of #private-desk'));
    expect(refused).toContain('That channel is private, and you or Landfall are not in it.');
    expect(read(await ask(bot, ben, '/usage bot'))).toContain(`<#${privateDesk}>`);
  });

  test('no filter, page or file shows what is hidden, or whose it is', async () => {
    const lines = [
      ...['', ' page 2', ' watches', ' digests', ' promises', ' unused', ' of #ops'],
      ...[' of #private-desk', ' by @chen', ' by @ben', ' by @ada', ' of #private-desk by @ben page 3'],
    ];
    for (const line of lines) {
      const answer = await ask(bot, ada, `/landfall overview${line}`);
      // The channel that was typed is said again.
      const shown = JSON.stringify(answer).replaceAll(line.includes('private') ? privateDesk : '-', '');
      for (const secret of secrets) expect(shown, line).not.toContain(secret);
    }
    const [ofDesk, ofNothing] = [
      await ask(bot, ada, '/landfall overview of #private-desk'),
      await ask(bot, ada, '/landfall overview of #carriers-shared'),
    ];
    expect(read(ofDesk)).toBe(read(ofNothing).replaceAll(shared, privateDesk));
    for (const format of ['csv', 'json', 'xlsx']) {
      await ask(bot, ada, `/landfall overview as ${format}`);
      await bot.settled();
    }
    const files = await filesOf(bot);
    expect(files.map(({ name }) => name.replace(/.*\./, ''))).toEqual(['csv', 'json', 'xlsx']);
    for (const { text, name } of files)
      for (const secret of secrets) expect(text, name).not.toContain(secret);
    const rows: Record<string, string>[] = parse(files[0]?.text ?? '', { bom: true, columns: true });
    expect(rows).toHaveLength(7);
    expect(rows.find(({ title }) => title === 'MSC DIANA')).toMatchObject({
      kind: 'watch',
      channel_id: chartering,
      owner_id: ben,
      open_alerts: '0',
      status: 'active',
      owner_has_left: 'false',
    });
  });

  test('shows a private channel to its members, and hides a public one that becomes private', async () => {
    channelOf(bot, privateDesk).memberIds.push(ada);
    bot.advance(700_000);
    const { text } = await ask(bot, ada, '/landfall overview by @ben');
    expect(text).toContain('Takeover (digest)');
    channelOf(bot, privateDesk).memberIds.pop();
    const own = channelOf(bot, chartering);
    own.kind = 'private';
    own.memberIds = own.memberIds.filter((id) => id !== ada);
    bot.advance(700_000);
    const after = await ask(bot, ada, '/landfall overview');
    expect(read(after)).toMatch(/Not listed: 3 watches, 1 digest and 1 promise in private channels/);
    expect(JSON.stringify(after)).not.toContain(chartering);
    own.kind = 'public';
    own.memberIds.push(ada);
    bot.advance(700_000);
  });

  test('counts what is in channels that Slack does not describe, and says so', async () => {
    const own = channelOf(bot, chartering);
    own.memberIds = own.memberIds.filter((id) => id !== ada);
    bot.advance(700_000);
    bot.playground.faults.next('conversations.info', { error: 'internal_error' }, 3);
    const shown = read(await ask(bot, ada, '/landfall overview watches'));
    expect(shown).toContain(
      "Slack hasn't described 2 channels yet, so they count as private: ask again in a minute",
    );
    own.memberIds.push(ada);
    bot.advance(700_000);
  });

  test('only admins see it, and a mention is answered to them alone', async () => {
    for (const userId of [chen, eve]) {
      const { text } = await ask(bot, userId, '/landfall overview');
      expect(text).toMatch(/^Only workspace admins can see what everybody has set up\./);
      expect((await ask(bot, userId, `/landfall overview hand over @ben to @chen`)).text).not.toContain(
        'handed over to',
      );
    }
    // The answer to a mention would be seen by all.
    expect((await bot.say(ada, ops, '@landfall overview')).text).toMatch(
      /^This isn't shown where others can read it\./,
    );
    expect((await bot.say(ada, ops, '/landfall overview public')).ephemeralTo).toBe(ada);
    expect((await bot.say(ada, dmOf(ada), 'overview')).text).toMatch(/^4 watches, 1 digest and 2 promises /);
  });

  test('what nobody has used for 30 days', async () => {
    expect((await ask(bot, ada, '/landfall which digests does nobody use?')).text).toMatch(
      /^No watches, digests or promises unused for 30 days/,
    );
  });
});

describe('from there', () => {
  const bot = useStarted(() => startBot('http'), { perTest: true });
  const changes = async () => (await ask(bot, ada, '/landfall audit')).text;
  const pressed = (message: PageMessage, menu: string, label: RegExp) => {
    for (const { action_id: actionId, options = [], ...element } of buttonsOf(message)) {
      const option = options.find(({ text }) => label.test(text.text));
      if (option && JSON.stringify(element).includes(menu)) return { actionId, optionValue: option.value };
    }
    throw new Error(`no ${menu} ${label} in ${read(message)}`);
  };
  const choose = async (menu: string, label: RegExp) => {
    const answer = await ask(bot, ada, '/landfall overview');
    const where = { userId: ada, channelId: ops, messageTs: answer.ts };
    await bot.playground.click({ ...where, ...pressed(answer, menu, label) });
    return driveForms(bot, ada);
  };

  test('a watch of somebody else is stopped after a question', async () => {
    await setUp(bot);
    const form = await choose('Stop a watch', /^MSC DIANA/);
    await form.see(`Stop the watch of MSC DIANA in <#${chartering}>?`);
    await form.press('Stop it');
    await form.see(`MSC DIANA in <#${chartering}> is no longer watched`);
    expect(rowsOf(await ask(bot, ada, '/landfall overview watches of #chartering'))).toEqual(['DS CYPRESS']);
    expect(await changes()).toContain(`<@${ada}> stopped the watch of MSC DIANA in <#${chartering}>`);
  });

  test('a digest is removed after a question', async () => {
    await setUp(bot);
    const form = await choose('Remove a digest', /^Morning/);
    await form.see('Remove the digest “Morning”');
    await form.press('Remove it');
    await form.see('Digest removed');
    expect(rowsOf(await ask(bot, ada, '/landfall overview digests'))).toEqual([]);
  });

  test('one thing is handed over to somebody in its channel', async () => {
    await setUp(bot);
    const form = await choose('Hand over', /^Morning/);
    await form.see(`the digest “Morning” in <#${ops}>`);
    await form.fill('owner', 'U0DORA0001');
    const { owner } = z
      .object({ errors: z.record(z.string(), z.string()) })
      .parse(await form.submit()).errors;
    expect(owner).toMatch(/^That person is of another organisation/);
    await form.fill('owner', chen);
    await form.submit();
    await form.see(`1 digest handed over to <@${chen}>`);
    expect(rowsOf(await ask(bot, ada, '/landfall overview digests by @chen'))).toEqual(['Morning (digest)']);
  });

  test('everything of somebody who has left Slack comes first, and goes to one person, as far as they are in the channels', async () => {
    await setUp(bot);
    const left = bot.playground.world.users.find(({ id }) => id === ben);
    if (left) left.isDeactivated = true;
    bot.advance(3_700_000);
    const answer = await ask(bot, ada, '/landfall overview');
    expect(read(answer)).toContain('🟠 3 belong to people who have left Slack');
    expect(
      rowsOf(answer)
        .slice(0, 3)
        .map((row) => row.slice(0, 2)),
    ).toEqual(['🟠', '🟠', '🟠']);
    expect(read(answer)).toContain('| owner has left Slack, active |');
    // Chen isn't in one of the channels.
    channelOf(bot, chartering).memberIds = [ada, bot.botUserId];
    bot.advance(61_000);
    const form = await choose('Hand over', /^Everything of ben, who has left \(3\)$/);
    await form.see('the watch of EVER GIVEN');
    await form.fill('owner', chen);
    await form.submit();
    await form.see(`1 watch and 1 digest handed over to <@${chen}>`);
    expect(form.read()).toContain(
      `🟠 Not handed over: the watch of MSC DIANA in <#${chartering}>. That person is not in the channel`,
    );
    const log = await changes();
    expect(log).toContain(`<@${ada}> handed over the watch of EVER GIVEN in <#${ops}>`);
    expect(log).toContain(`<@${ada}> handed over the digest “Morning” in <#${ops}>`);
    // What is in the private channel stays as it is.
    const { text } = await ask(bot, chen, '/watch list', privateDesk);
    expect(text).toContain(`MSC GULSUN`);
    expect(rowsOf(await ask(bot, ada, '/landfall overview watches by @ben'))).toEqual(['🟠 MSC DIANA']);
    const typed = await ask(bot, ada, '/landfall overview hand over @ben to @ada');
    expect(typed.text).toMatch(new RegExp(`^1 watch handed over to <@${ada}>`));
    expect((await ask(bot, ada, '/landfall overview hand over @ben to @ada')).text).toMatch(
      /^That person has no watches and digests that you may see, so nothing was handed over\./,
    );
    expect((await ask(bot, ada, '/landfall overview hand over @ben')).text).toMatch(
      /^Whose watches and digests, and to whom\?/,
    );
  });

  test('what Slack refuses comes first, with the reason; a long list has pages', async () => {
    await setUp(bot);
    await bot.playground.manage({ userId: ada, channelId: chartering, action: 'archive' });
    await bot.settled();
    await bot.runDue();
    for (let count = 1; count <= 14; count += 1)
      await say(bot, ada, ops, `/vessel ref 9461477 add BK-${count} due Rotterdam ${count} dec 14:00`);
    const first = await ask(bot, ada, '/landfall overview');
    expect(read(first)).toContain('🟠 2 paused because Slack refuses the messages');
    expect(read(first)).toContain('| paused: the channel is archived |');
    expect(rowsOf(first)).toHaveLength(20);
    const second = await ask(bot, ada, '/landfall overview page 2');
    expect(rowsOf(second)).toHaveLength(1);
    expect(read(second)).toContain('21–21 of 21 shown');
  });
});

test('another workspace is never part of it', async () => {
  const bot = await startManyBot({ env: { ACCOUNTS: 'shared' } });
  try {
    for (const workspace of [freight, norderney]) await bot.install(workspace);
    await bot.say(freight.member, freight.ops, '/watch 9461477');
    await bot.say(norderney.member, norderney.ops, '/watch 9755933');
    await bot.say(norderney.member, norderney.ops, '/digest add "North" daily 06:00: nextport 9755933');
    const ofFreight = await bot.say(freight.admin, freight.ops, '/landfall overview');
    expect(ofFreight.text).toMatch(/^1 watch in 1 channel: about [\d,]+ API calls a month; DS CYPRESS /);
    const ofNorderney = await bot.say(norderney.admin, norderney.ops, '/landfall overview');
    expect(ofNorderney.text).toMatch(
      /^1 watch and 1 digest in 1 channel: about [\d,]+ API calls a month; MSC DIANA /,
    );
    expect(JSON.stringify([ofFreight, ofNorderney])).not.toContain('Not listed');
  } finally {
    await bot.stop();
  }
});

/** What the bot has sent to Ada. */
async function filesOf(bot: TestBot): Promise<{ name: string; text: string }[]> {
  const { apiUrl, botToken } = bot.playground;
  const headers = { authorization: `Bearer ${botToken}` };
  const files = bot.messages(dmOf(ada)).flatMap((message) => message.files ?? []);
  return await Promise.all(
    files.map(async ({ id, name }) => {
      const info = await fetch(`${apiUrl}files.info?file=${id}`, { headers });
      // The shape of Slack's answer to files.info.
      const { file } = (await info.json()) as { file: { url_private_download: string } };
      const bytes = Buffer.from(await (await fetch(file.url_private_download, { headers })).arrayBuffer());
      const isWorkbook = name.endsWith('.xlsx');
      return { name, text: isWorkbook ? JSON.stringify(await readExcelFile(bytes)) : String(bytes) };
    }),
  );
}
