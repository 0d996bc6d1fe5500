import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type PostgresProxy = Awaited<ReturnType<typeof startPostgresProxy>>;

/** A network between the bot and PostgreSQL that can go silent. */
export async function startPostgresProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const held: (() => void)[] = [];
  const events = new EventEmitter();
  let isSilent = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.push(from);
    from.on('data', (chunk) => {
      if (!isSilent) return to.write(chunk);
      held.push(() => to.write(chunk));
      return events.emit('held');
    });
    from.on('error', () => {});
    from.on('close', () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    /** The address of the same database, through the proxy. */
    url: url.href,
    /** From now on connections stay open and new ones are accepted, but nothing passes. */
    silence() {
      isSilent = true;
    },
    /** What was held back passes too. */
    forward() {
      isSilent = false;
      for (const write of held.splice(0)) write();
    },
    /** Resolves when something is held back. */
    async heldBack() {
      if (held.length === 0) await once(events, 'held');
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
