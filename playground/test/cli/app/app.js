// A Bolt app as people write them: it knows nothing of a local Slack.
import bolt from '@slack/bolt';

const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, PORT } =
  process.env;

const installations = new Map();
const app = new bolt.App({
  ...(SLACK_APP_TOKEN
    ? { socketMode: true, appToken: SLACK_APP_TOKEN }
    : { signingSecret: SLACK_SIGNING_SECRET }),
  ...(SLACK_CLIENT_ID
    ? {
        clientId: SLACK_CLIENT_ID,
        clientSecret: SLACK_CLIENT_SECRET,
        stateSecret: 'a secret for the state',
        scopes: ['chat:write', 'commands', 'channels:history'],
        installationStore: {
          storeInstallation: async (installation) =>
            void installations.set(installation.team.id, installation),
          fetchInstallation: async ({ teamId }) => installations.get(teamId),
        },
      }
    : { token: SLACK_BOT_TOKEN }),
});

const plain = (text) => ({ type: 'plain_text', text });

app.command('/hello', async ({ ack, command, respond }) => {
  await ack();
  await respond({
    response_type: 'in_channel',
    text: `Hello ${command.text}`,
    blocks: [
      {
        type: 'actions',
        block_id: 'again',
        elements: [{ type: 'button', action_id: 'again', text: plain('Again'), value: command.text }],
      },
    ],
  });
});
app.action('again', async ({ ack, action, say }) => {
  await ack();
  await say(`Hello again ${action.value}`);
});
app.shortcut('greet', async ({ ack, client, shortcut }) => {
  await ack();
  const element = { type: 'plain_text_input', action_id: 'name' };
  await client.views.open({
    trigger_id: shortcut.trigger_id,
    view: {
      type: 'modal',
      callback_id: 'greet',
      title: plain('Greet'),
      submit: plain('Greet'),
      blocks: [{ type: 'input', block_id: 'who', label: plain('Whom?'), element }],
    },
  });
});
app.view('greet', async ({ ack, view, body, client }) => {
  await ack();
  const { value } = view.state.values.who.name;
  await client.chat.postMessage({ channel: body.user.id, text: `You greet ${value}` });
});
app.shortcut('thank', async ({ ack, shortcut, say }) => {
  await ack();
  await say({ text: 'Thanks', thread_ts: shortcut.message_ts });
});
app.event('app_home_opened', async ({ event, client }) => {
  const text = { type: 'mrkdwn', text: `Welcome <@${event.user}>` };
  await client.views.publish({
    user_id: event.user,
    view: { type: 'home', blocks: [{ type: 'section', text }] },
  });
});
app.message('hi', async ({ message, say }) => {
  await say({ text: `Hi <@${message.user}>`, thread_ts: message.ts });
});
app.event('file_shared', async ({ event, client }) => {
  const { file } = await client.files.info({ file: event.file_id });
  const response = await fetch(file.url_private, { headers: { authorization: `Bearer ${client.token}` } });
  const content = await response.text();
  await client.files.uploadV2({
    channel_id: event.channel_id,
    filename: 'copy.txt',
    content,
    initial_comment: 'A copy',
  });
});

await app.start(PORT ?? 3000);
process.stdout.write('Greeter is running\n');
