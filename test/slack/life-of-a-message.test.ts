import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageMessage } from '../../src/playground/page-api/page-api.ts';
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
  type TestBot,
  wordsOf,
} from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';

const working = 'Working on it …';
const isFinal = (message: PageMessage) => message.text !== working;

/** Stops the bot, which finishes what is in flight; then nothing more can come. */
async function endOf(bot: TestBot, channelId: string): Promise<string[]> {
  await bot.stop();
  return bot.messages(channelId).map(({ text }) => text);
}

describe('answers that take long', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await startBot('http', { timing: { workingMs: 1 } });
  });
  afterEach(() => bot.stop());

  test('a slash command gets «Working on it …» and one answer', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, ops, '/nextport 9461477');
    expect(notice).toMatchObject({ text: working, ephemeralTo: ada });
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ephemeralTo).toBe(ada);
    const texts = await endOf(bot, ops);
    expect(texts).toEqual([working, answer.text]);
  });

  test('in a DM the notice becomes the answer', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(notice.text).toBe(working);
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ts).toBe(notice.ts);
    expect(wordsOf(answer)).toContain('IMO 9461477');
    expect(await endOf(bot, dmOf(ada))).toHaveLength(1);
  });

  test('where the notice was deleted the answer is a message of its own', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    bot.playground.faults.next('chat.update', { error: 'message_not_found' });
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ts).not.toBe(notice.ts);
    expect(answer.text).toMatch(/^DS CYPRESS: /);
  });

  test('a notice that Slack does not take does not cost the answer', async () => {
    const hold = bot.sandbox.faults.hold();
    bot.playground.faults.next('chat.postMessage', { error: 'internal_error' });
    const answer = bot.say(ada, dmOf(ada), 'nextport 9461477', { match: isFinal });
    await bot.playground.waitForMessage(({ channelId }) => channelId === dmOf(ada));
    hold.remove();
    expect((await answer).text).toMatch(/^DS CYPRESS: /);
  });
});

describe('what fails', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await startBot('socket');
  });
  afterEach(() => bot.stop());

  test('a service that is silent until the deadline: one answer that says so', async () => {
    await bot.stop();
    bot = await startBot('socket', { timing: { deadlineMs: 1_000 } });
    bot.sandbox.faults.hold();
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    expect(answer.text).toContain('The analytics service does not answer (since ');
    expect(answer.ephemeralTo).toBe(ada);
  });

  test('trouble has a reference that stands in the log, and nothing secret does', async () => {
    bot.sandbox.faults.malformed('html');
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    expect(answer.text).toContain('The analytics service sent something unreadable');
    const ref = /ref ([2-9A-Z]{4})/.exec(answer.text)?.[1];
    expect(ref).toBeDefined();
    expect(bot.log.find((line) => line.ref === ref)).toMatchObject({ line: 'nextport 9461477' });
    const log = JSON.stringify(bot.log);
    for (const secret of [bot.sandbox.credentials.password, bot.playground.botToken]) {
      expect(log).not.toContain(secret);
    }
  });

  test('a Refresh that fails leaves the old answer, and says so beside it', async () => {
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    bot.sandbox.faults.malformed('html');
    const failure = await bot.click(ada, answer, 'refresh');
    expect(failure.ts).not.toBe(answer.ts);
    expect(failure).toMatchObject({ ephemeralTo: ada });
    expect(failure.text).toContain('unreadable');
    expect(bot.messages(ops).find(({ ts }) => ts === answer.ts)?.text).toBe(answer.text);
  });
});

describe('Refresh', () => {
  test('asks the service once a minute per question, whoever presses', async () => {
    const bot = await startBot('http');
    const asked = () => bot.sandbox.calls.total;
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    const before = asked();
    await bot.click(ada, answer, 'refresh');
    expect(asked()).toBe(before + 1);

    bot.advance(25_000);
    const again = await bot.click(ada, answer, 'refresh');
    expect(asked()).toBe(before + 1);
    expect(wordsOf(again)).toMatch(/Refreshed \d\d s ago/);

    bot.advance(36_000);
    const later = await bot.click(ada, again, 'refresh');
    expect(asked()).toBe(before + 2);
    expect(wordsOf(later)).not.toContain('Refreshed');
    await bot.stop();
  });
});

describe('blocks that a workspace refuses', () => {
  test('the text alone is sent when nothing else is taken, once', async () => {
    const bot = await startBot('http');
    bot.playground.faults.refuseBlocks(['section', 'table', 'context']);
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    expect(answer.blocks ?? []).toEqual([]);
    expect(answer.text).toMatch(/^DS CYPRESS: /);
    const dm = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(dm.text).toMatch(/^DS CYPRESS: /);
    expect(await endOf(bot, ops)).toHaveLength(1);
  });

  test('a table becomes its plain twin', async () => {
    const bot = await startBot('socket');
    bot.playground.faults.refuseBlocks(['table']);
    const answer = await bot.say(ada, ops, '/nextport 9461477, 9811000');
    expect(answer.blocks?.length).toBeGreaterThan(0);
    expect(wordsOf(answer)).toContain('DS CYPRESS');
    expect(wordsOf(answer)).not.toContain('"table"');
    await bot.stop();
  });
});

describe('people of another organisation', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await startBot('socket');
  });
  afterEach(() => bot.stop());

  test('are not served by a slash command, a mention or a button, and are told so', async () => {
    const slash = await bot.say(dora, shared, '/nextport 9461477');
    expect(slash.ephemeralTo).toBe(dora);
    expect(slash.text).toContain('only people of the organisation that installed it');

    const post = await bot.say(ada, shared, '/nextport 9461477 public');
    const click = await bot.click(dora, post, 'refresh');
    expect(click).toMatchObject({ ephemeralTo: dora, text: slash.text });

    const mention = await bot.say(dora, shared, '@landfall nextport 9461477');
    expect(mention).toMatchObject({ ephemeralTo: dora, text: slash.text });
  });

  test('change nothing: no watch, digest, name or setting, by no way', async () => {
    for (const line of [
      '/watch 9461477',
      '/digest add daily 08:00 to me: usage',
      '/vessel name 9461477 THEIRS',
      '/landfall audit',
      '@landfall watch 9461477',
      '@landfall digest add daily 08:00: nextport 9461477',
    ]) {
      const answer = await bot.say(dora, shared, line);
      expect([line, answer.ephemeralTo]).toEqual([line, dora]);
      expect(answer.text).toContain('only people of the organisation that installed it');
    }
    const content = Buffer.from('imo,name\n9461477,THEIRS\n');
    const file = bot.playground.upload({ userId: dora, name: 'names.csv', content });
    const fileIds = file.ok ? [file.fileId] : [];
    const answer = await bot.after(() =>
      bot.playground.say({ userId: dora, channelId: dmOf(dora), text: '', fileIds }),
    );
    expect(answer.text).toContain('only people of the organisation that installed it');
    const db = await sharedDatabase();
    for (const table of ['watches', 'digests', 'channels', 'audit'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('usage is not told where they read', async () => {
    const privately = await bot.say(ada, shared, '/usage');
    expect(privately.text).toMatch(/^API usage/);
    const mention = await bot.say(ada, shared, '@landfall usage');
    expect(mention.ephemeralTo).toBeUndefined();
    expect(mention.text).not.toMatch(/\d,\d{3}|API account/);
    expect(wordsOf(mention)).not.toContain('API account');
  });

  test('Share asks first where they read', async () => {
    const answer = await bot.say(ada, shared, '/nextport 9461477');
    const question = await bot.click(ada, answer, 'share');
    expect(question.ephemeralTo).toBe(ada);
    expect(question.text).toContain('People of another organisation may read this channel');
    const post = await bot.click(ada, question, 'Share here');
    expect(post.ephemeralTo).toBeUndefined();
    expect(post.text).toContain('DS CYPRESS');
    expect(bot.messages(shared).map(({ ts }) => ts)).not.toContain(question.ts);
  });

  test('what is never told where they read is refused at the first click, and to who asked for it', async () => {
    const answer = await bot.say(ada, shared, '/usage');
    for (const refused of [
      await bot.click(ada, answer, 'share'),
      await bot.say(ada, shared, '/usage public'),
    ]) {
      expect(refused.ephemeralTo).toBe(ada);
      expect(refused.text).toMatch(/^This is not shown where people of another organisation may read\./);
      expect(buttonsOf(refused)).toEqual([]);
    }
  });

  test('Share asks first where the bot can not see who reads', async () => {
    const answer = await bot.say(ada, privateDesk, '/nextport 9461477');
    const question = await bot.click(ada, answer, 'share');
    expect(buttonsOf(question).map(({ text }) => text?.text)).toEqual(['Share here', "Don't share"]);
  });
});

describe('under a message that all see', () => {
  test('Refresh is for all, and what else is pressed answers the one who pressed', async () => {
    const bot = await startBot('http');
    const post = await bot.say(ada, ops, '/portcalls Rotterdam public');
    const refreshed = await bot.click(ben, post, 'refresh');
    expect(refreshed.ts).toBe(post.ts);
    expect(refreshed.ephemeralTo).toBeUndefined();
    const run = buttonsOf(post).find(({ action_id }) => action_id.startsWith('run:'));
    const answer = await bot.click(ben, refreshed, run?.action_id ?? 'none');
    expect(answer).toMatchObject({ ephemeralTo: ben });
    await bot.stop();
  });
});

describe('Share in channel', () => {
  const share = 'Share in channel';
  const labelsOf = (message: PageMessage) => buttonsOf(message).map(({ text }) => text?.text);

  test('stands only where not everybody sees the answer, and goes to the channel', async () => {
    const bot = await startBot('http');
    const dm = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    const slash = await bot.say(ada, dmOf(ada), '/nextport 9461477');
    const toAll = await bot.say(ada, ops, '/nextport 9461477 public');
    const refreshed = await bot.click(ben, toAll, 'refresh');
    for (const [where, message] of Object.entries({ dm, slash, toAll, refreshed })) {
      expect([where, ...labelsOf(message).slice(0, 2)]).toEqual([where, 'Refresh', 'Watch']);
    }

    const mention = await bot.say(ada, ops, '@landfall nextport 9461477');
    bot.advance(61_000);
    const reply = await bot.click(ben, mention, 'refresh');
    expect(reply.threadTs).toBeDefined();
    const posted = await bot.click(ben, reply, 'share');
    expect([posted.channelId, posted.ephemeralTo, posted.threadTs]).toEqual([ops, undefined, undefined]);
    expect(posted.text).toContain('Shared by ');
    expect(labelsOf(posted)).not.toContain(share);
    await bot.stop();
  });
});

describe('Slack itself in trouble', () => {
  test('users.info failing costs the zone, not the answer', async () => {
    const bot = await startBot('socket');
    bot.playground.faults.next('users.info', { error: 'internal_error' });
    expect((await bot.say(ada, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS: /);
    await bot.stop();
  });

  test('a short rate limit is waited out, and the post stands there once', async () => {
    const bot = await startBot('socket');
    bot.playground.faults.next('chat.postMessage', { rateLimitedSeconds: 1 });
    await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(await endOf(bot, dmOf(ada))).toHaveLength(1);
  });

  test('a post whose answer is cut is not repeated', async () => {
    const bot = await startBot('socket');
    bot.playground.faults.next('chat.postMessage', { cut: true });
    const answer = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(await endOf(bot, dmOf(ada))).toEqual([answer.text]);
  });

  test('an answer that Slack refuses becomes one with a reference', async () => {
    const bot = await startBot('http');
    bot.playground.faults.next('chat.postMessage', { error: 'restricted_action' });
    const failure = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    const ref = /Something broke on our side \(ref ([2-9A-Z]{4})\)/.exec(failure.text)?.[1];
    expect(bot.log.find((line) => line.ref === ref)?.msg).toBe('Slack did not take the answer');
    await bot.stop();
  });
});
