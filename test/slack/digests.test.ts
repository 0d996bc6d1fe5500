import { afterEach, describe, expect, it } from 'vitest';
import { ada, ben, dmOf, ops, privateDesk, startBot, type TestBot, wordsOf } from '../support/bot.ts';

describe('a digest, from the command to the channel', () => {
  let bot: TestBot;
  afterEach(() => bot.stop());
  const digests = (channelId: string) =>
    bot.messages(channelId).filter(({ text }) => text.startsWith('Morning'));

  it('is posted at its time, once, with whole answers in its thread, and says later what is new', async () => {
    bot = await startBot('socket');
    const added = await bot.say(
      ada,
      ops,
      '/digest add "Morning" daily 08:00 Europe/Berlin: portcalls NLRTM next 14 days; nextport 9461477; usage',
    );
    expect(added.text).toContain('Digest saved: Morning; next ');
    await bot.forward(24);
    const [first, ...others] = digests(ops).filter(({ threadTs }) => !threadTs);
    expect(others).toEqual([]);
    if (!first) throw new Error('no digest');
    expect(first.text).toContain('the first of this digest');
    expect(wordsOf(first)).toContain('08:00');
    expect(wordsOf(first)).toContain('all of it in the thread');
    expect(wordsOf(first)).toContain('digest 1 by ');
    const thread = bot.messages(ops).filter(({ threadTs }) => threadTs === first.ts);
    expect(thread.length).toBeGreaterThanOrEqual(1);
    expect(thread[0]?.text).toContain('Rotterdam (NLRTM)');
    await bot.forward(24);
    expect(digests(ops)).toHaveLength(2);
    expect(digests(ops)[1]?.text).toMatch(/^Morning: (?:nothing new|\d+ .*) since/);
  });

  it('can be run, paused, edited and removed, and what was done taken back', async () => {
    bot = await startBot('http');
    await bot.say(ada, ops, '/digest add "Morning" mon 08:00: usage');
    await bot.say(ben, ops, '/digest run');
    await bot.after(() => bot.runDue());
    const [posted] = digests(ops);
    if (!posted) throw new Error('no digest');
    expect(wordsOf(posted)).toContain('run by hand');
    expect((await bot.click(ben, posted, 'Pause')).text).toContain('Paused: “Morning”');
    expect((await bot.say(ada, ops, '/digest resume')).text).toContain('Digest resumed: Morning; next Mon');
    const edited = await bot.say(ada, ops, '/digest edit 1 "Evening" tue 18:00: nextport 9461477');
    expect(edited.text).toContain('Digest changed: Evening; next Tue');
    expect((await bot.click(ada, edited, 'Undo')).text).toContain('Digest changed: Morning; next Mon');
    const list = await bot.say(ada, ops, '/digest list');
    const pause = /digest:pause [\w-]+/.exec(wordsOf(list))?.[0] ?? '';
    const menu = { userId: ben, channelId: ops, messageTs: list.ts, actionId: 'more', optionValue: pause };
    const asBen = await bot.say(ben, ops, '/digest list');
    expect(await bot.playground.click(menu)).toMatchObject({ ok: false });
    const paused = await bot.after(() => bot.playground.click({ ...menu, messageTs: asBen.ts }));
    expect(paused.text).toContain('Paused: “Morning”');
    expect((await bot.click(ben, paused, 'Resume')).text).toContain('Resumed: “Morning”');
    const removed = await bot.say(ada, ops, '/digest remove morning');
    expect(removed.text).toContain('Digest removed: Morning');
    expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests in this channel yet');
    expect((await bot.click(ada, removed, 'Undo')).text).toContain('Digest saved: Morning');
    expect((await bot.say(ada, ops, '/digest list')).text).toMatch(/^1 digest: 1 Morning, next Mon/);
  });

  it('goes to oneself, by direct message', async () => {
    bot = await startBot('socket');
    await bot.say(ada, ops, '/digest add "Morning" daily 08:00 to me: usage');
    expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests');
    await bot.forward(24);
    expect(digests(dmOf(ada))).toHaveLength(1);
    expect((await bot.say(ada, dmOf(ada), 'digest list')).text).toMatch(/^1 digest: 1 Morning/);
  });

  it('is not saved where the bot can not post', async () => {
    bot = await startBot('socket');
    const refused = await bot.say(ada, privateDesk, '/digest add daily 08:00: usage');
    expect(refused.text).toContain("Landfall can't post in that channel, so nothing was saved.");
    expect((await bot.say(ada, privateDesk, '/digest list')).text).toContain('No digests');
  });
});
