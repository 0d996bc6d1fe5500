import type { KnownBlock } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Playground } from '../../src/index.ts';
import { type PlaygroundApp, startPlaygroundApp } from '../support/app.ts';
import { playgroundClient } from '../support/client.ts';
import { type ReceivedEvents, recordEvents } from '../support/events.ts';
import { plain } from '../support/views.ts';

const ADA = 'U0ADA0001';
const BEN = 'U0BEN0001';
const OPS = 'C0OPS00001';

const manifestWith = (homeEnabled: boolean) => `features:
  app_home: { home_tab_enabled: ${homeEnabled} }
  shortcuts:
    - { name: Watch a vessel, type: global, callback_id: watch_vessel, description: Follow it here }
    - { name: Watch this one, type: message, callback_id: watch_message, description: Follow it }
oauth_config: { scopes: { bot: [chat:write] } }
settings: { event_subscriptions: { bot_events: [app_home_opened] } }
`;

/** The payloads of shortcuts and clicks that the app has received, in order. */
let payloads: Record<string, unknown>[];
let received: ReceivedEvents;
let running: PlaygroundApp;
let slack: Playground;
beforeEach(async () => {
  payloads = [];
  running = await startPlaygroundApp({ mode: 'socket', manifest: manifestWith(true) }, (app) => {
    received = recordEvents(app, ['app_home_opened']);
    app.shortcut(/./, async ({ ack, body }) => {
      payloads.push({ ...body });
      await ack();
    });
    app.action(/./, async ({ ack, body }) => {
      payloads.push({ ...body });
      await ack();
    });
  });
  slack = running.playground;
});
afterEach(() => running.stop());

const blocks: KnownBlock[] = [
  {
    type: 'actions',
    block_id: 'b',
    elements: [{ type: 'button', action_id: 'refresh', value: 'all', text: plain('Refresh') }],
  },
];
const publish = (user_id: string, hash?: string) =>
  playgroundClient(slack).views.publish({ user_id, view: { type: 'home', blocks }, ...(hash && { hash }) });

describe('the Home tab', () => {
  test('is published for one user, and its opening is sent to the app with the current view', async () => {
    await slack.openHome(ADA, 'home');
    expect(await received.next()).toMatchObject({ user: ADA, tab: 'home', channel: 'D0ADA0001' });
    const { view } = await publish(ADA);
    expect(slack.home(ADA)).toMatchObject({ type: 'home', blocks });
    expect(slack.home(BEN)).toBeUndefined();
    expect(slack.state(ADA)).toMatchObject({ homeEnabled: true, home: { id: view?.id } });
    await slack.openHome(ADA, 'messages');
    expect(await received.next()).toMatchObject({ tab: 'messages', view: { id: view?.id, type: 'home' } });
    const again = await publish(ADA, view?.hash);
    expect(again.view?.id).toBe(view?.id);
    await expect(publish(ADA, view?.hash)).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
  });

  test('has buttons, whose clicks carry the view but no conversation', async () => {
    await publish(ADA);
    const viewId = slack.home(ADA)?.id ?? '';
    const act = { viewId, blockId: 'b', actionId: 'refresh', values: {} };
    expect(await slack.actInView({ ...act, userId: ADA })).toEqual({ ok: true });
    expect(payloads[0]).toMatchObject({
      type: 'block_actions',
      container: { type: 'view', view_id: viewId },
      view: { type: 'home' },
      actions: [{ action_id: 'refresh', block_id: 'b', value: 'all' }],
    });
    expect(payloads[0]).not.toHaveProperty('channel');
    // The tab belongs to Ada.
    expect(await slack.actInView({ ...act, userId: BEN })).toMatchObject({ ok: false });
    expect(await slack.submitView({ userId: ADA, viewId, values: {} })).toMatchObject({ ok: false });
  });

  test("can't be published if the manifest disables it", async () => {
    await running.stop();
    running = await startPlaygroundApp({ mode: 'socket', manifest: manifestWith(false) }, () => {});
    slack = running.playground;
    await expect(publish(ADA)).rejects.toMatchObject({ data: { error: 'not_enabled' } });
    expect(slack.state(ADA)?.homeEnabled).toBe(false);
  });
});

describe('shortcuts', () => {
  const on = (callbackId: string, messageTs?: string) =>
    slack.shortcut({ userId: ADA, channelId: OPS, callbackId, ...(messageTs && { messageTs }) });

  test('a global one opens a modal from anywhere', async () => {
    expect(slack.state(ADA)?.shortcuts).toHaveLength(2);
    expect(await on('watch_vessel')).toEqual({ ok: true });
    expect(payloads[0]).toMatchObject({ type: 'shortcut', callback_id: 'watch_vessel', user: { id: ADA } });
    expect(payloads[0]).not.toHaveProperty('channel');
    const view = { type: 'modal' as const, title: plain('Watch'), blocks };
    await playgroundClient(slack).views.open({ trigger_id: String(payloads[0]?.trigger_id), view });
    expect(slack.views(ADA)).toHaveLength(1);
  });

  test('a message shortcut carries the message and a response URL', async () => {
    const { ts = '' } = await slack.say({ userId: BEN, channelId: OPS, text: 'DS CYPRESS & 9461477' });
    expect(await on('watch_message', ts)).toEqual({ ok: true });
    expect(payloads[0]).toMatchObject({
      type: 'message_action',
      callback_id: 'watch_message',
      channel: { id: OPS, name: 'ops' },
      message_ts: ts,
      message: { user: BEN, text: 'DS CYPRESS &amp; 9461477' },
    });
    const answered = await fetch(String(payloads[0]?.response_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Watching it' }),
    });
    expect(await answered.text()).toBe('ok');
    expect(slack.messages(OPS).at(-1)).toMatchObject({ text: 'Watching it', ephemeralTo: ADA });
  });

  test('the wrong kind, an unknown shortcut and a missing message are refused', async () => {
    const { ts = '' } = await slack.say({ userId: BEN, channelId: OPS, text: 'x' });
    const refused = { ok: false, error: "This shortcut isn't available here." };
    expect(await on('watch_vessel', ts)).toEqual(refused);
    expect(await on('watch_message')).toEqual(refused);
    expect(await on('watch_message', '1.2')).toEqual(refused);
    expect(await on('nothing')).toEqual(refused);
    expect(payloads).toEqual([]);
  });
});
