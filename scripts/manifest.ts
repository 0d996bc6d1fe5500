// `npm run manifest` writes all files that are derived from the code. With an address it only prints a manifest for HTTP
// delivery: `npm run manifest -- https://your.host` for one workspace, `-- --public https://your.host` for an app that
// many workspaces install (with `--rotation`, their tokens expire and are refreshed).
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { httpManifest, publicManifest } from '../src/app/manifest.ts';
import { assistantsPage } from './assistants.ts';
import { dashboard } from './dashboard/dashboard.ts';
import {
  commandsPage,
  envExample,
  exportsPage,
  manifest,
  metricsPage,
  readme,
  settingsPage,
} from './derived.ts';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { public: { type: 'boolean', default: false }, rotation: { type: 'boolean', default: false } },
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
} else if (origin !== undefined) {
  const { rotation } = values;
  const current = read('manifest.yml');
  const printed = values.public
    ? publicManifest(current, { origin, rotation })
    : httpManifest(current, origin);
  process.stdout.write(stringify(printed));
} else {
  writeFileSync(at('manifest.yml'), manifest(read('manifest.yml')));
  writeFileSync(at('.env.example'), envExample());
  writeFileSync(at('docs/settings.md'), settingsPage());
  writeFileSync(at('docs/commands.md'), commandsPage());
  writeFileSync(at('docs/exports.md'), exportsPage());
  writeFileSync(at('docs/metrics.md'), metricsPage());
  writeFileSync(at('ops/grafana/landfall.json'), dashboard());
  writeFileSync(at('docs/assistants.md'), assistantsPage());
  writeFileSync(at('README.md'), readme(read('README.md'), read('manifest.yml')));
}
