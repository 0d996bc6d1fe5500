import type { BlockAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { violations } from '../support/page-axe.ts';
import { noBrowser } from '../support/page-browser.ts';
import { pageSession } from '../support/page-session.ts';

const link = 'https://ships.test/9461477';
const blocks = (text: string): KnownBlock[] => [
  { type: 'section', text: { type: 'mrkdwn', text } },
  {
    type: 'actions',
    elements: [{ type: 'button', text: { type: 'plain_text', text: 'Refresh' }, action_id: 'refresh' }],
  },
];
const manifest = stringify({
  features: { unfurl_domains: ['ships.test'] },
  oauth_config: { scopes: { bot: ['chat:write', 'links:read', 'links:write'] } },
  settings: { event_subscriptions: { bot_events: ['link_shared'] } },
});

let clicks: BlockAction['container'][] = [];
beforeEach(() => {
  clicks = [];
});

describe.skipIf(noBrowser)(`links in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const session = pageSession({ manifest }, (app) => {
    app.event('link_shared', async ({ event, client }) => {
      const isWritten = event.source === 'composer';
      const unfurls = {
        [event.links[0]?.url ?? '']: { blocks: blocks(isWritten ? 'A preview' : 'Next: Le Havre') },
      };
      await client.chat.unfurl(
        isWritten && event.unfurl_id
          ? { unfurl_id: event.unfurl_id, source: 'composer', unfurls }
          : { channel: event.channel, ts: event.message_ts, unfurls },
      );
    });
    app.action('refresh', async ({ ack, body, client }) => {
      await ack();
      if (body.type !== 'block_actions') return;
      const { container, channel } = body;
      clicks.push(container);
      await client.chat.unfurl({
        channel: channel?.id ?? '',
        ts: String(container.message_ts),
        unfurls: { [String(container.app_unfurl_url)]: { blocks: blocks('Next: Rotterdam') } },
      });
    });
  });

  test('a link has a preview while it is written, what the app shows once it is sent, and its button works', async () => {
    const page = session.page();
    await session.composer().fill(`Is she late? ${link}`);
    const preview = page.getByRole('region', { name: 'Preview of the links' });
    await preview.getByText('A preview').waitFor();
    // Nothing can be pressed before the message is sent.
    expect(await preview.getByRole('button').count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    await session.composer().press('Enter');
    const message = session.messages().last();
    await message.getByText('Next: Le Havre').waitFor();
    expect(await preview.count()).toBe(0);
    expect(await message.getByRole('link', { name: link }).getAttribute('href')).toBe(link);
    await message.getByRole('button', { name: 'Refresh' }).click();
    await message.getByText('Next: Rotterdam').waitFor();
    expect(clicks).toMatchObject([{ type: 'message_attachment', app_unfurl_url: link }]);
    expect(await violations(page)).toEqual([]);
  });

  test('a link that is deleted again leaves no preview', async () => {
    const page = session.page();
    await session.composer().fill(link);
    const preview = page.getByRole('region', { name: 'Preview of the links' });
    await preview.waitFor();
    await session.composer().fill('no link');
    await preview.waitFor({ state: 'hidden' });
  });
});
