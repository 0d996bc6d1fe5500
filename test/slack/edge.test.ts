import { describe, expect, test } from 'vitest';
import { ada, ben, dmOf, type Mode, ops, startBot, wordsOf } from '../support/bot.ts';
import { useStarted } from '../support/use-started.ts';

describe.each<Mode>(['socket', 'http'])('the bot over %s', (mode) => {
  const bot = useStarted(() => startBot(mode));

  test('another order and the menu replace the answer', async () => {
    const answer = await bot.say(ada, ops, '/portcalls Rotterdam');
    const next = await bot.click(ada, answer, 'By probability');
    expect(next.ts).toBe(answer.ts);
    expect(wordsOf(next)).not.toBe(wordsOf(answer));
  });

  test('a line in a thread of the DM is answered in the thread', async () => {
    const root = await bot.say(ada, dmOf(ada), 'status');
    const answer = await bot.say(ada, dmOf(ada), 'nextport 9461477', { threadTs: root.ts });
    expect(answer.threadTs).toBe(root.ts);
  });

  test('a mention is answered in its thread', async () => {
    const answer = await bot.say(ben, ops, '@landfall nextport 9461477');
    const question = bot.playground.messages(ops).findLast(({ userId }) => userId === ben);
    expect(answer.threadTs).toBe(question?.ts);
    expect(answer.text).toMatch(/^DS CYPRESS [→·] /);
    expect(wordsOf(await bot.say(ben, ops, '@landfall'))).toContain('/nextport');
  });

  test('a plain question is answered wherever a line is; the answer says how it was understood', async () => {
    const asked = async (channelId: string, words: string) => {
      const answer = await bot.say(ada, channelId, words);
      expect(wordsOf(answer)).toContain('Understood as /nextport 9811000');
      expect(answer.text).toMatch(/^EVER GIVEN.* \(Understood as \/nextport 9811000\)$/);
      return answer;
    };
    await asked(dmOf(ada), 'Where is EVER GIVEN?');
    await asked(ops, '@landfall where’s Ever Given now');
    const slash = await asked(ops, '/landfall where is EVER GIVEN?');
    const refreshed = await bot.click(ada, slash, 'Refresh');
    expect(wordsOf(refreshed)).not.toContain('Understood as');
  });

  test('an example of plain words has the mention where words without one do not reach Landfall', async () => {
    const mentioned = '`@Landfall where is EVER GIVEN?`';
    for (const words of ['@landfall help', '@landfall help nextport'])
      expect(wordsOf(await bot.say(ada, ops, words))).toContain(mentioned);
    for (const [channelId, words] of [
      [ops, '/landfall help'],
      [dmOf(ada), 'help'],
    ] as const)
      expect(wordsOf(await bot.say(ada, channelId, words))).toContain('“Where is EVER GIVEN?”');
    const failed = await bot.say(ada, ops, '@landfall where is it?');
    expect(failed.text).toContain('For example: @Landfall nextport 9461477');
    expect((await bot.say(ada, ops, '/nextport')).text).toContain('For example: /nextport 9461477');
  });

  test('a question about what the service does not report says so beside its forecast', async () => {
    const answer = await bot.say(ada, dmOf(ada), 'has ever given arrived?');
    expect(answer.text).toMatch(
      /^EVER GIVEN.*Calls are predicted: the service never reports that a vessel arrived or left · Understood as \/nextport 9811000/,
    );
  });

  test('Share posts the answer to the channel, and names who shared it', async () => {
    const answer = await bot.say(ada, ops, '/nextport 9461477');
    const post = await bot.click(ada, answer, 'share');
    expect(post.ephemeralTo).toBeUndefined();
    expect(post.ts).not.toBe(answer.ts);
    expect(wordsOf(post)).toMatch(/Shared by [Aa]da/);
    expect(wordsOf(post)).not.toContain('<@');

    const refreshed = await bot.click(ben, post, 'refresh');
    expect(refreshed.ts).toBe(post.ts);
    expect(refreshed.ephemeralTo).toBeUndefined();
    expect(wordsOf(refreshed).match(/Shared by [Aa]da/g)).toHaveLength(1);
  });

  test('a misspelt word is corrected in private, and the answer says so; a line that changes something asks', async () => {
    for (const typed of ['/portcals antwrep tomorow public', '@landfall antwrep tomorow']) {
      const answer = await bot.say(ada, ops, typed.replace('/portcals', '/landfall portcals'));
      expect(answer.ephemeralTo).toBe(ada);
      expect(answer.text).toMatch(/^Antwerp: /);
      expect(wordsOf(answer)).toContain('Showing Antwerp for “antwrep” · Showing tomorrow for “tomorow”');
    }
    const asked = await bot.say(ada, ops, '/watch ever givn');
    expect(asked.text).toContain("I don't know ever givn. What's its IMO number? EVER GIVEN (9811000).");
  });

  test('a choice offered by an error replaces the error', async () => {
    const failure = await bot.say(ada, ops, '/landfall nextport 9461478');
    expect(failure.ephemeralTo).toBe(ada);
    expect(failure.text).toContain('9461478');
    const answer = await bot.click(ada, failure, 'DS CYPRESS (9461477)');
    expect(answer.ts).toBe(failure.ts);
    expect(answer.text).toMatch(/^DS CYPRESS [→·] /);
  });

  test('typed text reaches the log only as the canonical line', async () => {
    await bot.say(ada, ops, '/landfall   Nextport   IMO 9461477 ');
    await bot.say(ada, ops, '/landfall frobnicate the secret thing');
    await bot.say(ada, ops, '/portcalls my password is hunter2');
    const lines = JSON.stringify(bot.log);
    expect(lines).toContain('"line":"nextport 9461477"');
    expect(lines).not.toMatch(/frobnicate|hunter2/);
    expect(lines).not.toContain('xoxb-');
  });
});
