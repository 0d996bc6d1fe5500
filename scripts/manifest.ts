// `npm run manifest` writes all files that are derived from the code. `npm run manifest -- https://your.host` only
// prints the manifest for HTTP delivery (without Socket Mode).
import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { commandsPage, envExample, httpManifest, manifest, readme, settingsPage } from './derived.ts';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');

const origin = process.argv[2];
if (origin) {
  process.stdout.write(stringify(httpManifest(read('manifest.yml'), new URL('/slack/events', origin).href)));
} else {
  writeFileSync(at('manifest.yml'), manifest(read('manifest.yml')));
  writeFileSync(at('.env.example'), envExample());
  writeFileSync(at('docs/settings.md'), settingsPage());
  writeFileSync(at('docs/commands.md'), commandsPage());
  writeFileSync(at('README.md'), readme(read('README.md'), read('manifest.yml')));
}
