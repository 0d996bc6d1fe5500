// `npm run noise`: how many alerts a watched fleet makes by default, and whether any diversion is missed or late.
// Options: --seeds 1-5 or 1,3; --days 28; --vessels 20; --explain lists every alert and diversion; --markdown prints
// only the table; --json adds a last line with all figures. Exit code 1 if the defaults don't meet their aims.
import { pollFleet } from './noise/fleet-polls.ts';
import { noiseOf, type WatchedVessel, watchFleet } from './noise/measure.ts';
import { type NoiseOptions, readOptions } from './noise/options.ts';
import { diversionText, explain, noiseTable } from './noise/report.ts';
import { fleetRules, oldRules } from './noise/rules.ts';

const maxPerVesselWeek = 1;

async function main({ seeds, days, vessels, ...shown }: NoiseOptions): Promise<void> {
  const now: WatchedVessel[] = [];
  const old: WatchedVessel[] = [];
  for (const seed of seeds) {
    const fleet = await pollFleet({ seed, vessels, days });
    now.push(...watchFleet(fleet, seed, fleetRules));
    old.push(...watchFleet(fleet, seed, oldRules, { settlingNotifies: true }));
  }
  const noise = noiseOf(now, days);
  const former = noiseOf(old, days);
  if (shown.explain) for (const vessel of now) process.stdout.write(explain(vessel));
  process.stdout.write(noiseTable(noise, former));
  if (!shown.markdown) {
    process.stdout.write(`\n${vessels} vessels, ${days} days, seeds ${seeds.join(', ')}.\n`);
    process.stdout.write(`${diversionText(noise)}\n`);
  }
  if (shown.json) {
    const bySeed = seeds.map((seed) => ({
      seed,
      ...noiseOf(
        now.filter((vessel) => vessel.seed === seed),
        days,
      ),
    }));
    process.stdout.write(`${JSON.stringify({ ...noise, bySeed, old: former, seeds, days, vessels })}\n`);
  }
  const isMet = noise.missed === 0 && noise.late === 0 && noise.perVesselWeek <= maxPerVesselWeek;
  process.exitCode = isMet ? 0 : 1;
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
