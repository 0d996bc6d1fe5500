import { describe, expect, test } from 'vitest';
import { ADA, httpApp, type Inbox, OPS } from '../support/http-app.ts';

const { start, slack, say, respond, texts } = httpApp();

describe('a click', () => {
  const button = (action_id: string, more: object = {}) => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text: action_id },
    ...more,
  });
  const overflow = {
    type: 'overflow',
    action_id: 'more',
    options: [1, 2].map((n) => ({ text: { type: 'plain_text', text: `${n}` }, value: `v${n}` })),
  };
  const blocks = [
    { type: 'actions', block_id: 'b', elements: [button('go', { value: 'lookup 1' }), overflow] },
  ];

  async function posted(received: Inbox, responseType: string): Promise<string> {
    await say('/x');
    await respond(received[0]?.form.response_url, { text: 'card', blocks, response_type: responseType });
    return slack().messages(OPS)[0]?.ts ?? '';
  }

  test('on a message of the channel carries the message and the value', async () => {
    const received = await start();
    const messageTs = await posted(received, 'in_channel');
    const click = { userId: 'U0BEN0001', channelId: OPS, messageTs, blockId: 'b', actionId: 'go' };
    expect(await slack().click(click)).toMatchObject({ ok: true });
    expect(received[1]?.json).toMatchObject({
      type: 'block_actions',
      user: { id: 'U0BEN0001', username: 'ben', team_id: slack().world.team.id },
      container: { type: 'message', message_ts: messageTs, channel_id: OPS, is_ephemeral: false },
      message: { ts: messageTs, text: 'card', bot_id: slack().world.app.botId },
      actions: [{ type: 'button', action_id: 'go', block_id: 'b', value: 'lookup 1' }],
    });
    await respond(String(received[1]?.json.response_url), { delete_original: true });
    expect(texts()).toEqual([]);
  });

  test('reaches a button in a card or in a container', async () => {
    const received = await start();
    await say('/x');
    const title = { type: 'plain_text', text: 'More' };
    await respond(received[0]?.form.response_url, {
      text: 'nested',
      blocks: [
        { type: 'card', block_id: 'card', actions: [button('snooze')] },
        { type: 'container', block_id: 'box', title, child_blocks: blocks },
      ],
    });
    const messageTs = slack().messages(OPS)[0]?.ts ?? '';
    const click = { userId: ADA, channelId: OPS, messageTs };
    expect(await slack().click({ ...click, blockId: 'card', actionId: 'snooze' })).toMatchObject({
      ok: true,
    });
    expect(await slack().click({ ...click, blockId: 'b', actionId: 'go' })).toMatchObject({ ok: true });
    expect(received.slice(1).map(({ json }) => json.actions)).toMatchObject([
      [{ block_id: 'card', action_id: 'snooze' }],
      [{ block_id: 'b', action_id: 'go', value: 'lookup 1' }],
    ]);
  });

  test('is refused an answer with an image that cannot be downloaded', async () => {
    const received = await start();
    await say('/x');
    const image = { type: 'image', image_url: `${slack().url}/missing.png`, alt_text: 'a map' };
    const answer = await respond(received[0]?.form.response_url, { text: 'map', blocks: [image] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'invalid_blocks',
      errors: ['downloading image failed [json-pointer:/blocks/0/image_url]'],
    });
    expect(texts()).toEqual([]);
  });

  test('on an ephemeral message carries no message; only its reader can click it', async () => {
    const received = await start();
    const messageTs = await posted(received, 'ephemeral');
    const click = { channelId: OPS, messageTs, actionId: 'more', optionValue: 'v2' };
    expect(await slack().click({ ...click, userId: 'U0BEN0001' })).toMatchObject({ ok: false });
    expect(await slack().click({ ...click, userId: ADA })).toMatchObject({ ok: true });
    expect(received[1]?.json).not.toHaveProperty('message');
    expect(received[1]?.json).toMatchObject({
      container: { is_ephemeral: true },
      actions: [{ type: 'overflow', selected_option: { value: 'v2' } }],
    });
    const url = String(received[1]?.json.response_url);
    await respond(url, { text: 'an error beside it' });
    await respond(url, { text: 'replaced', replace_original: true });
    expect(slack().messages(OPS)).toMatchObject([
      { text: 'replaced', ts: messageTs, ephemeralTo: ADA },
      { text: 'an error beside it', ephemeralTo: ADA },
    ]);
  });

  test('fails on a missing message or element, and if the app refuses it', async () => {
    const received = await start({}, [{}, { status: 500 }]);
    const messageTs = await posted(received, 'in_channel');
    const click = { userId: ADA, channelId: OPS, messageTs, actionId: 'go' };
    expect(await slack().click({ ...click, actionId: 'gone' })).toMatchObject({ ok: false });
    expect(await slack().click({ ...click, actionId: 'more', optionValue: 'v9' })).toMatchObject({
      ok: false,
    });
    expect(await slack().click({ ...click, messageTs: '1.2' })).toMatchObject({ ok: false });
    expect(await slack().click(click)).toMatchObject({
      ok: false,
      error: "The app didn't accept the click: dispatch_failed",
    });
  });
});
