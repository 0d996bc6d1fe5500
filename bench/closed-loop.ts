import { type Phase, type Run, report } from './report.ts';
import type { Services } from './services.ts';
import type { Subject } from './subject.ts';

const repetitions = 100;
// The bare app asks the service 50 things at once too.
const uncached = { ANALYTICS_CACHE_PREDICTIONS_MINUTES: '0', ANALYTICS_MAX_IN_FLIGHT: '50' };

/** Commands one at a time, and 50 at a time: a new one starts when one is answered. Returns Markdown. */
export async function measureClosedLoop(
  services: Services,
  plan: { samples: number; runs: number },
): Promise<string> {
  const { run, questions, withSubject, withUsage } = services;
  const { samples } = plan;

  async function measurePhases(subject: Subject) {
    const phase = (concurrency: number): Promise<Phase> =>
      withUsage(subject, () => run({ lines: questions, samples, concurrency }));
    const sequential = await phase(1);
    const concurrent = await phase(50);
    const { readyMs, memory } = subject;
    return { sequential, concurrent, readyMs, memoryMb: memory().residentMb };
  }

  const repeatQuestion = (subject: Subject): Promise<Phase> =>
    withUsage(subject, () => run({ lines: questions.slice(0, 1), samples: repetitions, concurrency: 10 }));

  const results: Run[] = [];
  for (let count = 1; count <= plan.runs; count += 1) {
    process.stderr.write(`closed loop, run ${count} of ${plan.runs}\n`);
    results.push({
      // A bare app has no cache, so every question is a first one.
      bare: await withSubject('bare', {}, async (subject) => ({
        ...(await measurePhases(subject)),
        sameQuestion: await repeatQuestion(subject),
      })),
      constant: await withSubject('constant', {}, measurePhases),
      // First questions: nothing is cached, so each goes to the service.
      first: await withSubject('landfall', { env: uncached }, measurePhases),
      // Repeated questions: each vessel was asked about within the last five minutes.
      repeated: await withSubject('landfall', {}, async (subject) => {
        const sameQuestion = await repeatQuestion(subject);
        await run({ lines: questions, samples: questions.length, concurrency: 10 });
        return { ...(await measurePhases(subject)), sameQuestion };
      }),
    });
  }
  return report(results, plan);
}
