import { afterEach, describe, expect, test } from 'vitest';
import { type PlaygroundApp, startPlaygroundApp } from './support/app.ts';

const ADA = 'U0ADA0001';
const OPS = 'C0OPS00001';
const DM = 'D0ADA0001';

let running: PlaygroundApp | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const withButton = (text: string) => ({
  text,
  blocks: [
    { type: 'section' as const, text: { type: 'mrkdwn' as const, text } },
    {
      type: 'actions' as const,
      block_id: 'b1',
      elements: [
        {
          type: 'button' as const,
          action_id: 'refresh',
          value: 'lookup 9461477',
          text: { type: 'plain_text' as const, text: 'Refresh' },
        },
      ],
    },
  ],
});

describe.each(['socket', 'http'] as const)('a Bolt app in %s mode', (mode) => {
  test('answers a slash command, and its button replaces the answer', async () => {
    running = await startPlaygroundApp({ mode }, (app) => {
      app.command('/lookup', async ({ ack, command, respond }) => {
        await ack();
        await respond(withButton(`asked ${command.text} by ${command.user_name}`));
      });
      app.action('refresh', async ({ ack, body, action, respond }) => {
        await ack();
        const value = 'value' in action ? action.value : '';
        const container = JSON.stringify(body.type === 'block_actions' ? body.container : {});
        await respond({ text: `again ${value} ${container}`, replace_original: true });
      });
    });
    const { playground } = running;

    expect(await playground.say({ userId: ADA, channelId: OPS, text: '/lookup 9461477' })).toMatchObject({
      ok: true,
    });
    const answer = await playground.waitForMessage((message) => message.text.startsWith('asked'));
    expect(answer).toMatchObject({ text: 'asked 9461477 by ada', ephemeralTo: ADA, channelId: OPS });

    const reply = await playground.click({
      userId: ADA,
      channelId: OPS,
      messageTs: answer.ts,
      blockId: 'b1',
      actionId: 'refresh',
    });
    expect(reply).toMatchObject({ ok: true });
    const replaced = await playground.waitForMessage((message) => message.text.startsWith('again'));
    expect(replaced.ts).toBe(answer.ts);
    expect(replaced.text).toContain('again lookup 9461477');
    expect(replaced.text).toContain('"is_ephemeral":true');
    expect(playground.messages(OPS)).toHaveLength(1);
  });

  test('posts, updates and replies in threads after a mention and a DM', async () => {
    running = await startPlaygroundApp({ mode }, (app) => {
      app.event('app_mention', async ({ event, client }) => {
        const posted = await client.chat.postMessage({
          channel: event.channel,
          thread_ts: event.thread_ts ?? event.ts,
          text: 'Working on it …',
        });
        await client.chat.update({
          channel: event.channel,
          ts: posted.ts ?? '',
          text: `received: ${event.text}`,
        });
      });
      app.message(async ({ message, say }) => {
        if (message.subtype === undefined) await say(`DM: ${message.text}`);
      });
    });
    const { playground } = running;

    const mention = await playground.say({
      userId: ADA,
      channelId: OPS,
      text: '@Your app lookup <b> #plans',
    });
    const update = await playground.waitForMessage((message) => message.text.startsWith('received'));
    expect(update.text).toBe('received: <@U0APP00001> lookup &lt;b&gt; <#C0PLANS001|plans>');
    expect(update.threadTs).toBe(mention.ts);
    expect(update.editedTs).toBeDefined();
    expect(playground.messages(OPS)[0]?.replyCount).toBe(1);

    await playground.say({ userId: ADA, channelId: DM, text: 'lookup 9461477' });
    const answer = await playground.waitForMessage((message) => message.text.startsWith('DM:'));
    expect(answer).toMatchObject({ text: 'DM: lookup 9461477', channelId: DM });
  });
});
