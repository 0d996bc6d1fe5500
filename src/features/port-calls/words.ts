import { wordsError } from '../../grammar/line-help.ts';
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
import { nearestPeriodOf, periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { formatPorts, parsePorts } from '../../grammar/ports.ts';
import type { Locode } from '../../reference/locode.ts';

export interface PortcallsValues {
  /** Up to six. */
  port: readonly [Locode, ...Locode[]];
  /** If left out, all dates; by day, the next ten days. */
  period: Period | undefined;
  /** A whole percentage, from 0 to 1. Vessels below it are hidden, except by day. */
  minProbability: number;
  by: (typeof orders)[number];
  page: number;
}

/** `minProbability`: undefined if it was left out. */
export type ParsedPortcalls = Omit<PortcallsValues, 'minProbability'> & {
  minProbability: number | undefined;
};

export const orders = ['eta', 'probability', 'day'] as const;
export const defaultMinimum = 0.1;
export const example = 'portcalls Rotterdam next 3 days';

export function parse(words: string): PortcallsValues {
  const options = {
    page: pageOption,
    period: periodOption('future'),
    min: minimumOption,
    all: wordOption('all'),
    by: byOption,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'portcalls', example });
  const nearestEnding = (ending: string) => nearestPeriodOf(ending, 'future');
  const { period, min, all, by = 'eta', page = 1 } = values;
  // By day, the unlikely calls count anyway.
  const minPercent = all && by !== 'day' ? 0 : min;
  return settle({
    port: parsePorts(rest, { ...help, nearestEnding }),
    ...{ period, by, page },
    minProbability: minPercent === undefined ? undefined : minPercent / 100,
  });
}

/** `by eta`, `by day`; also `daily`, `per day`, `each day`, `day by day` and `by days`. */
const byOption: LineOption<PortcallsValues['by']> = (words, helpFor) =>
  orderOption(orders)(
    words.replace(/(?<=^|\s)(?:daily|(?:per|each) day|day by day|by days)$/i, 'by day'),
    helpFor,
  );

/** Throws UserError unexpected-words. */
export function settle({ minProbability, ...parsed }: ParsedPortcalls): PortcallsValues {
  const values = { ...parsed, minProbability: minProbability ?? defaultMinimum };
  if (minProbability === undefined || parsed.by !== 'day') return values;
  const min = minimumInWords(minProbability);
  const lines = [format(values), format({ ...values, by: 'eta' })];
  const help = { example, line: (fixed: string) => fixed };
  throw wordsError('unexpected-words', `“${min}” doesn't go with “by day”.`, help, {
    hint: 'Likely calls per day are sums of all probabilities, small ones too.',
    choices: lines.map((line) => ({ label: line, line })),
  });
}

export function format({ port, period, minProbability, by, page }: PortcallsValues): string {
  const hasMinimum = minProbability !== defaultMinimum && by !== 'day';
  return joinWords(
    'portcalls',
    formatPorts(port),
    period && formatPeriod(period),
    hasMinimum ? minimumInWords(minProbability) : undefined,
    by === 'eta' ? undefined : `by ${by}`,
    formatPage(page),
  );
}

const minimumInWords = (minProbability: number): string => `min ${Math.round(minProbability * 100)}%`;
