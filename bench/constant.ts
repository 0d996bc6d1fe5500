// The lower bound: a Bolt app that answers with a constant. Its times are those of Bolt, the playground and the
// machine, so no bot can answer faster here.
import bolt from '@slack/bolt';

const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, PORT } = process.env;

const app = new bolt.App({
  token: SLACK_BOT_TOKEN ?? '',
  signingSecret: SLACK_SIGNING_SECRET ?? '',
  clientOptions: { slackApiUrl: SLACK_API_URL ?? '' },
});

app.command('/nextport', async ({ ack, respond }) => {
  await ack();
  await respond('NLRTM 0.79 2026-11-23T14:05:00.000Z\nDEHAM 0.16 2026-11-25T03:05:00.000Z');
});

await app.start(Number(PORT));
