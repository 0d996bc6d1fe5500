import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Services } from './services.ts';
import { percentile } from './statistics.ts';
import { show, table } from './table.ts';
import { range } from './watch-fleet.ts';
import { type Bot, changedIn, startBot, until } from './workspaces-bot.ts';
import { vesselAt, type WorkspaceFleet } from './workspaces-fleet.ts';
import { type Behaviour, startWorld, type World } from './workspaces-world.ts';

const usual = { serviceMs: 50, slackMs: 100 };
const settleMs = 20_000;
const maxQuietMs = 60_000;
/** One after the other, at different times after the rounds of the jobs, which come each second. */
const alertIntervalMs = 207;

interface Figures {
  p50: number;
  max: number;
  missing: number;
}

/** By what happened meanwhile. */
type Results = Map<string, Figures>;

/** How much others delay a workspace's alerts and answers. Returns Markdown. */
export async function measureFairness(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const size = quick
    ? { large: 100, troubled: 1, alerts: 2, aheadMs: 500, questions: 50, others: 5 }
    : { large: 10_000, troubled: 60, alerts: 20, aheadMs: 1_500, questions: 500, others: 30 };
  const measureOn = async (engine: string): Promise<[string, Results]> => {
    process.stderr.write(`fairness, ${engine}\n`);
    const directory = await mkdtemp(join(tmpdir(), 'landfall-fairness-'));
    const world = await startWorld();
    try {
      const store = engine === 'SQLite' ? directory : await services.createDatabase();
      const isBrief = quick || engine === 'PostgreSQL';
      return [engine, await measureStore(store, { world, size, isBrief })];
    } finally {
      await world.close();
      await rm(directory, { recursive: true, force: true });
    }
  };
  return report(
    quick
      ? await Promise.all(['SQLite', 'PostgreSQL'].map(measureOn))
      : [await measureOn('SQLite'), await measureOn('PostgreSQL')],
  );
}

interface Size {
  /** Vessels of the large workspace, and of each that is in trouble. */
  large: number;
  troubled: number;
  alerts: number;
  /** From the plan of the alerts to the first. */
  aheadMs: number;
  /** Questions that one person asks at once, and those of others meanwhile. */
  questions: number;
  others: number;
}

interface Context {
  bot: Bot;
  world: World;
  size: Size;
  large: WorkspaceFleet;
  troubled: readonly WorkspaceFleet[];
  /** Makes vessels of five other workspaces due at these times, and change their next port. */
  plan(times: readonly number[]): Promise<{ imo: number; at: number }[]>;
  nextStage(): number;
}

async function measureStore(
  store: string,
  { world, size, isBrief }: { world: World; size: Size; isBrief: boolean },
): Promise<Results> {
  Object.assign(world.usual, usual);
  const fleet = (id: string, vessels: number) => ({ id, vessels, first: world.takeVessels(vessels) });
  const large = fleet('LARGE', size.large);
  const troubled = range(40).map((index) => fleet(`TROUBLED${index}`, size.troubled));
  const others = range(5).map((index) => fleet(`V${index}`, 100));
  let planned = 0;
  let stage = 0;
  const contextOf = (bot: Bot): Context => ({
    bot,
    world,
    size,
    large,
    troubled,
    nextStage: () => stage++,
    async plan(times) {
      const polls = times.map((at) => {
        const { id, first } = others[planned % others.length] ?? large;
        const vessel = first + Math.floor(planned / others.length);
        planned += 1;
        return { id, first: vessel, vessels: 1, at: new Date(at) };
      });
      for (const { first } of polls) world.change(vesselAt(first));
      await bot.plan(...polls);
      return polls.map(({ first, at }) => ({ imo: vesselAt(first), at: at.getTime() }));
    },
  });

  const own = await startBot({ store, worldUrl: world.url });
  await own.run({ task: 'seed', fleets: [large, ...troubled, ...others] });
  const results: Results = new Map();
  const context = contextOf(own);
  for (const [name, disturb, isAlways = false] of disturbances(context))
    if (isAlways || !isBrief) results.set(name, await measure(context, name, disturb));
  for (const [name, figures] of await measureQuestions(context)) results.set(name, figures);
  await own.stop();

  const shared = contextOf(await startBot({ store, worldUrl: world.url, isShared: true }));
  const due = `one login for all, a workspace with ${show(large.vessels)} due watches`;
  results.set(aloneShared, await measure(shared, aloneShared, async () => {}));
  results.set(due, await measure(shared, due, (at) => dueWithNews(shared, at)));
  await shared.bot.stop();
  return results;
}

const alone = 'nobody else';
const aloneShared = 'one login for all, nobody else';
const answersAlone = 'answer, nobody else';
/** What a row is compared with. */
function baselineOf(name: string): string {
  if (name.startsWith('one login')) return aloneShared;
  if (name.startsWith('answers')) return name;
  return name.startsWith('answer') ? answersAlone : alone;
}

type Disturb = (at: Date) => Promise<unknown>;

/** What others do from a time on. In a brief measurement, only those that are `isAlways`. */
function disturbances(context: Context): [string, Disturb, isAlways?: boolean][] {
  const { bot, world, large, troubled } = context;
  const due = show(large.vessels);
  const misbehave = (fleets: readonly WorkspaceFleet[], behaviours: readonly Behaviour[]) => (at: Date) => {
    for (const [index, { id }] of fleets.entries())
      world.service.set(id, behaviours[index % behaviours.length] ?? 'hangs');
    return bot.plan(...fleets.map((fleet) => ({ ...fleet, at })));
  };
  const send = (behaviour: Behaviour) => async () => {
    world.slack.set(large.id, behaviour);
    await bot.run({ task: 'messages', workspaceId: large.id });
  };
  return [
    [alone, async () => {}, true],
    [`a workspace with ${due} due watches`, (at) => dueWithNews(context, at), true],
    ['the same, its service takes 5 s a call', misbehave([large], [{ ms: 5_000 }])],
    ['the same, its service never answers', misbehave([large], ['hangs'])],
    ['40 workspaces, their services hang or take 5 s', misbehave(troubled, ['hangs', { ms: 5_000 }]), true],
    [`a workspace with ${due} messages, Slack takes 4 s`, send({ ms: 4_000 })],
    [`a workspace with ${due} messages, Slack refuses them with 429`, send('limits')],
    [`a workspace with ${due} due watches, its login is refused`, misbehave([large], ['refuses'])],
  ];
}

/** One vessel in ten has changed, each time other ones. */
async function dueWithNews({ bot, world, large, nextStage }: Context, at: Date): Promise<void> {
  for (const imo of changedIn(nextStage(), large)) world.change(imo);
  await bot.plan({ ...large, at });
}

/** From when a changed vessel is due until Slack gets the alert. */
async function measure(context: Context, name: string, disturb: Disturb): Promise<Figures> {
  process.stderr.write(`  ${name}\n`);
  const { bot, world, large, troubled, plan } = context;
  const { aheadMs, alerts } = context.size;
  const startsAt = Date.now() + aheadMs;
  await disturb(new Date(startsAt));
  const planned = await plan(range(alerts).map((index) => startsAt + 300 + index * alertIntervalMs));
  const last = planned.at(-1)?.at ?? 0;
  await until(new Date(last));
  const isPosted = () => planned.every(({ imo }) => world.alertsOf(imo).length > 0);
  while (!isPosted() && Date.now() < last + settleMs) await wait(100);
  const delays = planned.flatMap(({ imo, at }) => world.alertsOf(imo).map((posted) => posted - at));
  await bot.postpone([large, ...troubled]);
  world.calmDown();
  await bot.run({ task: 'clear', workspaceId: large.id });
  await bot.untilQuiet(maxQuietMs);
  // Polls that failed are due again soon.
  await bot.postpone([large, ...troubled]);
  const figures = figuresOf(delays, alerts);
  process.stderr.write(`    p50 ${figures.p50} ms, longest ${figures.max} ms, missing ${figures.missing}\n`);
  return figures;
}

const otherIntervalMs = 50;

/** Questions of others in the same workspace and in another one, while one person asks many at once. */
async function measureQuestions({ bot, world, size }: Context): Promise<Results> {
  const { questions, others } = size;
  const ask = (workspaceId: string, userId: string) =>
    world.ask({ workspaceId, userId, imo: vesselAt(world.takeVessels(1)), botUrl: bot.url });
  const measureIn = async (workspaceId: string): Promise<Figures> => {
    const settled = await Promise.allSettled(
      range(others).map(async (index) => {
        await wait(index * otherIntervalMs);
        return await ask(workspaceId, `U${index % 5}`);
      }),
    );
    const times = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return figuresOf(times, others);
  };
  // Slack is asked about each person once.
  await measureIn('V0');
  await measureIn('V1');
  const withoutOthers = await measureIn('V0');
  const many = Promise.allSettled(range(questions).map(() => ask('V0', 'UMANY')));
  const [there, elsewhere] = await Promise.all([measureIn('V0'), measureIn('V1')]);
  const times = (await many).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return new Map([
    [answersAlone, withoutOthers],
    [`answer, another person there asks ${questions} questions`, there],
    ['answer, the same, but in another workspace', elsewhere],
    [`answers to the ${questions} questions`, figuresOf(times, questions)],
  ]);
}

const figuresOf = (times: readonly number[], count: number): Figures => ({
  p50: percentile(times, 0.5),
  max: percentile(times, 1),
  missing: count - times.length,
});

function report(columns: readonly [string, Results][]): string {
  const cellsOf = (results: Results, name: string): string[] => {
    const figures = results.get(name);
    const baseline = results.get(baselineOf(name));
    if (!figures || !baseline) return ['', '', '', ''];
    const { p50, max, missing } = figures;
    const later = figures === baseline ? '' : show(Math.round(max - baseline.max), 'ms');
    return [show(Math.round(p50), 'ms'), show(Math.round(max), 'ms'), later, show(missing)];
  };
  const names = [...(columns[0]?.[1].keys() ?? [])];
  return table(
    ['', ...columns.flatMap(([engine]) => [`${engine}, p50`, 'longest', 'later than alone', 'missing'])],
    names.map((name) => [name, ...columns.flatMap(([, results]) => cellsOf(results, name))]),
  );
}
