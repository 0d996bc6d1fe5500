import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryOf, processorMsOf } from './process-figures.ts';
import type { Services } from './services.ts';
import { percentile, percentiles } from './statistics.ts';
import { show, table } from './table.ts';
import { range } from './watch-fleet.ts';
import { type Bot, changedIn, countAlerts, startBot, until } from './workspaces-bot.ts';
import { vesselAt, type WorkspaceFleet } from './workspaces-fleet.ts';
import { startWorld, type World } from './workspaces-world.ts';

const slackMs = 20;
const limitMs = 300_000;
const questionIntervalMs = 250;

interface Sweep {
  polls: number;
  /** From when all was due until the service got the last poll, or Slack the last alert. */
  pollsMs: number;
  alertsMs: number;
  alerts: number;
  missing: number;
  repeated: number;
  /** Of questions that a person of one workspace asks meanwhile. */
  answerMs: { p50: number; max: number };
  holdMs: { p50: number; p99: number; max: number };
  processorMs: number;
}

interface Column {
  name: string;
  news: Sweep;
  peakMb: number;
  /** Processor time in a minute in which nothing is due, of one process. */
  idleMs?: number;
}

/** Many workspaces in one process and in three, beside as many watches in one workspace. Returns Markdown. */
export async function measureWorkspaces(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const size = quick
    ? { workspaces: 5, watches: 10, aheadMs: 500, idleSeconds: 1 }
    : { workspaces: 200, watches: 50, aheadMs: 2_000, idleSeconds: 20 };
  const total = size.workspaces * size.watches;
  const directory = await mkdtemp(join(tmpdir(), 'landfall-workspaces-'));
  const world = await startWorld();
  const columns: Column[] = [];
  try {
    for (const workspaces of [1, size.workspaces]) {
      const context = { ...size, world, workspaces, total };
      const sqlite = join(directory, `sqlite-${workspaces}`);
      columns.push(...(await measureStore(sqlite, 'SQLite', [1], context)));
      columns.push(...(await measureStore(await services.createDatabase(), 'PostgreSQL', [1, 3], context)));
    }
  } finally {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  }
  const title = `${show(total)} watches, each of a vessel of its own, and a Slack that takes ${slackMs} ms per call.`;
  return `${title}\n\n${report(columns)}`;
}

interface Context {
  world: World;
  workspaces: number;
  /** Watches of all workspaces together. */
  total: number;
  /** From the plan of a sweep to its start. */
  aheadMs: number;
  idleSeconds: number;
}

/** The number of processes of each stage. Each stage sees other vessels change. */
async function measureStore(
  store: string,
  engine: string,
  stages: readonly number[],
  { world, workspaces, total, aheadMs, idleSeconds }: Context,
): Promise<Column[]> {
  const vessels = total / workspaces;
  // The vessels of each store are its own, so that each alert is counted for its store.
  const start = world.takeVessels(total);
  const fleets = range(workspaces).map((index) => ({
    id: `T${index}`,
    first: start + index * vessels,
    vessels,
  }));
  const columns: Column[] = [];
  for (const [stage, processes] of stages.entries()) {
    const name = `${engine}, ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
    process.stderr.write(`${name}\n`);
    const bots = await Promise.all(range(processes).map(() => startBot({ store, worldUrl: world.url })));
    const [bot] = bots;
    if (!bot) throw new Error('there is no process');
    if (stage === 0) await bot.run({ task: 'seed', fleets });
    const news = await sweep({ world, bots, fleets, stage, aheadMs });
    const before = processorMsOf(bot.pid);
    if (stage === 0) await wait(idleSeconds * 1_000);
    const idleMs = ((processorMsOf(bot.pid) - before) / idleSeconds) * 60;
    const peakMb = Math.max(...bots.map(({ pid }) => memoryOf(pid).peakMb));
    columns.push({ name, news, peakMb, ...(stage === 0 && { idleMs }) });
    await Promise.all(bots.map(({ stop }) => stop()));
  }
  return columns;
}

/** Everything is due at once, and one vessel in ten has changed. */
async function sweep({
  world,
  bots,
  fleets,
  stage,
  aheadMs,
}: {
  world: World;
  bots: readonly Bot[];
  fleets: readonly WorkspaceFleet[];
  stage: number;
  aheadMs: number;
}): Promise<Sweep> {
  const [bot] = bots;
  if (!bot) throw new Error('there is no process');
  const at = new Date(Date.now() + aheadMs);
  await bot.plan(...fleets.map((fleet) => ({ ...fleet, at })));
  const changed = fleets.flatMap((fleet) => changedIn(stage, fleet));
  for (const imo of changed) world.change(imo);
  world.usual.slackMs = slackMs;
  world.counts.polls = 0;
  await until(at);
  const processorMs = () => bots.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
  const before = processorMs();
  for (const each of bots) await each.run({ task: 'begin' });
  const work = bot.untilQuiet(limitMs);
  const answers = await askUntil(bot, world, work);
  const holds = await Promise.all(bots.map((each) => each.run({ task: 'end' })));
  const longest = (figure: 'p50' | 'p99' | 'max') => Math.max(...holds.map(({ holdMs }) => holdMs[figure]));
  const lastAlertAt = Math.max(...changed.map((imo) => world.alertsOf(imo).at(-1) ?? 0), 0);
  return {
    polls: world.counts.polls,
    pollsMs: world.counts.lastPollAt - at.getTime(),
    alerts: changed.length,
    alertsMs: lastAlertAt - at.getTime(),
    ...countAlerts(world, changed),
    answerMs: { ...percentiles(answers), max: percentile(answers, 1) },
    holdMs: { p50: longest('p50'), p99: longest('p99'), max: longest('max') },
    processorMs: processorMs() - before,
  };
}

/** Asks the first workspace one question after the other until the work is done. Returns the milliseconds of each. */
async function askUntil(bot: Bot, world: World, work: Promise<unknown>): Promise<number[]> {
  const questions: Promise<number>[] = [];
  let isDone = false;
  const end = work.then(() => {
    isDone = true;
  });
  while (!isDone) {
    const imo = vesselAt(world.takeVessels(1));
    questions.push(world.ask({ workspaceId: 'T0', userId: 'U1', imo, botUrl: bot.url }));
    await Promise.race([end, wait(questionIntervalMs)]);
  }
  return await Promise.all(questions);
}

function report(columns: readonly Column[]): string {
  const perSecond = (count: number, ms: number) => show((count / ms) * 1_000);
  const rows: [string, (column: Column) => string][] = [
    ['time of a sweep', ({ news }) => show(news.pollsMs / 1_000, 's')],
    ['polls per second', ({ news }) => perSecond(news.polls, news.pollsMs)],
    ['alerts', ({ news }) => show(news.alerts)],
    ['the last alert is posted after', ({ news }) => show(news.alertsMs / 1_000, 's')],
    ['alerts per second', ({ news }) => perSecond(news.alerts, news.alertsMs)],
    ['alerts missing, posted twice', ({ news }) => `${news.missing}, ${news.repeated}`],
    ['processor time per poll, with its messages', ({ news }) => show(news.processorMs / news.polls, 'ms')],
    ['event loop held, p50', ({ news }) => show(news.holdMs.p50, 'ms')],
    ['event loop held, p99', ({ news }) => show(news.holdMs.p99, 'ms')],
    ['event loop held, longest', ({ news }) => show(news.holdMs.max, 'ms')],
    ['answer to a question meanwhile, p50', ({ news }) => show(news.answerMs.p50, 'ms')],
    ['answer to a question meanwhile, longest', ({ news }) => show(news.answerMs.max, 'ms')],
    ['peak memory of the largest process', ({ peakMb }) => show(peakMb, 'MB')],
    ['processor time per minute, nothing due', ({ idleMs }) => show(idleMs, 'ms')],
  ];
  return table(
    ['', ...columns.map(({ name }) => name)],
    rows.map(([name, cell]) => [name, ...columns.map(cell)]),
  );
}
