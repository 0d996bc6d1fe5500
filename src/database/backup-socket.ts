import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import { codeOf, messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { dumpDatabase } from './dump.ts';
import type { Schema } from './schema.ts';

/**
 * Only one process can open the embedded store, so the running bot itself writes the dump to a socket in the data
 * directory. The directory's permissions decide who can read it. The bot reads nothing from the socket.
 */
export async function serveBackups(options: {
  db: Kysely<Schema>;
  dataDir: string;
  logger: Logger;
  /** How long backups may go on after the bot stops. */
  graceMs?: number;
}): Promise<{ close(): Promise<void> }> {
  const { db, dataDir, logger, graceMs = 500 } = options;
  const path = socketPath(dataDir);
  // This process holds the directory's lock, so the process of an existing socket has ended.
  await rm(path, { force: true });
  const readers = new Set<Socket>();
  const server = createServer((socket) => {
    readers.add(socket);
    socket.on('close', () => readers.delete(socket));
    socket.on('error', () => socket.destroy());
    sendDump(db, socket).then(
      (rows) => logger.info({ rows }, 'sent a backup of the store'),
      (error: unknown) => {
        logger.warn({ reason: messageOf(error) }, 'a backup was cut off');
        socket.destroy();
      },
    );
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  server.unref();
  return {
    async close() {
      // A reader that has stopped reading would keep the store open for ever.
      const timer = setTimeout(() => {
        for (const reader of readers) reader.destroy();
      }, graceMs);
      server.close();
      await once(server, 'close');
      clearTimeout(timer);
    },
  };
}

/** Undefined if no bot is using this directory. */
export async function askForBackup(dataDir: string): Promise<Socket | undefined> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

async function sendDump(db: Kysely<Schema>, socket: Socket): Promise<number> {
  const rows = await dumpDatabase(db, {
    now: new Date(),
    async write(lines) {
      if (socket.destroyed) throw new Error('the reader closed the connection');
      if (!socket.write(lines)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    },
  });
  socket.end();
  return rows;
}

/** The shorter of the absolute and the relative path: Linux allows 107 bytes for the path of a socket. */
function socketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'backup.sock');
  const short = relative(process.cwd(), path);
  return short.length < path.length ? short : path;
}
