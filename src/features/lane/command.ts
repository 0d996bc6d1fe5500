import { millisecondsInHour } from 'date-fns/constants';
import { carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { nearestPeriods, periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period, periodHelp } from '../../grammar/period.ts';
import { formatPortPair, parsePortPair } from '../../grammar/port-pair.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import type { Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { defineCommand } from '../command.ts';
import type { AnalyticsContext, AnalyticsServices } from '../run-context.ts';
import { askLane, minJourneys } from './answer.ts';
import { laneQuestions } from './questions.ts';
import { type LaneAnswer, laneStatisticsView } from './view.ts';

interface LaneArgs {
  origin: Locode;
  destination: Locode;
  /** If empty, all carriers. */
  carriers: readonly Scac[];
  /** If left out, the service chooses the dates. */
  period?: Period;
  page: number;
}

const example = 'lane Singapore Xiamen';

export const lane = defineCommand<LaneArgs, LaneAnswer, AnalyticsServices>({
  name: 'lane',
  summary: 'How the carriers of a trade lane perform: delays and omitted calls (beta)',
  usage: '<origin> <destination> [carriers] [period]',
  examples: [example, 'lane SGSIN → CNXAM Maersk, MSC', 'lane Rotterdam to Singapore last quarter'],
  options: [
    { typed: 'Maersk, MSC', help: 'only these carriers, by name or code' },
    ...periodHelp.past.options,
  ],
  optionsNote: `${periodHelp.past.note}. Carriers are ranked by the delayed share at the destination, the lowest first, from ${minJourneys} journeys on; 95%: the Wilson score interval of that share; where two intervals overlap, the order may be chance`,
  questions: laneQuestions,
  repeatable: true,
  parse,
  format,
  run,
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

/** `Maersk last 30 dyas`: a misspelt period may follow carriers. */
function nearestEnding(ending: string): string[] {
  return suffixesOf(ending, 5).flatMap(({ rest, suffix }) => {
    const carriers = rest === '' ? '' : readCarriers(rest);
    if (carriers === undefined) return [];
    return nearestPeriods(suffix, 'past').map((period) => joinWords(carriers, period));
  });
}

function readCarriers(words: string): string | undefined {
  const parsed = carriersOption(words, () => ({ example, line: (fixed) => fixed }));
  return parsed?.rest === '' ? formatCarriers(parsed.value) : undefined;
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

async function run(args: LaneArgs, context: AnalyticsContext): Promise<LaneAnswer> {
  const { origin, destination, carriers, page } = args;
  const lane = { origin, destination, ...(carriers.length > 0 && { carriers }), ...spanOf(args, context) };
  return {
    kind: 'lane-statistics',
    line: format(args),
    reverseLine: format({ ...args, origin: destination, destination: origin, page: 1 }),
    page,
    ...(await askLane(lane, context)),
  };
}

/** In UTC. Rounds the clock down to the hour, so that the cache can answer `last 30 days`. */
function spanOf({ origin, destination, period }: LaneArgs, context: AnalyticsContext): TimeSpan | undefined {
  if (!period) return undefined;
  const now = new Date(Math.floor(context.now().getTime() / millisecondsInHour) * millisecondsInHour);
  const line = (fixed: string) => `lane ${formatPortPair({ origin, destination })} ${fixed}`;
  return resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help: { example, line } });
}
