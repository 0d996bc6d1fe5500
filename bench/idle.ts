import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Memory } from './process-figures.ts';
import type { Services } from './services.ts';
import { median } from './statistics.ts';
import type { Subject } from './subject.ts';
import { ratio, show, table } from './table.ts';

/** Memory is read at the end of the idle time. */
interface Figures extends Memory {
  readyMs: number;
  /** Processor time until ready, which depends less on what else the machine does. */
  startMs: number;
}

interface Stage {
  bare: Figures;
  sqlite: Figures;
  postgres: Figures;
}

type Name = keyof Stage;

/**
 * The idle bot on both stores, and the idle bare app: a first start, with an empty store and nothing in the compile
 * cache, and later starts. Returns Markdown.
 */
export async function measureIdle(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const laterStarts = quick ? 1 : 5;
  const idleSeconds = quick ? 1 : 60;
  const directory = await mkdtemp(join(tmpdir(), 'landfall-idle-'));
  try {
    const url = await services.createDatabase();
    // Node puts its compile cache there.
    const common = { TMPDIR: directory };
    const dataDir = join(directory, 'data');
    const store = {
      DATABASE_URL: url,
      LANDFALL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      LANDFALL_DATA_DIR: join(directory, 'unused'),
    };
    const start = {
      bare: () => services.start('bare', { env: common }),
      sqlite: () => services.start('landfall', { env: { ...common, LANDFALL_DATA_DIR: dataDir } }),
      postgres: () => services.start('landfall', { env: { ...common, ...store } }),
    };
    const first = await measureStage(start, { starts: 1, idleSeconds });
    const sizes = { sqlite: await sizeOf(dataDir), postgres: await databaseSize(url) };
    const later = await measureStage(start, { starts: laterStarts, idleSeconds });
    const title = `Idle, ${laterStarts} later starts; memory after ${idleSeconds} s.\n\n`;
    return title + report({ first, later, sizes });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts the subjects one after the other, and then leaves all of them idle together. */
async function measureStage(
  start: Record<Name, () => Promise<Subject>>,
  { starts, idleSeconds }: { starts: number; idleSeconds: number },
): Promise<Stage> {
  const subjects = {
    bare: await startRepeatedly(start.bare, starts),
    sqlite: await startRepeatedly(start.sqlite, starts),
    postgres: await startRepeatedly(start.postgres, starts),
  };
  await wait(idleSeconds * 1000);
  const figuresOf = ({ subject, ...times }: Awaited<ReturnType<typeof startRepeatedly>>): Figures => ({
    ...subject.memory(),
    ...times,
  });
  const figures = {
    bare: figuresOf(subjects.bare),
    sqlite: figuresOf(subjects.sqlite),
    postgres: figuresOf(subjects.postgres),
  };
  // The compile cache is written when a process ends, so both bots end before the next start.
  for (const { subject } of Object.values(subjects)) await subject.stop();
  return figures;
}

/** The last one goes on running. */
async function startRepeatedly(start: () => Promise<Subject>, starts: number) {
  const readyMs: number[] = [];
  const startMs: number[] = [];
  for (;;) {
    const subject = await start();
    readyMs.push(subject.readyMs);
    startMs.push(subject.processorMs());
    if (readyMs.length === starts) return { subject, readyMs: median(readyMs), startMs: median(startMs) };
    await subject.stop();
  }
}

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const files = await Promise.all(names.map((name) => stat(join(directory, name))));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function databaseSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database()) as size');
  await client.end();
  return Number(rows[0]?.size);
}

function report({
  first,
  later,
  sizes,
}: {
  first: Stage;
  later: Stage;
  sizes: { sqlite: number; postgres: number };
}): string {
  const megabytes = (bytes: number) => show(bytes / 2 ** 20, 'MB');
  const stages = Object.entries({ 'first start': first, 'later starts': later });
  const rows = (name: string, figure: keyof Figures, unit: string, aim: (bare: number) => string) =>
    stages.map(([stage, { bare, sqlite, postgres }]) => [
      `${name}, ${stage}`,
      show(bare[figure], unit),
      ...[sqlite, postgres].flatMap((bot) => [show(bot[figure], unit), ratio(bot[figure], bare[figure])]),
      aim(bare[figure]),
    ]);
  return table(
    ['', 'bare Bolt app', 'SQLite', 'x bare', 'PostgreSQL', 'x bare', 'aim: at most'],
    [
      ...rows('time from start to ready', 'readyMs', 'ms', (bare) =>
        show(Math.round(2.5 * bare + 200), 'ms'),
      ),
      ...rows('processor time until ready', 'startMs', 'ms', () => ''),
      ...rows('resident memory', 'residentMb', 'MB', () => '1.6 x bare'),
      ...rows('peak memory since the start', 'peakMb', 'MB', () => '2.2 x bare'),
      ['empty store on disk', '', megabytes(sizes.sqlite), '', megabytes(sizes.postgres), '', ''],
    ],
  );
}
