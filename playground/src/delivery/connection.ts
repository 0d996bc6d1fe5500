import { createHttpTransport, type HttpTransport } from './http-delivery.ts';
import { createSocketMode, type SocketMode } from './socket-mode.ts';
import type { Transport } from './transport.ts';

/** The connection to the app, over Socket Mode or HTTP. */
export interface Connection {
  transport: Transport;
  http: HttpTransport;
  /** Undefined in http mode. */
  socketMode: SocketMode | undefined;
  /** Resolves once the app is connected. */
  whenConnected(): Promise<void>;
  /** While it is down, no delivery arrives. Also ends the open sockets. */
  setDown(isDown: boolean): void;
}

export function createConnection(options: {
  mode: 'socket' | 'http';
  requestUrl: string | undefined;
  appId: string;
  signingSecret: string;
  verificationToken: string;
  ackTimeoutMs: number;
  fetch: typeof fetch;
  now: () => number;
  signatureNow: () => number;
  onChange: (connected: boolean) => void;
}): Connection {
  let connected = Promise.withResolvers<void>();
  const onConnected = (isConnected: boolean) => {
    if (isConnected) connected.resolve();
    else connected = Promise.withResolvers();
    options.onChange(isConnected);
  };
  const socketMode =
    options.mode === 'socket' ? createSocketMode({ ...options, maxConnections: 10, onConnected }) : undefined;
  const http = createHttpTransport({ ...options, onConnected });
  const inner = socketMode ?? http;
  let isDown = false;
  const transport: Transport = {
    deliver: (delivery) =>
      isDown
        ? Promise.resolve({ ok: false, error: 'dispatch_failed', reason: 'connection_failed' })
        : inner.deliver(delivery),
    connected: () => !isDown && inner.connected(),
    close: inner.close,
  };
  if (transport.connected()) onConnected(true);
  return {
    transport,
    http,
    socketMode,
    whenConnected: () => connected.promise,
    setDown(down) {
      isDown = down;
      if (down) socketMode?.drop();
      if (inner.connected()) onConnected(!down);
    },
  };
}
