import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlayground, type Playground } from '../../src/index.ts';
import { playgroundClient } from '../support/client.ts';
import { linkManifest } from '../support/link-manifest.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const url = 'https://www.vesselfinder.com/?name=a&imo=9461477';
const other = 'https://www.balticshipping.com/vessel/imo/9461477';
const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

let slack: Playground;
let client: ReturnType<typeof playgroundClient>;
beforeEach(async () => {
  slack = await createPlayground({ mode: 'socket', manifest: linkManifest });
  client = playgroundClient(slack);
});
afterEach(() => slack.close());

async function say(text: string): Promise<string> {
  const reply = await slack.say({ userId: ADA, channelId: OPS, text });
  return (reply.ok && reply.ts) || '';
}

const unfurlsOf = (ts: string) => slack.messages(OPS).find((message) => message.ts === ts)?.unfurls;

describe('chat.unfurl', () => {
  test('shows blocks under a link; a second call replaces those, and leaves other links alone', async () => {
    const ts = await say(`${url} and ${other}`);
    const unfurl = (link: string, text: string) =>
      client.chat.unfurl({
        channel: OPS,
        ts,
        unfurls: { [link]: { blocks: [section(text)], fallback: text } },
      });
    await unfurl(url, 'one');
    await unfurl(other, 'two');
    await unfurl(url, 'three');
    expect(unfurlsOf(ts)).toMatchObject([
      { url: other, text: 'two', blocks: [section('two')] },
      { url, text: 'three', blocks: [section('three')] },
    ]);
    expect(slack.messages(OPS).find((message) => message.ts === ts)?.editedTs).toBeUndefined();
    const history = await client.conversations.history({ channel: OPS });
    expect(history.messages?.at(0)).toMatchObject({
      attachments: [
        { app_unfurl_url: other },
        { app_unfurl_url: url, is_app_unfurl: true, fallback: 'three' },
      ],
    });
  });

  test('refuses what Slack refuses', async () => {
    const ts = await say(url);
    const place = { channel: OPS, ts };
    const shown = { text: 'x' };
    const refused = async (args: object) => {
      // Invalid arguments too, which the types forbid.
      const answer = client.apiCall('chat.unfurl', args as Record<string, unknown>);
      return await answer.then(
        () => undefined,
        (error: { data?: { error?: string } }) => error.data?.error,
      );
    };
    expect(await refused(place)).toBe('missing_unfurls');
    expect(await refused({ ...place, unfurls: ['x'] })).toBe('invalid_unfurls_format');
    expect(await refused({ ...place, unfurls: { [other]: shown } })).toBe('cannot_unfurl_url');
    expect(await refused({ ...place, ts: '1.0', unfurls: { [url]: shown } })).toBe('cannot_find_message');
    expect(await refused({ channel: 'C0NOWHERE', ts, unfurls: { [url]: shown } })).toBe(
      'cannot_find_channel',
    );
    expect(await refused({ unfurls: { [url]: shown } })).toBe('missing_unfurl_id');
    expect(await refused({ unfurl_id: 'x', unfurls: { [url]: shown } })).toBe('missing_source');
    expect(await refused({ unfurl_id: 'x', source: 'composer', unfurls: { [url]: shown } })).toBe(
      'cannot_find_message',
    );
    expect(await refused({ ...place, unfurls: { [url]: { blocks: [{ type: 'nonsense' }] } } })).toBe(
      'invalid_blocks',
    );
    const own = await client.chat.postMessage({ channel: OPS, text: `<${url}>` });
    expect(await refused({ channel: OPS, ts: own.ts, unfurls: { [url]: shown } })).toBe(
      'cannot_unfurl_message',
    );
    expect(unfurlsOf(ts)).toBeUndefined();
  });
});
