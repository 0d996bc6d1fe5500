import { millisecondsInHour } from 'date-fns/constants';
import type { Answer } from '../../answers/answer.ts';
import { formatCarriers } from '../../grammar/carriers.ts';
import { joinWords, type LineHelp } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { periodHelp } from '../../grammar/period.ts';
import { formatPortPair } from '../../grammar/port.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import { isPortGroup } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { command, variant } from '../command.ts';
import type { AskCtx } from '../ctx.ts';
import { carriersInput, optional, pageInput, periodInput, portInput, versusInput } from '../fields.ts';
import { carriersTable, laneAnswer, laneName } from './answer.ts';
import { askLanes, lanesOf, maxLanes, versusOfOne } from './lanes.ts';
import { lanesAnswer } from './lanes-answer.ts';
import { laneQuestions } from './questions.ts';
import { askLane, minJourneys } from './statistics.ts';
import { askVersus, comparedSpans, daysOf } from './versus.ts';
import { comparedTable, versusAnswer } from './versus-answer.ts';
import { example, format, type LaneValues, type ParsedLane, parse, settle } from './words.ts';

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
  cost: ({ origin, destination, versus }) => ({
    calls: versus ? 2 : 1,
    isOfPortGroup: isPortGroup(origin) || isPortGroup(destination),
  }),
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
    { typed: 'Shanghai ports:ARA', help: `each lane to a group of ports, up to ${maxLanes}` },
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
  readText,
  wish: { words: 'Compare carriers on a trade lane' },
  variants: [statistics],
  parse: (words, context) => statistics.of(parse(words, context)),
});

/** Two ports that aren't a list, or with carriers or a word such as reliable, and without a vessel. */
function readText({
  vessels,
  groups,
  ports,
  isRoute,
  carriers,
  periods,
  versus,
  topic,
}: Mentions): string | undefined {
  const [origin, destination, ...others] = ports;
  if (vessels.length + groups.length + others.length > 0 || !origin || !destination) return undefined;
  if (topic === 'manage' || topic === 'unknown' || topic === 'busy') return undefined;
  const [period, ...otherPeriods] = periods;
  if (otherPeriods.length > 0) return undefined;
  const isLane = topic === 'performance' || carriers.length > 0 || versus !== undefined;
  if (!isLane && !isRoute) return undefined;
  return joinWords(
    formatPortPair({ origin, destination }),
    formatCarriers(carriers),
    period,
    versus && `versus ${versus}`,
  );
}

/** How the carriers of a trade lane perform. */
export const lane = {
  commands: [laneCommand],
  prompts: [
    { title: 'Which carriers are late from Rotterdam to Singapore?', line: 'lane Rotterdam Singapore' },
  ],
};

/** As the line, with the names of the ports. */
function title({ origin, destination, ...values }: LaneValues): string {
  const line = format({ origin, destination, ...values });
  const [, rest = ''] = line.split(formatPortPair({ origin, destination }));
  return joinWords(portName(origin), portName(destination), rest.trim());
}

async function run(values: LaneValues, ctx: AskCtx): Promise<Answer> {
  const { period, versus, page } = values;
  const reverse = format({ ...values, origin: values.destination, destination: values.origin, page: 1 });
  // Rounded down to the hour, so that the cache can answer `last 30 days`.
  const now = new Date(Math.floor(ctx.now().getTime() / millisecondsInHour) * millisecondsInHour);
  const help = helpOf(values);
  const lanes = lanesOf(values, ctx);
  const [lane, ...others] = lanes;
  if (versus) {
    if (others.length > 0) throw versusOfOne(values, lanes);
    const spans = comparedSpans({ period, versus }, { now, help });
    const lineOf = (span: TimeSpan) =>
      format({ ...values, period: daysOf(span), versus: undefined, page: 1 });
    const lines = { reverse, earlier: lineOf(spans.earlier), later: lineOf(spans.later) };
    return versusAnswer(await askVersus(lane, spans, ctx), { page, lines });
  }
  const span = period && resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help });
  if (others.length > 0) {
    const asked = { title: laneName(values), page, reverse };
    return lanesAnswer(await askLanes(lanes, span, ctx), asked);
  }
  const lines = { reverse, versus: format({ ...values, versus: 'previous', page: 1 }) };
  return laneAnswer(await askLane({ ...lane, ...span }, ctx), { page, lines });
}

/** For an error about the dates: the lines that it offers keep the ports and the carriers. */
const helpOf = (values: LaneValues): LineHelp => ({
  example,
  line: (fixed) => joinWords(format({ ...values, period: undefined, versus: undefined, page: 1 }), fixed),
});
