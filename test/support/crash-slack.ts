import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fate of one call: it succeeds, never arrives, or arrives and its answer is lost. */
export type Passage = 'through' | 'lost' | 'cut';

export interface CrashSlack {
  /** For SLACK_API_URL. */
  apiUrl: string;
  /** Called before each call of the Web API, which waits for it. */
  meet: (method: string) => Passage | Promise<Passage>;
  /** Called after Slack has done the work, before it answers. */
  onDone: (method: string) => void | Promise<void>;
  close(): void;
}

/** A proxy to the playground that can drop requests or answers. */
export async function startCrashSlack(apiUrl: string): Promise<CrashSlack> {
  const server = createServer({ keepAliveTimeout: 75_000 }, async (request, response): Promise<void> => {
    const method = (request.url ?? '').replace('/api/', '');
    const body = await buffer(request);
    const passage = await line.meet(method);
    if (passage === 'lost') {
      response.destroy();
      return;
    }
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const headers = { authorization, 'content-type': type };
    const answer = await fetch(`${apiUrl}${method}`, { method: 'POST', headers, body });
    const text = await answer.text();
    await line.onDone(method);
    if (passage === 'cut') response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const line: CrashSlack = {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    meet: () => 'through',
    onDone: () => {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return line;
}
