import type { FaultRequest, PageMessage, WireEntry } from 'bolt-playground';
import { beforeEach, describe, expect, test } from 'vitest';
import { ada, type BotOptions, dmOf, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { addWatch, forwardUntil } from '../support/bot-watch.ts';
import { useBot } from '../support/use-bot.ts';
import { waitUntil } from '../support/wait-until.ts';

let bot: TestBot;
const start = async (options: BotOptions = {}) => {
  bot = await useBot('socket', options);
};

async function request(body: FaultRequest): Promise<void> {
  const response = await fetch(`${bot.playground.url}/playground/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await response.json()).toEqual({ ok: true });
}
const turnOn = (id: string) => request({ id, isOn: true });
const turnOff = (id: string) => request({ id, isOn: false });
const ask = (text = '/nextport 9461477') => bot.say(ada, ops, text);
const typesIn = ({ blocks = [] }: PageMessage) => blocks.map(({ type }) => type);

describe('faults of the service', () => {
  test.each([
    ['server-error', /^The analytics service does not answer \(since /],
    ['rate-limited', /^The analytics service is limiting our calls. Try again in 30 s/],
    ['login-refused', /^The analytics service doesn't accept the account/],
    ['unreadable', /^The analytics service sent data that Landfall can't read/],
    ['empty', /^No prediction for IMO 9755933 \(MSC DIANA\)/],
  ])('%s', async (id, answer) => {
    await start();
    expect((await ask()).text).toMatch(/^DS CYPRESS → /);
    await turnOn(`service.${id}`);
    expect((await ask('/nextport 9755933')).text).toMatch(answer);
  });

  test('no-answer: the command ends within its deadline', async () => {
    await start({ timing: { workingMs: 1, deadlineMs: 100 } });
    await turnOn('service.no-answer');
    const failure = await bot.say(ada, ops, '/nextport 9461477', { match: isFinal });
    expect(failure.text).toMatch(/^The analytics service does not answer \(since /);
  });

  test('slow: the bot says that it is working on it, then answers', async () => {
    await start({ timing: { workingMs: 1 } });
    await turnOn('service.slow');
    expect((await ask()).text).toBe('Working on it …');
    const answer = await bot.after(() => turnOff('service.slow'));
    expect(answer.text).toMatch(/^DS CYPRESS → /);
  });
});

const isFinal = ({ text }: PageMessage) => !text.startsWith('Working on it');

describe('faults of Slack', () => {
  beforeEach(() => start());

  test('no-tables: the plain twin, with the same figures', async () => {
    expect(typesIn(await ask())).toContain('data_table');
    await turnOn('slack.no-tables');
    const plain = await ask();
    expect(typesIn(plain)).not.toContain('data_table');
    expect(plain.text).toMatch(/^DS CYPRESS → /);
    expect(wordsOf(plain)).toMatch(/\d%/);
    await turnOff('slack.no-tables');
    expect(typesIn(await ask())).toContain('data_table');
  });

  test('no-pictures: the same words without the map', async () => {
    const withMap = ({ text }: PageMessage) => /DS CYPRESS/.test(text);
    const line = (text: string) => bot.say(ada, dmOf(ada), text, { match: withMap });
    expect(typesIn(await line('nextport 9461477 map'))).toContain('image');
    await turnOn('slack.no-pictures');
    const plain = await line('nextport 9461477 map');
    expect(typesIn(plain)).not.toContain('image');
    expect(wordsOf(plain)).toContain('Map of DS CYPRESS: 1 ');
  });

  test.each([
    'rate-limited',
    'down',
    'cut',
  ])('%s: alerts reach the thread once, at latest when it is over', async (id) => {
    const { card } = await addWatch(bot);
    const replies = () =>
      bot.messages(ops).flatMap(({ threadTs, text }) => (threadTs === card().ts ? [text] : []));
    const isTried = ({ label, ok }: WireEntry) => label === 'chat.postMessage' && !ok;
    await turnOn(`slack.${id}`);
    await forwardUntil(bot, () => bot.playground.wire().some(isTried));
    expect(replies()).toHaveLength(id === 'cut' ? 1 : 0);
    await turnOff(`slack.${id}`);
    bot.advance(10 * 60_000);
    await bot.runDue();
    expect(replies()).toHaveLength(1);
    expect(replies()[0]).not.toContain('possibly repeated');
  });

  test('cut: a card whose fate the bot never learns is taken back', async () => {
    await turnOn('slack.cut');
    const answer = await bot.say(ada, ops, '/watch 9461477', {
      match: ({ ephemeralTo }) => ephemeralTo === ada,
    });
    expect(answer.text).toMatch(/^Slack did not answer, so nothing was saved/);
    const cards = () => bot.messages(ops).filter(({ text }) => text.includes('is watched here'));
    expect(cards()).toHaveLength(1);
    await turnOff('slack.cut');
    bot.advance(3 * 60_000);
    await bot.runDue();
    expect(cards()).toHaveLength(0);
  });

  test('disconnected: commands fail; the bot comes back automatically', async () => {
    await turnOn('slack.disconnected');
    await waitUntil('the connection ends', () => bot.playground.connectionCount() === 0);
    expect(bot.playground.state()?.appConnected).toBe(false);
    const line = { userId: ada, channelId: ops, text: '/nextport 9461477' };
    expect(await bot.playground.say(line)).toMatchObject({ ok: false });
    await turnOff('slack.disconnected');
    await waitUntil('the bot is back', () => bot.playground.state()?.appConnected === true);
    expect((await ask()).text).toMatch(/^DS CYPRESS → /);
  });
});

test('all faults are off at first, and again after all are turned off or the bot restarts', async () => {
  await start();
  const on = () => bot.playground.state()?.faults.flatMap(({ id, isOn }) => (isOn ? [id] : []));
  expect(on()).toEqual([]);
  await turnOn('slack.down');
  await turnOn('slack.down');
  await turnOn('service.server-error');
  expect(on()).toEqual(['slack.down', 'service.server-error']);
  await request({ allOff: true });
  expect(on()).toEqual([]);
  expect((await ask()).text).toMatch(/^DS CYPRESS → /);
  const unknown = await fetch(`${bot.playground.url}/playground/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'slack.none', isOn: true }),
  });
  expect(await unknown.json()).toEqual({ ok: false, error: 'There is no such fault.' });
});
