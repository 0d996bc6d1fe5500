import type { LoadResult, Sample } from './load.ts';
import type { Usage } from './services.ts';
import { median, percentile } from './statistics.ts';
import { ratio, show, table } from './table.ts';

export type Phase = LoadResult & Usage;

interface Measured {
  /** One command at a time. */
  sequential: Phase;
  /** 50 commands at a time. */
  concurrent: Phase;
  readyMs: number;
  memoryMb: number;
}

/** `sameQuestion`: the same command again and again. */
export interface Run {
  bare: Measured & { sameQuestion: Phase };
  constant: Measured;
  first: Measured;
  repeated: Measured & { sameQuestion: Phase };
}

interface Cells {
  bare: number;
  constant?: number;
  first?: number;
  repeated?: number;
}

type Column = keyof Cells;

const processes = {
  bot: 'bot',
  service: 'service',
  slack: 'local Slack with the load',
} as const;

const timings = { ack: (sample: Sample) => sample.ackMs, answer: (sample: Sample) => sample.answerMs };

/** Returns a Markdown table. Each figure is the median over the runs; ratios are of these medians. */
export function report(runs: readonly Run[], plan: { samples: number; runs: number }): string {
  const rows: [string, Cells, unit: string][] = [];
  for (const phase of ['sequential', 'concurrent'] as const) {
    const pace = phase === 'sequential' ? '1 at a time' : '50 at a time';
    for (const [timing, figure] of Object.entries(timings)) {
      for (const share of [0.5, 0.99]) {
        const values = cells(runs, (measured) => percentile(measured[phase].samples.map(figure), share));
        rows.push([`${timing} p${share * 100}, ${pace}`, values, 'ms']);
      }
    }
    const rate = ({ [phase]: { samples, elapsedMs } }: Measured) => (samples.length / elapsedMs) * 1000;
    rows.push([`commands per second, ${pace}`, cells(runs, rate), '']);
  }
  for (const part of ['bot', 'service', 'slack'] as const) {
    const perCommand = ({ concurrent: { processorMs, samples } }: Measured) =>
      processorMs[part] / samples.length;
    rows.push([`CPU time per command, ${processes[part]}, 50 at a time`, cells(runs, perCommand), 'ms']);
  }
  const total = (of: (phase: Phase) => number) =>
    cells(runs, ({ sequential, concurrent }) => of(sequential) + of(concurrent));
  rows.push([`logins for ${plan.samples * 2} commands`, total(({ logins }) => logins), '']);
  rows.push([`requests for ${plan.samples * 2} commands`, total(({ requests }) => requests), '']);
  rows.push(['requests for the same question 100 times', sameQuestionRequests(runs), '']);
  rows.push(['time from start to ready', cells(runs, ({ readyMs }) => readyMs), 'ms']);
  rows.push(['resident memory at the end', cells(runs, ({ memoryMb }) => memoryMb), 'MB']);
  const head = ['', 'bare Bolt app', 'constant answer'];
  return [
    `Medians of ${plan.runs} runs, ${plan.samples} samples per phase and run. Node ${process.version}, ${process.platform} ${process.arch}.\n\n`,
    table(
      [...head, 'Landfall, first question', 'x bare', 'Landfall, repeated question', 'x bare'],
      rows.map(([name, { bare, constant, first, repeated }, unit]) => [
        name,
        ...[bare, constant, first].map((value) => show(value, unit)),
        ratio(first, bare),
        show(repeated, unit),
        ratio(repeated, bare),
      ]),
    ),
  ].join('');
}

function cells(runs: readonly Run[], figure: (measured: Measured) => number): Required<Cells> {
  const medianOf = (column: Column) => median(runs.map((run) => figure(run[column])));
  return {
    bare: medianOf('bare'),
    constant: medianOf('constant'),
    first: medianOf('first'),
    repeated: medianOf('repeated'),
  };
}

function sameQuestionRequests(runs: readonly Run[]): Cells {
  const medianOf = (column: 'bare' | 'repeated') =>
    median(runs.map((run) => run[column].sameQuestion.requests));
  return { bare: medianOf('bare'), repeated: medianOf('repeated') };
}
