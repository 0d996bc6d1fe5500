import { webApi } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import { ada, ben, dmOf, dora, type Mode, ops, startBot, type TestBot } from '../../support/bot.ts';
import { closeAll, driveForms } from '../../support/form-driver.ts';
import { quietLogger } from '../../support/quiet-logger.ts';
import { useStarted } from '../../support/use-started.ts';

const toAda = { match: ({ ephemeralTo }: { ephemeralTo?: string }) => ephemeralTo === ada };

describe.each<Mode>(['socket', 'http'])('forms over %s', (mode) => {
  const bot = useStarted(() => startBot(mode));
  const form = driveForms(bot, ada);
  afterEach(async () => {
    bot.playground.faults.clear();
    bot.sandbox.faults.clear();
    await closeAll(bot, ada);
  });

  const modals = () => bot.playground.views(ada).filter(({ type }) => type === 'modal');
  const openWatchForm = async () => {
    await bot.playground.shortcut({ userId: ada, channelId: ops, callbackId: 'watch_vessel' });
    await form.see('# Watch a vessel');
  };
  const fill = async (values: Record<string, string>) => {
    for (const [field, value] of Object.entries(values)) await form.fill(field, value);
  };
  const addWatch = async (what: string, words: string) => {
    await openWatchForm();
    await fill({ what, channel: ops });
    expect(await form.submit()).toEqual({ ok: true });
    await form.see(words);
  };
  const cardsIn = (channelId: string, title: string) =>
    bot.messages(channelId).filter(({ text, ephemeralTo }) => !ephemeralTo && text?.includes(title));

  test('a watch is added: parsed while typing, all field errors at once; then the answer, Edit and Undo', async () => {
    await openWatchForm();
    await form.fill('what', '9461478');
    await form.see('Did you mean DS CYPRESS (9461477)?');
    await form.press('More settings');
    await form.see('Due dates');
    await fill({ channel: ops, eta: 'soon', below: '0', arriving: 'x', overdue: '500', due: 'NLRTM' });
    await form.fill('quiet', 'at night');
    expect(await form.submit()).toEqual({
      ok: false,
      error: '',
      errors: {
        what: "9461478 isn't a valid IMO number: its check digit doesn't match. Did you mean DS CYPRESS (9461477)?",
        eta: "“eta soon” isn't a valid rule: it takes 1 to 240 hours, or up to 10 days. Did you mean eta 6h?",
        below: expect.stringContaining('the probability is a whole percentage from 1% to 99%.'),
        arriving: 'Write it like “arriving 72h,24h”.',
        overdue: expect.stringContaining('Did you mean overdue 6h?'),
        due: expect.stringContaining('is missing a port, or a date after it.'),
        quiet: 'Write it like “quiet 22:00-06:00”.',
      },
    });
    await fill({
      what: 'ds cypress',
      eta: 'eta 6h',
      below: '',
      arriving: '',
      overdue: '',
      due: '',
      quiet: '',
    });
    await form.see('DS CYPRESS (IMO 9461477)');
    expect(await form.submit()).toEqual({ ok: true });
    await form.see(/Watching DS CYPRESS[\s\S]*ETA 6 h/);
    await form.press('Edit');
    await form.see(new RegExp(`# Edit watch[\\s\\S]*\\*DS CYPRESS\\* in <#${ops}>`));
    await form.fill('notify', ['diverted', 'etaMoved']);
    await form.submit();
    await form.see('has changed');
    await form.press('Undo');
    await form.see('is as it was before');
    expect(cardsIn(ops, 'DS CYPRESS')).toHaveLength(1);
  });

  test('a personal watch notifies only its owner, wherever the form was opened; a preview saves nothing', async () => {
    await openWatchForm();
    await form.fill('where', 'me');
    await expect.poll(() => form.read()).not.toContain('channel:');
    await form.fill('what', '9755933');
    await form.press('Preview notifications');
    await form.see('this would watch MSC DIANA for you alone');
    expect(modals()).toHaveLength(2);
    expect([...cardsIn(dmOf(ada), 'MSC DIANA'), ...cardsIn(ops, 'MSC DIANA')]).toEqual([]);
    await form.close();
    await form.submit();
    await form.see('Watching MSC DIANA for you alone');
    expect([cardsIn(dmOf(ada), 'MSC DIANA').length, cardsIn(ops, 'MSC DIANA').length]).toEqual([1, 0]);
    // It is the same watch that a typed line there adds.
    const said = (words: string) => ({ match: ({ text }: { text: string }) => text.includes(words) });
    const again = said('MSC DIANA is already watched here');
    await bot.say(ada, dmOf(ada), 'watch 9755933', again);
    await bot.say(ada, dmOf(ada), 'watch stop 9755933', said('No longer watched: MSC DIANA'));
  });

  test('a watch is handed over in its form or with a line, to a member of its channel who may use Landfall', async () => {
    const isList = ({ text }: { text: string }) => text.includes('in this channel');
    const list = await bot.say(ada, ops, '/watch list', { match: isList });
    const clicked = { userId: ada, channelId: ops, messageTs: list.ts, actionId: 'form:watch:0' };
    await bot.playground.click(clicked);
    await form.see('# Edit watch');
    for (const [owner, error] of [
      [dora, 'of another organisation'],
      [bot.botUserId, 'an app'],
    ] as const) {
      await form.fill('owner', owner);
      expect(await form.submit()).toMatchObject({ errors: { owner: expect.stringContaining(error) } });
    }
    await form.fill('owner', ben);
    await form.submit();
    await form.see(`Handed over to <@${ben}>`);
    await form.press('Undo');
    await form.see('is as it was before');
    const handOver = async (userId: string) =>
      (await bot.say(ada, ops, `/watch hand over 9461477 to <@${userId}>`, toAda)).text;
    expect(await handOver(dora)).toContain('That person is of another organisation');
    expect(await handOver('U0NOBODY99')).toContain('That person is not in the channel');
  });

  test('a vessel is named on top of the watch form, which shows again; never more than three windows', async () => {
    await openWatchForm();
    await fill({ what: '9074729', channel: ops });
    await form.press('Name a vessel …');
    await form.see('# Name a vessel');
    await fill({ imo: '9074728', name: 'MSC DIANA' });
    await form.see('check digit');
    await form.fill('imo', '9074729');
    await form.see('IMO 9755933 is called that too');
    await form.fill('name', 'a,b');
    expect(await form.submit()).toMatchObject({
      errors: { name: expect.stringContaining("can't be a name") },
    });
    await fill({ name: 'North Star', fleets: 'NORTH' });
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('# Watch a vessel');
    await form.fill('what', 'fleet:north');
    await form.see('Fleet NORTH, 1 vessel now');
    await form.fill('what', 'north star');
    await form.see('NORTH STAR (IMO 9074729)');
  });

  test('the answer about an unnamed vessel offers to name it', async () => {
    const { ts: messageTs } = await bot.say(ada, ops, '/nextport 9839284', toAda);
    const clicked = { userId: ada, channelId: ops, messageTs, actionId: 'form:name' };
    expect(await bot.playground.click(clicked)).toMatchObject({ ok: true });
    await form.see('IMO 9839284 has no name here yet');
    await form.fill('name', 'Aurora');
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('IMO 9839284 is now called AURORA');
  });

  test('after an expired trigger the button of an answer says what to type', async () => {
    const answer = await bot.say(ada, ops, '/watch 9811000', toAda);
    bot.playground.faults.next('views.open', { error: 'expired_trigger_id' });
    const said = await bot.click(ada, answer, 'Edit');
    expect(said).toMatchObject({ ephemeralTo: ada });
    expect(said.text).toMatch(/^Slack waited too long for Landfall, so nothing opened\..*\/watch/);
  });

  test.each([
    ['expired_trigger_id', 'Slack waited too long for Landfall, so nothing opened.'],
    ['push_limit_reached', 'Slack opens at most three windows on top of each other'],
  ])('a window that fails to open on another (%s) is reported in the channel', async (error, words) => {
    await addWatch('9811000', 'EVER GIVEN');
    bot.playground.faults.next('views.push', { error }, 2);
    const said = await bot.after(
      () => form.press('Edit'),
      ({ text }) => text?.startsWith('Slack ') ?? false,
    );
    expect(said).toMatchObject({ ephemeralTo: ada, channelId: ops, text: expect.stringContaining(words) });
    expect(modals()).toHaveLength(1);
  });

  test('a watch can be added while the service is down', async () => {
    bot.sandbox.faults.status(503);
    await addWatch('9839430', 'Watching MSC GULSUN');
  });

  test('a forged form or button fails once, with a reference', async () => {
    const refs = () => bot.log.filter(({ outcome }) => outcome === 'failed').length;
    const submitForged = async (private_metadata: string, callback_id = 'form:watch') => {
      const before = refs();
      await forge(bot, { private_metadata, callback_id });
      await form.submit();
      await form.see('Something broke on our side');
      expect(refs()).toBe(before + 1);
      await form.close();
    };
    await openWatchForm();
    for (const metadata of ['{"channelId":', '{"channelId":"C0OPS00001","target":7,"memo":[]}', ''])
      await submitForged(metadata);
    await submitForged('', 'form:no-such-form');
  });
});

/** Changes the open form, which only the app itself can do. */
async function forge(bot: TestBot, over: { private_metadata: string; callback_id: string }): Promise<void> {
  const { apiUrl, botToken } = bot.playground;
  const text = (words: string) => ({ type: 'plain_text' as const, text: words });
  const element = { type: 'plain_text_input' as const, action_id: 'field' };
  const what = { type: 'input' as const, block_id: 'what', label: text('what'), optional: true, element };
  await new webApi.WebClient(botToken, { slackApiUrl: apiUrl, logger: quietLogger }).views.update({
    view_id: bot.playground.views(ada).at(-1)?.id ?? '',
    view: { type: 'modal', title: text('Forged'), submit: text('Watch'), blocks: [what], ...over },
  });
}
