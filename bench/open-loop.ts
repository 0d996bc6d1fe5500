import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../src/sandbox/world/random.ts';
import type { Arrival, Sample } from './load.ts';
import type { Services } from './services.ts';
import { percentile } from './statistics.ts';
import { show, table } from './table.ts';

const rates = [20, 50, 100];
const shares = [0.5, 0.99, 0.999];
const warmUp = 200;

interface Figures {
  samples: Sample[];
  failures: number;
  requests: number;
}

/**
 * Commands that come at random times, as people type them, however many wait for an answer. Each asks about one of the
 * sandbox's vessels. Landfall caches for as long as makes half of them first questions. Returns Markdown.
 */
export async function measureOpenLoop(services: Services, { quick }: { quick: boolean }): Promise<string> {
  const { questions } = services;
  const seconds = quick ? 1 : 60;
  const rows: string[][] = [];
  for (const rate of quick ? rates.slice(-1) : rates) {
    process.stderr.write(`open loop, ${rate} commands a second\n`);
    const arrivals = poissonArrivals(questions, { rate, seconds });
    // On average, one command per vessel comes within this time, so one in two finds an answer in the cache.
    const cacheSeconds = questions.length / rate;
    rows.push(row(rate, 'bare Bolt app', await measure(services, 'bare', { arrivals, cacheSeconds })));
    rows.push(row(rate, 'Landfall', await measure(services, 'landfall', { arrivals, cacheSeconds })));
  }
  const times = ['ack', 'answer'].flatMap((name) => shares.map((share) => `${name} p${share * 100}`));
  const head = ['commands per second', '', ...times, 'first questions', 'failed'];
  return [
    `Open loop, ${seconds} s for each row: times count from when a command was to be typed.\n\n`,
    table(head, rows, { left: 2 }),
  ].join('');
}

/** The same for each subject. */
export function poissonArrivals(
  questions: readonly string[],
  { rate, seconds }: { rate: number; seconds: number },
): Arrival[] {
  const random = createRandom(rate);
  let atMs = 0;
  return Array.from({ length: rate * seconds }, (_, index) => {
    atMs -= (Math.log(1 - random(index, 0)) / rate) * 1000;
    return { atMs, line: questions[Math.floor(random(index, 1) * questions.length)] ?? '' };
  });
}

function measure(
  { run, runOpen, questions, withSubject, withUsage }: Services,
  name: 'bare' | 'landfall',
  { arrivals, cacheSeconds }: { arrivals: readonly Arrival[]; cacheSeconds: number },
): Promise<Figures> {
  const env = { ANALYTICS_CACHE_PREDICTIONS_MINUTES: String(cacheSeconds / 60) };
  return withSubject(name, { env }, async (subject) => {
    await run({ lines: questions, samples: warmUp, concurrency: 10 });
    await wait(cacheSeconds * 1000);
    return await withUsage(subject, () => runOpen(arrivals));
  });
}

function row(rate: number, name: string, { samples, failures, requests }: Figures): string[] {
  const times = [samples.map(({ ackMs }) => ackMs), samples.map(({ answerMs }) => answerMs)];
  return [
    String(rate),
    name,
    ...times.flatMap((values) => shares.map((share) => show(percentile(values, share), 'ms'))),
    `${Math.round((100 * requests) / (samples.length + failures))}%`,
    String(failures),
  ];
}
