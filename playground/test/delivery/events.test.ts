import { describe, expect, test } from 'vitest';
import { ADA, type Answer, httpApp, OPS } from '../support/http-app.ts';

const DM = 'D0ADA0001';

const { start, slack, texts } = httpApp();

describe('an event', () => {
  test('that fails is retried at once, after 1 minute and after 5 more, and then never again', async () => {
    let now = 1_790_000_000_000;
    const failing: Answer = { status: 500 };
    const received = await start({ now: () => now }, [failing, failing, failing, failing, failing]);
    await slack().say({ userId: ADA, channelId: DM, text: 'hello' });
    await slack().runDue();
    expect(received).toHaveLength(2);
    now += 60_000;
    await slack().runDue();
    expect(received).toHaveLength(3);
    now += 300_000;
    await slack().runDue();
    now += 3_600_000;
    await slack().runDue();
    expect(received.map((request) => request.headers['x-slack-retry-num'])).toEqual([
      undefined,
      '1',
      '2',
      '3',
    ]);
    expect(received[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(received.map((request) => request.json.event_id)).size).toBe(1);
  });

  test('a mention arrives once if the bot is a member; otherwise Slackbot explains why not', async () => {
    const received = await start();
    await slack().say({ userId: 'U0DORA0001', channelId: 'C0PARTNERS', text: 'hi @your_app' });
    await received.until(1);
    expect(received[0]?.json).toMatchObject({
      type: 'event_callback',
      team_id: slack().world.team.id,
      is_ext_shared_channel: true,
      event: {
        type: 'app_mention',
        text: `hi <@${slack().world.app.botUserId}>`,
        user: 'U0DORA0001',
        user_team: slack().world.outsideTeam.id,
      },
    });
    await slack().say({ userId: ADA, channelId: 'C0PRIVATE1', text: '@your_app' });
    expect(slack().messages('C0PRIVATE1')[1]).toMatchObject({ userId: 'USLACKBOT', ephemeralTo: ADA });
    expect(received).toHaveLength(1);
  });

  test('typed ids and channel-wide mentions are plain text', async () => {
    const received = await start();
    await slack().say({ userId: ADA, channelId: OPS, text: `<@${slack().world.app.botUserId}> <!channel>` });
    await slack().say({ userId: ADA, channelId: DM, text: 'see https://example.com/a?b=1&c=2 or port.com' });
    await received.until(1);
    expect(texts()).toEqual([`&lt;@${slack().world.app.botUserId}&gt; &lt;!channel&gt;`]);
    expect(received[0]?.json.event).toMatchObject({
      type: 'message',
      channel_type: 'im',
      text: 'see <https://example.com/a?b=1&amp;c=2> or <http://port.com|port.com>',
    });
  });

  test("the app's own posts, edits and deletions in a DM come back to it, as in Slack", async () => {
    const received = await start();
    const call = async (method: string, body: Record<string, string>) => {
      const headers = { authorization: `Bearer ${slack().botToken}` };
      await fetch(`${slack().apiUrl}${method}`, { method: 'POST', headers, body: new URLSearchParams(body) });
    };
    await call('chat.postMessage', { channel: DM, text: 'one' });
    const ts = slack().messages(DM)[0]?.ts ?? '';
    await call('chat.update', { channel: DM, ts, text: 'two' });
    await call('chat.delete', { channel: DM, ts });
    await call('chat.postEphemeral', { channel: DM, user: ADA, text: 'not an event' });
    await slack().runDue();
    expect(received.map((request) => request.json.event)).toMatchObject([
      { type: 'message', text: 'one', bot_id: slack().world.app.botId, channel_type: 'im' },
      { subtype: 'message_changed', message: { text: 'two' }, previous_message: { text: 'one' } },
      { subtype: 'message_deleted', deleted_ts: ts },
    ]);
  });

  test('announces that the Home tab is opened', async () => {
    const received = await start();
    await slack().openHome(ADA, 'home');
    expect(received[0]?.json.event).toMatchObject({ type: 'app_home_opened', user: ADA, tab: 'home' });
  });
});

test('the request URL is verified by a challenge', async () => {
  await start({}, [{ body: 'wrong' }]);
  expect(await slack().verifyRequestUrl()).toBe(false);
});
