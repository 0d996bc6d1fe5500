import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WebServer {
  /** Listens; returns the address. Rejects when the port is in use. */
  start(): Promise<string>;
  /** Accepts no more connections; open ones may finish until `cut`. */
  close(): void;
  /** Ends every connection, also half-open ones; resolves when none is left. */
  cut(): Promise<void>;
}

/** Longer than proxies reuse a connection: if the server closes it first, a request just sent on it fails. */
const keepAliveTimeout = 75_000;

/** A plain HTTP server that gives slow senders 10 s for headers and body. */
export function createWebServer(options: { host: string; port: number; handle: RequestListener }): WebServer {
  const { host, port, handle } = options;
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000, keepAliveTimeout },
    handle,
  );
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve(addressOf(server.address())));
      }),
    close,
    async cut() {
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
