import type { App } from '@slack/bolt';
import type { HomeView, KnownBlock } from '@slack/types';
import { everyInput, input, modal, plain } from './views.ts';

const checked = (line: string) =>
  modal([
    {
      type: 'input',
      block_id: 'line',
      label: plain('line'),
      dispatch_action: true,
      element: {
        type: 'plain_text_input',
        action_id: 'check',
        dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
      },
    },
    { type: 'section', text: { type: 'mrkdwn', text: line ? `Read as ${line}` : 'Type a line' } },
  ]);

const watch = modal([
  input('vessel', { type: 'plain_text_input', action_id: 'v', placeholder: plain('Name or IMO') }, false),
  ...everyInput.filter(({ block_id }) => ['channel', 'rules', 'until'].includes(block_id ?? '')),
  { type: 'actions', block_id: 'more', elements: [button('preview')] },
]);

const preview = modal([{ type: 'section', text: { type: 'mrkdwn', text: 'Looks like *this*' } }], {
  title: plain('Preview'),
  callback_id: 'preview',
});

/** What the app has received: submissions, and how often its Home tab was opened. */
export interface Received {
  submitted: unknown[];
  homeOpened: number;
}

/** An app with a modal, a Home tab and shortcuts. It knows one vessel: DS CYPRESS. */
export function registerViewsApp(app: App, received: Received): void {
  app.command('/watch', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: watch });
  });
  app.command('/digest', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: checked('') });
  });
  app.action('check', async ({ ack, action, client, body }) => {
    await ack();
    const line = action.type === 'plain_text_input' ? action.value : '';
    const view_id = body.type === 'block_actions' ? body.view?.id : undefined;
    if (view_id) await client.views.update({ view_id, view: checked(line ?? '') });
  });
  app.shortcut(/./, async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: watch });
  });
  app.view('watch', async ({ ack, view }) => {
    const { values } = view.state;
    if (values.vessel?.v?.value !== 'DS CYPRESS') {
      await ack({ response_action: 'errors', errors: { vessel: 'Did you mean DS CYPRESS?' } });
      return;
    }
    received.submitted.push(values);
    await ack();
  });
  app.action('preview', async ({ ack, client, body }) => {
    await ack();
    const trigger_id = body.type === 'block_actions' ? body.trigger_id : '';
    await client.views.push({ trigger_id, view: preview });
  });
  app.view('preview', ({ ack }) => ack({ response_action: 'clear' }));
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    received.homeOpened += 1;
    await client.views.publish({ user_id: event.user, view: home('published') });
  });
  app.action('refresh', async ({ ack, client, body }) => {
    await ack();
    await client.views.publish({ user_id: body.user.id, view: home('refreshed') });
  });
  app.message(async ({ message, client }) => {
    if (message.subtype !== 'file_share') return;
    const file = Buffer.from('imo,name\n9461477,DS CYPRESS\n');
    const shown = { filename: 'vessels.csv', title: 'Vessel names', initial_comment: 'Names imported' };
    await client.files.uploadV2({ channel_id: message.channel, ...shown, file });
  });
}

function home(how: string): HomeView {
  const blocks: KnownBlock[] = [
    { type: 'header', text: plain(`Watches, ${how}`) },
    { type: 'actions', block_id: 'b', elements: [button('refresh')] },
  ];
  return { type: 'home', blocks };
}

function button(action_id: string) {
  return { type: 'button' as const, action_id, text: plain(action_id) };
}
