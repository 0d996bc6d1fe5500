// `node bench/watches.ts`, also part of `npm run bench`: the cost of a sweep of many watches, on the embedded store and
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
      columns.push([`${count}, embedded`, await measure(join(directory, String(watches)), watches)]);
      columns.push([`${count}, PostgreSQL`, await measure(await postgres.createDatabase(), watches)]);
    }
    return table(columns);
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** One process fills the store, another is measured, as after a restart. */
async function measure(where: string, watches: number): Promise<FleetFigures> {
  const script = new URL('./watch-process.ts', import.meta.url).pathname;
  await run(process.execPath, [script, 'seed', String(watches), where]);
  const { stdout } = await run(process.execPath, [...startFlags, script, 'sweep', String(watches), where]);
  process.stderr.write(
    `${watches} watches in ${where.startsWith('postgres') ? 'PostgreSQL' : 'the embedded store'}\n`,
  );
  return JSON.parse(stdout) as FleetFigures; // what watch-process.ts prints
}

function table(columns: readonly [string, FleetFigures][]): string {
  const rows: [string, (figures: FleetFigures) => string][] = [
    ['subjects of a sweep', ({ quiet }) => show(quiet.subjects)],
    ['upstream calls of a sweep', ({ quiet }) => show(quiet.calls)],
    ['subjects a second, first answers', ({ first }) => rate(first.subjects, first.pollMs)],
    ['subjects a second, nothing new', ({ quiet }) => rate(quiet.subjects, quiet.pollMs)],
    ['subjects a second, one in ten has news', ({ news }) => rate(news.subjects, news.pollMs)],
    ['messages a second', ({ news }) => rate(news.posts, news.postMs)],
    ['answer to alert in that sweep, p50', ({ news }) => `${show(news.alertMs.p50)} ms`],
    ['answer to alert in that sweep, p99', ({ news }) => `${show(news.alertMs.p99)} ms`],
    ['answer to alert of a lone change, p50', ({ loneAlertMs }) => `${show(loneAlertMs.p50)} ms`],
    ['answer to alert of a lone change, p99', ({ loneAlertMs }) => `${show(loneAlertMs.p99)} ms`],
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

function show(value: number | null): string {
  if (value === null) return '';
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
