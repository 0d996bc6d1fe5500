import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { watchShortcuts } from '../../../src/features/watches/index.ts';
import {
  ada,
  dmOf,
  dora,
  type Mode,
  ops,
  privateDesk,
  shared,
  startBot,
  type TestBot,
} from '../../support/bot.ts';
import { closeAll, field, modals, submitTop, textsOf, waitForModal } from '../../support/modals.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('manifest.yml ↔ the listeners; every name and description within what Slack allows', () => {
  const manifest = parse(readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8'));
  const { shortcuts } = manifest.features;
  const ids = shortcuts.map(({ callback_id }: { callback_id: string }) => callback_id);
  expect(ids.toSorted()).toEqual(watchShortcuts.map(({ id }) => id).toSorted());
  for (const { name, description } of shortcuts) {
    expect(name.length).toBeLessThanOrEqual(24);
    expect(description.length).toBeLessThanOrEqual(150);
  }
});

describe.each<Mode>(['socket', 'http'])('shortcuts over %s', (mode) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(mode);
  });
  afterAll(() => bot.stop());
  afterEach(async () => {
    bot.playground.faults.clear();
    await closeAll(bot, ada);
  });

  const global = (userId = ada) =>
    bot.playground.shortcut({ userId, channelId: ops, callbackId: 'watch_vessel' });
  /** Runs the message shortcut on a message with this text. */
  const onMessage = async (text: string, { userId = ada, channelId = ops } = {}) => {
    const { ts = '' } = await bot.playground.say({ userId, channelId, text });
    return bot.playground.shortcut({
      userId,
      channelId,
      callbackId: 'watch_message',
      messageTs: ts,
    });
  };

  test('“Watch a vessel” opens the empty form; the channel is to be chosen', async () => {
    await global();
    const form = await waitForModal(bot, ada, 'Watch a vessel');
    expect(textsOf(form)).toContain('Vessels by IMO number or name');
    expect(field(form, 'what')).not.toHaveProperty('initial_value');
    expect(field(form, 'channel')).not.toHaveProperty('initial_conversation');
    expect(await submitTop(bot, ada, { what: '9461477' })).toMatchObject({
      ok: false,
      errors: { channel: expect.any(String) },
    });
  });

  test('“Watch vessel in message” finds the vessel of the message, and offers its channel', async () => {
    await onMessage('Is <https://ships.example/9755933|she> late? And the ds cypress?');
    const form = await waitForModal(bot, ada, 'Watch a vessel');
    expect(field(form, 'what')).toMatchObject({ initial_value: '9755933, 9461477' });
    expect(field(form, 'channel')).toMatchObject({ initial_conversation: ops });
    expect(textsOf(form)).toContain('MSC DIANA (IMO 9755933), DS CYPRESS (IMO 9461477)');
  });

  test('a message without a vessel opens the form empty, and says so', async () => {
    await onMessage('Lunch?');
    const form = await waitForModal(bot, ada, 'Watch a vessel');
    expect(field(form, 'what')).not.toHaveProperty('initial_value');
    expect(textsOf(form)).toContain('No IMO number and no known vessel name was found in that message.');
    expect(JSON.stringify(bot.log)).not.toContain('Lunch');
  });

  test('in a direct message with the bot no channel is needed', async () => {
    await onMessage('DS CYPRESS', { channelId: dmOf(ada) });
    expect(field(await waitForModal(bot, ada, 'Watch a vessel'), 'channel')).toBeUndefined();
    expect(await submitTop(bot, ada)).toEqual({ ok: true });
    await waitForModal(bot, ada, 'Landfall', 'Watching DS CYPRESS here');
    // In later tests, the change of the card would be taken for the bot's answer.
    await waitUntil('the card shows the first answer', () =>
      bot.messages(dmOf(ada)).some(({ text }) => /^DS CYPRESS → [^,]+ \d+%/.test(text)),
    );
  });

  test('if the bot is not a member, the channel field says what to do', async () => {
    await onMessage('DS CYPRESS', { channelId: privateDesk });
    await waitForModal(bot, ada, 'Watch a vessel');
    expect(await submitTop(bot, ada)).toMatchObject({
      errors: { channel: expect.stringContaining('/invite @Landfall') },
    });
  });

  test('outsiders get the notice that they are not served, and nothing opens', async () => {
    const said = await bot.after(() => onMessage('DS CYPRESS', { userId: dora, channelId: shared }));
    expect(said).toMatchObject({ ephemeralTo: dora, channelId: shared });
    expect(modals(bot, dora)).toEqual([]);
  });

  test('a rate limit is reported, with what to type instead', async () => {
    bot.playground.faults.next('views.open', { rateLimitedSeconds: 60 });
    const said = await bot.after(() => onMessage('DS CYPRESS'));
    expect(said).toMatchObject({ ephemeralTo: ada, channelId: ops });
    expect(said.text).toBe(
      'Slack accepts no more requests from Landfall right now, so nothing opened. Please press it again in a minute, or type it as a command. For example: /watch 9461477',
    );
    bot.playground.faults.clear();
  });

  test.each([
    'expired_trigger_id',
    'exchanged_trigger_id',
  ])('after an expired trigger (%s) a message says what to type instead', async (error) => {
    bot.playground.faults.next('views.open', { error });
    const inChannel = await bot.after(() => onMessage('DS CYPRESS'));
    expect(inChannel).toMatchObject({ ephemeralTo: ada, channelId: ops });
    expect(inChannel.text).toBe(
      'Slack waited too long for Landfall, so nothing opened. Please press it again, or type it as a command. For example: /watch 9461477',
    );
    bot.playground.faults.next('views.open', { error });
    const direct = await bot.after(() => global());
    expect(direct).toMatchObject({ channelId: dmOf(ada) });
    expect(direct.text).toContain('/watch 9461477 eta 6h');
    expect(modals(bot, ada)).toEqual([]);
  });
});
