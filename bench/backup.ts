import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connectTool, type StoreLocation } from '../src/database/connect.ts';
import { silentLogger as logger } from '../src/log.ts';
import type { Sample } from './load.ts';
import { poissonArrivals } from './open-loop.ts';
import type { Services } from './services.ts';
import { percentile } from './statistics.ts';
import { show, table } from './table.ts';

const rate = 20;

interface Figures {
  quiet: Sample[];
  duringBackups: Sample[];
  backups: number;
  backupMs: number;
  megabytes: number;
}

/** Commands in an open loop, alone and while one backup of a large store follows another. Returns Markdown. */
export async function measureBackup(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const seconds = quick ? 1 : 30;
  const polls = quick ? 1_000 : 400_000;
  const directory = await mkdtemp(join(tmpdir(), 'landfall-backup-'));
  try {
    const dataDir = join(directory, 'data');
    const url = await services.createDatabase();
    const sqlite = { env: { LANDFALL_DATA_DIR: dataDir }, location: { dataDir: join(dataDir, 'workspace') } };
    const key = Buffer.alloc(32, 7).toString('base64');
    const postgres = {
      env: { DATABASE_URL: url, LANDFALL_ENCRYPTION_KEY: key, LANDFALL_DATA_DIR: join(directory, 'unused') },
      location: { url },
    };
    const rows: string[][] = [];
    for (const [name, store] of [
      ['SQLite', sqlite],
      ['PostgreSQL', postgres],
    ] as const) {
      process.stderr.write(`backups, ${name}\n`);
      const file = join(directory, `${name}.jsonl`);
      const figures = await measure(services, { ...store, file, seconds, polls });
      rows.push(...report(name, figures));
    }
    const times = ['ack', 'answer'].flatMap((of) =>
      ['p50', 'p99', 'longest'].map((which) => `${of} ${which}`),
    );
    return `${rate} commands a second for ${seconds} s per row.\n\n${table(['', ...times], rows)}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Plan {
  env: Record<string, string>;
  location: Omit<StoreLocation, 'logger'>;
  file: string;
  seconds: number;
  polls: number;
}

async function measure(services: Services, { env, location, file, seconds, polls }: Plan): Promise<Figures> {
  const arrivals = poissonArrivals(services.questions, { rate, seconds });
  // The first start creates the store and the account.
  await services.withSubject('landfall', { env }, async () => {});
  await fillHistory(location, polls);
  return await services.withSubject('landfall', { env }, async () => {
    await services.run({ lines: services.questions, samples: 200, concurrency: 10 });
    const { samples: quiet } = await services.runOpen(arrivals);
    const durations: number[] = [];
    let isOver = false;
    const backups = (async () => {
      while (!isOver) durations.push(await backUp(file, { ...services.env, ...env }));
    })();
    const { samples: duringBackups } = await services.runOpen(arrivals);
    isOver = true;
    await backups;
    const { size } = await stat(file);
    const backupMs = percentile(durations, 0.5);
    return { quiet, duringBackups, backups: durations.length, backupMs, megabytes: size / 1e6 };
  });
}

/** History of the account that the first start has created. */
async function fillHistory(location: Plan['location'], polls: number): Promise<void> {
  const { db, close } = await connectTool({ ...location, logger });
  const records = JSON.stringify({
    scale: 'fraction',
    records: Array(4).fill({ port: 'NLRTM', probability: 0.25 }),
  });
  const batch = 10_000;
  for (let from = 0; from < polls; from += batch)
    await sql`
      with recursive poll (number) as (
        select cast(${from} as bigint) union all select number + 1 from poll where number < ${Math.min(polls, from + batch) - 1}
      )
      insert into history (workspace_id, kind, key, polled_at, predictions)
      select id, 'vessel', '9461477', cast(${Date.now()} as bigint) - 1000 * number, ${records}
      from poll cross join workspaces`.execute(db);
  await close();
}

/** Returns how long it took, in milliseconds. */
async function backUp(file: string, env: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['src/backup.ts', file, '--overwrite'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`the backup ended with ${status}`);
  return performance.now() - startedAt;
}

function report(name: string, { quiet, duringBackups, backups, backupMs, megabytes }: Figures): string[][] {
  const times = (samples: readonly Sample[]) =>
    [samples.map(({ ackMs }) => ackMs), samples.map(({ answerMs }) => answerMs)].flatMap((values) =>
      [0.5, 0.99, 1].map((share) => show(percentile(values, share), 'ms')),
    );
  const one = `${show(megabytes, 'MB')} in ${show(backupMs / 1000, 's')}`;
  return [
    [name, ...times(quiet)],
    [`${name}, during ${backups} backups (${one} each)`, ...times(duringBackups)],
  ];
}
