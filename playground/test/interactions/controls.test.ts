import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Playground } from '../../src/index.ts';
import { type PlaygroundApp, startPlaygroundApp } from '../support/app.ts';
import { playgroundClient } from '../support/client.ts';
import { type ReceivedEvents, recordEvents } from '../support/events.ts';

const ADA = 'U0ADA0001';
const OPS = 'C0OPS00001';
const EVENTS = [
  'channel_archive',
  'channel_unarchive',
  'channel_left',
  'member_joined_channel',
  'member_left_channel',
  'tokens_revoked',
  'app_uninstalled',
];

const manifest = `oauth_config: { scopes: { bot: [chat:write] } }
settings: { event_subscriptions: { bot_events: [${EVENTS.join(', ')}] } }
`;

let running: PlaygroundApp;
let slack: Playground;
let received: ReceivedEvents;
beforeEach(async () => {
  running = await startPlaygroundApp({ mode: 'socket', manifest }, (app) => {
    received = recordEvents(app, EVENTS);
  });
  slack = running.playground;
});
afterEach(() => running.stop());

const post = () =>
  playgroundClient(slack)
    .chat.postMessage({ channel: OPS, text: 'x' })
    .then(
      () => 'ok',
      (error: { data?: { error?: string } }) => error.data?.error,
    );

test('an archived channel refuses posts until it is unarchived, and the app receives both events', async () => {
  await slack.controls.archive(OPS);
  expect(await received.next()).toMatchObject({ type: 'channel_archive', channel: OPS, user: ADA });
  expect(await post()).toBe('is_archived');
  expect(await slack.say({ userId: ADA, channelId: OPS, text: 'x' })).toMatchObject({ ok: false });
  await slack.controls.unarchive(OPS);
  expect(await received.next()).toMatchObject({ type: 'channel_unarchive', channel: OPS });
  expect(await post()).toBe('ok');
});

test("an app removed from a channel receives events and can't post until /invite adds it again", async () => {
  expect(await slack.say({ userId: ADA, channelId: OPS, text: '/remove @Your app' })).toEqual({ ok: true });
  const bot = slack.world.app.botUserId;
  expect(await received.next()).toMatchObject({ type: 'member_left_channel', user: bot, channel: OPS });
  expect(await received.next()).toMatchObject({ type: 'channel_left', channel: OPS });
  expect(await post()).toBe('not_in_channel');
  expect(await slack.say({ userId: ADA, channelId: OPS, text: '/invite @Your app' })).toEqual({ ok: true });
  expect(await received.next()).toMatchObject({ type: 'member_joined_channel', user: bot, inviter: ADA });
  expect(await post()).toBe('ok');
  expect(slack.messages(OPS)[0]).toMatchObject({ ephemeralTo: ADA, text: `<@${bot}> was removed.` });
});

test('every method refuses a revoked bot token, but not the app token; uninstalling gives another error', async () => {
  const client = playgroundClient(slack);
  await slack.controls.revokeToken();
  expect(await received.next()).toMatchObject({
    type: 'tokens_revoked',
    tokens: { bot: [slack.world.app.botUserId] },
  });
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } });
  const url = `${slack.apiUrl}apps.connections.open`;
  const headers = { authorization: `Bearer ${slack.appToken}` };
  expect(await (await fetch(url, { method: 'POST', headers })).json()).toMatchObject({ ok: true });
  slack.controls.reinstall();
  expect(await client.auth.test()).toMatchObject({ ok: true });
  await slack.controls.uninstall();
  expect([await received.next(), await received.next()]).toMatchObject([
    { type: 'tokens_revoked' },
    { type: 'app_uninstalled' },
  ]);
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'account_inactive' } });
});

test.each([
  ['/invite', '/invite needs a name: for example, /invite @Your app'],
  ['/remove nobody', '/remove needs a name: for example, /remove @Your app'],
])('%s without a known name is refused with an explanation', async (text, error) => {
  expect(await slack.say({ userId: ADA, channelId: OPS, text })).toEqual({ ok: false, error });
  expect(await slack.say({ userId: ADA, channelId: 'D0ADA0001', text })).toMatchObject({ ok: false });
});

test('the page can archive a channel, but only for its members', async () => {
  const manage = (body: object) =>
    fetch(`${slack.url}/playground/manage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.json());
  const archive = { channelId: OPS, action: 'archive' };
  expect(await manage({ ...archive, userId: 'U0DORA0001' })).toMatchObject({ ok: false });
  expect(await manage({ ...archive, userId: ADA })).toEqual({ ok: true });
  expect(slack.state(ADA)?.channels[0]).toMatchObject({ name: 'ops', isArchived: true });
});
