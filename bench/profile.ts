// `node bench/profile.ts`: the processor time of one command, step by step, at 50 at a time, beside the bare Bolt app.
// Options: --runs 3 --samples 3000.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServices } from './services.ts';
import { median } from './statistics.ts';
import { sharesOf, stepNames } from './steps.ts';
import type { Subject } from './subject.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, samples: { type: 'string', default: '3000' } },
});
const runs = Number(values.runs);
const samples = Number(values.samples);
const concurrency = 50;

const subjects = {
  bare: { name: 'bare', env: {} },
  first: { name: 'landfall', env: { ANALYTICS_CACHE_PREDICTIONS_MINUTES: '0' } },
  repeated: { name: 'landfall', env: {} },
} as const;
type Name = keyof typeof subjects;

interface Figures {
  /** Per command, in ms. */
  allThreads: number;
  mainThread: number;
  memoryMb: number;
}

const directory = mkdtempSync(join(tmpdir(), 'landfall-profile-'));
const { questions, run, withSubject, close } = await startServices();

interface Start {
  flags?: readonly string[];
  more?: Record<string, string>;
  isProfiled?: boolean;
}

/** Asks every question once and then twice as many as are measured, so that V8 has compiled the code. */
async function withWarmSubject<T>(
  name: Name,
  { flags = [], more = {}, isProfiled = false }: Start,
  work: (subject: Subject) => Promise<T>,
): Promise<T> {
  const subject = subjects[name];
  const script = isProfiled && subject.name === 'landfall' ? 'unbundled' : subject.name;
  return await withSubject(script, { env: { ...subject.env, ...more }, flags }, async (started) => {
    await run({ lines: questions, samples: questions.length, concurrency: 20 });
    await run({ lines: questions, samples, concurrency });
    return await work(started);
  });
}

const measure = (name: Name): Promise<Figures> =>
  withWarmSubject(name, {}, async (subject) => {
    const before = [subject.processorMs(), subject.mainThreadMs()] as const;
    await run({ lines: questions, samples, concurrency });
    return {
      allThreads: (subject.processorMs() - before[0]) / samples,
      mainThread: (subject.mainThreadMs() - before[1]) / samples,
      memoryMb: subject.memory().residentMb,
    };
  });

/** In a process of its own, because profiling costs time too. */
async function profile(name: Name): Promise<Map<string, number>> {
  const file = join(directory, `${name}.cpuprofile`);
  const flags = ['--import', new URL('./profiler.ts', import.meta.url).href];
  return await withWarmSubject(
    name,
    { flags, more: { PROFILE_FILE: file }, isProfiled: true },
    async (subject) => {
      subject.toggleProfile();
      await run({ lines: questions, samples, concurrency });
      subject.toggleProfile();
      while (!existsSync(file)) await wait(50);
      return sharesOf(JSON.parse(readFileSync(file, 'utf8')));
    },
  );
}

const names: readonly Name[] = ['bare', 'first', 'repeated'];
const figures: Record<Name, Figures[]> = { bare: [], first: [], repeated: [] };
for (let round = 1; round <= runs; round++) {
  process.stderr.write(`run ${round} of ${runs}\n`);
  for (const name of names) figures[name].push(await measure(name));
}
const shares = {
  bare: await profile('bare'),
  first: await profile('first'),
  repeated: await profile('repeated'),
};
await close();
rmSync(directory, { recursive: true });

const medianOf = (name: Name, figure: keyof Figures) =>
  median(figures[name].map((figuresOf) => figuresOf[figure]));
const row = (label: string, cell: (name: Name) => string) => `| ${label} | ${names.map(cell).join(' | ')} |`;
const ms = (value: number) => `${value.toFixed(2)} ms`;
process.stdout.write(
  [
    `Medians of ${runs} runs of ${samples} commands, ${concurrency} at a time. Node ${process.version}, ${process.platform} ${process.arch}.`,
    '',
    '| CPU time per command | bare Bolt app | Landfall, first question | Landfall, repeated question |',
    '|---|--:|--:|--:|',
    ...stepNames.map((step) =>
      row(step, (name) => ms((shares[name].get(step) ?? 0) * medianOf(name, 'mainThread'))),
    ),
    row('other threads: garbage collection, compiler', (name) =>
      ms(medianOf(name, 'allThreads') - medianOf(name, 'mainThread')),
    ),
    row('**in all**', (name) => `**${ms(medianOf(name, 'allThreads'))}**`),
    row('x bare', (name) => (medianOf(name, 'allThreads') / medianOf('bare', 'allThreads')).toFixed(2)),
    row('resident memory', (name) => `${Math.round(medianOf(name, 'memoryMb'))} MB`),
    '',
  ].join('\n'),
);
