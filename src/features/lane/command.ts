import { millisecondsInHour } from 'date-fns/constants';
import { UserError } from '../../errors.ts';
import { carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import type { LineHelp } from '../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { nearestPeriods, periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period, periodHelp } from '../../grammar/period.ts';
import { formatPortPair, parsePortPair } from '../../grammar/port-pair.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import {
  formatVersus,
  nearestVersusEnding,
  settleVersus,
  type Versus,
  versusOption,
} from '../../grammar/versus.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { defineCommand } from '../command.ts';
import type { AnalyticsContext, AnalyticsServices } from '../run-context.ts';
import { askLane, minJourneys } from './answer.ts';
import { laneQuestions } from './questions.ts';
import { carriersTable, laneTable } from './table.ts';
import { laneTool } from './tool.ts';
import { askVersus, versusFacts } from './versus.ts';
import { comparedSpans, daysOf } from './versus-spans.ts';
import { type LaneVersusAnswer, laneVersusView } from './versus-view.ts';
import { type LaneAnswer, laneStatisticsView } from './view.ts';

export interface LaneArgs {
  origin: Locode;
  destination: Locode;
  /** If empty, all carriers. */
  carriers: readonly Scac[];
  /** If left out, the service chooses the dates. */
  period?: Period;
  /** Compares with another period. */
  versus?: Versus;
  page: number;
}

type Answer = LaneAnswer | LaneVersusAnswer;

const example = 'lane Singapore Xiamen';

export const lane = defineCommand<LaneArgs, Answer, AnalyticsServices>({
  name: 'lane',
  summary: 'How the carriers of a trade lane perform: delays and omitted calls (beta)',
  usage: '<origin> <destination> [carriers] [period] [versus previous|<period>]',
  examples: [
    example,
    'lane SGSIN → CNXAM Maersk, MSC',
    'lane Rotterdam to Singapore last quarter',
    'lane Singapore Xiamen last quarter versus previous',
  ],
  options: [
    { typed: 'Maersk, MSC', help: 'only these carriers, by name or code' },
    {
      typed: 'versus previous',
      help: 'compares with the month, quarter or days before; without a period, the last 90 days',
    },
    { typed: 'versus q2', help: 'compares with that period' },
    ...periodHelp.past.options,
  ],
  optionsNote: `${periodHelp.past.note}. Carriers are ranked by the delayed share at the destination, the lowest first, from ${minJourneys} journeys on; 95%: the Wilson score interval of that share; where two intervals overlap, the order may be chance`,
  questions: laneQuestions,
  repeatable: true,
  parse,
  format,
  run,
  facts: (answer) => (answer.kind === 'lane-versus' ? versusFacts(answer) : null),
  view: (answer, reader) =>
    answer.kind === 'lane-versus' ? laneVersusView(answer, reader) : laneStatisticsView(answer, reader),
  tools: [laneTool],
  tables: [carriersTable],
  table: laneTable,
});

function parse(words: string): LaneArgs {
  const options = {
    page: pageOption,
    versus: versusOption,
    period: periodOption('past'),
    carriers: carriersOption,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'lane', example });
  if (rest === '' && values.carriers) throw whichLane(values.carriers);
  return {
    ...parsePortPair(rest, {
      ...help,
      nearestEnding: (ending) => nearestEnding(ending, { isCut: values.period !== undefined }),
    }),
    carriers: values.carriers ?? [],
    ...(values.period && { period: values.period }),
    ...(values.versus && { versus: settleVersus(values.versus, values.period) }),
    page: values.page ?? 1,
  };
}

/** `msc vs maersk`, without ports. */
function whichLane(carriers: readonly Scac[]): UserError {
  const names = carriers.map((scac) => carrierName(scac) ?? scac).join(' and ');
  return new UserError({
    code: 'missing-argument',
    message: `On which trade lane? ${names} ${carriers.length === 1 ? 'is a carrier' : 'are carriers'}.`,
    hint: 'Origin first, then destination, by name or UN/LOCODE.',
    example: `${example} ${formatCarriers(carriers)}`,
  });
}

/** `Maersk last 30 dyas verus q2`: a misspelt period may follow carriers, a misspelt `versus` may follow both. */
function nearestEnding(ending: string, { isCut }: { isCut: boolean }): string[] {
  const versus = nearestVersusEnding(ending, { isCut });
  if (!versus) return nearestPeriodEnding(ending);
  const { before, corrected } = versus;
  if (before === '') return [corrected];
  const asTyped = scanned(before);
  const nearest = asTyped === undefined ? nearestPeriodEnding(before) : [asTyped];
  return nearest.map((words) => joinWords(words, corrected));
}

/** Carriers and a period that need no correction. */
function scanned(words: string): string | undefined {
  const period = periodOption('past')(words, () => ({ example, line: (fixed) => fixed }));
  const carriers = period ? period.rest : words;
  const read = carriers.trim() === '' ? '' : readCarriers(carriers.trim());
  return read === undefined ? undefined : joinWords(read, period && formatPeriod(period.value));
}

function nearestPeriodEnding(ending: string): string[] {
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

function format({ origin, destination, carriers, period, versus, page }: LaneArgs): string {
  return joinWords(
    'lane',
    formatPortPair({ origin, destination }),
    carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period && formatPeriod(period),
    versus && formatVersus(versus),
    formatPage(page),
  );
}

async function run(args: LaneArgs, context: AnalyticsContext): Promise<Answer> {
  const { origin, destination, carriers, period, versus, page } = args;
  const lane = { origin, destination, ...(carriers.length > 0 && { carriers }) };
  const lines = {
    line: format(args),
    reverseLine: format({ ...args, origin: destination, destination: origin, page: 1 }),
    page,
  };
  if (versus) {
    const spans = comparedSpans({ period, versus }, { now: roundedNow(context), help: helpOf(args) });
    const lineOf = (span: TimeSpan) =>
      format({ origin, destination, carriers, period: daysOf(span), page: 1 });
    return {
      kind: 'lane-versus',
      ...lines,
      earlierLine: lineOf(spans.earlier),
      laterLine: lineOf(spans.later),
      ...(await askVersus(lane, spans, context)),
    };
  }
  return {
    kind: 'lane-statistics',
    ...lines,
    versusLine: format({ ...args, versus: 'previous', page: 1 }),
    ...(await askLane({ ...lane, ...(period && spanOf(period, args, context)) }, context)),
  };
}

/** In UTC. Rounds the clock down to the hour, so that the cache can answer `last 30 days`. */
function spanOf(period: Period, args: LaneArgs, context: AnalyticsContext): TimeSpan {
  const help = helpOf(args);
  return resolvePeriodWithin(period, { now: roundedNow(context), zone: 'UTC', direction: 'past', help });
}

/** For an error about the dates: the lines that it offers keep the ports and the carriers. */
const helpOf = ({ origin, destination, carriers }: LaneArgs): LineHelp => ({
  example,
  line: (fixed) => joinWords(format({ origin, destination, carriers, page: 1 }), fixed),
});

const roundedNow = ({ now }: AnalyticsContext): Date =>
  new Date(Math.floor(now().getTime() / millisecondsInHour) * millisecondsInHour);
