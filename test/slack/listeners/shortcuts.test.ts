import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { watchShortcuts } from '../../../src/features/watches/index.ts';
import { ada, dmOf, dora, type Mode, ops, privateDesk, shared, startBot } from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { useStarted } from '../../support/use-started.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('manifest.yml ↔ the listeners; every name and description within what Slack allows', () => {
  const { shortcuts } = parse(readFileSync('manifest.yml', 'utf8')).features;
  const ids = shortcuts.map(({ callback_id }: { callback_id: string }) => callback_id);
  expect(ids.toSorted()).toEqual(watchShortcuts.map(({ id }) => id).toSorted());
  for (const { name, description } of shortcuts) {
    expect(name.length).toBeLessThanOrEqual(24);
    expect(description.length).toBeLessThanOrEqual(150);
  }
});

describe.each<Mode>(['socket', 'http'])('shortcuts over %s', (mode) => {
  const bot = useStarted(() => startBot(mode));
  const form = driveForms(bot, ada);
  afterEach(async () => {
    bot.playground.faults.clear();
    if (form.top()?.type === 'modal') await form.close();
  });

  const global = () => bot.playground.shortcut({ userId: ada, channelId: ops, callbackId: 'watch_vessel' });
  /** Runs the message shortcut on a message with this text. */
  const onMessage = async (text: string, { userId = ada, channelId = ops } = {}) => {
    const { ts: messageTs = '' } = await bot.playground.say({ userId, channelId, text });
    return bot.playground.shortcut({ userId, channelId, callbackId: 'watch_message', messageTs });
  };

  test('“Watch vessel in message” finds the vessels of the message, and offers its channel', async () => {
    await onMessage('Is <https://ships.example/9755933|she> late? And the ds cypress?');
    await form.see('MSC DIANA (IMO 9755933), DS CYPRESS (IMO 9461477)');
    expect(form.read()).toMatch(/^what: .* = 9755933, 9461477/m);
    expect(form.read()).toMatch(new RegExp(`^channel: .* = ${ops}`, 'm'));
  });

  test('a message without a vessel opens the form empty, and says so', async () => {
    await onMessage('Lunch?');
    await form.see('No IMO number and no known vessel name was found in that message.');
    expect(form.read()).toMatch(/^what: [^=]*$/m);
    expect(JSON.stringify(bot.log)).not.toContain('Lunch');
  });

  test('in a direct message with the bot no channel is needed', async () => {
    await onMessage('DS CYPRESS', { channelId: dmOf(ada) });
    await form.see('# Watch a vessel');
    expect(form.read()).not.toMatch(/^channel:/m);
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Watching DS CYPRESS here');
    // In later tests, the change of the card would be taken for the bot's answer.
    await waitUntil('the card shows the first answer', () =>
      bot.messages(dmOf(ada)).some(({ text }) => /^DS CYPRESS → [^,]+ \d+%/.test(text)),
    );
  });

  test('if the bot is not a member, the channel field says what to do', async () => {
    await onMessage('DS CYPRESS', { channelId: privateDesk });
    await form.see('# Watch a vessel');
    expect(await form.submit()).toMatchObject({
      errors: { channel: expect.stringContaining('/invite @Landfall') },
    });
  });

  test('outsiders get the notice that they are not served, and nothing opens', async () => {
    const said = await bot.after(() => onMessage('DS CYPRESS', { userId: dora, channelId: shared }));
    expect(said).toMatchObject({ ephemeralTo: dora, channelId: shared });
    expect(bot.playground.views(dora)).toEqual([]);
  });

  test.each([
    [
      { rateLimitedSeconds: 60 },
      'Slack accepts no more requests from Landfall right now, so nothing opened. Please press it again in a minute, or type it as a command. For example: /watch 9461477',
    ],
    [
      { error: 'expired_trigger_id' },
      'Slack waited too long for Landfall, so nothing opened. Please press it again, or type it as a command. For example: /watch 9461477',
    ],
    [
      { error: 'exchanged_trigger_id' },
      'Slack waited too long for Landfall, so nothing opened. Please press it again, or type it as a command. For example: /watch 9461477',
    ],
  ])('if Slack opens no window (%j), a message says what to type instead', async (fault, text) => {
    bot.playground.faults.next('views.open', fault);
    const inChannel = await bot.after(() => onMessage('DS CYPRESS'));
    expect(inChannel).toMatchObject({ ephemeralTo: ada, channelId: ops, text });
    bot.playground.faults.clear();
    bot.playground.faults.next('views.open', fault);
    const direct = await bot.after(() => global());
    expect(direct).toMatchObject({
      channelId: dmOf(ada),
      text: expect.stringContaining('/watch 9461477 eta 6h'),
    });
  });
});
