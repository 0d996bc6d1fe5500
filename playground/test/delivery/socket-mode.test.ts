import { SocketModeReceiver } from '@slack/bolt';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createPlayground, type Playground } from '../../src/index.ts';
import { type PlaygroundApp, quietLogger, startPlaygroundApp } from '../support/app.ts';

const ADA = 'U0ADA0001';
const OPS = 'C0OPS00001';

let slack: Playground;
let running: PlaygroundApp | undefined;
afterEach(async () => {
  await running?.stop();
  if (!running) await slack.close();
  running = undefined;
});

async function ticket(): Promise<string> {
  const response = await fetch(`${slack.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.appToken}` },
  });
  return String(((await response.json()) as { url: unknown }).url);
}

/** Opens a connection and returns its messages one by one. */
async function connect(
  url?: string,
): Promise<{ socket: WebSocket; next(): Promise<Record<string, unknown>> }> {
  const socket = new WebSocket(url ?? (await ticket()));
  const received: Record<string, unknown>[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    received.push(JSON.parse(data.toString()));
    wake();
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    async next() {
      if (received.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return received.shift() ?? {};
    },
  };
}

test('a ticket is valid for one connection', async () => {
  slack = await createPlayground({ mode: 'socket' });
  const url = await ticket();
  const { next } = await connect(url);
  expect(await next()).toMatchObject({ type: 'hello', num_connections: 1 });
  await expect(connect(url)).rejects.toThrow('403');
  expect(slack.state(ADA)?.appConnected).toBe(true);
});

test('ten connections share the deliveries; an eleventh is refused', async () => {
  slack = await createPlayground({ mode: 'socket' });
  const connections = [];
  for (let count = 0; count < 10; count += 1) connections.push(await connect());
  const eleventh = await connect();
  expect(await eleventh.next()).toEqual({ type: 'disconnect', reason: 'too_many_websockets' });
  expect(slack.connectionCount()).toBe(10);

  let delivered = 0;
  for (const { socket } of connections) {
    socket.on('message', (data) => {
      const { envelope_id, type } = JSON.parse(data.toString());
      if (type !== 'slash_commands') return;
      delivered += 1;
      socket.send(JSON.stringify({ envelope_id, payload: { text: `answer ${delivered}` } }));
    });
  }
  for (let count = 0; count < 20; count += 1) {
    expect(await slack.say({ userId: ADA, channelId: OPS, text: '/x' })).toMatchObject({ ok: true });
  }
  expect(delivered).toBe(20);
  expect(slack.messages(OPS)).toHaveLength(20);
});

test('a command fails if its connection is lost before the acknowledgement', async () => {
  slack = await createPlayground({ mode: 'socket' });
  const { socket, next } = await connect();
  expect(await next()).toMatchObject({ type: 'hello' });
  const saying = slack.say({ userId: ADA, channelId: OPS, text: '/x' });
  expect(await next()).toMatchObject({ type: 'slash_commands', accepts_response_payload: true });
  socket.terminate();
  expect(await saying).toMatchObject({ ok: false, error: '/x failed with the error "dispatch_failed"' });
});

test('an unacknowledged event is sent again, marked as a retry', async () => {
  slack = await createPlayground({ mode: 'socket', ackTimeoutMs: 50 });
  const { next } = await connect();
  await next();
  await slack.say({ userId: ADA, channelId: 'D0ADA0001', text: 'hello' });
  const first = await next();
  expect(first).toMatchObject({ type: 'events_api', retry_attempt: 0, accepts_response_payload: false });
  expect(await next()).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout', payload: first.payload });
});

test('a Bolt app reconnects when asked', async () => {
  running = await startPlaygroundApp(
    { mode: 'socket' },
    (app) => app.command('/x', async ({ ack }) => ack('here')),
    // A client waits for its ping timeout, by default 5 s, before it reconnects.
    ({ appToken, apiUrl }) => ({
      receiver: new SocketModeReceiver({
        appToken,
        logger: quietLogger,
        clientPingTimeout: 100,
        installerOptions: { clientOptions: { slackApiUrl: apiUrl } },
      }),
    }),
  );
  slack = running.playground;
  await slack.recycleConnections();
  await slack.waitForApp();
  await slack.say({ userId: ADA, channelId: OPS, text: '/x' });
  expect(slack.messages(OPS)).toMatchObject([{ text: 'here' }]);
});
