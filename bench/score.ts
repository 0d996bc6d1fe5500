// `npm run score`: how good the sandbox's predictions about its own ships are, to check that its world is plausible.
// Options: --seeds 1-5 or --seed 2; --days 56; --vessels 115; --json adds a last line with all figures. Exit code 1 if a
// figure is out of bounds (score/bounds.ts), or if docs/sandbox.md shows other tables than a run without options.
import { readFileSync } from 'node:fs';
import { createWorld } from '../src/sandbox/world/world.ts';
import { chooseVessels, openService, start } from './sandbox-world.ts';
import { type PredictedCall, predictedCall } from './score/answers.ts';
import { outOfBounds } from './score/bounds.ts';
import { callsOf } from './score/calls.ts';
import { readOptions, type ScoreOptions } from './score/options.ts';
import { boundText, tablesOf, viewText } from './score/report.ts';
import { scoreOf } from './score/score.ts';
import { compareViews, sumOf, type ViewComparison } from './score/views.ts';

const dayMs = 86_400_000;
/** Once a week, off the full hour: the ship view is older than the others then. */
const viewTimes = (days: number): Date[] =>
  Array.from(
    { length: Math.ceil(days / 7) },
    (_, week) => new Date(start.getTime() + (week * 7 + 0.4) * dayMs),
  );

async function main({ seeds, days, vessels: count, json, isDefault }: ScoreOptions): Promise<void> {
  const bySeed: { seed: number; calls: PredictedCall[]; views: ViewComparison }[] = [];
  for (const seed of seeds) {
    const world = createWorld({ seed });
    const vessels = chooseVessels(world, count);
    const imos = new Set(vessels.map(({ imo }) => imo));
    const beginMs = start.getTime();
    const calls = callsOf(imos, { seed, beginMs, endMs: beginMs + days * dayMs });
    const views = await compareViews(openService(world, seed), { vessels, times: viewTimes(days) });
    bySeed.push({ seed, calls: calls.map((call) => predictedCall(world, call)), views });
  }
  const score = scoreOf(bySeed.flatMap(({ calls }) => calls));
  const views = sumOf(bySeed.map((world) => world.views));
  const tables = tablesOf(score);
  const faults = [
    ...outOfBounds(score, views).map(boundText),
    ...(isDefault && !isDocumented(tables)
      ? ['docs/sandbox.md shows other figures: copy these tables into it.']
      : []),
  ];
  print("The sandbox's predictions, compared with its own ships. They say nothing about the real service.");
  print(`${count} vessels, ${days} days, seeds ${seeds.join(', ')}: ${score.calls} calls.\n`);
  for (const table of tables) print(table);
  print(viewText(views));
  for (const fault of faults) print(fault);
  if (json) {
    const worlds = bySeed.map(({ seed, calls, views }) => ({ seed, ...scoreOf(calls), views }));
    print(JSON.stringify({ ...score, views, faults, bySeed: worlds, seeds, days, vessels: count }));
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function isDocumented(tables: readonly string[]): boolean {
  const page = readFileSync(new URL('../docs/sandbox.md', import.meta.url), 'utf8');
  return tables.every((table) => page.includes(table));
}

const print = (text: string) => process.stdout.write(`${text}\n`);

function optionsOrExit(): ScoreOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write('Options: --seeds 1-5 or --seed 2, --days 56, --vessels 115, --json\n');
    process.exit(2);
  }
}

await main(optionsOrExit());
