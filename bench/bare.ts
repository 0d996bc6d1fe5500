// What a developer would write first: a login per command, fetch, and a text reply.
import bolt from '@slack/bolt';

const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, PORT } = process.env;
const { ANALYTICS_BASE_URL, ANALYTICS_API_KEY, ANALYTICS_USER_ID, ANALYTICS_PASSWORD } = process.env;

const app = new bolt.App({
  token: SLACK_BOT_TOKEN ?? '',
  signingSecret: SLACK_SIGNING_SECRET ?? '',
  clientOptions: { slackApiUrl: SLACK_API_URL ?? '' },
});

const headers = { 'content-type': 'application/json', 'X-Api-Key': ANALYTICS_API_KEY ?? '' };

async function login(): Promise<string> {
  const response = await fetch(`${ANALYTICS_BASE_URL}/authentication/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user_id: ANALYTICS_USER_ID, password: ANALYTICS_PASSWORD }),
  });
  const { token } = (await response.json()) as { token: string }; // the contract's login answer
  return token;
}

interface Prediction {
  un_location_code: string;
  eta_datetime: string;
  probability: number;
}

app.command('/nextport', async ({ command, ack, respond }) => {
  await ack();
  const token = await login();
  const response = await fetch(`${ANALYTICS_BASE_URL}/nextport/vessel/${command.text}/predictions`, {
    headers: { ...headers, Authorization: `Bearer ${token}` },
  });
  const { predictions } = (await response.json()) as { predictions: Prediction[] }; // the contract's envelope
  const lines = predictions.map(
    ({ un_location_code: port, probability, eta_datetime: eta }) => `${port} ${probability} ${eta}`,
  );
  await respond(lines.join('\n') || 'No prediction');
});

await app.start(Number(PORT));
