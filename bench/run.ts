// `npm run bench`: the measurements below, one after the other. Options: --only with some of their names, as in
// `--only idle,watches`; --runs 5 --samples 2000 for the closed loop; --quick for a smoke test, with small sizes and
// several measurements at once.
import { parseArgs } from 'node:util';
import { measureBackup } from './backup.ts';
import { measureClosedLoop } from './closed-loop.ts';
import { measureFairness } from './fairness.ts';
import { measureIdle } from './idle.ts';
import { measureInstances } from './instances.ts';
import { measureOpenLoop } from './open-loop.ts';
import { measurePage } from './page.ts';
import { measurePictures } from './pictures.ts';
import { type Services, startServices } from './services.ts';
import { measureWatches } from './watches.ts';
import { measureWorkspaces } from './workspaces.ts';

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    samples: { type: 'string', default: '2000' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const { quick } = flags;
const closedLoop = quick
  ? { runs: 1, samples: 20 }
  : { runs: Number(flags.runs), samples: Number(flags.samples) };

type Measurements = Record<string, (services: Services) => Promise<string>>;

/** Each returns Markdown. Those that use the local Slack of the services can't run at the same time, so they share a lane. */
const lanes: readonly Measurements[] = [
  {
    closed: (services) => measureClosedLoop(services, closedLoop),
    open: (services) => measureOpenLoop(services, { quick }),
    backup: (services) => measureBackup(services, { quick }),
  },
  {
    idle: (services) => measureIdle(services, { quick }),
    watches: (services) => measureWatches(services, { quick }),
    instances: (services) => measureInstances(services, { quick }),
  },
  { workspaces: (services) => measureWorkspaces(services, { quick }) },
  { fairness: (services) => measureFairness(services, { quick }) },
  {
    page: () => measurePage({ quick }),
    pictures: () => measurePictures({ quick }),
  },
];

const known = lanes.flatMap((lane) => Object.keys(lane));
const names = flags.only?.split(',') ?? known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no measurement is called ${unknown.join(', ')}`);
const services = await startServices();
try {
  if (quick) await Promise.all(lanes.map(measureLane));
  else for (const lane of lanes) await measureLane(lane);
} finally {
  await services.close();
}

async function measureLane(lane: Measurements): Promise<void> {
  for (const [name, measure] of Object.entries(lane))
    if (names.includes(name)) process.stdout.write(`${await measure(services)}\n`);
}
