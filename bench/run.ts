// `npm run bench`: Landfall beside a bare Bolt app, with the same sandbox (50 ms per request) and the same playground
// (in this process); then watches.ts and idle.ts. Options: --runs 5 --samples 2000, or --quick for a smoke test.
import { parseArgs } from 'node:util';
import { measureIdle } from './idle.ts';
import { type Phase, type Run, report, type Usage } from './report.ts';
import { startServices } from './services.ts';
import { type Subject, startFlags, startSubject } from './subject.ts';
import { measureWatches } from './watches.ts';

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    samples: { type: 'string', default: '2000' },
    quick: { type: 'boolean', default: false },
  },
});
const runs = flags.quick ? 1 : Number(flags.runs);
const samples = flags.quick ? 60 : Number(flags.samples);
const REPETITIONS = 100;

const { slack, questions, run, env, sandboxCounts, close } = await startServices();

type SubjectName = 'bare' | 'constant' | 'landfall';
const subjects = {
  bare: { script: 'bench/bare.ts', probe: { path: '/', any: true } },
  constant: { script: 'bench/constant.ts', probe: { path: '/', any: true } },
  landfall: { script: 'src/main.ts', flags: startFlags, probe: { path: '/readyz' } },
};

/** The totals since the start. */
async function readTotals(subject: Subject): Promise<Usage> {
  const { logins, requests, processorMs: service } = await sandboxCounts();
  const { user, system } = process.cpuUsage();
  const processorMs = { bot: subject.processorMs(), service, slack: (user + system) / 1000 };
  return { logins, requests, processorMs };
}

/** Adds the usage during `work` to its result. */
async function withUsage<T>(subject: Subject, work: () => Promise<T>): Promise<T & Usage> {
  const before = await readTotals(subject);
  const result = await work();
  const { logins, requests, processorMs } = await readTotals(subject);
  return {
    ...result,
    logins: logins - before.logins,
    requests: requests - before.requests,
    processorMs: {
      bot: processorMs.bot - before.processorMs.bot,
      service: processorMs.service - before.processorMs.service,
      slack: processorMs.slack - before.processorMs.slack,
    },
  };
}

/** Starts one subject, runs `work` against it, and measures its memory at the end. */
async function withSubject<T>(
  name: SubjectName,
  more: Record<string, string>,
  work: (subject: Subject) => Promise<T>,
) {
  const subject = await startSubject({ name, ...subjects[name], env: { ...env, ...more } });
  slack.setRequestUrl(subject.requestUrl);
  try {
    const result = await work(subject);
    return { ...result, readyMs: subject.readyMs, memoryMb: subject.memoryMb() };
  } finally {
    await subject.stop();
  }
}

async function measurePhases(subject: Subject): Promise<{ sequential: Phase; concurrent: Phase }> {
  const phase = (concurrency: number) =>
    withUsage(subject, () => run({ lines: questions, samples, concurrency }));
  return { sequential: await phase(1), concurrent: await phase(50) };
}

const repeatQuestion = (subject: Subject): Promise<Phase> =>
  withUsage(subject, () => run({ lines: questions.slice(0, 1), samples: REPETITIONS, concurrency: 10 }));

/** A bare app has no cache, so every question is a first one. */
const measureBare = () =>
  withSubject('bare', {}, async (subject) => ({
    ...(await measurePhases(subject)),
    sameQuestion: await repeatQuestion(subject),
  }));

const measureConstant = () => withSubject('constant', {}, measurePhases);

/** First questions: nothing is cached, so each goes to the service. */
const measureFirst = () =>
  withSubject('landfall', { ANALYTICS_CACHE_PREDICTIONS_MINUTES: '0' }, measurePhases);

/** Repeated questions: each vessel was asked about within the last five minutes. */
const measureRepeated = () =>
  withSubject('landfall', {}, async (subject) => {
    const sameQuestion = await repeatQuestion(subject);
    await run({ lines: questions, samples: questions.length, concurrency: 10 });
    return { ...(await measurePhases(subject)), sameQuestion };
  });

const results: Run[] = [];
for (let round = 1; round <= runs; round++) {
  process.stderr.write(`run ${round} of ${runs}\n`);
  results.push({
    bare: await measureBare(),
    constant: await measureConstant(),
    first: await measureFirst(),
    repeated: await measureRepeated(),
  });
}
process.stdout.write(report(results, { samples, runs }));
await close();
process.stdout.write(`\n${await measureWatches(flags)}`);
process.stdout.write(`\n${await measureIdle(flags)}`);
