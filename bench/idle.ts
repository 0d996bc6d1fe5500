// `node bench/idle.ts`, also part of `npm run bench`: an idle bot on an existing store. Measures the time from start
// to ready, and the resident memory 60 s later. Option: --quick for one start and 2 s.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPlayground } from '../src/playground/playground.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { startPostgres } from '../test/support/store-postgres.ts';
import { median } from './statistics.ts';
import { startFlags, startSubject } from './subject.ts';

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  process.stdout.write(await measureIdle(values));
}

interface Idle {
  readyMs: number;
  memoryMb: number;
}

/** Returns a Markdown table. */
export async function measureIdle({ quick }: { quick: boolean }): Promise<string> {
  const slack = await createPlayground({ mode: 'http' });
  const service = await createSandbox();
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-idle-'));
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    ANALYTICS_BASE_URL: service.url,
    ANALYTICS_API_KEY: service.credentials.apiKey,
    ANALYTICS_USER_ID: service.credentials.userId,
    ANALYTICS_PASSWORD: service.credentials.password,
    LANDFALL_DATA_DIR: dataDir,
  };
  const starts = quick ? 1 : 5;
  const seconds = quick ? 2 : 60;
  try {
    const embedded = await measure({ name: 'embedded', env, starts, seconds });
    const database = {
      DATABASE_URL: await postgres.createDatabase(),
      LANDFALL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const onPostgres = await measure({ name: 'PostgreSQL', env: { ...env, ...database }, starts, seconds });
    return table({ embedded, onPostgres }, { starts, seconds });
  } finally {
    await Promise.all([slack.close(), service.close(), postgres.close()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The first start creates the store, so it isn't measured. */
async function measure(options: {
  name: string;
  env: Record<string, string>;
  starts: number;
  seconds: number;
}): Promise<Idle> {
  const { name, env, starts, seconds } = options;
  const start = () =>
    startSubject({ name, script: 'src/main.ts', flags: startFlags, env, probe: { path: '/readyz' } });
  await (await start()).stop();
  const readyMs: number[] = [];
  let memoryMb = 0;
  for (let count = 1; count <= starts; count += 1) {
    const subject = await start();
    readyMs.push(subject.readyMs);
    if (count === starts) {
      await wait(seconds * 1000);
      memoryMb = subject.memoryMb();
    }
    await subject.stop();
  }
  return { readyMs: median(readyMs), memoryMb };
}

function table(
  { embedded, onPostgres }: { embedded: Idle; onPostgres: Idle },
  { starts, seconds }: { starts: number; seconds: number },
): string {
  const row = (name: string, cell: (figures: Idle) => string) =>
    `| ${name} | ${cell(embedded)} | ${cell(onPostgres)} |`;
  return [
    '| the idle process, on an existing store | embedded | PostgreSQL |',
    '|---|--:|--:|',
    row(
      `time from start to ready, median of ${starts}`,
      ({ readyMs }) => `${Math.round(readyMs).toLocaleString('en')} ms`,
    ),
    row(`resident memory after ${seconds} s`, ({ memoryMb }) => `${Math.round(memoryMb)} MB`),
    '',
  ].join('\n');
}
