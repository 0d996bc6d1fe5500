import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../src/database/connect.ts';
import { createStoreLogger } from './store-logger.ts';
import { startPostgres, type TestPostgres } from './store-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers each request to `/empty` or `/migrated` with the address of a new database. */
    postgresServer: string;
  }
}

/** One PostgreSQL for all test files, started at the first request and stopped with the run. */
export default async function servePostgres(project: TestProject): Promise<() => Promise<void>> {
  makePostgresUser();
  let postgres: Promise<TestPostgres> | undefined;
  let template: Promise<string> | undefined;
  const create = async (kind: string): Promise<string> => {
    postgres ??= startPostgres();
    const { createDatabase } = await postgres;
    if (kind === '/empty') return createDatabase();
    template ??= createTemplate(createDatabase);
    return createDatabase(await template);
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    create(request.url ?? '').then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  project.provide('postgresServer', `http://127.0.0.1:${address.port}`);
  return async () => {
    server.close();
    await (await postgres)?.close();
  };
}

async function createTemplate(createDatabase: () => Promise<string>): Promise<string> {
  const url = await createDatabase();
  await (await connectDatabase({ url, logger: createStoreLogger() })).close();
  return new URL(url).pathname.slice(1);
}

/** Under root, PostgreSQL needs another user. It is created once, since parallel files would conflict. */
function makePostgresUser(): void {
  if (process.getuid?.() !== 0) return;
  try {
    execFileSync('id', ['-u', 'postgres'], { stdio: 'ignore' });
  } catch {
    execFileSync('groupadd', ['--force', 'postgres']);
    execFileSync('useradd', ['-g', 'postgres', 'postgres']);
  }
}
