import type { App } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';

const text = (words: string) => ({ type: 'plain_text' as const, text: words });

/** An answer like the bot's: text, a bar, buttons and an overflow menu. */
export const answer = (asked: number): KnownBlock[] => [
  { type: 'section', text: { type: 'mrkdwn', text: '*DS CYPRESS* · IMO 9461477' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*1 Rotterdam (NLRTM)*  ████████░░ *82%*' } },
  { type: 'context', elements: [{ type: 'mrkdwn', text: `asked ${asked} times &amp; &lt;!channel&gt;` }] },
  {
    type: 'actions',
    block_id: 'answer',
    elements: [
      { type: 'button', action_id: 'refresh', text: text('Refresh'), value: String(asked) },
      { type: 'button', action_id: 'share', text: text('Share in channel'), value: 'lookup 9461477' },
      {
        type: 'button',
        action_id: 'stop',
        text: text('Stop'),
        style: 'danger',
        confirm: {
          title: text('Stop it?'),
          text: text('You can start it again.'),
          confirm: text('Stop it'),
          deny: text('No'),
        },
      },
      {
        type: 'overflow',
        action_id: 'more',
        options: [
          { text: text('Compare'), value: 'compare' },
          { text: text('Port calls'), value: 'portcalls' },
        ],
      },
    ],
  },
];

/** A small app that answers `/lookup`, its buttons, and mentions. */
export function registerPageApp(app: App): void {
  app.command('/lookup', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'DS CYPRESS: Rotterdam 82%', blocks: answer(1) });
  });
  app.action('refresh', async ({ ack, action, respond }) => {
    await ack();
    const before = action.type === 'button' ? Number(action.value) : 0;
    await respond({ replace_original: true, text: 'DS CYPRESS', blocks: answer(before + 1) });
  });
  app.action('share', async ({ ack, respond }) => {
    await ack();
    await respond({
      response_type: 'in_channel',
      replace_original: false,
      text: 'Shared by *Ada*: Rotterdam 82%',
    });
  });
  app.action('stop', async ({ ack, respond }) => {
    await ack();
    await respond({ replace_original: true, text: 'Stopped.' });
  });
  app.action('more', async ({ ack, action, respond }) => {
    await ack();
    const chosen = action.type === 'overflow' ? action.selected_option.value : '';
    await respond({ replace_original: false, text: `You chose ${chosen}` });
  });
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: 'At your service.', thread_ts: event.thread_ts ?? event.ts });
  });
}
