import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where Slack delivers. */
export const slackPath = '/slack/events';

/** Longer than proxies reuse a connection: if the server closes it first, a request just sent on it fails. */
const keepAliveTimeout = 75_000;

/** Slack gives up after 3 s, and has few connections for all its deliveries. */
const defaultLimits = { receiveMs: 5_000, maxConnections: 1_000 };

/**
 * A plain HTTP server that bounds what anybody can hold: a request has to be here, with its body, within `receiveMs`, and
 * beyond `maxConnections`, connections that wait for their next request make room.
 */
export function createWebServer(options: {
  host: string;
  port: number;
  handle: RequestListener;
  limits?: typeof defaultLimits;
}) {
  const { host, port, handle, limits = defaultLimits } = options;
  const { receiveMs, maxConnections } = limits;
  const server = createServer(
    {
      ...{ requestTimeout: receiveMs, headersTimeout: receiveMs, keepAliveTimeout },
      connectionsCheckingInterval: receiveMs / 5,
    },
    handle,
  );
  server.maxConnections = maxConnections;
  server.on('drop', () => server.closeIdleConnections());
  let closed: Promise<void> | undefined;
  /** Accepts no more connections; open ones may finish until `cut`. */
  const close = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };

  return {
    /** Listens; returns the address. Rejects if the port is in use. */
    start: (): Promise<string> =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve(addressOf(server.address())));
      }),
    close,
    /** Ends every connection, also half-open ones; resolves when none is left. */
    async cut(): Promise<void> {
      close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** `/healthz`: the process is up. `/readyz`: it can answer; if not, the reasons are listed, without secrets. */
export function answerHealth(path: string, whyNotReady: () => string[]) {
  if (path === '/healthz') return { status: 200, body: { ok: true } };
  const reasons = whyNotReady();
  const ok = reasons.length === 0;
  return { status: ok ? 200 : 503, body: { ok, reasons } };
}

/** True if the request was for a health page. */
export function serveHealth(
  request: IncomingMessage,
  response: ServerResponse,
  whyNotReady: () => string[],
): boolean {
  const path = pathOf(request);
  if (path !== '/healthz' && path !== '/readyz') return false;
  const { status, body } = answerHealth(path, whyNotReady);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
  return true;
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

/** Slack's payloads and assistants' requests are far smaller. */
const maxBodyBytes = 1024 * 1024;

/** A body may have as much without a share of the budget, so those who fill it shut out none of the usual deliveries. */
const freeBytes = 64 * 1024;

export type ReadBody = ReturnType<typeof createBodyReader>;

/**
 * Reads the bodies of requests that anybody may send, and bounds the bytes that are held for them at the same time. Returns
 * the whole body, or the status that refuses it: 413 if it is too large, 503 if others have used up the budget. Nobody waits
 * for a share: a sender who is slow on purpose would hold up all others. Throws if the sender hangs up.
 */
export function createBodyReader({ maxBytesInFlight = 16 * 1024 * 1024 } = {}) {
  let bytesInFlight = 0;

  /** `chunks` must survive an early return, so that the refusal can still be sent. */
  return async (
    chunks: AsyncIterable<Uint8Array>,
    contentLength: string | null | undefined,
  ): Promise<Buffer | 413 | 503> => {
    if (Number(contentLength ?? 0) > maxBodyBytes) return 413;
    const read: Uint8Array[] = [];
    let bytes = 0;
    let ownShare = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes) return 413;
        const more = Math.max(0, bytes - freeBytes) - ownShare;
        if (more > 0 && bytesInFlight + more > maxBytesInFlight) return 503;
        ownShare += more;
        bytesInFlight += more;
        read.push(chunk);
      }
      return Buffer.concat(read);
    } finally {
      bytesInFlight -= ownShare;
    }
  };
}
