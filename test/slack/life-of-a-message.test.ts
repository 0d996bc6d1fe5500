import type { PageMessage } from 'bolt-playground';
import { beforeEach, describe, expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

const working = 'Working on it …';
const isFinal = (message: PageMessage) => message.text !== working;

/** All messages once the bot has stopped, so that no more can come. */
async function endOf(bot: TestBot, channelId: string): Promise<string[]> {
  await bot.stop();
  return bot.messages(channelId).map(({ text }) => text);
}

describe('a slow answer', () => {
  let bot: TestBot;
  beforeEach(async () => {
    bot = await useBot('http', { timing: { workingMs: 1 } });
  });

  test('to a slash command is “Working on it …” and one answer', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, ops, '/nextport 9461477');
    expect(notice).toMatchObject({ text: working, ephemeralTo: ada });
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ephemeralTo).toBe(ada);
    const texts = await endOf(bot, ops);
    expect(texts).toEqual([working, answer.text]);
  });

  test('in a DM replaces the notice', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(notice.text).toBe(working);
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ts).toBe(notice.ts);
    expect(wordsOf(answer)).toContain('IMO 9461477');
    expect(await endOf(bot, dmOf(ada))).toHaveLength(1);
  });

  test('is a new message if the notice was deleted', async () => {
    const hold = bot.sandbox.faults.hold();
    const notice = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    bot.playground.faults.next('chat.update', { error: 'message_not_found' });
    const answer = await bot.after(async () => hold.remove(), isFinal);
    expect(answer.ts).not.toBe(notice.ts);
    expect(answer.text).toMatch(/^DS CYPRESS [→·] /);
  });

  test('is sent even when Slack refuses the notice', async () => {
    const hold = bot.sandbox.faults.hold();
    bot.playground.faults.next('chat.postMessage', { error: 'internal_error' });
    const answer = bot.say(ada, dmOf(ada), 'nextport 9461477', { match: isFinal });
    await bot.playground.waitForMessage(({ channelId }) => channelId === dmOf(ada));
    hold.remove();
    expect((await answer).text).toMatch(/^DS CYPRESS [→·] /);
  });
});

test('a failure of Refresh leaves the old answer and adds a message', async () => {
  const bot = await useBot('socket');
  const answer = await bot.say(ada, ops, '/nextport 9461477');
  bot.sandbox.faults.malformed('html');
  const failure = await bot.click(ada, answer, 'refresh');
  expect(failure.ts).not.toBe(answer.ts);
  expect(failure).toMatchObject({ ephemeralTo: ada });
  expect(failure.text).toContain('something unreadable');
  expect(bot.messages(ops).find(({ ts }) => ts === answer.ts)?.text).toBe(answer.text);
  bot.sandbox.faults.clear();
  expect(wordsOf(await bot.click(ada, answer, 'refresh'))).not.toContain('Refreshed');
});

test('Refresh asks the service once a minute per question, whoever clicks', async () => {
  const bot = await useBot('http');
  const asked = () => bot.sandbox.requests.total;
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
});

test('Share is offered unless everybody sees the answer, and posts to the channel', async () => {
  const labelsOf = (message: PageMessage) => buttonsOf(message).map(({ text }) => text?.text);
  const bot = await useBot('http');
  const dm = await bot.say(ada, dmOf(ada), 'nextport 9461477');
  const slash = await bot.say(ada, dmOf(ada), '/nextport 9461477');
  const toAll = await bot.say(ada, ops, '/nextport 9461477 public');
  const refreshed = await bot.click(ben, toAll, 'refresh');
  // The other buttons answer the person who clicks.
  const ports = await bot.say(ada, ops, '/portcalls Rotterdam public');
  expect(await bot.click(ben, ports, 'By probability')).toMatchObject({ ephemeralTo: ben });
  for (const [where, message] of Object.entries({ dm, slash, toAll, refreshed })) {
    expect([where, ...labelsOf(message).slice(0, 2)]).toEqual([where, 'Watch', 'Refresh']);
  }

  const mention = await bot.say(ada, ops, '@landfall nextport 9461477');
  bot.advance(61_000);
  const reply = await bot.click(ben, mention, 'refresh');
  expect(reply.threadTs).toBeDefined();
  const posted = await bot.click(ben, reply, 'share');
  expect([posted.channelId, posted.ephemeralTo, posted.threadTs]).toEqual([ops, undefined, undefined]);
  expect(posted.text).toContain('Shared by ');
  expect(labelsOf(posted)).not.toContain('Share');
});

describe('trouble with Slack', () => {
  test('a cut connection does not repeat the post', async () => {
    const bot = await useBot('socket');
    bot.playground.faults.next('chat.postMessage', { cut: true });
    const answer = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    expect(await endOf(bot, dmOf(ada))).toEqual([answer.text]);
  });

  test('a refused answer gives an answer with a reference', async () => {
    const bot = await useBot('http');
    bot.playground.faults.next('chat.postMessage', { error: 'restricted_action' });
    const failure = await bot.say(ada, dmOf(ada), 'nextport 9461477');
    const ref = /Something broke on our side \(ref ([2-9A-Z]{6})\)/.exec(failure.text)?.[1];
    expect(bot.log.findLast((line) => line.ref === ref)?.msg).toBe('Slack refused the answer');
  });
});
