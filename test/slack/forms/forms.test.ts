import { webApi } from '@slack/bolt';
import type { PageMessage } from 'bolt-playground';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  ada,
  ben,
  buttonsOf,
  dmOf,
  dora,
  type Mode,
  ops,
  startBot,
  type TestBot,
} from '../../support/bot.ts';
import {
  closeAll,
  field,
  modals,
  pressTop,
  submitTop,
  textsOf,
  top,
  typeInto,
  waitForModal,
} from '../../support/modals.ts';
import { quietLogger } from '../../support/quiet-logger.ts';
import { waitUntil } from '../../support/wait-until.ts';

const openWatchForm = (bot: TestBot, userId = ada) =>
  bot.playground.shortcut({ userId, channelId: ops, callbackId: 'watch_vessel' });

const cardsIn = (bot: TestBot, title: string) =>
  bot.messages(ops).filter(({ text, ephemeralTo }) => !ephemeralTo && text?.includes(title));

describe.each<Mode>(['socket', 'http'])('forms over %s', (mode) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(mode);
  });
  afterAll(() => bot.stop());
  afterEach(async () => {
    bot.playground.faults.clear();
    bot.sandbox.faults.clear();
    await closeAll(bot, ada);
  });

  test('a watch is added: parsed while typing, all field errors at once; then the answer, and Edit', async () => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    await typeInto(bot, ada, { what: '9461478' }, 'what');
    await waitForModal(bot, ada, 'Watch a vessel', 'Did you mean DS CYPRESS (9461477)?');
    await typeInto(bot, ada, { what: 'ds cypress' }, 'what');
    await waitForModal(bot, ada, 'Watch a vessel', 'DS CYPRESS (IMO 9461477)');
    await pressTop(bot, ada, 'More settings', { what: 'ds cypress' });
    await waitForModal(bot, ada, 'Watch a vessel', 'Due dates');
    const wrong = {
      what: '9461478',
      channel: ops,
      eta: 'soon',
      below: '0',
      arriving: 'x',
      quiet: 'at night',
    };
    expect(await submitTop(bot, ada, { ...wrong, overdue: '500', due: 'NLRTM' })).toEqual({
      ok: false,
      error: '',
      errors: {
        what: "9461478 isn't a valid IMO number: its check digit doesn't match. Did you mean DS CYPRESS (9461477)?",
        eta: 'Write a number of hours from 1 to 240, such as 6.',
        below: 'Write a whole percentage from 1 to 99, such as 40.',
        arriving: 'Write one to 5 numbers of hours from 1 to 240, such as 72, 24.',
        overdue: 'Write a number of hours from 1 to 240, such as 6.',
        due: expect.stringContaining('is missing a port, or a date after it.'),
        quiet: 'Write it from one time of the day to another: 22:00-06:00.',
      },
    });
    expect(await submitTop(bot, ada, { what: 'ds cypress', channel: ops, eta: '6 h', due: '' })).toEqual({
      ok: true,
    });
    const answer = await waitForModal(bot, ada, 'Landfall', 'Watching DS CYPRESS');
    expect(textsOf(answer)).toContain('• the ETA moves by 6 h or more\\n• the probability falls under 50');
    expect(cardsIn(bot, 'DS CYPRESS')).toHaveLength(1);

    await pressTop(bot, ada, 'Edit');
    const edit = await waitForModal(bot, ada, 'Edit watch', 'The ETA moves by 6 h or more');
    expect(textsOf(edit)).toContain(`*DS CYPRESS* in <#${ops}>`);
    await submitTop(bot, ada, { notify: ['diverted', 'etaMoved'] });
    const edited = await waitForModal(bot, ada, 'Landfall', 'has changed');
    expect(textsOf(edited)).toContain(
      '• another port becomes the likeliest before the call\\n• the ETA moves by 6 h or more',
    );
    await pressTop(bot, ada, 'Undo');
    await waitForModal(bot, ada, 'Landfall', 'is as it was before');
    expect(cardsIn(bot, 'DS CYPRESS')).toHaveLength(1);
  });

  test('a personal watch notifies only its owner, wherever the form was opened', async () => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    await typeInto(bot, ada, { where: 'me' }, 'where');
    await waitUntil('no channel is asked for', () => {
      const form = top(bot, ada);
      return form !== undefined && field(form, 'channel') === undefined;
    });
    await pressTop(bot, ada, 'Preview notifications', { what: '9755933', where: 'me' });
    await waitForModal(bot, ada, 'Preview notifications', 'this would watch MSC DIANA for you alone');
    await bot.playground.closeView({ userId: ada, viewId: top(bot, ada)?.id ?? '', all: false });
    await submitTop(bot, ada, { what: '9755933', where: 'me' });
    await waitForModal(bot, ada, 'Landfall', 'Watching MSC DIANA for you alone');
    const cards = (channelId: string) =>
      bot.messages(channelId).filter(({ text }) => text.includes('MSC DIANA'));
    expect(cards(dmOf(ada))).toHaveLength(1);
    expect(cards(ops)).toEqual([]);
    await pressTop(bot, ada, 'List the watches');
    await waitForModal(bot, ada, 'Landfall', 'MSC DIANA');
    // It is the same watch that a typed line there adds.
    const said = (words: string) => ({ match: ({ text }: { text: string }) => text.includes(words) });
    await bot.say(
      ada,
      dmOf(ada),
      'watch 9755933',
      said('MSC DIANA is already watched here, with these rules'),
    );
    await bot.say(ada, dmOf(ada), 'watch stop 9755933', said('No longer watched: MSC DIANA'));
  });

  test('a watch is handed over in its form, to a member of its channel who may use Landfall', async () => {
    const isList = ({ text }: { text: string }) => text.includes('in this channel');
    const list = await bot.say(ada, ops, '/watch list', { match: isList });
    const open = () =>
      bot.playground.click({ userId: ada, channelId: ops, messageTs: list.ts, actionId: 'form:watch:0' });
    await open();
    const edit = await waitForModal(bot, ada, 'Edit watch', 'Owner');
    expect(field(edit, 'owner')).toMatchObject({ type: 'users_select', initial_user: ada });
    const beside = async (owner: string) => (await submitTop(bot, ada, { owner })) as unknown;
    expect(await beside(dora)).toMatchObject({
      errors: { owner: expect.stringContaining('of another organisation') },
    });
    expect(await beside(bot.botUserId)).toMatchObject({
      errors: { owner: expect.stringContaining('an app') },
    });
    await submitTop(bot, ada, { owner: ben });
    const edited = await waitForModal(bot, ada, 'Landfall', 'has changed');
    expect(textsOf(edited)).toContain(`Handed over to <@${ben}>.`);
    await pressTop(bot, ada, 'Undo');
    await waitForModal(bot, ada, 'Landfall', 'is as it was before');
    await closeAll(bot, ada);
    await open();
    expect(field(await waitForModal(bot, ada, 'Edit watch', 'Owner'), 'owner')).toMatchObject({
      initial_user: ada,
    });
  });

  test("a typed line can't hand a watch over to anybody else", async () => {
    const match = ({ ephemeralTo }: { ephemeralTo?: string }) => ephemeralTo === ada;
    const handOver = (userId: string) =>
      bot.say(ada, ops, `/watch hand over 9461477 to <@${userId}>`, { match });
    expect((await handOver(dora)).text).toContain('That person is of another organisation');
    expect((await handOver('U0NOBODY99')).text).toContain('That person is not in the channel');
    expect((await handOver(ben)).text).toContain('Handed over to');
    await handOver(ada);
  });

  test('a preview opens on top of the form, and saves nothing', async () => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    await pressTop(bot, ada, 'Preview notifications', { what: 'port Sydney', channel: ops });
    await waitForModal(
      bot,
      ada,
      'Preview notifications',
      'Nothing saved: this would watch port Sydney (AUSYD)',
    );
    expect(modals(bot, ada)).toHaveLength(2);
    expect(cardsIn(bot, 'Sydney')).toEqual([]);
  });

  test('a vessel is named on top of the watch form, which shows again; never more than three windows', async () => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    await pressTop(bot, ada, 'Name a vessel …', { what: '9074729', channel: ops });
    await waitForModal(bot, ada, 'Name a vessel');
    await typeInto(bot, ada, { imo: '9074728', name: 'MSC DIANA' }, 'imo');
    await waitForModal(bot, ada, 'Name a vessel', 'check digit');
    await typeInto(bot, ada, { imo: '9074729', name: 'MSC DIANA' }, 'name');
    await waitForModal(bot, ada, 'Name a vessel', 'IMO 9755933 is called that too');
    expect(await submitTop(bot, ada, { imo: '9074729', name: 'a,b', fleets: '' })).toMatchObject({
      errors: { name: expect.stringContaining("This can't be its name") },
    });
    expect(await submitTop(bot, ada, { imo: '9074729', name: 'North Star', fleets: 'NORTH' })).toEqual({
      ok: true,
    });
    await waitForModal(bot, ada, 'Watch a vessel');
    await typeInto(bot, ada, { what: 'fleet:north' }, 'what');
    await waitForModal(bot, ada, 'Watch a vessel', 'Fleet NORTH, 1 vessel now');
    await typeInto(bot, ada, { what: 'north star' }, 'what');
    await waitForModal(bot, ada, 'Watch a vessel', 'NORTH STAR (IMO 9074729)');
  });

  test('the answer about an unnamed vessel offers to name it', async () => {
    // Not a late message of the test before.
    const match = (message: PageMessage) => buttonsOf(message).some(({ text }) => text?.text === 'Name it …');
    const answer = await bot.say(ada, ops, '/nextport 9839284', { match });
    const button = buttonsOf(answer).find(({ text }) => text?.text === 'Name it …');
    await bot.playground.click({
      userId: ada,
      channelId: ops,
      messageTs: answer.ts,
      actionId: button?.action_id ?? '',
    });
    const form = await waitForModal(bot, ada, 'Name a vessel', 'IMO 9839284 has no name here yet');
    expect(field(form, 'imo')).toMatchObject({ initial_value: '9839284' });
    await submitTop(bot, ada, { name: 'Aurora' });
    await waitForModal(bot, ada, 'Landfall', 'IMO 9839284 is now called AURORA');
  });

  test('after an expired trigger the button of an answer and Edit say what to type', async () => {
    const answer = await bot.say(ada, ops, '/watch 9811000', {
      match: ({ ephemeralTo }) => ephemeralTo === ada,
    });
    bot.playground.faults.next('views.open', { error: 'expired_trigger_id' });
    const said = await bot.click(ada, answer, 'Edit');
    expect(said).toMatchObject({ ephemeralTo: ada });
    expect(said.text).toContain('Slack waited too long for Landfall, so nothing opened.');
    expect(said.text).toContain('/watch');
  });

  test.each([
    ['expired_trigger_id', 'Slack waited too long for Landfall, so nothing opened.'],
    ['push_limit_reached', 'Slack opens at most three windows on top of each other'],
  ])('a window that fails to open on another (%s) is reported in the channel', async (error, words) => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    await submitTop(bot, ada, { what: '9811000', channel: ops });
    await waitForModal(bot, ada, 'Landfall', 'EVER GIVEN');
    bot.playground.faults.next('views.push', { error }, 2);
    const said = await bot.after(
      () => pressTop(bot, ada, 'Edit'),
      ({ text }) => text?.startsWith('Slack ') ?? false,
    );
    expect(said).toMatchObject({ ephemeralTo: ada, channelId: ops });
    expect(said.text).toContain(words);
    expect(modals(bot, ada)).toHaveLength(1);
  });

  test('a watch can be added while the service is down', async () => {
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    bot.sandbox.faults.status(503);
    await submitTop(bot, ada, { what: '9839430', channel: ops });
    await waitForModal(bot, ada, 'Landfall', 'Watching MSC GULSUN');
  });

  test('the list of watches opens the form of each', async () => {
    await bot.say(ada, ops, '/watch 9755933', { match: ({ ephemeralTo }) => ephemeralTo === ada });
    const isList = ({ text }: { text: string }) => text.includes('in this channel');
    const list = await bot.say(ada, ops, '/watch list', { match: isList });
    const row = (list.blocks ?? []).find((block) => JSON.stringify(block).includes('MSC DIANA'));
    const edit = row?.type === 'section' && row.accessory?.type === 'button' ? row.accessory : undefined;
    const where = { userId: ada, channelId: ops, messageTs: list.ts };
    await bot.playground.click({ ...where, actionId: edit?.action_id ?? '' });
    await waitForModal(bot, ada, 'Edit watch', 'MSC DIANA');
  });

  test('a forged form or button fails once, with a reference', async () => {
    const refs = () => bot.log.filter(({ outcome }) => outcome === 'failed').length;
    await openWatchForm(bot);
    await waitForModal(bot, ada, 'Watch a vessel');
    for (const private_metadata of ['{"channelId":', '{"channelId":"C0OPS00001","target":7,"memo":[]}', '']) {
      const before = refs();
      await forge(bot, { private_metadata, callback_id: 'form:watch' });
      await submitTop(bot, ada, { what: '9461477' });
      const failed = await waitForModal(bot, ada, 'Landfall', 'Something broke on our side');
      expect(refs()).toBe(before + 1);
      await bot.playground.closeView({ userId: ada, viewId: failed.id, all: false });
    }
    await forge(bot, { private_metadata: '', callback_id: 'form:no-such-form' });
    await submitTop(bot, ada, { what: '9461477' });
    await waitForModal(bot, ada, 'Landfall', 'Something broke on our side');
  });
});

/** Changes the open form, which only the app itself can do. */
async function forge(bot: TestBot, over: { private_metadata: string; callback_id: string }): Promise<void> {
  const { apiUrl, botToken } = bot.playground;
  const text = (words: string) => ({ type: 'plain_text' as const, text: words });
  const element = { type: 'plain_text_input' as const, action_id: 'field' };
  const what = { type: 'input' as const, block_id: 'what', label: text('what'), optional: true, element };
  await new webApi.WebClient(botToken, { slackApiUrl: apiUrl, logger: quietLogger }).views.update({
    view_id: top(bot, ada)?.id ?? '',
    view: { type: 'modal', title: text('Forged'), submit: text('Watch'), blocks: [what], ...over },
  });
}
