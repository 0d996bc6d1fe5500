import { type LineHelp, wordsError } from '../../grammar/line-help.ts';
import {
  formatPage,
  joinWords,
  type LineOption,
  minimumOption,
  orderOption,
  pageOption,
  scanOptions,
  wordOption,
} from '../../grammar/options.ts';
import { nearestPeriods, periodAmong, periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { formatPorts, parsePorts } from '../../grammar/ports.ts';
import type { Locode } from '../../reference/locode.ts';

export interface PortcallsArgs {
  ports: readonly [Locode, ...Locode[]];
  /** If left out, all dates; by day, the next ten days. */
  period?: Period;
  /** Vessels below this probability are hidden, except by day. */
  minPercent: number;
  by: 'eta' | 'probability' | 'day';
  page: number;
}

export const example = 'portcalls Rotterdam next 3 days';
export const defaultMinPercent = 10;

export function parse(words: string): PortcallsArgs {
  const options = {
    page: pageOption,
    period: periodOption('future'),
    min: minimumOption,
    all: wordOption('all'),
    by: byOption,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'portcalls', example });
  const nearestEnding = (ending: string) => {
    const nearest = nearestPeriods(ending, 'future');
    return nearest.length > 0 ? nearest : periodAmong(ending, 'future');
  };
  const ports = parsePorts(rest, { ...help, nearestEnding });
  const { period, min, all, by = 'eta', page = 1 } = values;
  const args = { ports, ...(period && { period }), by, page };
  if (by === 'day' && min !== undefined) throw noMinimumByDay({ ...args, minPercent: min }, help);
  // By day, the unlikely calls count anyway.
  const minPercent = by === 'day' ? defaultMinPercent : all ? 0 : (min ?? defaultMinPercent);
  return { ...args, minPercent };
}

const orders = orderOption(['eta', 'probability', 'day']);

/** `by eta`, `by day`; also `daily`, `per day`, `each day`, `day by day` and `by days`. */
const byOption: LineOption<PortcallsArgs['by']> = (words, helpFor) =>
  orders(words.replace(/(?<=^|\s)(?:daily|(?:per|each) day|day by day|by days)$/i, 'by day'), helpFor);

function noMinimumByDay(args: PortcallsArgs, help: LineHelp) {
  const lines = [format({ ...args, minPercent: defaultMinPercent }), format({ ...args, by: 'eta' })];
  return wordsError('unexpected-words', `“min ${args.minPercent}%” doesn't go with “by day”.`, help, {
    hint: 'Likely calls per day are sums of all probabilities, small ones too.',
    choices: lines.map((line) => ({ label: line, line })),
  });
}

export function format({ ports, period, minPercent, by, page }: PortcallsArgs): string {
  return joinWords(
    'portcalls',
    formatPorts(ports),
    period && formatPeriod(period),
    minPercent === defaultMinPercent ? undefined : `min ${minPercent}%`,
    by === 'eta' ? undefined : `by ${by}`,
    formatPage(page),
  );
}

/** The line of an answer, and those behind its buttons. */
export interface AnswerLines {
  line: string;
  page: number;
  /** As it can be typed. */
  periodInWords?: string;
  /** The same line by ETA or, if it is that already, by probability. */
  otherOrderLine: string;
  byDayLine: string;
  /** Without a minimum probability. */
  showAllLine: string;
  /** Without its period. */
  allDatesLine: string;
}

export function linesOf(args: PortcallsArgs): AnswerLines {
  const { ports, period, minPercent, by, page } = args;
  return {
    line: format(args),
    otherOrderLine: format({ ...args, by: by === 'eta' ? 'probability' : 'eta', page: 1 }),
    byDayLine: format({ ...args, by: 'day', minPercent: defaultMinPercent, page: 1 }),
    showAllLine: format({ ...args, minPercent: 0, page: 1 }),
    allDatesLine: format({ ports, minPercent, by, page: 1 }),
    ...(period && { periodInWords: formatPeriod(period) }),
    page,
  };
}
