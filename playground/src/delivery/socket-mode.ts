import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { randomSecret } from '../ids.ts';
import { isJsonObject, nonEmptyString, parseJson } from '../json.ts';
import type { Delivery, Outcome, Transport } from './transport.ts';

export interface SocketMode extends Transport {
  /** A ticket for one connection, part of the URL that `apps.connections.open` returns. Valid for 30 s. */
  openTicket(): string;
  /** False if the ticket is unknown, used or expired. */
  redeem(ticket: string): boolean;
  accept(socket: WebSocket): void;
  connectionCount(): number;
  /** Ends every connection without a word. */
  drop(): void;
  /** Asks every connection to reconnect, as Slack does when it recycles a server; resolves once they are closed. */
  recycle(reason: 'warning' | 'refresh_requested' | 'link_disabled'): Promise<void>;
}

const TICKET_MS = 30_000;
const PING_MS = 10_000;

/** Slack's side of Socket Mode: up to ten connections, each of which takes its share of the deliveries. */
export function createSocketMode(options: {
  appId: string;
  now: () => number;
  ackTimeoutMs: number;
  maxConnections: number;
  onConnected: (connected: boolean) => void;
}): SocketMode {
  const sockets: WebSocket[] = [];
  const tickets = new Map<string, number>();
  const pending = new Map<string, { socket: WebSocket; settle: (outcome: Outcome) => void }>();
  let deliveries = 0;

  const ping = setInterval(() => {
    for (const socket of sockets) socket.ping('Ping from playground');
  }, PING_MS);
  ping.unref();

  function remove(socket: WebSocket): void {
    const index = sockets.indexOf(socket);
    if (index < 0) return;
    sockets.splice(index, 1);
    for (const entry of pending.values()) {
      if (entry.socket === socket) {
        entry.settle({ ok: false, error: 'dispatch_failed', reason: 'connection_failed' });
      }
    }
    if (sockets.length === 0) options.onConnected(false);
  }

  function receive(text: string): void {
    const message = parseJson(text);
    const id = isJsonObject(message) ? nonEmptyString(message.envelope_id) : undefined;
    if (!isJsonObject(message) || !id) return;
    const payload = isJsonObject(message.payload) && Object.keys(message.payload).length > 0;
    pending.get(id)?.settle(payload ? { ok: true, body: message.payload } : { ok: true });
  }

  return {
    openTicket() {
      for (const [ticket, expiresAt] of tickets) if (expiresAt < options.now()) tickets.delete(ticket);
      const ticket = randomSecret();
      tickets.set(ticket, options.now() + TICKET_MS);
      return ticket;
    },
    redeem(ticket) {
      const expiresAt = tickets.get(ticket);
      tickets.delete(ticket);
      return expiresAt !== undefined && expiresAt >= options.now();
    },
    accept(socket) {
      if (sockets.length >= options.maxConnections) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
        socket.close(1000);
        return;
      }
      sockets.push(socket);
      socket.on('message', (data) => receive(data.toString()));
      socket.on('close', () => remove(socket));
      socket.on('error', () => socket.terminate());
      socket.send(JSON.stringify(hello(options.appId, sockets.length)));
      if (sockets.length === 1) options.onConnected(true);
    },
    connectionCount: () => sockets.length,
    drop() {
      for (const socket of [...sockets]) socket.terminate();
    },
    async recycle(reason) {
      const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.send(JSON.stringify({ type: 'disconnect', reason }));
      await Promise.all(closed);
    },
    deliver(delivery) {
      deliveries += 1;
      const socket = sockets[deliveries % sockets.length];
      if (!socket) {
        return Promise.resolve({ ok: false, error: 'dispatch_failed', reason: 'connection_failed' });
      }
      return new Promise<Outcome>((resolve) => {
        const id = randomUUID();
        const timer = setTimeout(
          () => settle({ ok: false, error: 'operation_timeout', reason: 'timeout' }),
          options.ackTimeoutMs,
        );
        const settle = (outcome: Outcome) => {
          clearTimeout(timer);
          pending.delete(id);
          resolve(outcome);
        };
        pending.set(id, { socket, settle });
        socket.send(JSON.stringify(envelope(id, delivery)));
      });
    },
    connected: () => sockets.length > 0,
    close() {
      clearInterval(ping);
      for (const socket of [...sockets]) socket.terminate();
    },
  };
}

function hello(appId: string, connections: number): object {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { host: 'playground', build_number: 1, approximate_connection_time: 18_060 },
  };
}

function envelope(id: string, { kind, payload, retry }: Delivery): object {
  const common = {
    envelope_id: id,
    type: kind,
    payload,
    accepts_response_payload: kind === 'slash_commands' || payload.type === 'view_submission',
  };
  if (kind !== 'events_api') return common;
  return { ...common, retry_attempt: retry?.num ?? 0, retry_reason: retry?.reason ?? '' };
}
