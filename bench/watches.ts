import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './child.ts';
import { memoryOf } from './process-figures.ts';
import type { Services } from './services.ts';
import { startFlags } from './subject.ts';
import { show, table } from './table.ts';
import type { AlertFigures, ProcessOptions, SweepFigures, Task } from './watch-process.ts';

const limitMs = 120_000;

/** For sweeps that send no messages. */
export const clear: Task = { task: 'clear' };

interface Column {
  name: string;
  first: SweepFigures;
  quiet: SweepFigures;
  alerts: AlertFigures;
  cards: SweepFigures;
  overIdleMb: number;
}

/** Many watches in one process, on each store. The service's answers are canned. Returns Markdown. */
export async function measureWatches(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const watches = quick ? 100 : 10_000;
  const slack = quick ? { slackMs: 10, singles: 2 } : { slackMs: 100, singles: 30 };
  const directory = await mkdtemp(join(tmpdir(), 'landfall-watches-'));
  try {
    const stores: [string, Omit<ProcessOptions, 'watches'>][] = [
      ['SQLite', { store: join(directory, 'sqlite') }],
      ['SQLite, each commit 5 ms slower', { store: join(directory, 'slow-sqlite'), commitMs: 5 }],
      ['PostgreSQL', { store: await services.createDatabase() }],
    ];
    const columns: Column[] = [];
    for (const [name, { store, commitMs }] of stores) {
      process.stderr.write(`${watches} watches, ${name}\n`);
      await seedStore({ store, watches });
      const options = { store, watches, ...(commitMs !== undefined && { commitMs }) };
      columns.push({ name, ...(await measure(options, slack)) });
    }
    return `${show(watches)} watches, and a Slack that takes ${slack.slackMs} ms per call.\n\n${report(columns)}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** `idleMb`: its resident memory with the store open. */
export async function startWatchProcess(options: ProcessOptions) {
  const child = await startChild<object>('watch-process.ts', {
    args: [JSON.stringify(options)],
    flags: startFlags,
  });
  // Some memory of the start is freed a moment later.
  await wait(1_000);
  return { ...child, idleMb: memoryOf(child.pid).residentMb };
}

/** One process fills the store, and others are measured, as after a restart. */
export async function seedStore(options: ProcessOptions): Promise<void> {
  const { ask, stop } = await startWatchProcess(options);
  const task: Task = { task: 'seed' };
  await ask<object>(task);
  await stop();
}

async function measure(
  options: ProcessOptions,
  slack: { slackMs: number; singles: number },
): Promise<Omit<Column, 'name'>> {
  const { pid, idleMb, ask, stop } = await startWatchProcess(options);
  const sweep = (hours: number, changes: number) => {
    const task: Task = { task: 'sweep', hours, changes, limitMs };
    return ask<SweepFigures>(task);
  };
  const first = await sweep(0, 0);
  const quiet = await sweep(1, 0);
  await ask<object>(clear);
  const task: Task = { task: 'alerts', hours: 2, changes: 1, ...slack };
  const alerts = await ask<AlertFigures>(task);
  // Cards are updated twice a day.
  const cards = await sweep(13, 1);
  const overIdleMb = memoryOf(pid).peakMb - idleMb;
  await stop();
  return { first, quiet, alerts, cards, overIdleMb };
}

function report(columns: readonly Column[]): string {
  const perSecond = ({ subjects, elapsedMs }: SweepFigures) => show((subjects / elapsedMs) * 1000);
  const sweepHold = ({ first, quiet, cards }: Column, figure: 'p99' | 'max') =>
    show(Math.max(...[first, quiet, cards].map(({ holdMs }) => holdMs[figure])), 'ms');
  const rows: [string, (column: Column) => string][] = [
    ['subjects per sweep', ({ quiet }) => show(quiet.subjects)],
    ['requests per sweep', ({ quiet }) => show(quiet.requests)],
    ['subjects per second, first answers', ({ first }) => perSecond(first)],
    ['subjects per second, nothing new', ({ quiet }) => perSecond(quiet)],
    ['subjects per second, all cards to be updated', ({ cards }) => perSecond(cards)],
    ['subjects per second, one vessel in ten changed, alerts leaving', ({ alerts }) => perSecond(alerts)],
    ['event loop held, sweeps, p99', (column) => sweepHold(column, 'p99')],
    ['event loop held, sweeps, longest', (column) => sweepHold(column, 'max')],
    ['event loop held, alerts leaving, p99', ({ alerts }) => show(alerts.holdMs.p99, 'ms')],
    ['event loop held, alerts leaving, longest', ({ alerts }) => show(alerts.holdMs.max, 'ms')],
    ['from answer to post, one vessel in ten changed, p50', ({ alerts }) => show(alerts.alertMs.p50, 'ms')],
    ['from answer to post, one vessel in ten changed, p99', ({ alerts }) => show(alerts.alertMs.p99, 'ms')],
    ['calls to Slack in that time', ({ alerts }) => show(alerts.posts)],
    ['calls to Slack per second', ({ alerts }) => show((alerts.posts / alerts.postsMs) * 1000)],
    ['from answer to post, one vessel changed, p50', ({ alerts }) => show(alerts.singleAlertMs.p50, 'ms')],
    ['from answer to post, one vessel changed, p99', ({ alerts }) => show(alerts.singleAlertMs.p99, 'ms')],
    ['peak memory over idle', ({ overIdleMb }) => show(overIdleMb, 'MB')],
  ];
  return table(
    ['', ...columns.map(({ name }) => name)],
    rows.map(([name, cell]) => [name, ...columns.map(cell)]),
  );
}
