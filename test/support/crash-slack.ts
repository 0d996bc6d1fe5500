import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** `through`: the request succeeds. `lost`: it never arrives. `cut`: it arrives, but its answer is lost. */
type Passage = 'through' | 'lost' | 'cut';

interface CrashSlack {
  /** For SLACK_API_URL. */
  apiUrl: string;
  /** Awaited before each request to the Web API. Decides what happens to the request. */
  beforeRequest: (method: string) => Passage | Promise<Passage>;
  /** Awaited after Slack has done the work and before it answers. */
  afterRequest: (method: string) => void | Promise<void>;
  close(): void;
}

/** A proxy to the playground that can drop requests or answers. */
export async function startCrashSlack(apiUrl: string): Promise<CrashSlack> {
  const server = createServer({ keepAliveTimeout: 75_000 }, async (request, response): Promise<void> => {
    const method = (request.url ?? '').replace('/api/', '');
    const body = await buffer(request);
    const passage = await proxy.beforeRequest(method);
    if (passage === 'lost') {
      response.destroy();
      return;
    }
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const headers = { authorization, 'content-type': type };
    const answer = await fetch(`${apiUrl}${method}`, { method: 'POST', headers, body });
    const text = await answer.text();
    await proxy.afterRequest(method);
    if (passage === 'cut') response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const proxy: CrashSlack = {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    beforeRequest: () => 'through',
    afterRequest: () => {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
