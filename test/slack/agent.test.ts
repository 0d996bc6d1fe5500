import type { PageMessage } from 'bolt-playground';
import { beforeEach, describe, expect, test } from 'vitest';
import { ada, type BotOptions, ben, dmOf, dora, eve, ops, type TestBot } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';
import { waitUntil } from '../support/wait-until.ts';

const dm = dmOf(ada);
const working = 'is working on it …';
const general = [
  'Where does vessel 9461477 call next?',
  'Who is coming to Rotterdam tomorrow?',
  'Which carriers are late from Rotterdam to Singapore?',
  'What can I ask?',
];

let bot: TestBot;
const start = async (options: BotOptions = {}) => {
  bot = await useBot('socket', { ...options, env: { SLACK_AGENT: 'true', ...options.env } });
};

const callsOf = (method: string) => bot.playground.wire().filter(({ label }) => label === method).length;
const titles = (channelId = dm) => bot.playground.prompts(channelId)?.prompts.map(({ title }) => title);
const isReplyTo =
  (ts: string) =>
  ({ threadTs, userId }: PageMessage): boolean =>
    threadTs === ts && userId === bot.botUserId;
const wasAnswered = (message: PageMessage) => message.text.startsWith('DS CYPRESS');

/** Opens the Messages tab; resolves when so many prompts have been set in all. */
async function open(userId: string, calls: number): Promise<void> {
  await bot.playground.openHome(userId, 'messages');
  const isAsked = () => callsOf('assistant.threads.setSuggestedPrompts') === calls;
  await waitUntil('the prompts are set', isAsked);
}

/** Writes in the direct message; returns the `ts`. */
async function write(text: string, threadTs?: string): Promise<string> {
  const where = { userId: ada, channelId: dm, ...(threadTs && { threadTs }) };
  const reply = await bot.playground.say({ ...where, text });
  if (!reply.ok || reply.ts === undefined) throw new Error(`not posted: ${text}`);
  return reply.ts;
}

describe('suggested prompts', () => {
  beforeEach(() => start());

  test('are general for somebody without watches, the same as in the manifest', async () => {
    expect(titles()).toEqual(general);
    await open(ada, 1);
    expect(titles()).toEqual(general);
    bot.playground.faults.next('assistant.threads.setSuggestedPrompts', { error: 'not_agent_app' });
    await open(ada, 2);
    await waitUntil('it is in the log', () =>
      bot.log.some(({ msg }) => msg === 'Slack took no suggested prompts'),
    );
    // Nobody is bothered.
    expect(bot.log.filter(({ level }) => level >= 50)).toEqual([]);
    expect(bot.messages(dm)).toEqual([]);
  });

  test("are about the person's own watches, wherever these are; each person has their own", async () => {
    const watch = (userId: string, channelId: string, line: string) =>
      bot.say(userId, channelId, line, { match: ({ text }) => text.startsWith('Watching ') });
    await watch(ada, ops, '/watch 9461477');
    await watch(ada, dm, 'watch port Rotterdam to me');
    await watch(ben, ops, '/watch 9755933');
    await open(ada, 1);
    await open(ben, 2);
    const [, whoIsComing = '', lane = ''] = general;
    expect(titles()).toEqual([
      'Where is DS CYPRESS?',
      'Who is coming to Rotterdam?',
      'What changed today?',
      lane,
    ]);
    expect(titles(dmOf(ben))).toEqual(['Where is MSC DIANA?', 'What changed today?', whoIsComing, lane]);
  });

  test('a prompt is answered like a line that somebody typed', async () => {
    await bot.say(ada, ops, '/watch 9461477');
    await open(ada, 1);
    for (const { message } of bot.playground.prompts(dm)?.prompts ?? []) {
      const ts = await write(message);
      const answer = await bot.playground.waitForMessage(
        ({ threadTs, userId }) => threadTs === ts && userId === bot.botUserId,
      );
      expect(answer.text).not.toMatch(/^(?:Sorry|I don't)/);
    }
    const outcomes = bot.log.filter(({ msg, surface }) => msg === 'command' && surface === 'message');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(4).fill('answered'));
  });

  test('people whom Landfall does not serve keep those of the manifest', async () => {
    await bot.say(ada, ops, '/landfall settings guests none');
    await bot.playground.openHome(dora, 'messages');
    await bot.playground.openHome(eve, 'messages');
    await open(ada, 1);
    const declined = () => bot.log.filter(({ msg, surface }) => msg === 'command' && surface === 'home');
    await waitUntil('all three are done', () => declined().length === 3);
    expect(callsOf('assistant.threads.setSuggestedPrompts')).toBe(1);
  });

  test('if the store does not answer, those of the manifest stay', async () => {
    await direct(await sharedDatabase())
      .schema.dropTable('watches')
      .execute();
    await bot.playground.openHome(ada, 'messages');
    await waitUntil('it has failed', () => bot.log.some(({ outcome }) => outcome === 'failed'));
    expect(callsOf('assistant.threads.setSuggestedPrompts')).toBe(0);
    expect(bot.messages(dm)).toEqual([]);
  });
});

describe('a question in the direct message', () => {
  test('is answered in its thread, with a status until then', async () => {
    await start({ timing: { workingMs: 1 } });
    const hold = bot.sandbox.faults.hold();
    const ts = await write('nextport 9461477');
    await waitUntil('the status is there', () => bot.playground.status(dm, ts) === working);
    const answer = await bot.after(async () => hold.remove());
    expect(answer).toMatchObject({ threadTs: ts, text: expect.stringMatching(/^DS CYPRESS/) });
    expect(bot.playground.status(dm, ts)).toBeUndefined();
    await bot.stop();
    expect(bot.messages(dm)).toHaveLength(1);
    expect(callsOf('assistant.threads.setStatus')).toBe(1);
  });

  test('knows in its thread which vessel it was about, if Slack gives the message above', async () => {
    await start();
    const root = await write('Where is MSC DIANA?');
    await bot.playground.waitForMessage(isReplyTo(root));
    expect((await bot.after(() => write('and when is it due?', root))).text).toMatch(/^MSC DIANA/);
    expect((await bot.after(() => write('nextport', root))).text).toMatch(/^MSC DIANA/);
    expect((await bot.after(() => write('nextport 9461477', root))).text).toMatch(/^DS CYPRESS/);
    // Only where the line doesn't name one.
    expect(callsOf('conversations.replies')).toBe(2);
    const isWatching = ({ text }: PageMessage) => text.startsWith('Watching ');
    const watching = await bot.after(() => write('watch it', root), isWatching);
    expect(watching.text).toMatch(/^Watching MSC DIANA/);
    const alone = await write('watch it');
    const asked = await bot.playground.waitForMessage(isReplyTo(alone));
    expect(asked.text).toContain('Which vessel is “it”?');

    bot.playground.faults.next('conversations.replies', { error: 'missing_scope' });
    const answer = await bot.after(() => write('when is it due?', root));
    expect(answer.text).toContain('Which vessel');
    expect(bot.log).toContainEqual(
      expect.objectContaining({ msg: "a thread's first message can't be read", level: 40 }),
    );
  });

  test('about two vessels, or a port, asks in its thread which one is meant, with an example that can be typed there', async () => {
    await start();
    for (const [question, choice] of [
      ['nextport 9461477, 9755933', 'MSC DIANA'],
      ['portcalls Rotterdam tomorrow', 'Which vessel'],
    ] as const) {
      const root = await write(question);
      await bot.playground.waitForMessage(isReplyTo(root));
      const answer = await bot.after(() => write('when is it due?', root));
      expect(answer.text).toContain(choice);
    }
    const root = await write('where is it?');
    const help = await bot.playground.waitForMessage(isReplyTo(root));
    expect(help.text).toContain('For example: nextport 9461477');
    const slash = await bot.say(ada, dm, '/nextport where is it?');
    expect(slash.text).toContain('For example: /nextport 9461477');
  });

  test('has “Working on it …” in its thread if Slack takes no status', async () => {
    await start({ timing: { workingMs: 1 } });
    const hold = bot.sandbox.faults.hold();
    bot.playground.faults.next('assistant.threads.setStatus', { error: 'internal_error' });
    let ts = '';
    const notice = await bot.after(async () => {
      ts = await write('nextport 9461477');
    });
    expect(notice).toMatchObject({ text: 'Working on it …', threadTs: ts });
    const answer = await bot.after(async () => hold.remove(), wasAnswered);
    expect(answer.ts).toBe(notice.ts);
    expect(bot.log).toContainEqual(expect.objectContaining({ msg: 'Slack took no status', level: 40 }));
  });

  test('of a guest or of somebody of another organisation who is not served is declined in its thread', async () => {
    await start();
    await bot.say(ada, ops, '/landfall settings guests none');
    for (const [userId, words] of [
      [eve, 'does not answer guests'],
      [dora, 'only answers people in the organisation'],
    ] as const) {
      const notice = await bot.say(userId, dmOf(userId), 'nextport 9461477');
      const [{ ts = '' } = {}] = bot.playground.messages(dmOf(userId));
      expect(notice).toMatchObject({ threadTs: ts, text: expect.stringContaining(words) });
      expect(notice.ephemeralTo).toBeUndefined();
      expect(bot.playground.status(dmOf(userId), ts)).toBeUndefined();
    }
  });

  test('leaves no status behind if Slack takes no answer at all', async () => {
    await start();
    bot.playground.faults.next('chat.postMessage', { error: 'internal_error' }, 2);
    const ts = await write('nextport 9461477');
    await waitUntil('the status is cleared', () => callsOf('assistant.threads.setStatus') === 2);
    expect(bot.playground.status(dm, ts)).toBeUndefined();
    expect(callsOf('chat.postMessage')).toBe(2);
  });

  test('is answered if Slack does not answer to the status, which is not tried again', async () => {
    await start();
    const hang = Promise.withResolvers<void>();
    bot.playground.faults.every(['assistant.threads.setStatus'], { until: hang.promise });
    const ts = await write('nextport 9461477');
    const answer = await bot.playground.waitForMessage(wasAnswered);
    expect(answer.threadTs).toBe(ts);
    hang.resolve();
    await waitUntil('the call has ended', () => callsOf('assistant.threads.setStatus') > 0);
    expect(callsOf('assistant.threads.setStatus')).toBe(1);
  });

  test('a slash command, a mention in a channel and its thread are as without it; a file of names is answered in its thread', async () => {
    await start();
    expect(await bot.say(ada, dm, '/nextport 9461477')).toMatchObject({ ephemeralTo: ada });
    const reply = await bot.say(ada, ops, '@landfall nextport 9461477');
    expect(reply.threadTs).toBeDefined();
    await bot.settled();
    expect(callsOf('assistant.threads.setStatus')).toBe(0);
    const content = Buffer.from('imo,name\n9461477,CYPRESS\n');
    const uploaded = bot.playground.upload({ userId: ada, name: 'names.csv', content });
    if (!uploaded.ok) throw new Error(uploaded.error);
    const answer = await bot.after(() =>
      bot.playground.say({ userId: ada, channelId: dm, text: '', fileIds: [uploaded.fileId] }),
    );
    expect(answer.threadTs).toBe(bot.playground.messages(dm).find(({ files }) => files)?.ts);
  });
});

test('an app that is no agent is asked for nothing, and answers outside of threads', async () => {
  await start({ env: { SLACK_AGENT: 'false' } });
  expect(bot.playground.prompts(dm)).toBeUndefined();
  await bot.playground.openHome(ada, 'messages');
  const answer = await bot.say(ada, dm, 'nextport 9461477');
  expect(answer.threadTs).toBeUndefined();
  const [root] = bot.playground.messages(dm);
  const reply = await bot.say(ada, dm, 'when is it due?', { threadTs: root?.ts ?? '' });
  expect(reply.text).toContain('Which vessel');
  await bot.stop();
  expect(callsOf('conversations.replies')).toBe(0);
  expect(bot.playground.wire().filter(({ label }) => label.startsWith('assistant.'))).toEqual([]);
});
