import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An HTTP proxy that finds every host on 127.0.0.1, at the same port; or one that answers `refusal`, to all or those named. */
export async function startProxy({ refusal, to = '' }: { refusal?: number; to?: string } = {}) {
  /** What was asked for, such as `slack.test:8080`. */
  const asked: string[] = [];
  /** Of each request, decoded. */
  const credentials: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push(url);
    const [, basic] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? [];
    if (basic) credentials.push(Buffer.from(basic, 'base64').toString());
    if (refusal !== undefined && url.startsWith(to)) return client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    return upstream.on('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  // A server that listens on TCP has an address with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, credentials };
}
