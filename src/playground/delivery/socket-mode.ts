import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { randomSecret } from '../ids.ts';
import { isJson, parseJson, stringOf } from '../json.ts';
import type { Delivery, Outcome, Transport } from './transport.ts';

export interface SocketMode extends Transport {
  /** A ticket for one connection, as `apps.connections.open` hands out in its address; good for 30 s. */
  openTicket(): string;
  /** False where the ticket is unknown, used or too old. */
  redeem(ticket: string): boolean;
  accept(socket: WebSocket): void;
  connectionCount(): number;
  /** Asks every connection to come again, as Slack does when it recycles a server; resolves once they are gone. */
  recycle(reason: 'warning' | 'refresh_requested' | 'link_disabled'): Promise<void>;
}

const TICKET_MS = 30_000;
const PING_MS = 10_000;

/** Slack's side of Socket Mode: up to ten connections, each delivery goes to one of them. */
export function createSocketMode(options: {
  appId: string;
  now: () => number;
  ackTimeoutMs: number;
  maxConnections: number;
  onConnected: (connected: boolean) => void;
}): SocketMode {
  const sockets: WebSocket[] = [];
  const tickets = new Map<string, number>();
  const waiting = new Map<string, { socket: WebSocket; settle: (outcome: Outcome) => void }>();
  let turn = 0;

  const ping = setInterval(() => {
    for (const socket of sockets) socket.ping(`Ping from playground`);
  }, PING_MS);
  ping.unref();

  function leave(socket: WebSocket): void {
    const index = sockets.indexOf(socket);
    if (index < 0) return;
    sockets.splice(index, 1);
    for (const entry of waiting.values()) {
      if (entry.socket === socket) {
        entry.settle({ ok: false, error: 'dispatch_failed', reason: 'connection_failed' });
      }
    }
    if (sockets.length === 0) options.onConnected(false);
  }

  function receive(text: string): void {
    const message = parseJson(text);
    const id = isJson(message) ? stringOf(message.envelope_id) : undefined;
    if (!isJson(message) || !id) return;
    const payload = isJson(message.payload) && Object.keys(message.payload).length > 0;
    waiting.get(id)?.settle(payload ? { ok: true, body: message.payload } : { ok: true });
  }

  return {
    openTicket() {
      for (const [ticket, until] of tickets) if (until < options.now()) tickets.delete(ticket);
      const ticket = randomSecret();
      tickets.set(ticket, options.now() + TICKET_MS);
      return ticket;
    },
    redeem(ticket) {
      const until = tickets.get(ticket);
      tickets.delete(ticket);
      return until !== undefined && until >= options.now();
    },
    accept(socket) {
      if (sockets.length >= options.maxConnections) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
        socket.close(1000);
        return;
      }
      sockets.push(socket);
      socket.on('message', (data) => receive(data.toString()));
      socket.on('close', () => leave(socket));
      socket.on('error', () => socket.terminate());
      socket.send(JSON.stringify(hello(options.appId, sockets.length)));
      if (sockets.length === 1) options.onConnected(true);
    },
    connectionCount: () => sockets.length,
    async recycle(reason) {
      const gone = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.send(JSON.stringify({ type: 'disconnect', reason }));
      await Promise.all(gone);
    },
    deliver(delivery) {
      turn += 1;
      const socket = sockets[turn % sockets.length];
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
          waiting.delete(id);
          resolve(outcome);
        };
        waiting.set(id, { socket, settle });
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
