import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WebServer {
  /** Listens; gives the address. Rejects when the port is in use. */
  start(): Promise<string>;
  /** Takes no more connections; those that are open may finish until `cut`. */
  close(): void;
  /** Ends every connection, half-open ones too; resolves when none is left. */
  cut(): Promise<void>;
}

/** Longer than proxies keep a connection: one that the server ends first may fail the request just sent on it. */
const keepAliveTimeout = 75_000;

/** A plain HTTP server that does not wait for slow senders: 10 s for headers and body. */
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
