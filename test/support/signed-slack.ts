import { createPlayground } from 'bolt-playground';
import { pino } from 'pino';
import { slackSettings } from './doctor.ts';
import { signatureOf } from './sign.ts';
import { receiveResponses } from './two-workspaces/response-urls.ts';
import { createTestApp } from './use-app.ts';
import { waitUntil } from './wait-until.ts';

const signingSecret = 'a-signing-secret-of-tests';

interface Place {
  userId: string;
  channelId: string;
}

/** A message that the bot posted to a click's response URL. */
interface Posted {
  text?: string;
  response_type?: string;
}

/** The bot over HTTP, and a sender who knows its signing secret. */
export async function startSignedSlack() {
  const errors: string[] = [];
  const playground = await createPlayground({ mode: 'http', signingSecret });
  const { SLACK_APP_TOKEN: _, ...settings } = slackSettings(playground);
  const app = createTestApp(
    { ...settings, SLACK_SIGNING_SECRET: signingSecret, ANALYTICS_BASE_URL: 'sandbox' },
    {
      logger: pino({ level: 'error' }, { write: (line: string) => errors.push(line) }),
      automatic: true,
      // No notice comes before an answer, however busy the machine is.
      timing: { workingMs: 60_000 },
    },
  );
  const { url } = await app.start();
  playground.setRequestUrl(`${url}/slack/events`);
  // Each click has its own, so a repeated answer isn't mistaken for that of the next click.
  const posted = new Map<string, Posted>();
  const responses = await receiveResponses();
  responses.setReceiver((_, click, body) => posted.set(click, body));
  let count = 0;

  /** The common part of every payload. */
  const from = (userId: string) => {
    const team = playground.world.team.id;
    count += 1;
    return {
      user: { id: userId, team_id: team },
      team: { id: team },
      api_app_id: playground.world.app.id,
      trigger_id: `trigger.${count}`,
    };
  };
  /** Delivers any payload as Slack would. */
  const send = async (payload: object) => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...signatureOf(body, signingSecret),
    };
    const response = await fetch(`${url}/slack/events`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.text() };
  };

  /** A forged click on a message's button. */
  const press = async ({ userId, channelId }: Place, action: object): Promise<void> => {
    await send({
      type: 'block_actions',
      ...from(userId),
      container: { type: 'message', message_ts: '1.1', channel_id: channelId, is_ephemeral: true },
      channel: { id: channelId },
      response_url: `${responses.url}/click/${count}`,
      actions: [{ type: 'button', block_id: 'b', action_ts: String(count), ...action }],
    });
  };

  return {
    playground,
    from,
    send,
    press,
    /** The errors in the bot's log. */
    errors: () => errors,
    /** The same; returns the bot's answer. */
    async click(who: Place, action: object): Promise<Posted> {
      await press(who, action);
      const click = String(count);
      await waitUntil('it answers', () => posted.has(click));
      return posted.get(click) ?? {};
    },
    async stop(): Promise<void> {
      await app.stop(1_000);
      await playground.close();
      responses.close();
    },
  };
}
