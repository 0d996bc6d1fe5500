import pg from 'pg';
import { memoryOf, postgresProcessorMs, processorMsOf } from './process-figures.ts';
import type { Services } from './services.ts';
import { show, table } from './table.ts';
import type { SweepFigures, Task } from './watch-process.ts';
import { clear, seedStore, startWatchProcess } from './watches.ts';

/** A sweep that takes longer ends early, so that the whole takes a few minutes. */
const limitMs = 90_000;

interface Column {
  name: string;
  subjects: number;
  elapsedMs: number;
  /** Of all instances together. */
  instancesMs: number;
  postgresMs: number;
  /** Of the largest instance. */
  peakMb: number;
  overIdleMb: number;
}

/** Sweeps of a large fleet by one process, and by three that share the database. Returns Markdown. */
export async function measureInstances(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const watches = quick ? 200 : 100_000;
  const store = await services.createDatabase();
  process.stderr.write(`${watches} watches, one instance and three\n`);
  await seedStore({ store, watches });
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  const columns: Column[] = [];
  for (const [stage, count] of [1, 3].entries()) {
    const run = await startInstances({ store, watches, count, client });
    // The second time, every subject has its baseline already.
    if (stage === 0) await run.sweep({ hours: 0, changes: 0, limitMs: Number.POSITIVE_INFINITY });
    const name = count === 1 ? 'one instance' : 'three instances';
    const quiet = await run.sweep({ hours: 2 * stage + 1, changes: stage });
    columns.push({ name: `${name}, nothing new`, ...quiet });
    const news = await run.sweep({ hours: 2 * stage + 2, changes: stage + 1 });
    columns.push({ name: `${name}, one vessel in ten changed`, ...news });
    await run.stop();
  }
  await client.end();
  return `${show(watches)} watches of ${show(watches / 5)} vessels, in PostgreSQL.\n\n${report(columns)}`;
}

async function startInstances({
  store,
  watches,
  count,
  client,
}: {
  store: string;
  watches: number;
  count: number;
  client: pg.Client;
}) {
  const instances = await Promise.all(
    Array.from({ length: count }, () => startWatchProcess({ store, watches })),
  );
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const readProcessorMs = () => ({
    instances: instances.reduce((sum, { pid }) => sum + processorMsOf(pid), 0),
    postgres: postgresProcessorMs(Number(rows[0]?.pid)),
  });

  return {
    async sweep(world: { hours: number; changes: number; limitMs?: number }): Promise<Omit<Column, 'name'>> {
      const before = readProcessorMs();
      const startedAt = performance.now();
      const task: Task = { task: 'sweep', limitMs, ...world };
      const figures = await Promise.all(instances.map(({ ask }) => ask<SweepFigures>(task)));
      const elapsedMs = performance.now() - startedAt;
      const after = readProcessorMs();
      const memory = instances.map(({ pid, idleMb }) => ({ peakMb: memoryOf(pid).peakMb, idleMb }));
      // Nothing sends the messages here, and nothing may wait for them.
      await instances[0]?.ask<object>(clear);
      return {
        subjects: figures.reduce((sum, { subjects }) => sum + subjects, 0),
        elapsedMs,
        instancesMs: after.instances - before.instances,
        postgresMs: after.postgres - before.postgres,
        peakMb: Math.max(...memory.map(({ peakMb }) => peakMb)),
        overIdleMb: Math.max(...memory.map(({ peakMb, idleMb }) => peakMb - idleMb)),
      };
    },
    async stop(): Promise<void> {
      await Promise.all(instances.map(({ stop }) => stop()));
    },
  };
}

function report(columns: readonly Column[]): string {
  const rows: [string, (column: Column) => string][] = [
    ['subjects', ({ subjects }) => show(subjects)],
    ['subjects per second, all instances', ({ subjects, elapsedMs }) => show((subjects / elapsedMs) * 1000)],
    ['cores busy with the instances', ({ instancesMs, elapsedMs }) => show(instancesMs / elapsedMs)],
    ['cores busy with PostgreSQL', ({ postgresMs, elapsedMs }) => show(postgresMs / elapsedMs)],
    [
      'processor time per subject, instances',
      ({ instancesMs, subjects }) => show(instancesMs / subjects, 'ms'),
    ],
    [
      'processor time per subject, PostgreSQL',
      ({ postgresMs, subjects }) => show(postgresMs / subjects, 'ms'),
    ],
    ['peak memory of the largest instance', ({ peakMb }) => show(peakMb, 'MB')],
    ['peak memory over idle', ({ overIdleMb }) => show(overIdleMb, 'MB')],
  ];
  return table(
    ['', ...columns.map(({ name }) => name)],
    rows.map(([name, cell]) => [name, ...columns.map(cell)]),
  );
}
