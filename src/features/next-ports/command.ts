import type { LineFacts } from '../../answers/comparison.ts';
import { type Choice, UserError } from '../../errors.ts';
import { type LineHelp, wordsError } from '../../grammar/line-help.ts';
import { formatFleetName, formatListName, parseFleetName, parseListName } from '../../grammar/list-name.ts';
import { formatPage, joinWords, pageOption, scanOptions, wordOption } from '../../grammar/options.ts';
import { formatPort, parsePort, readPort } from '../../grammar/port.ts';
import { formatVessels, parseVessels, type VesselHelp } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { portLabel } from '../../reference/ports.ts';
import { defineCommand, type ParseContext } from '../command.ts';
import {
  askFleet,
  askNextPorts,
  askVessels,
  askWatched,
  compareNextPorts,
  type NextPortsContext,
  type NextPortsServices,
} from './answer.ts';
import { type NextportAnswer, nextportView } from './answer-view.ts';
import type { FleetNextPorts } from './fleet-view.ts';
import { askHistory } from './history.ts';
import { nextportHistoryTool } from './history-tool.ts';
import { askList } from './list.ts';
import { askMap } from './map.ts';
import { nextCall } from './next-call.ts';
import { nextPortQuestions } from './questions.ts';
import { nextPortsTable, nextPortsTables } from './tables.ts';
import { nextportTool } from './tool.ts';
import {
  format,
  type ListArgs,
  type NextportArgs,
  subjectOf,
  type VesselWord,
  vesselWords,
} from './words.ts';

export const nextport = defineCommand<NextportArgs, NextportAnswer, NextPortsServices>({
  name: 'nextport',
  summary: 'Where vessels will probably call next, and when',
  usage:
    '<vessel>[, <vessel> …] | list:<name> | fleet:<name> | watched [at <port>] [compare] [history] [map] [all]',
  examples: [
    'nextport 9461477',
    'nextport 9461477, 9755933',
    'nextport list:FEEDERS',
    'nextport 9461477 at Rotterdam',
    'nextport 9461477 compare',
    'nextport 9461477 history',
    'nextport 9461477 map',
    'nextport watched',
  ],
  options: [
    { typed: 'at Rotterdam', help: 'whether the vessel is predicted there, and when' },
    { typed: 'all', help: 'the ports under 5% too' },
    { typed: 'compare', help: "the service's two views of the vessel, side by side" },
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
  repeatable: true,
  needsSlack: ({ kind }) => kind === 'history' || kind === 'fleet' || kind === 'watched',
  dependsOnPlace: ({ kind }) => kind === 'watched' || kind === 'history',
  parse,
  format,
  run,
  view: nextportView,
  facts,
  tables: nextPortsTables,
  table: nextPortsTable,
  nextCall,
  tools: [nextportTool, nextportHistoryTool],
});

const example = 'nextport 9461477';
const vesselOptions = {
  compare: wordOption('compare'),
  history: wordOption('history'),
  map: wordOption('map'),
  all: wordOption('all'),
} satisfies Record<VesselWord, unknown>;

function parse(typed: string, { vessels }: ParseContext): NextportArgs {
  // The name of a list or fleet may end in one of these words.
  const isNamed = /^(?:(?:ship)?list|fleet)\s*:/i.test(typed);
  const options = { page: pageOption, ...(isNamed ? {} : vesselOptions) };
  const { rest, values, help } = scanOptions(typed, options, { command: 'nextport', example });
  const page = values.page ?? 1;
  if (isNamed) checkNoWordAfterName(rest, help);
  const list = parseListName(rest, help);
  if (list !== undefined) return { kind: 'list', name: list, page };
  const fleet = parseFleetName(rest, help);
  if (fleet !== undefined) return { kind: 'fleet', name: fleet, page };
  const [word, other] = vesselWords.filter((each) => each in values);
  if (word && other) throw onlyOneWord([word, other], { rest, page, help });
  if (/^watched(?: vessels)?$/i.test(rest)) {
    const lines = [joinWords('nextport watched', formatPage(page))];
    if (word) throw notForSeveral(word, help, { choices: choicesOf(lines) });
    return { kind: 'watched', page };
  }
  const watchedAt = portAfter(/^watched(?: vessels)?\s+(at\s.+)$/i.exec(rest)?.[1]);
  if (watchedAt) throw notAtPort(watchedAt, choicesOf(['nextport watched']), []);
  // Without the word after it, so that the lines that an error offers are valid.
  const line = (fixed: string) => joinWords('nextport', fixed, formatPage(page));
  const visit = readVisit(rest, { ...help, vessels, ...(word && { line }) });
  if (word && visit)
    throw onlyOneWord([`at ${formatPort(visit.at)}`, word], { rest: String(visit.imo), page, help });
  if (visit) return { kind: 'at', ...visit, page };
  const imos = parseVessels(rest, { ...help, vessels });
  const [imo, ...others] = imos;
  if (!word) return { kind: 'vessels', imos, page };
  if (others.length > 0) throw onlyOneVessel(word, imos, vessels);
  return { kind: word, imo, page };
}

function onlyOneWord(
  words: readonly string[],
  { rest, page, help }: { rest: string; page: number; help: LineHelp },
): UserError {
  const lines = words.map((word) => joinWords('nextport', rest, word, formatPage(page)));
  return wordsError('unexpected-words', `“${words.join('” and “')}” are two questions.`, help, {
    hint: 'Ask one at a time.',
    choices: choicesOf(lines),
  });
}

const choicesOf = (lines: readonly string[]): Choice[] => lines.map((line) => ({ label: line, line }));

const notForSeveral = (
  word: string,
  help: LineHelp,
  more: { hint?: string; choices?: readonly Choice[] },
): UserError =>
  wordsError('unexpected-words', `“${word}” works for one vessel, not for several.`, help, more);

/** `MSC DIANA at Rotterdam`; undefined without a port, or if the words are the name of a vessel. */
function readVisit(words: string, help: VesselHelp): { imo: Imo; at: Locode } | undefined {
  const [, vessel = '', port = ''] = /^(.+)\s+at\s+(.+)$/i.exec(words) ?? [];
  const { vessels } = help;
  if (port === '' || vessels.named(words).length + vessels.referenced(words).length > 0) return undefined;
  const imos = parseVessels(vessel, { ...help, line: (fixed) => help.line(`${fixed} at ${port}`) });
  const at = parsePort(port, { ...help, line: (fixed) => help.line(`${vessel} at ${fixed}`) });
  const [imo, ...others] = imos;
  if (others.length === 0) return { imo, at };
  const each = imos.slice(0, 5).map((one) => {
    const line = `nextport ${one} at ${formatPort(at)}`;
    return { label: `${help.vessels.nameOf(one) ?? `IMO ${one}`} at ${portLabel(at)}`, line };
  });
  throw notAtPort(at, each, [watchAt(formatVessels(imos), at, 'them')]);
}

const notAtPort = (at: Locode, vessels: readonly Choice[], watch: readonly Choice[]): UserError =>
  new UserError({
    code: 'too-many-vessels',
    message: 'You can ask about a port for only one vessel at a time.',
    choices: [
      ...vessels,
      { label: `Who is coming to ${portLabel(at)}`, line: `portcalls ${formatPort(at)}` },
      ...watch,
    ],
    example: 'nextport 9461477 at Rotterdam',
  });

/** Of `at Rotterdam`. */
function portAfter(words = ''): Locode | undefined {
  const read = readPort(words.replace(/^at\s+/i, ''));
  return read.kind === 'one' ? read.port : undefined;
}

/** Notifies of their calls there. */
const watchAt = (vessels: string, at: Locode, label = vessels): Choice => ({
  label: `Watch ${label} at ${portLabel(at)}`,
  line: `watch ${vessels} at ${formatPort(at)}`,
});

/** Throws UserError for `list:FEEDERS compare`: the word is probably meant as an option, unless it is in quotes. */
function checkNoWordAfterName(rest: string, help: LineHelp): void {
  const [, named, typed = '', word = ''] =
    /^((?:ship)?list|fleet)\s*:\s*("(?:[^"]|"")*"|[^"\s].*?)\s+(compare|history|map|all|at\s.+)$/i.exec(
      rest,
    ) ?? [];
  if (named === undefined) return;
  const formatName = /^fleet$/i.test(named) ? formatFleetName : formatListName;
  const isQuoted = typed.startsWith('"');
  const name = isQuoted ? typed.slice(1, -1).replaceAll('""', '"') : typed;
  const group = formatName(name);
  const at = portAfter(word);
  if (at) throw notAtPort(at, choicesOf([`nextport ${group}`]), [watchAt(group, at)]);
  const fixes = isQuoted ? [group] : [group, formatName(`${name} ${word}`)];
  throw notForSeveral(word, help, {
    ...(!isQuoted && { hint: 'Put a name of several words in quotes.' }),
    choices: fixes.map((fixed) => ({ label: fixed, line: help.line(fixed) })),
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

const inWords: Record<VesselWord, { verb: string; label: string }> = {
  compare: { verb: 'compare', label: 'Compare' },
  history: { verb: 'see the history of', label: 'History of' },
  map: { verb: 'see the map of', label: 'Map of' },
  all: { verb: 'see all ports of', label: 'All ports of' },
};

async function run(args: NextportArgs, context: NextPortsContext): Promise<NextportAnswer> {
  if (args.kind === 'list') return await runList(args, context);
  const answer = { line: format(args), page: args.page, ...(await ask(args, context)) };
  if (answer.kind !== 'fleet-next-ports' || args.kind === 'watched') return answer;
  return { ...answer, watchLine: joinWords('watch', subjectOf(args)) };
}

/** Refresh and Watch have the spelling that the service knows. */
async function runList(args: ListArgs, context: NextPortsContext): Promise<FleetNextPorts> {
  const answer = await askList(args.name, context);
  const found = { ...args, name: answer.list };
  const watchLine = joinWords('watch', subjectOf(found));
  return { line: format(found), page: args.page, watchLine, ...answer };
}

async function ask(args: Exclude<NextportArgs, ListArgs>, context: NextPortsContext) {
  switch (args.kind) {
    case 'at':
      return { ...(await askNextPorts(args.imo, context)), at: args.at };
    case 'all':
      return { ...(await askNextPorts(args.imo, context)), showsAll: true as const };
    case 'compare':
      return compareNextPorts(args.imo, context);
    case 'vessels':
      return args.imos.length === 1 ? askNextPorts(args.imos[0], context) : askVessels(args.imos, context);
    case 'fleet':
      return askFleet(args.name, context);
    case 'watched':
      return askWatched(context);
    case 'history':
      return askHistory(args.imo, context);
    case 'map':
      return askMap(args.imo, context);
  }
}

/** The most probable port of each vessel. */
function facts(answer: NextportAnswer): LineFacts | null {
  if (answer.kind === 'next-ports-comparison' || answer.kind === 'vessel-history') return null;
  const vessels =
    answer.kind === 'fleet-next-ports'
      ? answer.vessels
      : [{ ...answer, top: answer.predictions, failed: false }];
  return {
    kind: 'next-ports',
    vessels: vessels.map(({ vessel, top: [first], failed }) => {
      const next = first && { port: first.port, probability: first.probability, eta: first.eta ?? null };
      return { imo: vessel.imo, next: next ?? null, isUnanswered: failed };
    }),
  };
}
