import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createWebServer } from '../../../src/slack/receivers/http.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(limits: { receiveMs: number; maxConnections: number }) {
  const server = createWebServer({
    ...{ host: '127.0.0.1', port: 0, limits },
    handle: async (request, response) => {
      await text(request).catch(() => {});
      response.end('read');
    },
  });
  const url = new URL(await server.start());
  cleanups.push(() => server.cut());
  const open = () => {
    const socket = connect(Number(url.port), url.hostname).on('error', () => {});
    cleanups.push(() => socket.destroy());
    return socket;
  };
  return { url, open };
}

test.each([
  ['headers', 'POST / HTTP/1.1\r\nHost: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
])('a sender whose %s do not come is cut off', async (_, beginning) => {
  const { open } = await start({ receiveMs: 50, maxConnections: 10 });
  const socket = open();
  socket.write(beginning);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('where all connections are taken, those that wait for their next request make room', async () => {
  const { url, open } = await start({ receiveMs: 5_000, maxConnections: 2 });
  const busy = open();
  busy.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
  const agent = new Agent({ keepAlive: true });
  cleanups.push(() => agent.destroy());
  const [idle] = await once(get(url, { agent }), 'response');
  const closed = once(idle.socket, 'close');
  expect(await text(idle)).toBe('read');

  const dropped = open().resume();
  await once(dropped, 'close');
  await closed;
  const next = open();
  next.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(next)).toMatch(/^HTTP\/1\.1 200 /);
  busy.write('lf');
  const [answer] = await once(busy, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});
