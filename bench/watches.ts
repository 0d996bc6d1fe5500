// `node bench/watches.ts`, also part of `npm run bench`: the cost of a sweep of many watches, on SQLite and
// on PostgreSQL, with canned answers of the service. Option: --quick for a smoke test.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '../test/support/store-postgres.ts';
import { startFlags } from './subject.ts';
import type { FleetFigures } from './watch-process.ts';

const run = promisify(execFile);

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  process.stdout.write(await measureWatches(values));
}

/** Returns a Markdown table. */
export async function measureWatches({ quick }: { quick: boolean }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'landfall-bench-'));
  const postgres = await startPostgres();
  try {
    const columns: [string, FleetFigures][] = [];
    for (const watches of quick ? [100, 500] : [1000, 10_000]) {
      const count = watches.toLocaleString('en');
      columns.push([`${count}, SQLite`, await measure(join(directory, String(watches)), watches)]);
      columns.push([`${count}, PostgreSQL`, await measure(await postgres.createDatabase(), watches)]);
    }
    return table(columns);
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** One process fills the store, and another is measured, as after a restart. */
async function measure(store: string, watches: number): Promise<FleetFigures> {
  const script = new URL('./watch-process.ts', import.meta.url).pathname;
  await run(process.execPath, [script, 'seed', String(watches), store]);
  const { stdout } = await run(process.execPath, [...startFlags, script, 'sweep', String(watches), store]);
  process.stderr.write(`${watches} watches in ${store.startsWith('postgres') ? 'PostgreSQL' : 'SQLite'}\n`);
  return JSON.parse(stdout) as FleetFigures; // what watch-process.ts prints
}

function table(columns: readonly [string, FleetFigures][]): string {
  const rows: [string, (figures: FleetFigures) => string][] = [
    ['subjects per sweep', ({ quiet }) => show(quiet.subjects)],
    ['requests per sweep', ({ quiet }) => show(quiet.requests)],
    ['subjects per second, first answers', ({ first }) => rate(first.subjects, first.pollMs)],
    ['subjects per second, nothing new', ({ quiet }) => rate(quiet.subjects, quiet.pollMs)],
    ['subjects per second, one vessel in ten changed', ({ news }) => rate(news.subjects, news.pollMs)],
    ['messages per second in that sweep', ({ news }) => rate(news.posts, news.postMs)],
    ['from answer to alert in that sweep, p50', ({ news }) => `${show(news.alertMs.p50)} ms`],
    ['from answer to alert in that sweep, p99', ({ news }) => `${show(news.alertMs.p99)} ms`],
    ['from answer to alert, one vessel changed, p50', ({ singleAlertMs }) => `${show(singleAlertMs.p50)} ms`],
    ['from answer to alert, one vessel changed, p99', ({ singleAlertMs }) => `${show(singleAlertMs.p99)} ms`],
    ['memory over the idle process', ({ overIdleMb }) => `${show(overIdleMb)} MB`],
  ];
  return [
    `| watches | ${columns.map(([name]) => name).join(' | ')} |`,
    `|---|${'--:|'.repeat(columns.length)}`,
    ...rows.map(([name, cell]) => `| ${name} | ${columns.map(([, figures]) => cell(figures)).join(' | ')} |`),
    '',
  ].join('\n');
}

function rate(count: number, elapsedMs: number): string {
  return show((count / elapsedMs) * 1000);
}

/** JSON has no NaN: a missing figure is null. */
function show(value: number | null): string {
  if (value === null) return '';
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
