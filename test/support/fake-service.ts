import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeReply {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
}

export interface FakeRequest {
  method: string;
  /** Still encoded. */
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Returns a reply, or writes to the response itself and returns nothing. */
export type Answer = (
  request: FakeRequest,
  response: ServerResponse,
) => FakeReply | undefined | Promise<FakeReply | undefined>;

export interface FakeService {
  url: string;
  /** All requests except logins. */
  requests: FakeRequest[];
  logins: FakeRequest[];
  /** Answers every request with a live token. */
  answer: Answer;
  /** The reply to the nth login, counted from 1. */
  login: (times: number) => FakeReply | Promise<FakeReply>;
  /** Tokens that are accepted; a login adds its own. */
  liveTokens: Set<string>;
  close(): Promise<void>;
}

export const cutBeforeHeaders: Answer = (_, response) => {
  response.destroy();
  return undefined;
};

/** An analytics service on 127.0.0.1 with answers that the test sets. */
export async function startFakeService(answer: Answer = () => ({ body: {} })): Promise<FakeService> {
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error)); // thrown by the test's own `answer`
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP

  const service: FakeService = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    logins: [],
    answer,
    login: (times) => ({ body: { token: `token-${times}` } }),
    liveTokens: new Set(),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const reply = await replyTo(request, response);
    if (reply) send(response, reply);
  }

  async function replyTo(request: FakeRequest, response: ServerResponse): Promise<FakeReply | undefined> {
    if (request.path === '/authentication/login') {
      service.logins.push(request);
      const reply = await service.login(service.logins.length);
      const { token } = (reply.body ?? {}) as { token?: unknown }; // the test may send anything
      if (typeof token === 'string') service.liveTokens.add(token);
      return reply;
    }
    service.requests.push(request);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!service.liveTokens.has(token)) return { status: 401, body: { message: `bad token ${token}` } };
    return service.answer(request, response);
  }

  return service;
}

/** A service on which each vessel has one next port, which the test sets. */
export async function startPortService(eta: string) {
  const ports = new Map<number, string>();
  const service = await startFakeService(({ path }) => {
    const imo = Number(/\/nextport\/vessel\/(\d+)\//.exec(path)?.[1]);
    const port = ports.get(imo);
    const next = {
      un_location_code: port,
      eta_datetime: `${eta}T00:00:00.000+00:00`,
      probability: 0.9,
      vessel_imo_number: imo,
    };
    return { body: { predictions: port === undefined ? [] : [next] } };
  });
  return { service, ports };
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const [path = '', query = ''] = (incoming.url ?? '').split('?');
  return {
    method: incoming.method ?? '',
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: FakeReply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
