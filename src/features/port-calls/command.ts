import type { LineHelp } from '../../grammar/line-help.ts';
import {
  formatPage,
  joinWords,
  minimumOption,
  orderOption,
  pageOption,
  scanOptions,
  wordOption,
} from '../../grammar/options.ts';
import { nearestPeriods, periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period, periodHelp } from '../../grammar/period.ts';
import { formatPort, parsePort } from '../../grammar/port.ts';
import { resolvePeriodWithin } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/locode.ts';
import { portOf } from '../../reference/ports.ts';
import { defineCommand } from '../command.ts';
import type { AnalyticsContext, AnalyticsServices } from '../run-context.ts';
import { askPortCalls } from './answer.ts';
import { portCallQuestions } from './questions.ts';
import { type PortCallsAnswer, portCallsView } from './view.ts';

interface PortcallsArgs {
  port: Locode;
  /** If left out, all dates. */
  period?: Period;
  /** Vessels below this probability are hidden. */
  minPercent: number;
  by: 'eta' | 'probability';
  page: number;
}

const example = 'portcalls Rotterdam next 3 days';
const defaultMinPercent = 10;

export const portcalls = defineCommand<PortcallsArgs, PortCallsAnswer, AnalyticsServices>({
  name: 'portcalls',
  summary: 'Which vessels may call at a port, when, and how probably',
  usage: '<port> [period] [min 30%] [by eta|probability] [all]',
  examples: [
    'portcalls Rotterdam',
    example,
    'portcalls SGSIN tomorrow min 30%',
    'portcalls Antwerp this weekend',
    'portcalls Hamburg by probability',
  ],
  options: [
    ...periodHelp.future.options,
    { typed: 'min 30%', help: 'only calls of at least this probability; without it 10%' },
    { typed: 'by probability', help: 'the likeliest first, instead of the earliest' },
    { typed: 'all', help: 'the unlikely ones too' },
  ],
  optionsNote: periodHelp.future.note,
  questions: portCallQuestions,
  repeatable: true,
  parse,
  format,
  run,
  view: portCallsView,
  // Includes calls on other days, so that a digest can tell a call that moved from a new one.
  facts: ({ port, periodInWords, minProbability, listed }) => ({
    kind: 'port-calls',
    port,
    period: periodInWords ?? null,
    from: minProbability,
    calls: listed,
  }),
});

function parse(words: string): PortcallsArgs {
  const options = {
    page: pageOption,
    period: periodOption('future'),
    min: minimumOption,
    all: wordOption('all'),
    by: orderOption(['eta', 'probability']),
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'portcalls', example });
  const nearestEnding = (ending: string) => nearestPeriods(ending, 'future');
  const port = parsePort(rest, { ...help, nearestEnding });
  return {
    port,
    ...(values.period && { period: values.period }),
    minPercent: values.all ? 0 : (values.min ?? defaultMinPercent),
    by: values.by ?? 'eta',
    page: values.page ?? 1,
  };
}

function format({ port, period, minPercent, by, page }: PortcallsArgs): string {
  return joinWords(
    'portcalls',
    formatPort(port),
    period && formatPeriod(period),
    minPercent === defaultMinPercent ? undefined : `min ${minPercent}%`,
    by === 'eta' ? undefined : `by ${by}`,
    formatPage(page),
  );
}

async function run(args: PortcallsArgs, context: AnalyticsContext): Promise<PortCallsAnswer> {
  const { port, period, minPercent, by, page } = args;
  const help: LineHelp = { example, line: (fixed) => `portcalls ${formatPort(port)} ${fixed}` };
  const zone = portOf(port)?.zone ?? 'UTC';
  const span = period && resolvePeriodWithin(period, { now: context.now(), zone, direction: 'future', help });
  return {
    kind: 'port-calls',
    line: format(args),
    otherOrderLine: format({ ...args, by: by === 'eta' ? 'probability' : 'eta', page: 1 }),
    showAllLine: format({ ...args, minPercent: 0, page: 1 }),
    allDatesLine: format({ port, minPercent, by, page: 1 }),
    ...(period && { periodInWords: formatPeriod(period) }),
    page,
    ...(await askPortCalls({ port, period: span, minProbability: minPercent / 100, by }, context)),
  };
}
