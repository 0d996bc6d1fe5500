import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/answers/message.ts';
import { channelForm } from '../../../src/features/settings/index.ts';
import { ada, ben, buttonsOf, dmOf, ops, startBot, wordsOf } from '../../support/bot.ts';
import { addWatch, forwardUntil } from '../../support/bot-watch.ts';
import { driveForms } from '../../support/form-driver.ts';
import { useStarted } from '../../support/use-started.ts';

describe('the settings of a channel', () => {
  const bot = useStarted(() => startBot('socket'));

  const open = async (userId: string) => {
    const answer = await bot.say(userId, ops, '/landfall settings');
    const form = driveForms(bot, userId);
    await bot.playground.click({ userId, channelId: ops, messageTs: answer.ts, actionId: 'form:channel' });
    await form.see('# Channel settings');
    return form;
  };

  it('are shown in words, and changed with a form', async () => {
    const shown = await bot.say(ben, ops, '/landfall settings');
    expect(shown.text).toContain('Alerts of watches: In the thread, critical ones in the channel too');
    const form = await open(ben);
    expect(form.read()).toContain('mode: Alerts of watches = broadcast-critical');
    await form.fill('mode', 'new-message');
    await form.fill('visibility', 'public');
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Settings saved for');
    expect(form.read()).toContain('Alerts of watches: Each as its own message');
    await form.close();
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    expect(answer.ephemeralTo).toBeUndefined();
  });

  it('apply to the next alert of an existing watch', async () => {
    await addWatch(bot);
    const [card] = bot.messages(ops).slice(-1);
    const alerts = () =>
      bot.messages(ops).filter(({ ts, text }) => ts > (card?.ts ?? '') && text.includes('DS CYPRESS'));
    await forwardUntil(bot, () => alerts().length > 0);
    expect(alerts().map(({ threadTs }) => threadTs)).toEqual([undefined]);
  });

  it("can't be changed by members if only admins may", async () => {
    const early = await open(ben);
    const form = await open(ada);
    await form.fill('whoMayAdd', 'admins');
    await form.fill('visibility', 'private');
    await form.submit();
    await form.see('watches and digests: Workspace admins');
    await form.close();
    const shown = await bot.say(ben, ops, '/landfall settings');
    expect(buttonsOf(shown)).toEqual([]);
    expect(wordsOf(shown)).toContain('Only workspace admins can change these settings');
    // The form that was open meanwhile saves nothing.
    await early.fill('mode', 'thread');
    await early.submit();
    await early.see("You can't change the settings of this channel. Nothing was saved.");
    expect((await bot.say(ben, ops, '/landfall settings')).text).toContain('Each as its own message');
    await early.close();
    await early.close();
    const back = await open(ada);
    await back.fill('whoMayAdd', 'members');
    await back.submit();
    await back.see('watches and digests: Everybody in the channel');
    await back.close();
  });

  it("can't be changed by a person who left the channel while the form was open", async () => {
    const form = await open(ben);
    const channel = bot.playground.world.channels.find(({ id }) => id === ops);
    if (!channel) throw new Error('no #ops');
    const { memberIds } = channel;
    channel.memberIds = memberIds.filter((id) => id !== ben);
    // So long Slack's answer is cached.
    bot.advance(61_000);
    await form.fill('mode', 'thread');
    await form.submit();
    await form.see('You are not in that channel, or Landfall is not, so nothing was saved.');
    await form.close();
    await form.close();
    channel.memberIds = memberIds;
    bot.advance(61_000);
    expect((await bot.say(ben, ops, '/landfall settings')).text).toContain('Each as its own message');
  });

  it('belong to a channel, or to the workspace, where a choice that stays has no Undo', async () => {
    expect((await bot.say(ada, dmOf(ada), 'settings')).text).toContain('Settings belong to a channel.');
    const same = await bot.say(ada, ops, '/landfall settings guests ask');
    expect(same.text).toContain('Nothing has changed.');
    expect(buttonsOf(same).map(({ text }) => text?.text)).not.toContain('Undo');
  });
});

it('each choice of the form is short enough for Slack', () => {
  const settings = { mode: 'thread', visibility: 'private', whoMayAdd: 'admins' } as const;
  const choices = channelForm(settings).parts.flatMap((part) => ('options' in part ? part.options : []));
  expect(choices.length).toBeGreaterThan(0);
  for (const { label, description = '' } of choices)
    expect(Math.max(label.length, description.length)).toBeLessThanOrEqual(limits.optionText);
});
