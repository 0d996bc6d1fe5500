import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { PageMessage } from 'bolt-playground';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tableNames } from '../../../src/database/schema.ts';
import { ada, ben, ops, startBot, type TestBot, wordsOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { closeAll, driveForms } from '../../support/form-driver.ts';
import { direct } from '../../support/statements/direct.ts';

const line = '/landfall assistants';
const dayMs = 24 * 3_600_000;
/** Slack's answers about a person are cached for so long. */
const cachedMs = 3_600_001;
const shownToken = /lf_[\w-]{43}/;

describe('tokens for assistants', () => {
  let bot: TestBot;
  const made: string[] = [];
  beforeAll(async () => {
    bot = await startBot('socket', { timing: { workingMs: 1_000 }, logLevel: 'trace' });
  });
  afterAll(async () => {
    const { world, messages } = bot.playground;
    const everywhere = [bot.log, world.channels.map(({ id }) => messages(id)), await everyRow()];
    await bot.stop();
    expect(made.length).toBeGreaterThan(1);
    const text = JSON.stringify(everywhere);
    expect(made.filter((token) => text.includes(token.slice(3)))).toEqual([]);
    expect(text).toContain('lf_…');
  });
  afterEach(() => closeAll(bot, ada));

  const db = async () => direct(await sharedDatabase());
  const everyRow = async () =>
    Promise.all(
      // Any of the tables.
      tableNames.map(async (table) =>
        (await db())
          .selectFrom(table as 'workspaces')
          .selectAll()
          .execute(),
      ),
    );
  const stored = async () => (await db()).selectFrom('assistant_tokens').selectAll().execute();
  const press = (message: PageMessage, actionId: string, userId = ada) => {
    const block = message.blocks?.find((one) => JSON.stringify(one).includes(`"${actionId}"`));
    return bot.playground.click({
      ...{ userId, channelId: ops, messageTs: message.ts, actionId },
      ...(block?.block_id !== undefined && { blockId: block.block_id }),
    });
  };
  /** A busy machine shows “Working on it …” first. */
  const isFinal = ({ text }: PageMessage) => !text.startsWith('Working on it');
  /** Returns the answer, and no alert of the watch that an assistant added. */
  const say = (userId: string, text = line) =>
    bot.say(userId, ops, text, {
      match: (message) => message.ephemeralTo !== undefined && isFinal(message),
    });
  const openForm = async () => {
    const form = driveForms(bot, ada);
    await press(await say(ada), 'form:assistant-token');
    await form.see('# New token');
    return form;
  };
  const create = async (label: string, scope = 'read') => {
    const form = await openForm();
    await form.fill('label', label);
    await form.fill('scope', scope);
    await form.submit();
    await form.see(`Token “${label}”`);
    const [token = ''] = shownToken.exec(form.read()) ?? [];
    made.push(token);
    return { token, form };
  };
  /** What a tool answers an assistant with the token. */
  const call = async (token: string, name: string, input: Record<string, string>) => {
    const client = new Client({ name: 'assistant', version: '1' });
    const url = new URL('/mcp', bot.playground.url);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const answer = await client.callTool({ name, arguments: input });
    await client.close();
    return z.object({ content: z.tuple([z.object({ text: z.string() })]) }).parse(answer).content[0].text;
  };
  const ask = (token: string) => call(token, 'nextport', { vessel: '9461477' });
  const refused = /401|invalid_token|Unauthorized/i;

  test('one is created in a form, shown once, and asks as the admin who created it', async () => {
    const form = await openForm();
    await form.fill('label', '  ');
    expect(await form.submit()).toMatchObject({
      errors: { label: 'Say what the token is for, so that you know it again.' },
    });
    expect(await stored()).toEqual([]);
    await form.fill('label', ' My  <laptop> ');
    await form.submit();
    await form.see('Token “My &lt;laptop&gt;”');
    const shown = form.read();
    const [token = ''] = shownToken.exec(shown) ?? [];
    made.push(token);
    expect(shown).toContain(`${bot.playground.url}/mcp`);
    expect(shown).toContain('Copy the token now: it is not shown again.');
    const [row, ...others] = await stored();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ label: 'My <laptop>', scope: 'read', person_id: ada, last_used_at: null });
    expect((row?.expires_at.getTime() ?? 0) - (row?.created_at.getTime() ?? 0)).toBe(90 * dayMs);
    await form.close();
    expect(form.top()).toBeUndefined();

    const unused = await say(ada);
    expect(wordsOf(unused)).toMatch(/May ask, as <@U0ADA0001> · expires \d+ Feb 2027 · never used/);
    expect(unused.text).toContain('My &lt;laptop&gt;');
    expect((await say(ben)).text).not.toContain('laptop');
    expect(await ask(token)).toContain('DS CYPRESS');
    expect(wordsOf(await say(ada))).toMatch(/last used 23 Nov 2026/);
    const audit = await say(ada, '/landfall audit');
    expect(audit.text).toContain(`<@${ada}> created the token “My &lt;laptop&gt;”`);
    expect(wordsOf(audit)).toMatch(/may: ask · expires: \d+ Feb 2027/);
  });

  test('one that takes long to create is shown in place of “Working on it …”', async () => {
    const form = await openForm();
    await form.fill('label', 'Slow');
    const release = Promise.withResolvers<void>();
    const held = (await sharedDatabase()).transaction().execute(() => release.promise);
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Working on it …');
    release.resolve();
    await held;
    await form.see('Token “Slow”');
    const [token = ''] = shownToken.exec(form.read()) ?? [];
    made.push(token);
    expect(await ask(token)).toContain('DS CYPRESS');
  });

  test('one is revoked at once, and only once', async () => {
    const { token } = await create('Script', 'write');
    const list = await say(ada);
    expect(wordsOf(list)).toContain('May ask, and add or stop watches, as');
    await expect(press(list, 'assistants:revoke', ben)).resolves.toMatchObject({ ok: false });
    const after = await bot.after(() => press(list, 'assistants:revoke'), isFinal);
    expect(after.text).toContain(
      'The token “Script” is revoked. The assistant that has it can no longer ask.',
    );
    expect(wordsOf(after)).not.toContain('*Script*');
    await expect(ask(token)).rejects.toThrow(refused);
    expect((await say(ada, '/landfall audit')).text).toContain('revoked the token “Script”');

    const again = await say(ada);
    await (await db()).deleteFrom('assistant_tokens').where('label', '=', 'Slow').execute();
    expect((await bot.after(() => press(again, 'assistants:revoke'), isFinal)).text).toMatch(
      /^That token was revoked already[.:;] 1 token for assistants[.:;] /,
    );
  });

  test('one that may only ask adds no watch; the other adds one of its admin', async () => {
    const watches = async () => (await db()).selectFrom('watches').select('owner_id').execute();
    const [reads, writes] = [await create('Reader'), await create('Writer', 'write')];
    const refusal = await call(reads.token, 'watch_add', { vessel: '9461477' });
    expect(refusal).toContain('This token may only ask. Nothing was changed.');
    expect(await watches()).toEqual([]);
    await call(writes.token, 'watch_add', { vessel: '9461477' });
    expect(await watches()).toEqual([{ owner_id: ada }]);
    for (const label of ['Reader', 'Writer'])
      await (await db()).deleteFrom('assistant_tokens').where('label', '=', label).execute();
  });

  test('somebody who loses the role of an admin meanwhile changes nothing', async () => {
    const list = await say(ada);
    const form = await openForm();
    await form.fill('label', 'Another');
    const person = bot.playground.world.users.find(({ id }) => id === ada);
    if (!person) throw new Error('no Ada');
    const before = await stored();
    person.isAdmin = false;
    await form.submit();
    const words = 'Only workspace admins can create and revoke tokens. Nothing was changed.';
    await form.see(words);
    expect((await bot.after(() => press(list, 'assistants:revoke'), isFinal)).text).toContain(words);
    expect(await stored()).toEqual(before);
    person.isAdmin = true;
    bot.advance(cachedMs);
  });

  test('one whose person has left asks for a minute at most, although Slack was asked within the hour', async () => {
    const { token } = await create('Leaver');
    expect(await ask(token)).toContain('DS CYPRESS');
    const person = bot.playground.world.users.find(({ id }) => id === ada);
    if (!person) throw new Error('no Ada');
    // The playground describes other bots than Landfall's as deleted.
    person.isBot = true;
    bot.advance(60_001);
    expect(await ask(token)).toBe('That person is no longer in this workspace.');
    person.isBot = false;
    bot.playground.faults.next('users.info', { error: 'internal_error' });
    bot.advance(60_001);
    expect(await ask(token)).toMatch(/^Slack can't tell me who you are right now, so I can't answer\./);
    bot.advance(60_001);
    expect(await ask(token)).toContain('DS CYPRESS');
    await (await db()).deleteFrom('assistant_tokens').where('label', '=', 'Leaver').execute();
  });

  test('an expired one no longer asks, is listed for 30 days, and then deleted', async () => {
    const { token } = await create('Trial');
    bot.advance(90 * dayMs - 1_000 - cachedMs);
    expect(await ask(token)).toContain('DS CYPRESS');
    bot.advance(1_000 + cachedMs);
    await expect(ask(token)).rejects.toThrow(refused);
    const list = await say(ada);
    expect(list.text).toMatch(/^No tokens for assistants\. /);
    expect(wordsOf(list)).toMatch(/\*Trial\*\\nExpired \d+ Feb 2027 · last used/);
    expect(wordsOf(list)).toContain('expired tokens are deleted after 30 days');
    expect(wordsOf(list)).not.toContain('assistants:revoke');
    bot.advance(31 * dayMs);
    await bot.runDue();
    expect(await stored()).toEqual([]);
  });
});
