import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from '../support/local-server.ts';
import { freight, norderney, startManyBot, type TestWorkspace } from '../support/many-workspaces.ts';
import { signatureOf } from '../support/sign.ts';
import { useDirectory } from '../support/use-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

let bot: Awaited<ReturnType<typeof startManyBot>>;
const start = (env = {}) => startManyBot({ env: { ACCOUNTS: 'shared', ...env } });
beforeEach(async () => {
  bot = await start();
});
afterEach(() => bot.stop());

const ask = ({ admin, ops }: TestWorkspace) => bot.say(admin, ops, '/nextport 9461477');
const callsOf = (method: string) => bot.playground.wire().filter(({ label }) => label === method).length;

test('both workspaces install the app and are answered, each by its own bot, also after a restart', async () => {
  const stored = { LANDFALL_DATA_DIR: await useDirectory() };
  await bot.stop();
  bot = await start(stored);
  expect(await bot.install(freight)).toContain('Landfall is installed in Harbour Freight');
  expect(await bot.install(norderney)).toContain('Landfall is installed in Norderney Lines');
  const both = [freight, norderney];
  for (const workspace of both) expect((await ask(workspace)).text).toMatch(/^DS CYPRESS [→·] /);
  const commands = bot.log.filter(({ msg }) => msg === 'command');
  expect(commands.map(({ workspace }) => workspace)).toEqual([freight.teamId, norderney.teamId]);
  await bot.stop();
  bot = await start(stored);
  for (const workspace of both) expect((await ask(workspace)).text).toMatch(/^DS CYPRESS [→·] /);
});

test('what an admin declined is said where it is needed, until it is allowed', async () => {
  const page = await bot.install(freight, { declined: ['files:write'] });
  expect(page).toContain(
    'files:write : tables, and the list of vessel names, are exported as text instead of a file',
  );
  await bot.say(freight.admin, freight.ops, '/vessel name 9461477 CYPRESS');
  const grantUrl = `${bot.publicUrl}/slack/install?team=${freight.teamId}`;
  const text = await bot.say(freight.admin, freight.ops, '/vessel export');
  expect(JSON.stringify(text.blocks)).toContain(`An admin can allow it: ${grantUrl} (scope files:write)`);
  expect(await bot.install(freight)).toContain('It may now also use: files:write .');
  bot.advance(2_000);
  const file = await bot.say(freight.admin, freight.ops, '/vessel export');
  expect(file.text).toContain('|your direct messages>. Share it with me there');
});

test('an agent without its scope answers in threads, but suggests nothing', async () => {
  await bot.stop();
  bot = await start({ SLACK_AGENT: 'true' });
  const page = await bot.install(freight, { declined: ['assistant:write'] });
  expect(page).toContain('assistant:write : direct messages have no suggested prompts');
  await bot.install(norderney);
  const dms = [freight, norderney].map(({ admin }) => `D${admin.slice(1)}`);
  const answers = [];
  for (const [index, { admin }] of [freight, norderney].entries()) {
    const [channelId = ''] = dms.slice(index);
    await bot.playground.openHome(admin, 'messages');
    const say = () => bot.playground.say({ userId: admin, channelId, text: 'nextport 9461477' });
    answers.push(await bot.after(say, { channelId }));
  }
  expect(answers.map(({ threadTs }) => threadTs !== undefined)).toEqual([true, true]);
  expect(callsOf('assistant.threads.setStatus')).toBe(2);
  await waitUntil('both were asked', () => callsOf('assistant.threads.setSuggestedPrompts') === 2);
  const refused = () => bot.log.filter(({ msg }) => msg === 'Slack took no suggested prompts');
  await waitUntil('one is refused', () => refused().length > 0);
  expect(refused().map(({ workspace }) => workspace)).toEqual([freight.teamId]);
});

test("with the operator's account, a workspace sees what it used itself, and no official report", async () => {
  await bot.install(freight);
  await bot.install(norderney);
  await bot.say(freight.admin, freight.ops, '/watch 9461477');
  for (const port of ['Rotterdam', 'Hamburg'])
    await bot.say(freight.admin, freight.ops, `/portcalls ${port}`);
  await bot.say(norderney.admin, norderney.ops, '/portcalls Antwerp');
  const own = await bot.say(norderney.admin, norderney.ops, '/usage bot');
  expect(own.text).toMatch(
    /: Landfall made 1 call so far.*The official report isn't shown, since it also counts other workspaces/s,
  );
  expect(JSON.stringify(own.blocks)).not.toContain('Official report');
  const official = await bot.say(norderney.admin, norderney.ops, '/usage');
  expect(official.text).toContain('This workspace uses the account of whoever runs Landfall.');
  const { total, logins } = bot.sandbox.requests;
  const rest = await bot.say(freight.admin, freight.ops, '/usage bot');
  expect(rest.text).toContain(`: Landfall made ${total - logins - 1} calls so far`);
});

test('an organisation installs the app once for all its workspaces, each with its own watches', async () => {
  bot.oauth.change({ organisation: true });
  const page = await bot.install({ ...freight, teamId: 'E0COASTAL1' }, { declined: ['files:write'] });
  expect(page).toContain('Landfall is installed');
  await bot.playground.controls.addMember(norderney.ops);
  await bot.say(freight.admin, freight.ops, '/watch add 9461477');
  expect((await bot.say(norderney.admin, norderney.ops, '/watch list')).text).toMatch(/^No watches/);
  expect((await bot.say(freight.admin, freight.ops, '/watch list')).text).toContain('DS CYPRESS');
  // An admin of the organisation allows more, for all its workspaces.
  const list = await bot.say(freight.admin, freight.ops, '/vessel export');
  expect(JSON.stringify(list.blocks)).toContain(`${bot.publicUrl}/slack/install?team=E0COASTAL1 `);
  // Whoever installed it gets one message, in the first workspace that uses it.
  await bot.runDue();
  const [welcome] = bot.playground.messages(`D${freight.admin.slice(1)}`);
  expect(welcome?.text).toContain('Landfall is installed in Coastal Group');
  expect(bot.playground.messages(`D${norderney.admin.slice(1)}`)).toEqual([]);
});

test('a rotated token is refreshed once, however many people ask', async () => {
  bot.oauth.change({ rotation: true });
  await bot.install(freight);
  expect(callsOf('oauth.v2.access')).toBe(1);
  bot.advance(11 * 3_600_000);
  await Promise.all(Array.from({ length: 20 }, () => ask(freight)));
  expect(callsOf('oauth.v2.access')).toBe(2);
  expect((await ask(freight)).text).toMatch(/^DS CYPRESS [→·] /);
});

test('a token that Slack calls expired is refreshed, and the request repeated', async () => {
  bot.oauth.change({ rotation: true });
  await bot.install(freight);
  await ask(freight);
  bot.oauth.expireTokens();
  await bot.say(freight.admin, freight.ops, '/watch add 9461477');
  expect(callsOf('oauth.v2.access')).toBe(2);
  expect((await bot.say(freight.admin, freight.ops, '/watch list')).text).toContain('DS CYPRESS');
});

test('a delivery of a workspace that has not installed the app is answered with the way to install it', async () => {
  const answers: { text?: string }[] = [];
  const origin = await serve(async (request, response) => {
    // The bot posts JSON.
    answers.push((await json(request)) as { text?: string });
    response.end('ok');
  });
  const body = new URLSearchParams({
    command: '/nextport',
    text: '9461477',
    team_id: 'T0UNKNOWN',
    user_id: 'U1',
    channel_id: 'C1',
    trigger_id: '1.2.3',
    response_url: `${origin}/answer`,
  }).toString();
  const { status } = await fetch(`${bot.publicUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signatureOf(body, bot.playground.signingSecret),
    },
    body,
  });
  expect(status).toBe(200);
  await waitUntil('it is answered', () => answers.length > 0);
  expect(answers[0]?.text).toContain("Landfall isn't installed in this workspace");
  expect(answers[0]?.text).toContain(`${bot.publicUrl}/slack/install?team=T0UNKNOWN`);
});
