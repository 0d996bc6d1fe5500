import { carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import type { LineHelp } from '../../grammar/line-help.ts';
import { nearestPeriods } from '../../grammar/nearest-periods.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { formatPortPair, parsePortPair } from '../../grammar/port-pair.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Scac } from '../../reference/scac.ts';
import { defineCommand } from '../command.ts';
import type { AnalyticsContext, AnalyticsServices } from '../run-context.ts';
import { askLane } from './answer.ts';
import { type LaneAnswer, laneStatisticsView } from './view.ts';

interface LaneArgs {
  origin: Locode;
  destination: Locode;
  /** None: all. */
  carriers: readonly Scac[];
  /** Left out: no dates are sent. */
  period?: Period;
  page: number;
}

const example = 'lane Singapore Xiamen';

export const lane = defineCommand<LaneArgs, LaneAnswer, AnalyticsServices>({
  name: 'lane',
  summary: 'How the carriers of a trade lane perform: delays and omitted calls (beta)',
  usage: '<origin> <destination> [carriers] [period]',
  examples: [example, 'lane SGSIN → CNXAM Maersk, MSC', 'lane Rotterdam to Singapore last 30 days'],
  repeatable: true,
  parse,
  format,
  run: (args, context) => {
    const { origin, destination, carriers, page } = args;
    const reverse = { ...args, origin: destination, destination: origin, page: 1 };
    const lines = { line: format(args), reverseLine: format(reverse), page };
    return askLane({ origin, destination, carriers, period: spanOf(args, context) }, lines, context);
  },
  view: laneStatisticsView,
});

function parse(words: string): LaneArgs {
  const options = { page: pageOption, period: periodOption('past'), carriers: carriersOption };
  const { rest, values, help } = scanOptions(words, options, { command: 'lane', example });
  return {
    ...parsePortPair(rest, { ...help, nearestEnding }),
    carriers: values.carriers ?? [],
    ...(values.period && { period: values.period }),
    page: values.page ?? 1,
  };
}

/** `Maersk last 30 dyas`: carriers may be before a period. */
function nearestEnding(ending: string): string[] {
  return suffixesOf(ending, 5).flatMap(({ rest, suffix }) => {
    const carriers = rest === '' ? undefined : readCarriers(rest);
    if (rest !== '' && !carriers) return [];
    return nearestPeriods(suffix, 'past').map((period) => joinWords(carriers, period));
  });
}

function readCarriers(words: string): string | undefined {
  const taken = carriersOption(words, () => ({ example, line: (fixed) => fixed }));
  return taken?.rest === '' ? formatCarriers(taken.value) : undefined;
}

function format({ origin, destination, carriers, period, page }: LaneArgs): string {
  return joinWords(
    'lane',
    formatPortPair({ origin, destination }),
    carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period && formatPeriod(period),
    formatPage(page),
  );
}

const hourMs = 3_600_000;

/**
 * In UTC. `last 30 days` is counted from the full hour, so that the same question within it is the same call:
 * the provider refreshes daily.
 */
function spanOf({ origin, destination, period }: LaneArgs, context: AnalyticsContext): TimeSpan | undefined {
  if (!period) return undefined;
  const now = new Date(Math.floor(context.now().getTime() / hourMs) * hourMs);
  const help: LineHelp = {
    example,
    line: (fixed) => `lane ${formatPortPair({ origin, destination })} ${fixed}`,
  };
  return resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help });
}
