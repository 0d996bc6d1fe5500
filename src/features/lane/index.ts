import { millisecondsInHour } from 'date-fns/constants';
import type { Answer } from '../../answers/answer.ts';
import { UserError } from '../../errors.ts';
import { carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import { formatPage, joinWords, type LineHelp, pageOption, scanOptions } from '../../grammar/line.ts';
import { nearestPeriods, periodOption } from '../../grammar/parse-period.ts';
import {
  formatPeriod,
  type Period,
  periodHelp,
  resolvePeriodWithin,
  type TimeSpan,
} from '../../grammar/period.ts';
import { checkDifferent, formatPortPair, parsePortPair } from '../../grammar/port.ts';
import {
  formatVersus,
  nearestVersusEnding,
  settleVersus,
  type TypedVersus,
  type Versus,
  versusOption,
} from '../../grammar/versus.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { command, variant } from '../command.ts';
import type { AskCtx, Question } from '../ctx.ts';
import { carriersInput, optional, pageInput, periodInput, portInput, versusInput } from '../fields.ts';
import { carriersTable, laneAnswer } from './answer.ts';
import { askLane, minJourneys } from './statistics.ts';
import { askVersus, comparedSpans, daysOf } from './versus.ts';
import { comparedTable, versusAnswer } from './versus-answer.ts';

const late = '(?:late|delayed|punctual|reliable|often late|often delayed|often on time)';
const perform = '(?:perform|performed|performing|do|doing|done)';
const changed = '(?:any )?(?:better|worse|later|more punctual|less punctual|more reliable|less reliable)';
const laneWord = '(?:on |for |in )?(?:the )?(?:trade lane|lane|route|trade)(?: from| between)?';
const from = `(?:${laneWord}|from|between|on)`;
const everybody = '(?:ships|vessels|carriers|all carriers|they|we|calls)';

const laneQuestions: readonly Question[] = [
  {
    example: 'How late is MSC from Singapore to Xiamen?',
    asked: [
      `how ${late} (?:is|are|was|were) {carrier} ${from} {lane}`,
      `how (?:does|do|did|is|are|has|have) {carrier} ${perform} ${from} {lane}`,
    ],
    words: '{lane} carriers {carrier}',
  },
  {
    example: 'Has MSC got worse on Singapore Xiamen?',
    asked: [
      `(?:has|have|did|is|are) {carrier} (?:got|gotten|become|get|getting) ${changed} ${from} {lane}`,
      `(?:has|have) {carrier} (?:improved|deteriorated) ${from} {lane}`,
    ],
    words: '{lane} carriers {carrier} versus previous',
  },
  {
    example: 'How does the lane Rotterdam to Singapore perform?',
    asked: [
      `how (?:does|do|did|is|has) (?:${laneWord} )?{lane} ${perform}{period}?`,
      `how ${late} (?:is|are|was|were) (?:${everybody} ${from}|${laneWord}) {lane}`,
      `(?:which|what) carriers? (?:is|are|was|were) (?:the )?(?:best|most reliable|most punctual|least delayed) ${from} {lane}`,
      `who(?:'s| is) (?:the )?(?:best|most reliable|most punctual|least delayed)(?: carrier)? ${from} {lane}`,
      `(?:what are )?(?:the )?delays ${from} {lane}`,
    ],
    words: '{lane} {period}',
  },
];

interface LaneValues {
  origin: Locode;
  destination: Locode;
  /** If empty, all carriers. */
  carriers: readonly Scac[];
  /** If left out, the service chooses the dates. */
  period: Period | undefined;
  /** Compares with another period. */
  versus: Versus | undefined;
  page: number;
}

type ParsedLane = Omit<LaneValues, 'versus'> & { versus: TypedVersus | undefined };

const example = 'lane Singapore Xiamen';

const statistics = variant<LaneValues, ParsedLane>({
  tool: {
    name: 'lane',
    title: 'Performance of a trade lane',
    description:
      'How the carriers of a trade lane performed (beta): journeys, delays and omitted calls in a past period, per carrier, the lowest delayed share at the destination first. With `versus`, two periods compared. These are counts of the past, not a prediction; where the intervals of two carriers overlap, their order may be chance.',
  },
  input: {
    origin: portInput(['SGSIN', 'Singapore']),
    destination: portInput(['CNXAM', 'Xiamen']),
    carriers: carriersInput(),
    period: optional(
      periodInput(
        {
          description: 'Past days, in words or as ISO dates; left out: the last 90 days',
          examples: ['last 30 days', 'last quarter', '2026-01-01..2026-03-31'],
        },
        'past',
      ),
    ),
    versus: optional(versusInput()),
    page: pageInput,
  },
  settle,
  format,
  ports: ({ origin, destination }) => [origin, destination],
  effect: 'reads',
  tables: [carriersTable, comparedTable],
  title,
  cost: ({ versus }) => ({ calls: versus ? 2 : 1 }),
  isStatistics: true,
  run,
});

export const laneCommand = command({
  name: 'lane',
  summary: 'How the carriers of a trade lane perform: delays and omitted calls (beta)',
  usage: '<origin> <destination> [carriers] [period] [versus previous|<period>]',
  usageHint: '<origin> <destination> [carriers] [period] [versus <period>]',
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
  takes: 'carriers',
  wish: { words: 'Compare carriers on a trade lane' },
  variants: [statistics],
  parse: (words) => statistics.of(parse(words)),
});

/** How the carriers of a trade lane perform. */
export const lane = {
  commands: [laneCommand],
  prompts: [
    { title: 'Which carriers are late from Rotterdam to Singapore?', line: 'lane Rotterdam Singapore' },
  ],
};

function parse(words: string): LaneValues {
  const options = {
    page: pageOption,
    versus: versusOption,
    period: periodOption('past'),
    carriers: carriersOption,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'lane', example });
  if (rest === '' && values.carriers) throw whichLane(values.carriers);
  const pair = parsePortPair(rest, {
    ...help,
    nearestEnding: (ending) => nearestEnding(ending, { isCut: values.period !== undefined }),
  });
  return settle({ ...pair, carriers: [], page: 1, period: undefined, versus: undefined, ...values });
}

/** Throws UserError same-port. */
function settle({ versus, ...parsed }: ParsedLane): LaneValues {
  checkDifferent(parsed, { example, line: (fixed) => fixed });
  return { ...parsed, versus: versus && settleVersus(versus, parsed.period) };
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

function format({ origin, destination, carriers, period, versus, page }: LaneValues): string {
  return joinWords(
    'lane',
    formatPortPair({ origin, destination }),
    carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period && formatPeriod(period),
    versus && formatVersus(versus),
    formatPage(page),
  );
}

/** As the line, with the names of the ports. */
function title({ origin, destination, ...values }: LaneValues): string {
  const line = format({ origin, destination, ...values });
  const [, rest = ''] = line.split(formatPortPair({ origin, destination }));
  return joinWords(portName(origin), portName(destination), rest.trim());
}

async function run(values: LaneValues, ctx: AskCtx): Promise<Answer> {
  const { origin, destination, carriers, period, versus, page } = values;
  const lane = { origin, destination, ...(carriers.length > 0 && { carriers }) };
  const reverse = format({ ...values, origin: destination, destination: origin, page: 1 });
  // Rounded down to the hour, so that the cache can answer `last 30 days`.
  const now = new Date(Math.floor(ctx.now().getTime() / millisecondsInHour) * millisecondsInHour);
  const help = helpOf(values);
  if (versus) {
    const spans = comparedSpans({ period, versus }, { now, help });
    const lineOf = (span: TimeSpan) =>
      format({ ...values, period: daysOf(span), versus: undefined, page: 1 });
    const lines = { reverse, earlier: lineOf(spans.earlier), later: lineOf(spans.later) };
    return versusAnswer(await askVersus(lane, spans, ctx), { page, lines });
  }
  const span = period && resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help });
  const lines = { reverse, versus: format({ ...values, versus: 'previous', page: 1 }) };
  return laneAnswer(await askLane({ ...lane, ...span }, ctx), { page, lines });
}

/** For an error about the dates: the lines that it offers keep the ports and the carriers. */
const helpOf = (values: LaneValues): LineHelp => ({
  example,
  line: (fixed) => joinWords(format({ ...values, period: undefined, versus: undefined, page: 1 }), fixed),
});
