import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createBoltLogger } from '../../../src/slack/connection/clients.ts';
import { createSocketConnection } from '../../../src/slack/receivers/socket-connection.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const hello = JSON.stringify({ type: 'hello', num_connections: 1 });

/** Slack's side of Socket Mode; `greet` gets each connection and its number, from 1. */
async function connectionTo(greet: (socket: WebSocket, count: number) => void, helloWithinMs = 30_000) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: address.replace('http', 'ws') }));
  });
  const sockets = new WebSocketServer({ server });
  let count = 0;
  sockets.on('connection', (socket) => {
    count += 1;
    greet(socket, count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const logged: { msg: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const connection = createSocketConnection({
    appToken: 'xapp-1',
    apiUrl: address,
    fetch,
    boltLogger: createBoltLogger(logger),
    logger,
    helloWithinMs,
  });
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => sockets.clients.forEach((socket) => void socket.terminate()),
    () => connection.stop(),
  );
  return { connection, logged };
}

test('it connects again if Slack sends no hello', async () => {
  const third = Promise.withResolvers<void>();
  const { connection } = await connectionTo((socket, count) => {
    if (count !== 2) socket.send(hello);
    if (count === 1) setImmediate(() => socket.close());
    if (count === 3) third.resolve();
  }, 1_500);
  await connection.start();
  await third.promise;
});

test('a malformed message does not end the process', async () => {
  const { connection, logged } = await connectionTo((socket) => socket.send(hello));
  const received = Promise.withResolvers<void>();
  connection.receiver.client.on('slash_commands', () => received.resolve());
  await connection.start();
  for (const odd of ['null', '{"type":"events_api"}', '{"type":"slash_commands"}'])
    connection.receiver.client.emit('ws_message', odd, false);
  await received.promise;
  expect(logged.filter(({ msg }) => msg === 'a message from Slack could not be read')).toHaveLength(2);
});
