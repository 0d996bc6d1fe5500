import { describe, expect, test } from 'vitest';
import { playgroundClient } from '../support/client.ts';
import { ADA, httpApp, type Received } from '../support/http-app.ts';
import { linkManifest } from '../support/link-manifest.ts';

const { start, slack, say } = httpApp();

const manifest = linkManifest;
const OPS = 'C0OPS00001';
const PRIVATE = 'C0PRIVATE1';
const url = 'https://www.vesselfinder.com/?name=a&imo=9461477';
const links = [{ url, domain: 'vesselfinder.com' }];
const section = { type: 'section' as const, text: { type: 'mrkdwn' as const, text: 'Rotterdam' } };
const refresh = {
  type: 'button' as const,
  action_id: 'refresh',
  text: { type: 'plain_text' as const, text: 'Refresh' },
  value: 'lookup 9461477',
};
const blocks = [section, { type: 'actions' as const, block_id: 'b', elements: [refresh] }];

/** The app's `link_shared` events so far. */
const shared = (received: readonly Received[]) =>
  received
    .map(({ json }) => json.event as Record<string, unknown> | undefined) // As Slack sends it.
    .filter((event) => event?.type === 'link_shared');

describe('link_shared', () => {
  test('tells of links to the sites in the manifest, in conversations without the app too', async () => {
    const received = await start({ manifest });
    const { ts } = { ts: '', ...(await say(`look: ${url} and https://example.com/?vesselfinder.com`)) };
    await slack().say({ userId: ADA, channelId: PRIVATE, text: url });
    await say('no link');
    await say('https://notvesselfinder.com/');
    await slack().runDue();
    expect(shared(received)).toMatchObject([
      {
        channel: OPS,
        is_bot_user_member: true,
        user: ADA,
        message_ts: ts,
        source: 'conversations_history',
        links,
      },
      { channel: PRIVATE, is_bot_user_member: false, links },
    ]);
  });

  test("doesn't tell of links in the app's own messages", async () => {
    const received = await start({ manifest });
    await playgroundClient(slack()).chat.postMessage({ channel: OPS, text: `<${url}>` });
    await slack().runDue();
    expect(shared(received)).toEqual([]);
  });

  test('tells of the composer once per set of links; the preview goes when the message is sent', async () => {
    const received = await start({ manifest });
    for (const text of [url, `${url} late?`, 'late?', `again ${url}`])
      await slack().write({ userId: ADA, text });
    await slack().runDue();
    await expect.poll(() => shared(received)).toHaveLength(2);
    const [, event] = shared(received);
    expect(event).toMatchObject({ channel: 'COMPOSER', user: ADA, source: 'composer', links });
    expect(event?.message_ts).toBe(event?.unfurl_id);
    const unfurl = { unfurl_id: String(event?.unfurl_id), source: 'composer' as const };
    await playgroundClient(slack()).chat.unfurl({ ...unfurl, unfurls: { [url]: { blocks } } });
    expect(slack().previews(ADA)).toMatchObject([{ url, blocks: [section, {}] }]);
    await say(url);
    expect(slack().previews(ADA)).toEqual([]);
  });
});

test('a click under a link says which link it is', async () => {
  const received = await start({ manifest });
  const { ts } = { ts: '', ...(await say(url)) };
  await playgroundClient(slack()).chat.unfurl({ channel: OPS, ts, unfurls: { [url]: { blocks } } });
  const click = { userId: ADA, channelId: OPS, messageTs: ts, actionId: 'refresh' };
  expect(await slack().click(click)).toMatchObject({ ok: false });
  expect(await slack().click({ ...click, unfurlUrl: url })).toMatchObject({ ok: true });
  expect(received.at(-1)?.json).toMatchObject({
    type: 'block_actions',
    container: { type: 'message_attachment', message_ts: ts, channel_id: OPS, app_unfurl_url: url },
    message: { ts, user: ADA, attachments: [{ app_unfurl_url: url }] },
    actions: [{ action_id: 'refresh', block_id: 'b', value: 'lookup 9461477' }],
  });
});
