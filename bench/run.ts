// `npm run bench`: the measurements below, one after the other. Options: --only with some of their names, as in
// `--only idle,watches`; --runs 5 --samples 2000 for the closed loop; --quick for a smoke test.
import { parseArgs } from 'node:util';
import { measureBackup } from './backup.ts';
import { measureClosedLoop } from './closed-loop.ts';
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
  ? { runs: 1, samples: 40 }
  : { runs: Number(flags.runs), samples: Number(flags.samples) };

/** Each returns Markdown. */
const measurements: Record<string, (services: Services) => Promise<string>> = {
  closed: (services) => measureClosedLoop(services, closedLoop),
  open: (services) => measureOpenLoop(services, { quick }),
  idle: (services) => measureIdle(services, { quick }),
  watches: (services) => measureWatches(services, { quick }),
  instances: (services) => measureInstances(services, { quick }),
  workspaces: (services) => measureWorkspaces(services, { quick }),
  backup: (services) => measureBackup(services, { quick }),
  page: () => measurePage({ quick }),
  pictures: () => measurePictures({ quick }),
};

const names = flags.only?.split(',') ?? Object.keys(measurements);
const unknown = names.filter((name) => !(name in measurements));
if (unknown.length > 0) throw new Error(`no measurement is called ${unknown.join(', ')}`);
const services = await startServices();
try {
  for (const name of names) process.stdout.write(`${await measurements[name]?.(services)}\n`);
} finally {
  await services.close();
}
