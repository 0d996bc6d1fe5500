import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TokenStore } from '../../src/analytics/token-store.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import { createDatabaseTokenStore } from '../../src/workspaces/token-store.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import {
  credentialId,
  engines,
  passLeaseTime,
  seedWorkspace,
  type TestStore,
  workspaceId,
} from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';

const box = createSecretBox([Buffer.alloc(32, 7)]);

describe.each(engines)('the shared token, $engine', ({ open }) => {
  let store: TestStore;
  let tokens: TokenStore;
  beforeAll(async () => {
    store = await open();
    await seedWorkspace(store.database);
    const { db } = store.database;
    const account = await db.selectFrom('credentials').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('credentials')
      .values({ ...account, id: 'account-2' })
      .execute();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('tokens').execute();
    await store.database.db.deleteFrom('leases').execute();
    tokens = tokensOf(credentialId);
  });

  const tokensOf = (id: string, db = store.database.db) =>
    createDatabaseTokenStore({ db, box, workspaceId, credentialId: id });

  const record = { credential: 'tag', token: { token: 'secret-token', obtainedAt: 1, expiresAt: 2 } };

  it('reads back a record, which is sealed in the table', async () => {
    expect(await tokens.read()).toBeUndefined();
    await tokens.write(record);
    expect(await tokens.read()).toEqual(record);
    const rows = await store.database.db.selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('secret-token');
  });

  it('discards only the given token', async () => {
    await tokens.write(record);
    await tokens.discard('an older one');
    expect((await tokens.read())?.token?.token).toBe('secret-token');
    await tokens.discard('secret-token');
    expect(await tokens.read()).toEqual({ credential: 'tag' });
  });

  it('keeps the refusal when it discards the token', async () => {
    const refusal = { until: 5, times: 2 };
    await tokens.write({ ...record, refusal });
    await tokens.discard('secret-token');
    expect(await tokens.read()).toEqual({ credential: 'tag', refusal });
  });

  it('keeps a token that was stored while the former one was discarded', async () => {
    await tokens.write(record);
    const newer = { credential: 'tag', token: { token: 'newer', obtainedAt: 2 } };
    let answers = 0;
    const thenNewer: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        answers += 1;
        if (answers === 1) await tokens.write(newer);
        return result;
      },
    };
    await tokensOf(credentialId, store.database.db.withPlugin(thenNewer)).discard('secret-token');
    expect(await tokens.read()).toEqual(newer);
  });

  it('has separate tokens and leases for each account', async () => {
    const others = tokensOf('account-2');
    const lease = { holder: 'a', ttlMs: 30_000 };
    await others.write(record);
    expect(await tokens.read()).toBeUndefined();
    await tokens.write(record);
    await tokens.discard('secret-token');
    expect(await others.read()).toEqual(record);
    expect(await tokens.acquireLease(lease)).toBe(true);
    expect(await others.acquireLease(lease)).toBe(true);
    await others.releaseLease('a');
    expect(await tokens.acquireLease({ ...lease, holder: 'b' })).toBe(false);
  });

  const lease = (holder: string) => tokens.acquireLease({ holder, ttlMs: 30_000 });
  const pass = (ms: number) => passLeaseTime(store.database, ms);

  it('lets one of three holders log in', async () => {
    const won = await Promise.all(['a', 'b', 'c'].map(lease));
    expect(won.filter(Boolean)).toEqual([true]);
  });

  it('leases for the requested time, from the last request on', async () => {
    await lease('a');
    await pass(20_000);
    expect(await lease('a')).toBe(true);
    await pass(20_000);
    expect(await lease('b')).toBe(false);
    await pass(10_000);
    expect(await lease('b')).toBe(true);
  });

  it('keeps a lease until its holder releases it', async () => {
    await lease('a');
    await tokens.releaseLease('b');
    expect(await lease('b')).toBe(false);
    await tokens.releaseLease('a');
    expect(await lease('b')).toBe(true);
  });

  it('leases again after a rollback of the clock of the database by an hour', async () => {
    await lease('a');
    await pass(-3_600_000);
    expect(await lease('b')).toBe(true);
  });

  it('a write does not change the lease of a login', async () => {
    await tokens.acquireLease({ holder: 'a', ttlMs: 30_000 });
    await tokens.write(record);
    expect(await tokens.acquireLease({ holder: 'b', ttlMs: 30_000 })).toBe(false);
  });
});

describe('four processes from cold', () => {
  it('make one login between them', async () => {
    const url = await createTestDatabase('migrated');
    const database = await connectDatabase({ url, logger: createStoreLogger() });
    await seedWorkspace(database);
    const allAsking = Promise.withResolvers<void>();
    const service = await startService(allAsking.promise);
    const processes = [1, 2, 3, 4].map(() => startProcess(url, service.baseUrl));
    try {
      await Promise.all(processes.map(({ saw }) => saw('ready')));
      for (const { child } of processes) child.stdin.write('go\n');
      await Promise.all(processes.map(({ saw }) => saw('asking')));
      allAsking.resolve();
      const outcomes = await Promise.all(processes.map(({ last }) => last));
      expect(outcomes).toEqual(['answered', 'answered', 'answered', 'answered']);
      expect(service.calls).toEqual({ login: 1, predictions: 4 });
    } finally {
      for (const { child } of processes) child.kill('SIGKILL');
      service.close();
      await database.close();
    }
  });
});

/** Answers logins only once every process waits for one. */
async function startService(allAsking: Promise<void>) {
  const calls = { login: 0, predictions: 0 };
  const server = createServer(async (request, response) => {
    const isLogin = request.method === 'POST';
    calls[isLogin ? 'login' : 'predictions'] += 1;
    if (isLogin) await allAsking;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isLogin ? { token: 'opaque' } : { predictions: [] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('not listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, calls, close };
}

function startProcess(url: string, baseUrl: string) {
  const path = join(import.meta.dirname, '../support/store-login-process.ts');
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [
    path,
    url,
    baseUrl,
    workspaceId,
    credentialId,
  ]);
  child.stderr.pipe(process.stderr);
  const lines: string[] = [];
  const waiting = new Map<string, () => void>();
  const reader = createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    waiting.get(line)?.();
  });
  const last = once(reader, 'close').then(() => lines.at(-1));
  const saw = async (word: string) => {
    if (!lines.includes(word)) await new Promise<void>((resolve) => waiting.set(word, resolve));
  };
  return { child, saw, last };
}
