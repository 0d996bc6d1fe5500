import type { LoadResult, Sample } from './load.ts';
import { median, percentile } from './statistics.ts';

/** What a phase used besides time. */
export interface Seen {
  logins: number;
  calls: number;
  /** Per process: all of them share the machine. */
  processorMs: { bot: number; service: number; slack: number };
}

export type Phase = LoadResult & Seen;

interface Measured {
  one: Phase;
  fifty: Phase;
  readyMs: number;
  memoryMb: number;
}

export interface Run {
  bare: Measured & { same: Phase };
  constant: Measured;
  first: Measured;
  repeated: Measured & { same: Phase };
}

interface Cells {
  bare: number;
  constant?: number;
  first?: number;
  repeated?: number;
}

type Column = keyof Cells;

const chain = {
  bot: 'of the bot',
  service: 'of the service',
  slack: 'of the local Slack, with the load',
} as const;

const kinds = { ack: (sample: Sample) => sample.ackMs, answer: (sample: Sample) => sample.answerMs };

/** Returns a Markdown table. Each figure is the median over the runs; ratios are of these medians. */
export function report(runs: readonly Run[], plan: { samples: number; runs: number }): string {
  const rows: [string, Cells, unit: string][] = [];
  for (const phase of ['one', 'fifty'] as const) {
    const at = phase === 'one' ? '1 at a time' : '50 at a time';
    for (const [kind, figure] of Object.entries(kinds)) {
      for (const share of [0.5, 0.99]) {
        const name = `${kind} p${share * 100}, ${at}`;
        rows.push([
          name,
          cells(runs, (measured) => percentile(measured[phase].samples.map(figure), share)),
          'ms',
        ]);
      }
    }
    const rate = ({ [phase]: { samples, elapsedMs } }: Measured) => (samples.length / elapsedMs) * 1000;
    rows.push([`commands per second, ${at}`, cells(runs, rate), '']);
  }
  for (const part of ['bot', 'service', 'slack'] as const) {
    const each = ({ fifty: { processorMs, samples } }: Measured) => processorMs[part] / samples.length;
    rows.push([`processor per command ${chain[part]}, 50 at a time`, cells(runs, each), 'ms']);
  }
  rows.push([
    `logins, ${plan.samples * 2} commands`,
    cells(runs, ({ one, fifty }) => one.logins + fifty.logins),
    '',
  ]);
  rows.push([
    `calls, ${plan.samples * 2} commands`,
    cells(runs, ({ one, fifty }) => one.calls + fifty.calls),
    '',
  ]);
  rows.push(['calls, 100 same questions', sameQuestions(runs), '']);
  rows.push(['start to ready', cells(runs, ({ readyMs }) => readyMs), 'ms']);
  rows.push(['resident memory at the end', cells(runs, ({ memoryMb }) => memoryMb), 'MB']);
  return [
    `Medians of ${plan.runs} runs, ${plan.samples} samples per phase and run; the sandbox takes 50 ms per call. Node ${process.version}, ${process.platform} ${process.arch}.`,
    '',
    '| | bare Bolt app | constant answer | Landfall, first question | x bare | Landfall, repeated question | x bare |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows.map(([name, values, unit]) => line(name, values, unit)),
    '',
  ].join('\n');
}

function cells(runs: readonly Run[], figure: (measured: Measured) => number): Required<Cells> {
  const over = (column: Column) => median(runs.map((run) => figure(run[column])));
  return {
    bare: over('bare'),
    constant: over('constant'),
    first: over('first'),
    repeated: over('repeated'),
  };
}

function sameQuestions(runs: readonly Run[]): Cells {
  const over = (column: 'bare' | 'repeated') => median(runs.map((run) => run[column].same.calls));
  return { bare: over('bare'), repeated: over('repeated') };
}

function line(name: string, { bare, constant, first, repeated }: Cells, unit: string): string {
  const show = (value: number | undefined) =>
    value === undefined ? '' : `${shown(value)}${unit && ` ${unit}`}`;
  const ratio = (value: number | undefined) =>
    value === undefined || bare === 0 ? '' : (value / bare).toFixed(2);
  return `| ${name} | ${show(bare)} | ${show(constant)} | ${show(first)} | ${ratio(first)} | ${show(repeated)} | ${ratio(repeated)} |`;
}

function shown(value: number): string {
  return Number.isInteger(value) || value >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toFixed(value < 10 ? 2 : 1);
}
