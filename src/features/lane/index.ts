import { millisecondsInHour } from 'date-fns/constants';
import type { Answer } from '../../answers/answer.ts';
import { attempt, UserError } from '../../errors.ts';
import { formatLanes, type Lanes, namesOf } from '../../grammar/lanes.ts';
import { joinWords, type LineHelp } from '../../grammar/line.ts';
import { periodHelp, unitOf } from '../../grammar/period.ts';
import type { PortPair } from '../../grammar/port.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import { isPortGroup, type PortOrGroup } from '../../reference/codes.ts';
import { command, variant } from '../command.ts';
import type { AskCtx } from '../ctx.ts';
import {
  carriersInput,
  choiceInput,
  formatInputs,
  type Inputs,
  lanesInput,
  optional,
  pageInput,
  periodInput,
  portsInput,
  versusInput,
} from '../fields.ts';
import { carriersTable, laneAnswer } from './answer.ts';
import { askEach, lanesOf, maxRequests } from './lanes.ts';
import { lanesAnswer, lanesVersusAnswer } from './lanes-answer.ts';
import { byMonthChoices, checkedParts, checkParts, partsOf, requestsFor } from './periods.ts';
import { periodsAnswer } from './periods-answer.ts';
import { laneQuestions } from './questions.ts';
import { readLane, readText } from './read-text.ts';
import { askLane, minJourneys } from './statistics.ts';
import { askVersus, comparedSpans, daysOf } from './versus.ts';
import { comparedTable, versusAnswer } from './versus-answer.ts';
import { example, format, type LaneValues, type ParsedLane, parse, parts, settle, sidesOf } from './words.ts';

export { daysOf, fromMidnight } from './versus.ts';

const input: Inputs<LaneValues, ParsedLane> = {
  origin: portsInput(['SGSIN', 'Shanghai, Ningbo']),
  destination: portsInput(['CNXAM', 'Rotterdam, Hamburg']),
  otherLanes: optional(
    lanesInput({
      description: `Lanes besides those from each origin to each destination, separated by commas; at most ${maxRequests} lanes in all, with \`versus\` ${maxRequests / 2}`,
      examples: ['CNNGB to NLRTM', 'Ningbo to Rotterdam, Singapore to Hamburg'],
    }),
  ),
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
  by: choiceInput(
    parts,
    `The period by month or quarter, side by side, for one lane and without \`versus\`; at most ${maxRequests} of them`,
  ),
  page: pageInput,
};

const statistics = variant<LaneValues, ParsedLane>({
  tool: {
    name: 'lane',
    title: 'Performance of trade lanes',
    description:
      'How the carriers of a trade lane performed (beta), or of several lanes side by side: journeys, delays and omitted calls in a past period, per carrier, the lowest delayed share at the destination first. With `versus`, two periods compared; with `by`, months or quarters side by side. These are counts of the past, not a prediction; where the intervals of two carriers overlap, their order may be chance.',
  },
  input,
  settle,
  fields: (values) => formatInputs(input, { ...values, ...sidesOf(values.lanes) }),
  format,
  ports: ({ lanes }) => portsOf(lanes),
  effect: 'reads',
  tables: [carriersTable, comparedTable],
  title,
  cost: (values) => ({
    calls: requestsFor(values),
    isOfPortGroup: portsOf(values.lanes).some(isPortGroup),
  }),
  isStatistics: true,
  run,
});

/** As the line, with the names of the ports. */
function title(values: LaneValues): string {
  return joinWords(
    namesOf(values.lanes),
    format(values)
      .slice(`lane ${formatLanes(values.lanes)}`.length)
      .trim(),
  );
}

const portsOf = (lanes: Lanes): PortOrGroup[] => [
  ...new Set(lanes.flatMap(({ origin, destination }) => [origin, destination])),
];

export const laneCommand = command({
  name: 'lane',
  summary: 'How the carriers of a trade lane perform: delays and omitted calls (beta)',
  usage:
    '<origin> <destination>, … [carriers] [period] [versus previous|year earlier|<period> | by month|quarter]',
  usageHint: '<from> <to> [carriers] [period] [versus <period> | by month]',
  examples: [
    example,
    'lane SGSIN → CNXAM Maersk, MSC',
    'lane Rotterdam to Singapore last quarter',
    'lane Singapore Xiamen last quarter versus previous',
    'lane Shanghai, Singapore → Rotterdam, Hamburg',
    'lane Shanghai Rotterdam Maersk, MSC h1 by month',
  ],
  options: [
    {
      typed: 'Shanghai Rotterdam, Ningbo Hamburg',
      help: `several lanes, up to ${maxRequests}, or ${maxRequests / 2} in two periods: each is an API call per period`,
    },
    { typed: 'Shanghai, Ningbo → Rotterdam, Hamburg', help: 'from each port to each' },
    { typed: 'Shanghai ports:ARA', help: 'to each port of a group' },
    { typed: 'Maersk, MSC', help: 'only these carriers, by name or code' },
    {
      typed: 'versus previous',
      help: 'compares with the month, quarter or days before; without a period, the last 90 days',
    },
    { typed: 'versus q2', help: 'compares with that period' },
    {
      typed: 'versus year earlier, yoy',
      help: 'compares with the same days of the year before',
    },
    {
      typed: 'by month, by quarter',
      help: `for one lane, up to ${maxRequests} months or quarters side by side: each is an API call; without a period, the last six full months or four full quarters`,
    },
    ...periodHelp.past.options,
  ],
  optionsNote: `${periodHelp.past.note}. Carriers are ranked by the delayed share at the destination, the lowest first, from ${minJourneys} journeys on; 95%: the Wilson score interval of that share; where two intervals overlap, the order may be chance`,
  questions: laneQuestions,
  takes: 'carriers',
  readText,
  meanings: [{ name: 'lane', words: readLane }],
  wish: { words: 'Compare carriers on a trade lane' },
  variants: [statistics],
  parse(words, context) {
    const values = parse(words, context);
    // A line that is saved must not fail each time that it runs. A group may have gone since.
    const tooMany = attempt(() => lanesOf(values, context));
    if (tooMany instanceof UserError && tooMany.code === 'too-many-ports') throw tooMany;
    checkParts(values);
    return statistics.of(values);
  },
});

/** How the carriers of a trade lane perform. */
export const lane = {
  commands: [laneCommand],
  prompts: [
    { title: 'Which carriers are late from Rotterdam to Singapore?', line: 'lane Rotterdam Singapore' },
  ],
};

async function run(values: LaneValues, ctx: AskCtx): Promise<Answer> {
  const { period, versus, by, page } = values;
  const lineWith = (other: Partial<LaneValues>) => format({ ...values, ...other, page: 1 });
  const reverse = format({ ...values, lanes: values.lanes.map(reversed), page: 1 });
  // Rounded down to the hour, so that the cache can answer `last 30 days`.
  const now = new Date(Math.floor(ctx.now().getTime() / millisecondsInHour) * millisecondsInHour);
  const help = helpOf(values);
  const lanes = lanesOf(values, ctx);
  checkParts({ ...values, lanes });
  const [lane, ...others] = lanes;
  const isOne = others.length === 0;
  const title = namesOf(values.lanes);
  if (versus) {
    const spans = comparedSpans({ period, versus }, { now, help });
    const lineOf = (span: TimeSpan) => lineWith({ period: daysOf(span), versus: undefined });
    const lines = { reverse, earlier: lineOf(spans.earlier), later: lineOf(spans.later) };
    if (isOne) return versusAnswer(await askVersus(lane, spans, ctx), { page, lines });
    const found = await askEach(lanes, (each) => askVersus(each, spans, ctx), ctx);
    return lanesVersusAnswer(found, { title, page, lines });
  }
  const span = period && resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help });
  if (by !== 'whole' && span) {
    const parts = checkedParts(span, { ...values, by }, { now, keepsLast: isInDigest(ctx) });
    const found = await askEach(
      parts,
      async (part) => ({ ...(await askLane({ ...lane, begin: part.begin, end: part.end }, ctx)), part }),
      ctx,
    );
    const lineOf = (of: TimeSpan) => lineWith({ period: daysOf(of), by: 'whole' });
    const left = partsOf(span, by, now).length - parts.length;
    const { carriers = [] } = lane;
    return periodsAnswer(found, { parts, left, page, by, carriers, lines: { reverse, lineOf } });
  }
  const lines = { reverse, versus: lineWith({ versus: 'previous' }) };
  if (isOne) {
    const byMonth = byMonthChoices(span, values, now);
    return laneAnswer(await askLane({ ...lane, ...span }, ctx), { page, lines: { ...lines, byMonth }, span });
  }
  const found = await askEach(lanes, (each) => askLane({ ...each, ...span }, ctx), ctx);
  return lanesAnswer(found, { title, page, lines });
}

/** Or in a preview of one. */
const isInDigest = ({ cause }: AskCtx): boolean =>
  cause?.kind === 'digest' || (cause?.kind === 'command' && cause.name !== laneCommand.name);

const reversed = ({ origin, destination }: PortPair): PortPair => ({
  origin: destination,
  destination: origin,
});

/** For an error about the dates: the lines that it offers keep the ports, the carriers, and the parts if there are several. */
const helpOf = (values: LaneValues): LineHelp => ({
  example,
  line: (fixed) =>
    joinWords(
      format({ ...values, period: undefined, versus: undefined, by: 'whole', page: 1 }),
      fixed,
      values.by === 'whole' || (values.period && unitOf(values.period) === values.by)
        ? undefined
        : `by ${values.by}`,
    ),
});
