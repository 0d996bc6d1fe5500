import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from '../log.ts';
import { dumpDatabase } from './dump.ts';
import type { Schema } from './schema.ts';

/**
 * The embedded store belongs to one process, so a backup of a running bot is asked of the bot: whoever
 * may enter the data directory connects to a socket there and reads the dump. Nothing is read from them.
 */
export async function serveBackups(options: {
  db: Kysely<Schema>;
  dataDir: string;
  logger: Logger;
  /** What a reader has left once the bot stops. */
  graceMs?: number;
}): Promise<{ close(): Promise<void> }> {
  const { db, dataDir, logger, graceMs = 500 } = options;
  const path = socketPath(dataDir);
  // The directory is locked by us, so what lies there is of a process that has ended.
  await rm(path, { force: true });
  const readers = new Set<Socket>();
  const server = createServer((socket) => {
    readers.add(socket);
    socket.on('close', () => readers.delete(socket));
    socket.on('error', () => socket.destroy());
    sendDump(db, socket).then(
      (rows) => logger.info({ rows }, 'gave a backup of the store'),
      (error: unknown) => {
        logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a backup broke off');
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
      const closed = new Promise<void>((done) => {
        server.close(() => done());
      });
      // One that has stopped reading would hold the store open for ever.
      const cut = setTimeout(() => {
        for (const reader of readers) reader.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Undefined when no bot is running on this directory. */
export async function askForBackup(dataDir: string): Promise<Socket | undefined> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const isNobody =
      error instanceof Error && 'code' in error && /^(ENOENT|ECONNREFUSED)$/.test(String(error.code));
    if (isNobody) return undefined;
    throw error;
  }
}

async function sendDump(db: Kysely<Schema>, socket: Socket): Promise<number> {
  const rows = await dumpDatabase(db, {
    now: new Date(),
    async write(lines) {
      if (socket.destroyed) throw new Error('the other side went away');
      if (!socket.write(lines)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    },
  });
  socket.end();
  return rows;
}

/** A socket's path is 107 characters at most, so the shorter way of writing it is taken. */
function socketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'backup.sock');
  const short = relative(process.cwd(), path);
  return short.length < path.length ? short : path;
}
