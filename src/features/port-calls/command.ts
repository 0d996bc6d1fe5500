import type { Answer } from '../../answers/answer.ts';
import { listed } from '../../answers/formatting/words.ts';
import { UserError } from '../../errors.ts';
import { joinWords, type LineHelp } from '../../grammar/line.ts';
import { type Mentions, oneOf } from '../../grammar/mentions.ts';
import { formatPeriod, periodHelp } from '../../grammar/period.ts';
import { expandPorts, formatPorts, maxPorts } from '../../grammar/port.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import { isPortGroup, type Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { command, variant } from '../command.ts';
import type { AskCtx, Question } from '../ctx.ts';
import { choiceInput, minimumInput, optional, pageInput, periodInput, portsInput } from '../fields.ts';
import { at, due, into, is, ship } from '../question-words.ts';
import { askEach, askPortCalls } from './ask.ts';
import { callsAnswer, callsTable } from './calls-answer.ts';
import { askPortDays } from './days.ts';
import { daysAnswer, daysTable } from './days-answer.ts';
import {
  defaultMinimum,
  example,
  format,
  orders,
  type ParsedPortcalls,
  type PortcallsValues,
  parse,
  settle,
} from './ports.ts';

const calls = `(?:other )?(?:${ship}|arrivals?|(?:port )?calls|ones?)`;
const any = `(?:who|what|which|(?:is |are )?any(?:thing|body|one)?|how many|(?:is|are) there any)(?: ${calls})?(?:'s|s| is| are| will be)?`;
const lineUp =
  '(?:(?:(?:vessel|ship|port|berth) )?(?:line[- ]?up|schedule|programme|program)|(?:etas?|arrivals?|calls?) list)';
const busy = '(?:busy|full|congested|crowded|jammed|clogged(?: up)?)';
const congestion =
  '(?:congestion|(?:port |berth )?(?:situation|traffic|occupancy|availability)|waiting times?|queues?|queue(?:ing|uing) times?|delays)';
const perDay = '(?:per|each|every|a) day';

const noBerths = 'calls are predicted: the service never reports which vessels are in port';
const noQueues =
  'likely calls per day are all that the service gives of it: it knows no queue, berth or waiting time';

const portCallQuestions: readonly Question[] = [
  {
    example: 'Who is coming to Rotterdam tomorrow?',
    asked: [
      `${any} ${due}${into} {port}`,
      `${any} ${due}(?<when> (?:today|tonight|tomorrow|tmrw|(?:this|next) (?:week|weekend)))${into} {port}`,
      `(?:who|what|which|how many)(?: ${calls})?(?: will| may| might)? (?:calls?|comes?|arrives?|gets?)${into} {port}`,
      `(?:who|what|which|how many)(?: ${calls})? will be (?:in|at) {port}`,
      `(?:(?:what|who|which)(?: are|'s| is)? )?(?:the )?(?:next |expected )?${calls}(?: ${due})? (?:in|at|to|into|for) {port}`,
      `(?:the )?(?:next |expected )?${calls}(?: ${due})? {port}`,
      `(?:the )?${lineUp} (?:${at} )?{port}`,
      `{port} (?:${lineUp}|arrivals|etas)(?<when> .+)?`,
      `(?:the )?etas? (?:${at} )?{port}`,
      `${due}${into} {port}`,
    ],
    words: '{port}{when}',
  },
  {
    example: 'Who is in Rotterdam today?',
    asked: [
      `(?:who|what|which|how many)(?: ${calls})?(?:'s|s| is| are) (?:in|at) (?:port (?:at |in )?)?{port}`,
    ],
    words: '{port}',
    caveat: noBerths,
  },
  {
    example: 'How busy is Rotterdam next week?',
    asked: [
      `how ${busy} (?:is|are|will|might|may) {port}(?: be| get)?(?<when> .+)?`,
      `(?:is|are) {port} ${busy}(?<when> .+)?`,
    ],
    words: '{port}{when} by day',
  },
  {
    example: 'Is there congestion in Rotterdam?',
    asked: [
      `(?:(?:what|how)${is} )?(?:there )?(?:any |the |much )?${congestion} (?:like )?(?:${at} )?{port}`,
      `{port} ${congestion}(?<when> .+)?`,
      `(?:what${is} (?:going on|happening)|how does it look|how${is} (?:it|things) looking) (?:in|at) {port}`,
    ],
    words: '{port}{when} by day',
    caveat: noQueues,
  },
  {
    example: 'How many vessels are coming to Rotterdam per day?',
    asked: [
      `(?:who|what|which|how many)(?: ${calls})?(?:'s|s| is| are| will be)? ${due}${into} {port} ${perDay}(?<when> .+)?`,
      `(?:(?:what|how many) (?:are )?)?(?:the )?(?:expected )?${calls}(?: ${due})? (?:in|at|to|into|for) {port} ${perDay}(?<when> .+)?`,
    ],
    words: '{port}{when} by day',
  },
];

const portcalls = variant<PortcallsValues, ParsedPortcalls>({
  tool: {
    name: 'portcalls',
    title: 'Vessels that may call at a port',
    description:
      'Predicts which vessels may call at a port, when and how probably, or with `by: "day"` how many calls each day is likely to have. These are predictions: no arrival, berth or departure is reported. A vessel appears only with its next call.',
  },
  input: {
    port: portsInput(['NLRTM', 'Rotterdam', 'Rotterdam, Antwerp, Hamburg']),
    period: optional(
      periodInput(
        {
          description:
            "Days of the port's own calendar, in words or as ISO dates; left out: all predicted calls, or ten days by day",
          examples: ['tomorrow', 'next 3 days', 'next week', '2026-11-24', '2026-11-24..2026-11-30'],
        },
        'future',
      ),
    ),
    minProbability: minimumInput(
      defaultMinimum,
      'From 0 to 1 in steps of 0.01: calls below it are only counted, not listed. Not with `by: "day"`',
    ),
    by: choiceInput(orders, 'The order of the calls, or `day` for the likely calls of each day'),
    page: pageInput,
  },
  settle,
  format,
  ports: ({ port: ports }) => ports,
  effect: 'reads',
  tables: [callsTable, daysTable],
  title: (values) =>
    format(values).replace(`portcalls ${formatPorts(values.port)}`, values.port.map(portName).join(', ')),
  cost: ({ port }) => ({ calls: port.length, isOfPortGroup: port.some(isPortGroup) }),
  run,
});

export const portcallsCommand = command({
  name: 'portcalls',
  summary: 'Which vessels may call at a port, when, and how probably',
  usage: '<port>[, <port> …] [period] [min 30%] [by eta|probability|day] [all]',
  usageHint: '<port>[, <port> …] [period] [min 30%] [by day]',
  examples: [
    'portcalls Rotterdam',
    example,
    'portcalls Rotterdam next week by day',
    'portcalls Rotterdam, Antwerp, Hamburg tomorrow',
    'portcalls SGSIN tomorrow min 30%',
    'portcalls Antwerp this weekend',
    'portcalls Hamburg by probability',
  ],
  options: [
    ...periodHelp.future.options,
    { typed: 'Rotterdam, Antwerp', help: `several ports in one answer, up to ${maxPorts}` },
    { typed: 'ports:ARA', help: 'a group of ports; ARA alone where no port has that name' },
    { typed: 'by day', help: "likely calls per day with their range, and the days above the port's norm" },
    { typed: 'min 30%', help: 'only calls of at least this probability; without it 10%' },
    { typed: 'by probability', help: 'the likeliest first, instead of the earliest' },
    { typed: 'all', help: 'the unlikely ones too' },
  ],
  optionsNote: periodHelp.future.note,
  questions: portCallQuestions,
  takes: 'ports',
  readText,
  meanings: [{ name: 'calls', words: callsIn }],
  wish: { words: 'See who is coming to a port' },
  variants: [portcalls],
  parse: (words, context) => portcalls.of(parse(words, context)),
});

/** Ports alone, and perhaps when. Throws UserError for those of a carrier. */
function readText(mentions: Mentions): string | undefined {
  const { vessels, groups, carriers, ports, routes, minimum, topic, rest, sequence, versus } = mentions;
  const isOther = [
    'wish',
    'manage',
    'promise',
    'promises',
    'unknown',
    'past',
    'changes',
    'performance',
    'map',
    'history',
    'compare',
  ].includes(topic);
  if (isOther || routes.length + vessels.length + groups.length > 0 || ports.length === 0) return undefined;
  if (versus !== undefined) return undefined;
  // `Rotterdam tomorrow and Antwerp friday`: each has its own.
  if (/(?:pd){2}|(?:dp){2}/.test(sequence)) return undefined;
  const isSure = minimum === undefined && sure.test(rest) && !likeliestFirst.test(rest);
  if (partOfPeriod.test(rest) || exclusion.test(rest) || isSure) return undefined;
  const words = callsIn(mentions);
  if (carriers.length > 0) throw notOfCarriers(carriers, words);
  return words;
}

/** Whatever else the text says. */
function callsIn({ ports, periods, text, minimum, rest, topic }: Mentions): string {
  const isUnlikely = / (?:unlikely|improbable|long shots?) /.test(rest);
  return joinWords(
    formatPorts(ports),
    oneOf(periods, text),
    minimum === undefined ? '' : `min ${minimum}%`,
    (isUnlikely || inFull.test(rest)) && minimum === undefined ? 'all' : '',
    topic === 'busy' || dayByDay.test(rest) ? 'by day' : likeliestFirst.test(rest) ? 'by probability' : '',
  );
}

/** What isn't understood of a time, or of how likely the calls have to be. */
const partOfPeriod = / (?:early|earlier|mid|late|later|beginning|start|starting|middle|end|half) /;
/** `not before friday`, `except sunday`, `which of the feeders`. */
const exclusion =
  / (?:not|no|wont|cant|at risk|affected|lanes?|except\p{L}*|without|excl\p{L}*|besides|minus|defin\p{L}*|consists?|leav\p{L}*|depart\p{L}*|etd|she|shes|(?:will|does|is|can) it|the (?:vessel|ship|boat)(?! (?:calls|list|line))|(?:my|our|the) (?:box(?:es)?|containers?|cntrs?)|of (?:the|our|my|these|those)) /u;
const sure = / (?:certain|sure|definite|definitely|confirmed|firm) /;

const dayByDay = / (?:(?:by|per|each) day|daily|day ?wise) /;

/** `complete list, don't cut it` */
const inFull = / (?:(?:complete|full|whole|entire) (?:list|line ?up)|dont cut|show all|all of them) /;

const likeliestFirst =
  / (?:likeliest|surest|(?:most|more) (?:likely|probable|certain|sure)|high(?:est)? (?:prob\p{L}*|chances?)|(?:likel\p{L}*|sure\p{L}*|best|dead certs?|certs?|certain\p{L}*)(?: (?:ones?|bets?|calls?))? (?:first|on top|at the top)|(?:by|order of) (?:prob|likel|chance)\p{L}*) /u;

/** The service's port calls name vessels, and no carriers. */
function notOfCarriers(carriers: readonly Scac[], words: string): UserError {
  const line = `${portcallsCommand.name} ${words}`;
  const names = listed(carriers.map((scac) => carrierName(scac) ?? scac));
  return new UserError({
    code: 'unknown-carrier',
    message: `The predicted calls at a port don't say which carrier a vessel sails for, so I can't pick those of ${names}.`,
    choices: [{ label: 'All vessels', line }],
    example: line,
  });
}

async function run(values: PortcallsValues, ctx: AskCtx): Promise<Answer> {
  const { port: typed, period, minProbability, by, page } = values;
  const ports = expandPorts(typed, {
    ...{ example, groups: ctx.vessels },
    line: (fixed) => `portcalls ${fixed}`,
  });
  const asked = {
    ...{ page, typed },
    now: ctx.now(),
    periodInWords: period && formatPeriod(period),
    lineWith: (others: Partial<PortcallsValues>) => format({ ...values, page: 1, ...others }),
  };
  if (by === 'day') {
    const ask = (port: Locode) => askPortDays(port, { period: spanOf(values, port, ctx) }, ctx);
    return daysAnswer(await askEach(ports, ask, ctx), asked);
  }
  const ask = (port: Locode) =>
    askPortCalls(port, { period: spanOf(values, port, ctx), minProbability }, ctx);
  return callsAnswer(await askEach(ports, ask, ctx), { ...asked, by });
}

/** The period in the days of that port. Throws UserError bad-period. */
function spanOf({ port: ports, period }: PortcallsValues, port: Locode, ctx: AskCtx): TimeSpan | undefined {
  const help: LineHelp = { example, line: (fixed) => `portcalls ${formatPorts(ports)} ${fixed}` };
  const zone = portOf(port)?.zone ?? 'UTC';
  return period && resolvePeriodWithin(period, { now: ctx.now(), zone, direction: 'future', help });
}
