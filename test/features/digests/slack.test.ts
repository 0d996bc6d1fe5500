import { describe, expect, it } from 'vitest';
import {
  ada,
  ben,
  buttonsOf,
  dmOf,
  dora,
  ops,
  privateDesk,
  shared,
  startBot,
  wordsOf,
} from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { useBot } from '../../support/use-bot.ts';
import { useStarted } from '../../support/use-started.ts';

describe('a digest, from the command to the channel', () => {
  const bot = useStarted(() => startBot('http'), { perTest: true });
  const digests = (channelId: string) =>
    bot.messages(channelId).filter(({ text }) => text.startsWith('Morning'));
  /** What is due in that time is done at its end, and no more after it. */
  const pass = async (hours: number) => {
    bot.sandbox.clock.advance(hours * 3_600_000);
    for (let round = 0; round < 3; round += 1) await bot.runDue();
  };

  it('is posted once at its time, with whole answers in its thread, and next time says what is new', async () => {
    const added = await bot.say(
      ada,
      ops,
      '/digest add "Morning" daily 08:00 Europe/Berlin: portcalls NLRTM next 14 days; nextport 9461477; usage',
    );
    expect(added.text).toContain('Digest saved: “Morning” · next ');
    await pass(2);
    const [first, ...others] = digests(ops).filter(({ threadTs }) => !threadTs);
    expect(others).toEqual([]);
    if (!first) throw new Error('no digest');
    expect(first.text).toContain('First run');
    expect(wordsOf(first)).toContain('08:00');
    expect(wordsOf(first)).toContain('Full answers in the thread');
    expect(wordsOf(first)).toContain('Digest 1 by ');
    const thread = bot.messages(ops).filter(({ threadTs }) => threadTs === first.ts);
    expect(thread.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Rotterdam: \d+ vessels may call/),
      expect.stringContaining('DS CYPRESS'),
      expect.stringMatching(/requests/),
    ]);
    expect(wordsOf(first)).toContain('invented data');
    for (const reply of thread) {
      expect(wordsOf(reply)).not.toContain('invented data');
      expect(wordsOf(reply)).not.toContain('Share');
    }
    await pass(24);
    expect(digests(ops)).toHaveLength(2);
    expect(digests(ops)[1]?.text).toMatch(/^Morning: (?:Nothing new|[🔴🟠⚪] \d+ .*) since/u);
  });

  it('names the vessels of the day with their ETAs, and counts what is new once', async () => {
    await bot.say(ada, ops, '/watch list:FEEDERS');
    await bot.say(
      ada,
      ops,
      '/digest add "Morning" daily 08:00 Europe/Berlin: portcalls NLRTM next 14 days; nextport list:FEEDERS; watch changes',
    );
    await pass(2);
    await pass(24);
    await pass(24);
    const [first, second] = digests(ops).filter(({ threadTs }) => !threadTs);
    if (!first || !second) throw new Error('no digests');
    expect(first.text).toMatch(
      /First run.* · Rotterdam \d+% · \w{3} \d\d Nov \d\d:\d\d LT .*and \d+ more vessels\. /,
    );
    expect(second.text).toMatch(/^Morning: [🔴🟠⚪] \d+ .* since .*and \d+ more vessels\. /u);
    expect(second.text).toContain('`/watch changes`: in the thread');
    expect(second.text).not.toMatch(/vessels? changed/);
    for (const { text } of [first, second])
      expect(text.match(/ · \w{3} \d{1,2} \w{3} \d\d:\d\d LT/g)).toHaveLength(10);
  });

  it('is not saved if the bot cannot post there, or where people of another organisation would read usage', async () => {
    const unposted = await bot.say(ada, privateDesk, '/digest add daily 08:00: usage');
    expect(unposted.text).toContain("Landfall can't post in that channel, so nothing was saved.");
    expect((await bot.say(ada, privateDesk, '/digest list')).text).toContain('No digests');
    const refused = await bot.say(ada, shared, '/digest add mon 08:00: nextport 9461477; usage');
    expect(refused.text).toContain('“usage” is not shown where people from another organisation can read it');
    expect((await bot.say(ada, shared, '/digest list')).text).toContain('No digests in this channel yet');
    const own = await bot.say(ada, shared, '/digest add mon 08:00 to me: usage');
    expect(own.text).toContain('Digest saved: “Usage”');
    const question = await bot.say(ada, shared, '/digest add mon 08:00: nextport 9461477');
    expect((await bot.click(ada, question, 'Post it here')).text).toContain('Digest saved');
    const edited = await bot.say(ada, shared, '/digest edit 1: landfall usage');
    expect(edited.text).toContain('is not shown where people from another organisation can read it');
  });

  it('to oneself, added from a channel, is sent and listed in the direct message, and can be undone in the channel', async () => {
    const own = await bot.say(ada, ops, '/digest add "Monday" mon 08:00 to me: usage');
    expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests');
    await pass(2);
    expect(bot.messages(dmOf(ada)).filter(({ text }) => text.startsWith('Monday'))).toHaveLength(1);
    expect((await bot.say(ada, dmOf(ada), 'digest list')).text).toMatch(/^1 digest: 1 Monday/);
    await bot.say(ada, ops, '/digest add "Other" mon 08:00: usage');
    expect((await bot.say(ada, ops, '/digest show Monday')).text).toContain('There is no digest “Monday”');
    const asked = await bot.say(ada, ops, '/digest show Monday');
    expect(wordsOf(asked)).toContain('“Monday” is in your direct messages with me');
    const mine = await bot.say(ada, ops, '/digest list mine');
    expect(mine.text).toContain('2 digests of yours: ');
    expect(wordsOf(mine)).toContain('only to you');
    const beyond = await bot.say(ada, ops, '/digest list mine page 9');
    expect(beyond.text).toBe(`${mine.text}; there is no page 9: this is the last`);
    expect(wordsOf(beyond)).toContain('there is no page 9: this is the last');
    expect((await bot.say(ben, ops, '/digest list mine')).text).toContain('You have no digests yet');
    expect((await bot.click(ada, own, 'Run now')).text).toContain(
      'On its way: “Monday”. It will be sent to you by direct message',
    );
    expect((await bot.click(ada, own, 'Undo')).text).toContain('Digest removed: “Monday”');
    expect((await bot.say(ada, ops, '/digest list mine')).text).toContain('1 digest of yours: Other');
  });

  it('can be run, paused, edited and removed, each with an undo', async () => {
    await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage');
    await bot.say(ben, ops, '/digest run');
    await bot.after(() => bot.runDue());
    const [posted] = digests(ops);
    if (!posted) throw new Error('no digest');
    expect(wordsOf(posted)).toContain('run manually');
    expect((await bot.click(ben, posted, 'Pause')).text).toContain('Digest paused: “Morning”');
    expect((await bot.say(ada, ops, '/digest resume')).text).toContain(
      'Digest resumed: “Morning” · next Mon',
    );
    const edited = await bot.say(ada, ops, '/digest edit 1 "Evening" tue 18:00: nextport 9461477');
    expect(edited.text).toContain('Digest changed: “Evening” · next Tue');
    expect((await bot.click(ada, edited, 'Undo')).text).toContain('Digest changed: “Morning” · next Mon');
    const list = await bot.say(ada, ops, '/digest list');
    const pause = /digest:pause [\w-]+/.exec(wordsOf(list))?.[0] ?? '';
    const menu = { userId: ben, channelId: ops, messageTs: list.ts, actionId: 'more', optionValue: pause };
    const asBen = await bot.say(ben, ops, '/digest list');
    expect(await bot.playground.click(menu)).toMatchObject({ ok: false });
    const paused = await bot.after(() => bot.playground.click({ ...menu, messageTs: asBen.ts }));
    expect(paused.text).toContain('Digest paused: “Morning”');
    expect((await bot.click(ben, paused, 'Resume')).text).toContain('Digest resumed: “Morning”');
    const removed = await bot.say(ada, ops, '/digest remove morning');
    expect(removed.text).toContain('Digest removed: “Morning”');
    expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests in this channel yet');
    expect((await bot.click(ada, removed, 'Undo')).text).toContain('Digest restored: “Morning”');
    expect((await bot.say(ada, ops, '/digest list')).text).toMatch(/^1 digest: 1 Morning, next Mon/);
  });

  it('is saved once, however often the button is pressed', async () => {
    const offered = await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage dry run');
    expect(offered.text).toContain('Morning: First run');
    expect(wordsOf(offered)).toContain('Nothing is saved or posted yet.');
    expect(wordsOf(offered)).toContain('Each run uses 1 API call');
    const save = buttonsOf(offered).find(({ text }) => text?.text === 'Save it');
    const click = { userId: ada, channelId: ops, messageTs: offered.ts, actionId: save?.action_id ?? '' };
    await bot.after(() => Promise.all([bot.playground.click(click), bot.playground.click(click)]));
    const isList = ({ text }: { text: string }) => /^\d+ digests?:/.test(text);
    const list = await bot.say(ada, ops, '/digest list', { match: isList });
    expect(list.text).toMatch(/^1 digest: 1 Morning/);
  });

  it('is not made twice, and a day can be left out', async () => {
    const line = '/digest add weekdays except wednesday 08:00: usage';
    expect((await bot.say(ada, ops, line)).text).toContain('mon,tue,thu,fri 08:00');
    const again = await bot.say(ada, ops, line);
    expect(again.text).toContain('There is one already: digest 1 has the same lines at the same times');
    expect((await bot.say(ada, ops, '/digest list')).text).toMatch(/^1 digest:/);
  });

  it('keeps its number, so an old list removes nothing else', async () => {
    for (const title of ['One', 'Two']) await bot.say(ada, ops, `/digest add "${title}" mon 08:00: usage`);
    await bot.say(ada, ops, '/digest remove 2');
    await bot.say(ben, ops, '/digest add "Three" mon 08:00: usage');
    const refused = await bot.say(ada, ops, '/digest remove 2');
    expect(refused.text).toContain('Digest 2 of this channel has been removed.');
    expect(wordsOf(refused)).toContain('3 Three');
    const unknown = await bot.say(ada, ops, '/digest remove 4');
    expect(unknown.text).toContain('There is no digest 4 in this channel.');
    expect((await bot.say(ada, ops, '/digest list')).text).toMatch(/^2 digests: 1 One, .*; 3 Three/);
    expect((await bot.say(ada, ops, '/digest restore two')).text).toContain('Digest restored: “Two”');
    expect((await bot.say(ada, ops, '/digest list')).text).toMatch(
      /^3 digests: 1 One, .*; 2 Two, .*; 3 Three/,
    );
  });

  it('is handed over to members of its channel, by a line or in its form, with an undo', async () => {
    await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage');
    for (const [userId, why] of [
      [dora, 'of another organisation'],
      ['U0NOBODY99', 'is not in the channel'],
    ]) {
      expect((await bot.say(ada, ops, `/digest hand over 1 to <@${userId}>`)).text).toContain(why);
    }
    const handed = await bot.say(ada, ops, `/digest hand over 1 to <@${ben}>`);
    expect(handed.text).toContain(`Digest handed over to <@${ben}>: “Morning”`);
    const back = await bot.click(ada, handed, 'Undo');
    expect(back.text).toContain(`Digest handed over to <@${ada}>: “Morning”`);

    const { ts: messageTs } = await bot.say(ada, ops, '/digest show 1');
    await bot.playground.click({ userId: ada, channelId: ops, messageTs, actionId: 'form:digest' });
    const form = driveForms(bot, ada);
    await form.see('Owner');
    expect(form.read()).toContain(`*1 Morning* · sent in <#${ops}> · by <@${ada}>`);
    expect(form.read()).not.toContain('where:');
    await form.fill('owner', dora);
    expect(await form.submit()).toMatchObject({
      errors: { owner: expect.stringContaining('of another organisation') },
    });
    await form.fill('owner', ben);
    await form.fill('times', '09:00');
    await form.submit();
    await form.see(`Digest handed over to <@${ben}>: `);
    await form.press('Undo');
    await form.see(`Digest handed over to <@${ada}>: `);
    expect(form.read()).toContain('mon 08:00');
    const audit = await bot.say(ada, ops, '/landfall audit');
    expect(audit.text).toContain('handed over the digest “Morning”');
  });
});

it('a digest runs with admin rights only if an admin chose its lines and owns it', async () => {
  const bot = await useBot('http', { env: { USAGE_FOR: 'admins' } });
  await bot.say(ben, ops, '/digest add "Morning" daily 08:00 UTC: usage');
  await bot.say(ben, ops, `/digest hand over to <@${ada}>`);
  const posted = async () => {
    await bot.say(ada, ops, '/digest run 1');
    return wordsOf(
      await bot.after(
        () => bot.runDue(),
        ({ text }) => text.startsWith('Morning'),
      ),
    );
  };
  expect(await posted()).toContain('could not be answered');
  await bot.say(ada, ops, '/digest edit 1: usage');
  expect(await posted()).not.toContain('could not be answered');
  await bot.say(ben, ops, '/digest edit 1: usage; nextport 9461477');
  expect(await posted()).toContain('could not be answered');
});
