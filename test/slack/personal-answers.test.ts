import type { PageMessage } from 'bolt-playground';
import { describe, expect, it } from 'vitest';
import { ada, ben, dmOf, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { addWatch, untilNotified } from '../support/bot-watch.ts';
import { driveForms } from '../support/form-driver.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';

const charter = 'C0CHARTER1';

let bot: TestBot;

/** Ada's own watch, which nobody else may see, and one of #ops. */
async function startWithOwnWatch(mode: 'socket' | 'http', options = {}): Promise<void> {
  bot = await useBot(mode, options);
  await addWatch(bot);
  const own = await bot.say(ada, dmOf(ada), 'watch 9755933', { match: ({ text }) => /^Watching/.test(text) });
  expect(own.text).toContain('MSC DIANA');
}

const isPublic = ({ ephemeralTo }: PageMessage) => ephemeralTo === undefined;
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
const posted = (channelId: string) => bot.messages(channelId).filter(isPublic);

describe('a digest in a channel', () => {
  const refusal = "depends on who asks, so it can't be in a channel's digest. Nothing was saved.";

  it('refuses a line whose answer depends on who asks, which a personal digest takes', async () => {
    bot = await useBot('http');
    const lines = ['watch list all', 'watch list mine', `watch list in <#${charter}>`, 'digest list all'];
    for (const line of lines) {
      const refused = await bot.say(ada, ops, `/digest add daily 08:00: usage; ${line}`);
      expect(unescaped(refused.text)).toContain(`The answer to “${line}” ${refusal}`);
    }
    expect((await bot.say(ada, ops, '/digest list')).text).toContain('No digests in this channel yet');
    await bot.say(ada, ops, '/digest add "Morning" daily 08:00: usage; watch list');
    for (const line of lines) {
      expect((await bot.say(ada, ops, `/digest edit 1: ${line}`)).text).toContain(refusal);
      const saved = await bot.say(ada, ops, `/digest add daily 08:00 to me: ${line}`);
      expect(saved.text).toContain('Digest saved');
    }
  });

  it('refuses them in its form too, with an error at the line', async () => {
    bot = await useBot('socket');
    const { ts: messageTs } = await bot.say(ada, ops, '/digest add');
    await bot.playground.click({ userId: ada, channelId: ops, messageTs, actionId: 'form:digest' });
    const form = driveForms(bot, ada);
    await form.see('Line 1');
    await form.fill('line-1', 'watch list all');
    await form.see('🟠 The answer depends on who asks');
    expect(await form.submit()).toMatchObject({
      errors: { 'line-1': expect.stringContaining("can't be in a channel's digest") },
    });
    await form.fill('where', 'me');
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Watch list all');
  });

  it('that was saved earlier shows an error line instead of its owner’s list', async () => {
    await startWithOwnWatch('socket');
    await bot.say(ben, ops, '/digest add "Morning" daily 08:00: watch list');
    const db = await sharedDatabase();
    await direct(db)
      .updateTable('digests')
      .set({ lines: JSON.stringify(['watch list', 'watch list all']) })
      .execute();
    await bot.say(ben, ops, `/digest hand over 1 to <@${ada}>`);
    await bot.say(ben, ops, '/digest run 1');
    const digest = await bot.after(
      () => bot.runDue(),
      ({ text }) => text.startsWith('Morning'),
    );
    const thread = bot.messages(ops).filter(({ threadTs }) => threadTs === digest.ts);
    const all = [digest, ...thread].map(wordsOf).join('\n');
    expect(all).toContain('DS CYPRESS');
    expect(all).not.toContain('MSC DIANA');
    expect(wordsOf(digest)).toContain(
      "🟠 `/watch list all` could not be answered: The answer depends on who asks, so it can't be in a channel's digest (ref",
    );
    expect(JSON.stringify(posted(ops))).not.toContain('MSC DIANA');
  });
});

describe('an answer that depends on who asks, after a mention', () => {
  it('only the person who asks sees it; a list that others may not see stays theirs with “public” too', async () => {
    await startWithOwnWatch('socket');
    await bot.say(ada, dmOf(ada), 'digest add "Mine" daily 08:00 to me: usage');
    for (const line of ['watch list all', 'watch list mine', 'digest list mine']) {
      const before = posted(ops).length;
      const answer = await bot.say(ada, ops, `@landfall ${line}`);
      // In the channel, since an ephemeral does not show in a thread that does not exist yet.
      expect([line, answer.ephemeralTo, answer.threadTs]).toEqual([line, ada, undefined]);
      expect(posted(ops)).toHaveLength(before);
      const asked = await bot.say(ada, ops, `@landfall ${line} public`);
      expect(asked.text).toContain("so it can't be public");
    }
    for (const line of [
      `watch list in <#${charter}>`,
      'watch list all',
      'watch changes mine',
      'digest list all',
    ]) {
      const refused = await bot.say(ada, ops, `/${line} public`);
      expect([line, refused.ephemeralTo]).toEqual([line, ada]);
      expect(refused.text).toContain('This list can hold what others here may not see');
    }
    expect(JSON.stringify(posted(ops))).not.toMatch(/MSC DIANA|“Mine”/);
    // There nobody else reads it.
    expect((await bot.say(ada, dmOf(ada), 'watch list all public')).text).toContain('MSC DIANA');
  });

  it('goes to the thread of the mention, and so does its refusal, privately', async () => {
    await startWithOwnWatch('http');
    const card = posted(ops)[0];
    if (!card) throw new Error('no card');
    const answer = await bot.say(ada, ops, '@landfall watch list all', { threadTs: card.ts });
    expect([answer.ephemeralTo, answer.threadTs]).toEqual([ada, card.ts]);
    expect(wordsOf(answer)).toContain('MSC DIANA');
    const before = posted(ops).length;
    const refused = await bot.say(ada, ops, '@landfall watch list in <#C0PRIVATE1>');
    expect(refused).toMatchObject({ ephemeralTo: ada });
    expect(refused.text).toContain('You are not in that channel, or Landfall is not');
    expect(posted(ops)).toHaveLength(before);
  });

  it('has no public placeholder, however long it takes', async () => {
    await startWithOwnWatch('socket', { timing: { workingMs: 0 } });
    const before = posted(ops).length;
    // Until Slack says who asks, nothing is known of the line.
    bot.advance(3_600_001);
    const { promise: until, resolve } = Promise.withResolvers<void>();
    bot.playground.faults.next('users.info', { until });
    const notice = await bot.say(ada, ops, '@landfall watch list all');
    expect(notice).toMatchObject({ ephemeralTo: ada, text: 'Working on it …' });
    const answer = await bot.after(async () => resolve());
    expect(wordsOf(answer)).toContain('MSC DIANA');
    expect(posted(ops)).toHaveLength(before);
  });

  it('does not reveal the titles of personal digests either', async () => {
    bot = await useBot('http');
    await bot.say(ada, ops, '/digest add "Monday" mon 08:00 to me: usage');
    const before = posted(ops).length;
    const refused = await bot.say(ada, ops, '@landfall digest show 1');
    expect(wordsOf(refused)).toContain('“Monday” is in your direct messages with me');
    expect(refused.ephemeralTo).toBe(ada);
    expect(posted(ops)).toHaveLength(before);
  });
});

it("Refresh replaces the person's own copy in place", async () => {
  await startWithOwnWatch('http');
  const mine = await bot.say(ada, ops, '/watch list all');
  const again = await bot.click(ada, mine, 'refresh');
  expect([again.ts, again.ephemeralTo]).toEqual([mine.ts, ada]);
  expect(wordsOf(again)).toContain('MSC DIANA');
});

it('in the direct message, a watch and its alerts show references, and usage may be asked for with “public”', async () => {
  bot = await useBot('socket');
  await bot.say(ada, dmOf(ada), 'vessel ref 9461477 BK-77');
  await bot.say(ada, dmOf(ada), 'watch 9461477 next leg, arriving 72h 48h 24h', {
    match: ({ text }) => text.startsWith('Watching'),
  });
  await bot.runDue();
  const card = () =>
    bot.messages(dmOf(ada)).find(({ text }) => /^DS CYPRESS(?!: added)/.test(text)) ?? expect.unreachable();
  expect(wordsOf(card())).toContain('BK-77');
  expect(wordsOf(await untilNotified(bot, card()))).toContain('BK-77');

  const answer = await bot.say(ada, dmOf(ada), '/usage public');
  expect(answer.text).not.toContain('another organisation');
  await bot.say(ada, dmOf(ada), '/digest add daily 08:00 to me: usage bot');
  await bot.say(ada, dmOf(ada), '/digest run 1');
  const sent = await bot.after(bot.runDue, ({ threadTs }) => threadTs !== undefined);
  expect(sent.text).not.toContain('another organisation');
});
