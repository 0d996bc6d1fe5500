import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Receiver = (teamId: string, path: string, body: Record<string, unknown>) => void;

/** A server on loopback for response URLs: `/<team>/<path>`. */
export async function receiveResponses() {
  let receiver: Receiver = () => undefined;
  const server = createServer(async (request, response) => {
    const [, teamId = '', path = ''] = (request.url ?? '').split('/');
    // The bot posts a JSON object.
    receiver(teamId, path, (await json(request)) as Record<string, unknown>);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setReceiver(next: Receiver) {
      receiver = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
