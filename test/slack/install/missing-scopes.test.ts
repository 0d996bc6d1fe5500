import { readFileSync } from 'node:fs';
import { createPlayground, type Playground } from 'bolt-playground';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSlackConnection, identifyToken } from '../../../src/slack/connection/connect.ts';
import { missingScope, scopeAdvice, scopeLink, whatIsMissing } from '../../../src/slack/install/scopes.ts';
import { downloadFile } from '../../../src/slack/listeners/messages.ts';
import { createPoster } from '../../../src/slack/posting/messenger.ts';
import { ops } from '../../support/bot.ts';

const grantUrl = 'https://landfall.example/slack/install?team=T1';
const logger = pino({ level: 'silent' });
let slack: Playground;
let connection: ReturnType<typeof createSlackConnection>;

/** A workspace whose admin declined every optional scope. */
beforeAll(async () => {
  const manifest = readFileSync('manifest.yml', 'utf8').replaceAll(
    /^ +- (?:files:\w+|(?:channels|groups):history)\n/gm,
    '',
  );
  slack = await createPlayground({ mode: 'socket', manifest });
  const { botToken, apiUrl } = slack;
  const options = { apiUrl, fetch, realNow: Date.now, logger };
  const installation = { ...(await identifyToken(botToken, options)), grantUrl };
  connection = createSlackConnection({ ...options, installation, getToken: async () => botToken });
});
afterAll(() => slack.close());

test('the scope is read from the refusal; other refusals need none', async () => {
  const { reads } = connection.clients;
  const refused = (request: Promise<unknown>) => request.then(() => undefined, missingScope);
  expect(await refused(reads.conversations.history({ channel: ops }))).toBe('channels:history');
  expect(await refused(reads.conversations.info({ channel: 'C0NOTHING' }))).toBeUndefined();
  expect(missingScope(new Error('missing_scope'))).toBeUndefined();
});

test('the advice is a link where there is one', () => {
  expect(scopeLink('https://landfall.example', 'T1')).toBe(grantUrl);
  expect(scopeLink(undefined, 'T1')).toBeUndefined();
  expect(scopeAdvice('files:read', undefined)).toBe(
    'Tell whoever runs this bot: it needs the scope files:read.',
  );
});

test('each optional scope has a consequence', () => {
  const required = ['app_mentions:read', 'channels:read', 'chat:write', 'commands', 'groups:read'];
  const missing = whatIsMissing([...required, 'im:history', 'im:write', 'users:read'], {
    isHttp: true,
    isAgent: true,
  });
  expect(missing.map(({ scope }) => scope)).toEqual([
    'assistant:write',
    'channels:history',
    'files:read',
    'files:write',
    'groups:history',
    'links:read',
    'links:write',
    'mcp:connect',
  ]);
  for (const { consequence } of missing) expect(consequence).not.toBe("Landfall can't work without it");
});

test("a message that can't be looked for says why, and how to change that", async () => {
  const poster = createPoster(connection.clients.background, { grantUrl });
  const looks = { text: 'Next port is now Antwerp', blocks: [] };
  const post = {
    id: 'm1',
    channelId: ops,
    delivery: { operation: 'post', render: async () => looks },
    isPossiblyRepeated: false,
  } as const;
  expect(await poster.find(post, new Date())).toBe('unknown');
  await poster.post({ ...post, isPossiblyRepeated: true });
  expect(slack.messages(ops).at(-1)?.text).toBe(
    `Next port is now Antwerp (Landfall may not look whether this message went out before, so it may appear twice. An admin can allow it: ${grantUrl} (scope channels:history).)`,
  );
});

test('a shared file that may not be read is refused with the way to allow it', async () => {
  const file = { name: 'names.csv', url_private: 'https://evil.example/names.csv' };
  await expect(downloadFile(file, { ...connection, fetch })).rejects.toMatchObject({
    hint: `Please share it again. If that fails too, the scope files:read may be missing. An admin can allow it: ${grantUrl} (scope files:read).`,
  });
});
