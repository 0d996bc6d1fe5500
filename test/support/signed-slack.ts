import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPlayground, type Playground } from 'bolt-playground';
import { pino } from 'pino';
import { slackSettings } from './doctor.ts';
import { signatureOf } from './sign.ts';
import { createTestApp } from './use-app.ts';
import { waitUntil } from './wait-until.ts';

const signingSecret = 'a-signing-secret-of-tests';

/** A message that the bot posted to a click's response URL. */
interface Posted {
  text?: string;
  response_type?: string;
}

interface SignedSlack {
  playground: Playground;
  /** Delivers any payload as Slack would. */
  send(payload: object): Promise<{ status: number; body: string }>;
  /** A forged click on a message's button. */
  press(who: { userId: string; channelId: string }, action: object): Promise<void>;
  /** The same; returns the bot's answer. */
  click(who: { userId: string; channelId: string }, action: object): Promise<Posted>;
  /** The common part of every payload. */
  from(userId: string): object;
  /** The errors in the bot's log. */
  errors(): string[];
  stop(): Promise<void>;
}

/** The bot over HTTP, and a sender who knows its signing secret. */
export async function startSignedSlack(): Promise<SignedSlack> {
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
  // By address: each click has its own, so a repeated answer isn't mistaken for that of the next click.
  const posted = new Map<string, Posted>();
  const receiver = createServer(async (request, response) => {
    // The bot posts JSON.
    posted.set(request.url ?? '', JSON.parse(await text(request)) as Posted);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = receiver.address() as AddressInfo;
  let count = 0;

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
  const send = async (payload: object) => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...signatureOf(body, signingSecret),
    };
    const response = await fetch(`${url}/slack/events`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.text() };
  };

  const press: SignedSlack['press'] = async ({ userId, channelId }, action) => {
    await send({
      type: 'block_actions',
      ...from(userId),
      container: { type: 'message', message_ts: '1.1', channel_id: channelId, is_ephemeral: true },
      channel: { id: channelId },
      response_url: `http://127.0.0.1:${port}/${count}`,
      actions: [{ type: 'button', block_id: 'b', action_ts: String(count), ...action }],
    });
  };

  return {
    playground,
    from,
    send,
    press,
    errors: () => errors,
    async click(who, action) {
      await press(who, action);
      const path = `/${count}`;
      await waitUntil('it answers', () => posted.has(path));
      return posted.get(path) ?? {};
    },
    async stop() {
      await app.stop(1_000);
      await playground.close();
      receiver.close();
    },
  };
}
