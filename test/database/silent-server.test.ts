import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeDialect } from '../../src/database/dialect.ts';
import { createPool, postgresLimits } from '../../src/database/postgres.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { createTestDatabase } from '../support/create-test-database.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { createStoreLogger } from '../support/store-logger.ts';

let proxy: PostgresProxy;
let opened: Kysely<unknown>[];
let logger: ReturnType<typeof createStoreLogger>;
beforeEach(async () => {
  opened = [];
  logger = createStoreLogger();
  proxy = await startPostgresProxy(await createTestDatabase('empty'));
  // The network and the server keep their own time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  proxy.close(); // Ends every query that still waits.
  await Promise.all(opened.map((db) => db.destroy()));
});

function open(options?: { isUnlimited: boolean }): Kysely<unknown> {
  const pool = createPool(proxy.url, logger, options);
  const db = new Kysely<unknown>({ dialect: storeDialect(new PostgresDialect({ pool }), postgresLimits) });
  opened.push(db);
  return db;
}

async function select<T>(db: Kysely<unknown>, column: string): Promise<T | undefined> {
  const { rows } = await sql<{ value: T }>`select ${sql.raw(column)} as value`.execute(db);
  return rows[0]?.value;
}
const processNumber = (db: Kysely<unknown>) => select<number>(db, 'pg_backend_pid()');

const outcomeOf = (query: Promise<unknown>) =>
  query.then(
    () => 'answered',
    (error: unknown) => error,
  );

it('fails a query after 35 s, and the next one uses another connection', async () => {
  const db = open();
  const first = await processNumber(db);
  proxy.silence();
  const outcome = outcomeOf(processNumber(db));
  await proxy.heldBack();
  await vi.advanceTimersByTimeAsync(35_000);
  expect(await outcome).toBeInstanceOf(StoreUnavailable);
  expect(await outcome).toHaveProperty('cause.message', 'Query read timeout');
  expect(logger.lines).toEqual([
    { level: 'warn', fields: { reason: 'Query read timeout' }, message: 'a database connection broke' },
  ]);
  proxy.forward();
  const next = await processNumber(db);
  expect(next).not.toBe(first);
  expect(await processNumber(db)).toBe(next);
});

it('fails a transaction at the same time, without waiting for its rollback', async () => {
  const db = open();
  let failed: unknown;
  const outcome = outcomeOf(
    db.transaction().execute(async (transaction) => {
      await processNumber(transaction);
      proxy.silence();
      failed = await outcomeOf(processNumber(transaction));
      throw failed;
    }),
  );
  await proxy.heldBack();
  await vi.advanceTimersByTimeAsync(35_000);
  expect(await outcome).toBeInstanceOf(StoreUnavailable);
  expect(failed).toHaveProperty('cause.message', 'Query read timeout');
  proxy.forward();
  expect(await processNumber(db)).toBeTypeOf('number');
});

it('fails a login after 10 s', async () => {
  const db = open();
  proxy.silence();
  const outcome = outcomeOf(processNumber(db));
  await proxy.heldBack();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toBeInstanceOf(StoreUnavailable);
  proxy.forward();
  expect(await processNumber(db)).toBeTypeOf('number');
});

it('lets a migration wait as long as it takes', async () => {
  const db = open({ isUnlimited: true });
  const first = await processNumber(db);
  proxy.silence();
  const query = processNumber(db);
  await proxy.heldBack();
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  proxy.forward();
  expect(await query).toBe(first);
});

it('limits statements to 30 s, those of a migration not even by the settings of the database', async () => {
  await sql`do $$ begin
    execute format('alter database %I set statement_timeout = 5000', current_database());
  end $$`.execute(open());
  const timeout = "current_setting('statement_timeout')";
  expect(await select(open(), timeout)).toBe('30s');
  expect(await select(open({ isUnlimited: true }), timeout)).toBe('0');
});

it('asks the system to look for peers that are gone', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await processNumber(open());
  expect(keepAlive).toHaveBeenCalledWith(true, 30_000);
});
