import { addToFleet } from '../../answers/answer.ts';
import { vesselShort } from '../../answers/formatting/words.ts';
import { attempt, type Choice, UserError } from '../../errors.ts';
import { type Deadline, formatDeadline, takeDeadline } from '../../grammar/due.ts';
import {
  formatPage,
  joinWords,
  type LineHelp,
  pageOption,
  quote,
  scanOptions,
  wordOption,
  wordsError,
} from '../../grammar/line.ts';
import { type Mentions, oneOf } from '../../grammar/mentions.ts';
import { isMoment } from '../../grammar/moment.ts';
import { nearestPeriodOf } from '../../grammar/nearest-period.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import {
  expandPorts,
  formatPort,
  formatPorts,
  maxPorts,
  parsePorts,
  portWords,
  readPort,
} from '../../grammar/port.ts';
import { resolvePeriodWithin } from '../../grammar/resolve-period.ts';
import { asksOfReferences } from '../../grammar/topics.ts';
import {
  formatFleetName,
  formatListName,
  formatVesselGroup,
  formatVessels,
  parseFleetName,
  parseVessels,
  withGroupColon,
} from '../../grammar/vessel.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import { type Imo, isPortGroup, type Locode, type PortOrGroup } from '../../reference/codes.ts';
import { fold } from '../../reference/nearest.ts';
import { portOf } from '../../reference/ports.ts';
import { isReadWord } from '../../reference/read-words.ts';
import { command, sharedTool, type VariantLine, variant } from '../command.ts';
import { type AskCtx, offer, type ParseContext, vesselHelp } from '../ctx.ts';
import { flagInput, optional, pageInput, periodInput, portsInput } from '../fields.ts';
import { type Met, metBy, promisesHere } from '../promises/index.ts';
import { compareAnswer, comparedTable } from './compare-answer.ts';
import { vesselsTable } from './fleet-answer.ts';
import { visitsTable } from './fleet-at-answer.ts';
import { askHistory, historyAnswer, historyDays, historyTable } from './history.ts';
import { groupAnswer, listAnswer } from './list-answer.ts';
import { askMap } from './map.ts';
import {
  askFleet,
  askList,
  askNextPorts,
  askVessels,
  askWatched,
  compareNextPorts,
  type VesselPredictions,
} from './predictions.ts';
import { nextPortQuestions } from './questions.ts';
import { candidatesTable, vesselAnswer } from './vessel-answer.ts';
import {
  formatCompare,
  formatFleet,
  formatHistory,
  formatList,
  formatMap,
  formatSeveral,
  formatSubject,
  formatVessel,
  formatWatched,
  type Named,
  type OneVessel,
  parseSubject,
  type Several,
  type Subject,
  subjectInput,
  type Vessel,
  type Vessels,
  type VesselWord,
  vesselInput,
  vesselWords,
} from './words.ts';

const fieldsOf = (page: number, subject: string) => ({ vessel: subject, ...(page > 1 && { page }) });

/** The line without the name of the command. */
const titleOf =
  <Values>(format: (values: Values) => string) =>
  (values: Values): string =>
    format(values).replace('nextport ', '');

/** One vessel, all of its ports, or whether it is predicted at a port. */
export const vessel = variant<Vessel>({
  format: formatVessel,
  ports: ({ at }) => (at === undefined ? [] : [at]),
  title: titleOf(formatVessel),
  cost: () => ({ calls: 1 }),
  fields: ({ imo, at, by, showsAll = false, page }) =>
    by === undefined
      ? {
          ...fieldsOf(page, String(imo)),
          ...(at !== undefined && { at: formatPort(at) }),
          ...(showsAll && { all: true }),
        }
      : undefined,
  effect: 'reads',
  tables: [candidatesTable],
  async run({ imo, at: typed, by, ...asked }, ctx) {
    const found = await askNextPorts(imo, ctx);
    const ranked = rankProspects(found.predictions);
    const promises = await promisesHere({ imo, ranked }, ctx);
    const port = typed ?? (by && portOfDeadline(promises, found, ctx));
    const at = port && { asked: port, ports: portsAt([port], { subject: String(imo) }, ctx) };
    const name = vesselShort(found.vessel);
    const met = by && at?.ports[0] && metBy({ port: at.ports[0], ...by }, { ranked, name }, ctx);
    const promised = promises.map(({ line }) => line);
    const hasMap = ctx.services.pictures !== undefined;
    return vesselAnswer(found, {
      ...{ ...asked, at, met, promised, now: ctx.now(), hasMap },
      // The menu's values are part of the message.
      reference: ctx.audience === 'outside' ? undefined : ctx.reference,
    });
  },
});

/** Where the typed reference is promised, or else the likeliest port. */
function portOfDeadline(
  promises: readonly Met[],
  { predictions: [first] }: VesselPredictions,
  { reference }: AskCtx,
): Locode | undefined {
  const promise = promises.find(({ due }) => reference !== undefined && due.reference === reference);
  return promise?.due.port ?? first?.port;
}

export const several = variant<Vessels>({
  format: formatSeveral,
  ports: portsIn,
  title: titleOf(formatSeveral),
  cost: ({ imos }) => ({ calls: imos.length }),
  fields: (values) => severalFields(values, formatVessels(values.imos)),
  effect: 'reads',
  tables: [vesselsTable, visitsTable],
  run: async ({ imos, ...asked }, ctx) =>
    groupAnswer(await askVessels(imos, ctx), {
      ...askedOf(asked, formatVessels(imos), ctx),
      watched: { kind: 'vessels', imos },
    }),
});

export const list = variant<Named>({
  format: formatList,
  ports: portsIn,
  title: (values) => titleOf(formatList)(values).replace('list:', 'list '),
  cost: () => ({ calls: 1 }),
  fields: (values) => severalFields(values, formatListName(values.name)),
  effect: 'reads',
  tables: [vesselsTable, visitsTable],
  run: async ({ name, ...asked }, ctx) =>
    listAnswer(await askList(name, ctx), {
      ...askedOf(asked, formatListName(name), ctx),
      period: asked.period,
    }),
});

export const fleet = variant<Named>({
  format: formatFleet,
  ports: portsIn,
  title: (values) => titleOf(formatFleet)(values).replace('fleet:', 'fleet '),
  cost: () => ({ calls: 1, isOfGroup: true }),
  fields: (values) => severalFields(values, formatFleetName(values.name)),
  effect: 'reads',
  of: 'workspace',
  tables: [vesselsTable, visitsTable],
  run: async ({ name, ...asked }, ctx) =>
    groupAnswer(await askFleet(name, ctx), {
      ...askedOf(asked, formatFleetName(name), ctx),
      watched: { kind: 'fleet', name },
    }),
});

export const watched = variant<Several>({
  format: formatWatched,
  ports: portsIn,
  title: (values) => titleOf(formatWatched)(values).replace('watched', 'watched vessels'),
  cost: () => ({ calls: 1, isOfGroup: true }),
  fields: (values) => severalFields(values, 'watched'),
  effect: 'reads',
  of: 'place',
  tables: [vesselsTable, visitsTable],
  run: async (asked, ctx) => groupAnswer(await askWatched(ctx), askedOf(asked, 'watched', ctx)),
});

function portsIn({ at }: Several): readonly PortOrGroup[] {
  return at ?? [];
}

const severalFields = ({ at, period, page }: Several, subject: string) => ({
  ...fieldsOf(page, subject),
  ...(at !== undefined && { at: formatPorts(at) }),
  ...(period !== undefined && { period: formatPeriod(period) }),
});

/** Throws UserError for a group of ports that isn't known, too many ports, or a period that is over. */
function askedOf({ at: asked, period, page }: Several, subject: string, ctx: AskCtx) {
  const now = ctx.now();
  if (asked === undefined) return { now, page };
  const ports = portsAt(asked, { subject, period }, ctx);
  const help: LineHelp = {
    example: periodExample,
    line: (fixed) => `nextport ${subject} at ${formatPorts(asked)} ${fixed}`,
  };
  const spanAt = (port: Locode, of: Period) =>
    resolvePeriodWithin(of, { now, zone: portOf(port)?.zone ?? 'UTC', direction: 'future', help });
  const resolved = period && {
    typed: formatPeriod(period),
    spans: ports.map((port) => ({ port, span: spanAt(port, period) })),
  };
  return { at: { asked, ports, period: resolved }, now, page };
}

export const compare = variant<OneVessel>({
  format: formatCompare,
  title: titleOf(formatCompare),
  cost: () => ({ calls: 1 }),
  fields: ({ imo, page }) => ({ ...fieldsOf(page, String(imo)), compare: true }),
  effect: 'reads',
  tables: [comparedTable],
  run: async ({ imo, page }, ctx) =>
    compareAnswer(await compareNextPorts(imo, ctx), { page, now: ctx.now() }),
});

export const history = variant<{ vessel: Imo; page: number }>({
  tool: {
    name: 'nextport_history',
    title: 'How the prediction for a vessel changed',
    description: `What was predicted for a vessel in the past ${historyDays} days, as far as the person, or one of their channels, watched it: each change of the likeliest port, of its ETA by an hour or more, or of its probability by ten points or more. These are past predictions; they say neither where the vessel was nor that it called.`,
  },
  input: { vessel: vesselInput, page: pageInput },
  format: ({ vessel: imo, page }) => formatHistory({ imo, page }),
  title: ({ vessel: imo, page }) => titleOf(formatHistory)({ imo, page }),
  effect: 'reads',
  of: 'place',
  tables: [historyTable],
  run: async ({ vessel: imo, page }, ctx) =>
    historyAnswer(await askHistory(imo, ctx), { now: ctx.now(), page }),
});

export const map = variant<OneVessel>({
  format: formatMap,
  title: titleOf(formatMap),
  cost: () => ({ calls: 1 }),
  fields: () => undefined,
  effect: 'reads',
  tables: [candidatesTable],
  run: ({ imo }, ctx) => askMap(imo, ctx),
});

const portsAt = (
  at: readonly [PortOrGroup, ...PortOrGroup[]],
  { subject, period }: { subject: string; period?: Period | undefined },
  { vessels: groups }: AskCtx,
) =>
  expandPorts(at, {
    ...{ example, groups },
    line: (fixed) => joinWords(`nextport ${subject} at ${fixed}`, period && formatPeriod(period)),
  });

/** What assistants ask of one vessel or several. */
const nextportTool = sharedTool<{
  vessel: Subject;
  at: readonly PortOrGroup[] | undefined;
  period: Period | undefined;
  all: boolean;
  compare: boolean;
  page: number;
}>({
  name: 'nextport',
  title: 'Next ports of a vessel',
  description:
    'Predicts where a vessel will call next and when: candidate ports with probability and ETA, the likeliest first. With `at`, whether it is predicted at that port. Also for several vessels: where each calls next, or which of them may call at a port or at one of several, with `period` in that time. These are predictions of the next call only; they say neither where a vessel is nor that it has arrived.',
  input: {
    vessel: subjectInput,
    at: optional(
      portsInput(
        ['NLRTM', 'Rotterdam', 'Rotterdam, Antwerp'],
        `A port by UN/LOCODE or name, or up to ${maxPorts} separated by commas: whether the vessel is predicted there, or which of several are`,
      ),
    ),
    period: optional(
      periodInput(
        {
          description:
            "With `at`, in days of that port's own calendar: only calls there with an ETA in it; the others are counted",
          examples: ['this week', 'next 7 days', '2026-11-24..2026-11-30'],
        },
        'future',
      ),
    ),
    all: flagInput('For one vessel: the ports under 5% too'),
    compare: flagInput("For one vessel: the service's two forecasts side by side, which may disagree"),
    page: pageInput,
  },
  variants: [vessel, compare, several, list, fleet, watched],
  lineOf({ vessel: subject, at, period, all, compare: isCompared, page }, context) {
    if (period && !at)
      throw new UserError({
        code: 'missing-argument',
        message: 'A period is about calls at a port: say which in `at`.',
      });
    const words = joinWords(
      formatSubject(subject),
      at && `at ${formatPorts(at)}`,
      period && formatPeriod(period),
      all ? 'all' : '',
      isCompared ? 'compare' : '',
      formatPage(page),
    );
    return parse(words, context);
  },
});

export const example = 'nextport 9461477';
const periodExample = 'nextport watched at Rotterdam, Antwerp this week';
export const listExample = 'nextport list:FEEDERS';

export const nextportCommand = command({
  name: 'nextport',
  summary: 'Where vessels will probably call next, and when',
  usage:
    '<vessel>[, <vessel> …] | list:<name> | fleet:<name> | watched [at <port>[, <port> …] [period]] [by <date>] [compare] [history] [map] [all]',
  usageHint: '<vessel>[, <vessel> …] | fleet:NAME | watched [at <port>]',
  examples: [
    example,
    'nextport 9461477, 9755933',
    listExample,
    'nextport 9461477 at Rotterdam',
    'nextport list:FEEDERS at Rotterdam',
    'nextport 9461477 at Rotterdam by 7 dec 14:00',
    periodExample,
    'nextport 9461477 compare',
    'nextport 9461477 history',
    'nextport 9461477 map',
    'nextport watched',
  ],
  options: [
    { typed: 'at Rotterdam', help: 'whether the vessel is predicted there, and when; of several, which' },
    { typed: 'by 7 dec 14:00', help: 'whether it will be there by then' },
    {
      typed: 'at Rotterdam, Antwerp this week',
      help: `up to ${maxPorts} ports, and a period: calls with an ETA in it`,
    },
    { typed: 'all', help: 'the ports under 5% too' },
    { typed: 'compare', help: "the service's two forecasts of the vessel, side by side" },
    {
      typed: 'history',
      help: 'what was predicted while the vessel was watched in the channel; in a direct message, by you or in your channels',
    },
    { typed: 'map', help: 'the candidate ports on a map' },
    { typed: 'list:FEEDERS', help: "one of the provider's lists" },
    { typed: 'fleet:NORTH', help: 'a fleet of this workspace' },
    { typed: 'watched', help: 'all vessels watched in the channel; in a direct message, your own' },
  ],
  questions: nextPortQuestions,
  takes: 'vessels',
  readText,
  meanings: [
    { name: 'history', of: / history\b/, words: (mentions) => askedIn({ ...mentions, topic: 'history' }) },
    { name: 'map', of: / map\b/, words: (mentions) => askedIn({ ...mentions, topic: 'map' }) },
    { name: 'compare', of: / compare\b/, words: (mentions) => askedIn({ ...mentions, topic: 'compare' }) },
    { name: 'next', words: nextIn },
  ],
  wish: { words: 'See where a vessel calls next' },
  variants: [vessel, several, compare, history, map, list, fleet, watched],
  tools: [nextportTool],
  parse,
});

/** Vessels or a group, and perhaps the port where one of them is expected. */
function readText(mentions: Mentions): string | readonly string[] | undefined {
  const { vessels, groups, ports, codes, topic, minimum } = mentions;
  const isOther = ['wish', 'manage', 'promise', 'promises', 'unknown', 'past', 'changes'].includes(topic);
  if (isOther || codes.length > 0 || minimum !== undefined || asksOfReferences.test(mentions.rest))
    return undefined;
  // Only the next call is predicted.
  if (ports.length > 0 && / after $| after /.test(mentions.rest)) return undefined;
  // Only of one vessel.
  if (groups.length > 0 && (topic === 'compare' || topic === 'history')) return undefined;
  const ofEach = ofEachVessel(mentions);
  if (ofEach) return ofEach;
  // Each vessel may have its own port.
  return vessels.length > 1 && ports.length > 1 ? undefined : askedIn(mentions);
}

/** `AMBER BEACON 29 Nov, EVER GIVEN 2 Dec`: a question for each vessel, by its date, if words stand between the dates. */
function ofEachVessel({ vessels, ports: [port], periods, text }: Mentions): readonly string[] | undefined {
  const [first = '', second = ''] = periods;
  if (vessels.length < 2 || periods.length !== vessels.length) return undefined;
  const between = text.slice(text.indexOf(first) + first.length, text.lastIndexOf(second));
  if (!/\p{L}/u.test(between.replace(/\b(?:and|or|to|until|till?|then|the)\b/gi, ''))) return undefined;
  return vessels.map((imo, at) => {
    const day = periods[at]?.replace(/^(?:by|on|for) /i, '') ?? '';
    return joinWords(`${imo}`, port && `at ${formatPort(port)}`, /^before /i.test(day) ? day : `by ${day}`);
  });
}

/** Whatever else the text says. */
function askedIn(mentions: Mentions): string | undefined {
  const { vessels, groups, ports, periods, text, topic, rest } = mentions;
  const [group, ...otherGroups] = groups;
  const isPlace = ports.length > 0 && ports.length <= maxPorts;
  const period = ofEachVessel(mentions) ? '' : oneOf(periods, text);
  if (group && vessels.length + otherGroups.length === 0)
    return joinWords(
      formatVesselGroup(group),
      isPlace ? `at ${formatPorts(ports)}` : '',
      isPlace ? period : '',
      topic === 'map' ? topic : '',
    );
  const [imo, ...others] = vessels;
  if (group) return undefined;
  if (imo === undefined) {
    if (isPlace && (ownVessels.test(rest) || ofWatched.test(rest)))
      return joinWords(`watched at ${formatPorts(ports)}`, period);
    return ports.length === 0 && ofWatched.test(rest) ? 'watched' : undefined;
  }
  const word = vesselWords.find((each) => each === topic);
  const [port, ...otherPorts] = ofDocument.test(rest) ? ports.slice(-1) : ports;
  const latest = deadlineIn(mentions);
  if (others.length > 0 && !word)
    return joinWords(
      formatVessels(vessels),
      isPlace ? `at ${formatPorts(ports)}` : '',
      isPlace ? (latest?.replace(/^by /, 'until ') ?? period) : '',
    );
  const isAtPort = port !== undefined && otherPorts.length === 0 && !word;
  const isOneCall = !word && ports.length < 2 && !ports.some(isPortGroup);
  return joinWords(
    formatVessels([imo, ...others]),
    word,
    isAtPort ? `at ${formatPort(port)}` : '',
    isOneCall ? latest : '',
  );
}

/** At a port by its only date; a first word that nothing knows may be a list's name. */
function nextIn(mentions: Mentions): string | undefined {
  const { vessels, groups, ports, date, promise, text } = mentions;
  const [imo, ...others] = vessels;
  const [port] = ports;
  if (
    imo !== undefined &&
    others.length === 0 &&
    port !== undefined &&
    date !== undefined &&
    promise !== undefined
  )
    return `${imo} at ${formatPort(port)} ${date.startsWith('before ') ? date : `by ${date}`}`;
  if (imo !== undefined && others.length === 0 && ports.length > 1) return `${imo} at ${formatPorts(ports)}`;
  const [, first = ''] =
    /^(\p{L}{5,})(?!\p{L})/u.exec(text) ?? /\b(?:the|our) (\p{Lu}{5,})(?!\p{L})/u.exec(text) ?? [];
  const named: Mentions['groups'] =
    vessels.length + groups.length === 0 && !isReadWord(first) ? [{ kind: 'list', name: first }] : groups;
  return askedIn({ ...mentions, groups: first === '' ? groups : named, topic: 'next' });
}

/** `by 12 dec 14:00`: the only date, if it is the latest one. */
function deadlineIn({ date, periods, text }: Mentions): string | undefined {
  const [, latest] = /^(?:until|till?) (?!yesterday|now\b)(.+)$/i.exec(oneOf(periods, text)) ?? [];
  if (date === undefined) return latest !== undefined && isMoment(latest) ? `by ${latest}` : undefined;
  if (date.startsWith('before ')) return date;
  return / (?:by|until|till?|on or before|(?:no|not) later than|latest(?: by| on)?|(?:time|late|delayed) for|meet) $/i.test(
    text.slice(0, text.indexOf(date)),
  )
    ? `by ${date}`
    : undefined;
}

/** `all the ones watched here, where next` */
const ofWatched =
  / (?:watched|(?:we|i|you)(?: are| re)?(?: all)? (?:watch|follow|track|monitor)(?:ing|s)?|(?:on|under) watch) /;

/** Which people mean is what they watch. */
const ownVessels = / (?:watched|of ours|(?:our|my) (?:\S+ )?(?:ships?|vessels?|vsls?|boats?|fleet)) /;

/** The port of discharge comes after that of loading. */
const ofDocument = / (?:pod|(?:port )?of discharge|disch\p{L}* port|place of delivery|destination) /u;

const vesselOptions = {
  compare: wordOption('compare'),
  history: wordOption('history'),
  map: wordOption('map'),
  all: wordOption('all'),
} satisfies Record<VesselWord, unknown>;

/** Throws UserError. */
function parse(words: string, context: ParseContext): VariantLine {
  const typed = withGroupColon(words, context.vessels);
  // The name of a list or fleet may end in one of these words.
  const isNamed = /^(?:(?:ship)?list|fleet)\s*:/i.test(typed);
  const options = { page: pageOption, ...(isNamed ? {} : { ...vesselOptions, by: takeDeadline }) };
  const { rest, values, help } = scanOptions(typed, options, {
    ...{ command: 'nextport', example, dateOrder: context.dateOrder },
  });
  const page = values.page ?? 1;
  if (isNamed) checkNoWordAfterName(rest, help);
  if (isNamed) checkNothingAdded(rest, help, context);
  const { by } = values;
  const [word, other = by && formatDeadline(by)] = vesselWords.filter((each) => each in values);
  if (word && other) throw onlyOneWord([word, other], { rest, page, help });
  // Without the word after it, so that the lines that an error offers are valid.
  const line = (fixed: string) => joinWords('nextport', fixed, formatPage(page));
  const vesselsHelp = { ...help, ...vesselHelp(context) };
  const visit = readVisit(rest, { ...vesselsHelp, ...(word && { line }) });
  // Several will be there by then if they call until then.
  if (by && visit && !visit.period && !isOneVessel(visit.subject))
    return parse(joinWords(rest, formatDeadline(by).replace(/^(?:by|before) /, 'until ')), context);
  if (word && visit)
    throw onlyOneWord([atInWords(visit), word], { rest: formatSubject(visit.subject), page, help });
  const { subject, ...asked } = { ...(visit ?? { subject: parseSubject(rest, vesselsHelp) }), page };
  switch (subject.kind) {
    case 'list':
      return list.of({ name: subject.name, ...asked });
    case 'fleet':
      if (context.isTyped || context.isInTyped) checkNothingAfterFleet(subject.name, help, context);
      return fleet.of({ name: subject.name, ...asked });
    case 'watched':
      if (by)
        throw notForSeveral(formatDeadline(by), help, {
          choices: choicesOf([watched.of(asked).line]),
        });
      if (word) throw notForSeveral(word, help, { choices: choicesOf([watched.of({ page }).line]) });
      return watched.of(asked);
    case 'vessels':
      return ofVessels(subject.imos, { word, by, ...asked, vessels: context.vessels });
  }
}

function ofVessels(
  imos: readonly [Imo, ...Imo[]],
  {
    word,
    by,
    vessels,
    ...asked
  }: { word: VesselWord | undefined; by: Deadline | undefined } & Several & Pick<ParseContext, 'vessels'>,
): VariantLine {
  const [imo, ...others] = imos;
  const { at: [at, ...otherPorts] = [], period, page } = asked;
  if (by && (others.length + otherPorts.length > 0 || (at !== undefined && isPortGroup(at))))
    throw onlyOneCall(imos, { at: asked.at, by }, vessels);
  if (others.length > 0 && word) throw onlyOneVessel(word, imos, vessels);
  if (others.length > 0 || otherPorts.length > 0 || period) return several.of({ imos, ...asked });
  switch (word) {
    case 'compare':
      return compare.of({ imo, page });
    case 'history':
      return history.of({ vessel: imo, page });
    case 'map':
      return map.of({ imo, page });
    case 'all':
      return vessel.of({ imo, showsAll: true, page });
    case undefined:
      return vessel.of({ imo, at, by, page });
  }
}

function onlyOneWord(
  words: readonly string[],
  { rest, page, help }: { rest: string; page: number; help: LineHelp },
): UserError {
  const lines = words.map((word) => joinWords('nextport', rest, word, formatPage(page)));
  return wordsError('conflicting-words', `“${words.join('” and “')}” are two questions.`, help, {
    hint: 'Ask one at a time.',
    choices: choicesOf(lines),
  });
}

const choicesOf = (lines: readonly string[]): Choice[] => lines.map((line) => ({ label: line, line }));

/** `fleet asia loop calling at Antwerp`. */
const onTheWay = / (?:(?:is|are) )?(?:calling|due|expected|arriving|going)$/i;

const notForSeveral = (
  word: string,
  help: LineHelp,
  more: { hint?: string; choices?: readonly Choice[] },
): UserError =>
  wordsError('conflicting-words', `“${word}” works for one vessel, not for several.`, help, more);

interface Visit extends Pick<Several, 'period'> {
  subject: Subject;
  at: readonly [PortOrGroup, ...PortOrGroup[]];
}

const atInWords = ({ at, period }: Visit): string =>
  joinWords(`at ${formatPorts(at)}`, period && formatPeriod(period));

/** `MSC DIANA at Rotterdam`, `watched rotterdam tomorrow`; undefined without a port, or if the words are a vessel's name. */
function readVisit(words: string, help: VesselHelp): Visit | undefined {
  const typed = words.replace(
    /^((?:all )?watched(?: vessels| ships)?(?: here)?) (?!at |vessels|ships|here)/i,
    '$1 at ',
  );
  const { vessels } = help;
  if (vessels.named(words).length + vessels.referenced(words).length > 0) return undefined;
  const split = splitVisit(typed, help);
  if (!split) return undefined;
  const { subject, ports, period } = split;
  const ending = period && ` ${formatPeriod(period)}`;
  const visit = {
    subject: parseSubject(subject.replace(onTheWay, ''), {
      ...help,
      line: (fixed) => help.line(`${fixed} at ${ports}${ending ?? ''}`),
    }),
    at: parsePorts(ports, {
      ...{ ...help, groups: vessels },
      nearestEnding: (typedEnding) => nearestPeriodOf(typedEnding, 'future'),
      line: (fixed) => help.line(`${subject} at ${fixed}${ending ?? ''}`),
    }),
  };
  return { ...visit, ...(period && { period }) };
}

/** The words before and after `at`, and a period at the end. Undefined without a port. */
function splitVisit(
  typed: string,
  help: VesselHelp,
): { subject: string; ports: string; period: Period | undefined } | undefined {
  const partsOf = (words: string) => {
    const [, subject = '', word = '', ports = ''] =
      /^((?:(?:ship)?list|fleet)\s*:\s*"(?:[^"]|"")*"|.+)\s+(at|to|into|in)\s+([^"]+)$/i.exec(words) ?? [];
    return { subject, word, ports };
  };
  const whole = partsOf(typed);
  if (whole.ports === '') return undefined;
  const helpFor = (rest: string): LineHelp => ({ ...help, line: (fixed) => help.line(`${rest} ${fixed}`) });
  const taken = attempt(() => periodOption('future')(typed, helpFor));
  if (taken instanceof UserError && isAt.test(whole.word)) throw taken;
  const { rest = typed, value: period } = taken instanceof UserError ? {} : (taken ?? {});
  const { subject, word, ports } = partsOf(rest);
  if (ports === '') return undefined;
  // These words may also be part of a name.
  const isPlace =
    /^at$/i.test(word) || portWords(ports).every((each) => 'port' in readPort(each, help.vessels));
  return isPlace ? { subject, ports, period } : undefined;
}

const isAt = /^at$/i;

/** Throws UserError for `list:FEEDERS compare`: the word is probably meant as an option, unless it is in quotes. */
function checkNoWordAfterName(rest: string, help: LineHelp): void {
  const [, named, typed = '', word = ''] =
    /^((?:ship)?list|fleet)\s*:\s*("(?:[^"]|"")*"|[^"\s].*?)\s+(compare|history|map|all)$/i.exec(rest) ?? [];
  if (named === undefined) return;
  const formatName = /^fleet$/i.test(named) ? formatFleetName : formatListName;
  const isQuoted = typed.startsWith('"');
  const name = isQuoted ? typed.slice(1, -1).replaceAll('""', '"') : typed;
  const group = formatName(name);
  const fixes = isQuoted ? [group] : [group, formatName(`${name} ${word}`)];
  throw notForSeveral(word, help, {
    ...(!isQuoted && { hint: 'Put a name of several words in quotes.' }),
    choices: fixes.map((fixed) => ({ label: fixed, line: help.line(fixed) })),
  });
}

/** Throws UserError for `fleet:NORTH add MSC DIANA`, which changes the fleet. */
function checkNothingAdded(rest: string, help: LineHelp, context: ParseContext): void {
  const [, named, vessels] = /^(fleet\s*:\s*(?:"(?:[^"]|"")*"|[^"\s].*?))\s+add\s+(.+)$/i.exec(rest) ?? [];
  if (named === undefined || vessels === undefined) return;
  const vesselsHelp = {
    ...help,
    ...vesselHelp(context),
    line: (fixed: string) => help.line(`${named} add ${fixed}`),
  };
  const name = parseFleetName(named, vesselsHelp) ?? '';
  const added = addToFleet(name, parseVessels(vessels, vesselsHelp));
  throw wordsError('unexpected-words', `Do you want to change the fleet ${name}?`, help, {
    choices: offer('Add to the fleet', added, context),
  });
}

const isOneVessel = (subject: Subject): boolean => subject.kind === 'vessels' && subject.imos.length === 1;

/** A fleet that isn't known, whose name begins with that of one that is. Throws UserError. */
function checkNothingAfterFleet(name: string, help: LineHelp, { vessels }: ParseContext): void {
  const key = fold(name);
  if (vessels.fleets.some((known) => fold(known) === key)) return;
  const known = vessels.fleets.find((each) => key.startsWith(`${fold(each)} `));
  if (known === undefined) return;
  const rest = name.slice(known.length).trim();
  throw wordsError('unexpected-words', `I know the fleet ${known}, but not ${quote(rest)} after it.`, help, {
    choices: choicesOf([fleet.of({ name: known, page: 1 }).line]),
  });
}

function onlyOneVessel(word: VesselWord, imos: readonly Imo[], vessels: ParseContext['vessels']): UserError {
  const { verb, label } = inWords[word];
  return new UserError({
    code: 'too-many-vessels',
    message: `You can ${verb} only one vessel at a time.`,
    choices: imos.slice(0, 5).map((imo) => ({
      label: `${label} ${vessels.nameOf(imo) ?? `IMO ${imo}`}`,
      line: `nextport ${imo} ${word}`,
    })),
    example: `nextport 9461477 ${word}`,
  });
}

/** Each of a few calls is offered. */
function onlyOneCall(
  imos: readonly Imo[],
  { at, by }: Pick<Several, 'at'> & Pick<Vessel, 'by'>,
  vessels: ParseContext['vessels'],
): UserError {
  const help = { example, groups: vessels, line: (fixed: string) => `nextport ${imos[0]} at ${fixed}` };
  const ports = at === undefined ? [at] : expandPorts(at, help);
  const calls = imos.flatMap((imo) => ports.map((port) => ({ imo, at: port, by, page: 1 })));
  return new UserError({
    code: 'conflicting-words',
    message: 'A date is about one vessel at one port.',
    choices: calls.slice(0, 5).map((call) => {
      const line = formatVessel(call);
      return { label: line.replace(String(call.imo), vessels.nameOf(call.imo) ?? String(call.imo)), line };
    }),
    example: 'nextport 9461477 at Rotterdam by 7 dec 14:00',
  });
}

const inWords: Record<VesselWord, { verb: string; label: string }> = {
  compare: { verb: 'compare', label: 'Compare' },
  history: { verb: 'see the history of', label: 'History of' },
  map: { verb: 'see the map of', label: 'Map of' },
  all: { verb: 'see all ports of', label: 'All ports of' },
};
