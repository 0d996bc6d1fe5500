// `npm run manifest` writes all files that are derived from the code. With an address it only prints a manifest for HTTP
// delivery: `npm run manifest -- https://your.host` for one workspace, `-- --public https://your.host` for an app that
// many workspaces install (with `--rotation`, their tokens expire and are refreshed). `--agent` prints the manifest of an
// app that Slack treats as an agent, with or without an address. `--link` prints the link to Slack's page for creating the
// app, with `manifest.yml` filled in.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { asAgent, httpManifest, type Manifest, publicManifest, socketManifest } from '../src/app/manifest.ts';
import { assistantsPage } from './assistants.ts';
import { dashboard } from './dashboard/dashboard.ts';
import {
  commandsPage,
  createAppUrl,
  envExample,
  exportsPage,
  manifest,
  metricsPage,
  settingsPage,
} from './derived.ts';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    public: { type: 'boolean', default: false },
    rotation: { type: 'boolean', default: false },
    agent: { type: 'boolean', default: false },
    link: { type: 'boolean', default: false },
  },
});
const [origin] = positionals;
if (origin !== undefined && !/^https?:$/.test(URL.parse(origin)?.protocol ?? '')) {
  process.stderr.write(`${origin} isn't the address of a server, such as https://landfall.example.com\n`);
  process.exitCode = 2;
} else if (origin === undefined && (values.public || values.rotation)) {
  process.stderr.write(
    '--public needs the address of your server: npm run manifest -- --public https://your.host\n',
  );
  process.exitCode = 2;
} else if (values.link) {
  process.stdout.write(`${createAppUrl(read('manifest.yml'))}\n`);
} else if (origin !== undefined || values.agent) {
  const printed = manifestFor(origin);
  process.stdout.write(stringify(values.agent ? asAgent(printed) : printed));
} else {
  writeFileSync(at('manifest.yml'), manifest(read('manifest.yml')));
  writeFileSync(at('.env.example'), envExample());
  writeFileSync(at('docs/settings.md'), settingsPage());
  writeFileSync(at('docs/commands.md'), commandsPage());
  writeFileSync(at('docs/exports.md'), exportsPage());
  writeFileSync(at('docs/metrics.md'), metricsPage());
  writeFileSync(at('ops/grafana/landfall.json'), dashboard());
  writeFileSync(at('docs/assistants.md'), assistantsPage());
}

function manifestFor(address: string | undefined): Manifest {
  const current = read('manifest.yml');
  if (address === undefined) return socketManifest(current);
  const { rotation } = values;
  return values.public
    ? publicManifest(current, { origin: address, rotation })
    : httpManifest(current, address);
}
