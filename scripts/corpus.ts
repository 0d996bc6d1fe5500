// `npm run corpus`: drives the whole bot, and compares what people read with test/corpus/expected/. Exit code 1 if
// anything differs, or if something of the registry is missing. Options: --update writes the files.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { makeCorpus } from '../test/corpus/corpus.ts';
import { differences } from '../test/corpus/differences.ts';

// That of the process that draws maps, which would be starved otherwise.
setPriority(10);
// As in production: @date-fns/tz is exact only in UTC.
process.env.TZ = 'UTC';
const folder = new URL('../test/corpus/expected/', import.meta.url);
const { files, faults } = await makeCorpus();

if (process.argv.includes('--update')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
}
const expected = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
);
const found = [...faults, ...differences(expected, files)];
const report = found.length === 0 ? 'What people read is as in test/corpus/expected/.' : found.join('\n');
process.stdout.write(`${report}\n`);
// The bots' idle connections would hold the process for some seconds.
process.exit(found.length === 0 ? 0 : 1);
