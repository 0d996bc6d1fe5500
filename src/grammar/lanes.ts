import { attempt, UserError } from '../errors.ts';
import { misspeltCarrier, nearestCarriers } from '../reference/carriers.ts';
import type { PortOrGroup } from '../reference/codes.ts';
import { misspeltPort, portName } from '../reference/ports.ts';
import { quote, wordsError } from './line.ts';
import {
  canonicalOf,
  checkDifferent,
  formatPortPair,
  type PortHelp,
  type PortPair,
  parsePortPair,
  parsePorts,
  portsBetweenSpaces,
  portWords,
  readPort,
  readPortPair,
} from './port.ts';

/** Each from a port or group to another, in the typed order. */
export type Lanes = readonly [PortPair, ...PortPair[]];

/**
 * One lane as parsePortPair reads it, or several, each once: `Shanghai Rotterdam, Ningbo Hamburg`, or with lists of ports
 * around an arrow or `to`: `Shanghai, Ningbo → Rotterdam, Hamburg`. Throws what parsePortPair and parsePorts throw, and
 * unexpected-words where it isn't clear which ports go together.
 */
export function parseLanes(text: string, help: PortHelp): Lanes {
  const typed = text.trim();
  if (readPortPair(typed, help)) return [parsePortPair(typed, help)];
  return (
    parseSides(typed, help) ??
    parseGroups(typed, help) ??
    parseList(typed, help) ??
    askWhichWay(typed, help) ?? [parsePortPair(typed, help)]
  );
}

/** `CNSHA NLRTM, CNNGB DEHAM`. */
export const formatLanes = (lanes: readonly PortPair[]): string => lanes.map(formatPortPair).join(', ');

/** Lanes from each port to each other one, without those from a port to itself. */
export const lanesBetween = <Port extends PortOrGroup>(
  origins: readonly Port[],
  destinations: readonly Port[],
): PortPair<Port>[] =>
  lanesOnce(origins.flatMap((origin) => destinations.map((destination) => ({ origin, destination })))).filter(
    isDifferent,
  );

const isDifferent = (pair: PortPair): boolean => canonicalOf(pair.origin) !== canonicalOf(pair.destination);

export const lanesOnce = <Pair extends PortPair>(lanes: readonly Pair[]): Pair[] => {
  const byPorts = Map.groupBy(
    lanes,
    (lane) => `${canonicalOf(lane.origin)} ${canonicalOf(lane.destination)}`,
  );
  return [...byPorts.values()].flatMap(([lane]) => lane ?? []);
};

/** `Shanghai, Ningbo → Rotterdam, Hamburg`, with one arrow or one `to`. */
function parseSides(typed: string, help: PortHelp): Lanes | undefined {
  const sides = sidesOf(typed);
  const words = sides?.map(portWords) ?? [];
  const isSeveral = words.some(
    (of) => of.length > 1 || of.some((each) => portsBetweenSpaces(each).length > 1),
  );
  if (!sides || !isSeveral || !words.flat().every((each) => isLikePort(each, help))) return undefined;
  const [from, to] = sides;
  const origins = parsePorts(from, { ...help, line: (fixed) => help.line(`${fixed} to ${to}`) });
  const destinations = parsePorts(to, { ...help, line: (fixed) => help.line(`${from} to ${fixed}`) });
  const [lane, ...others] = lanesBetween(origins, destinations);
  if (!lane) checkDifferent({ origin: origins[0], destination: destinations[0] }, help);
  return lane && [lane, ...others];
}

/** `Shanghai → Rotterdam, Ningbo → Rotterdam, Hamburg`: of the two ports between arrows, the second is the next origin. */
function parseGroups(typed: string, help: PortHelp): Lanes | undefined {
  const groups = typed.split(/\s*;\s*/).flatMap((part) => groupsIn(part) ?? [part]);
  if (groups.length < 2 || !groups.every((group) => areSides(group, help))) return undefined;
  const lanes = groups.flatMap((group, at) => {
    const own = { ...help, line: (fixed: string) => help.line(groups.with(at, fixed).join(', ')) };
    return parseSides(group, own) ?? [parsePortPair(group, own)];
  });
  const [lane, ...others] = lanesOnce(lanes);
  return lane && [lane, ...others];
}

const areSides = (group: string, help: PortHelp): boolean => {
  const sides = sidesOf(group);
  return sides?.flatMap(portWords).every((each) => isLikePort(each, help)) ?? false;
};

/** Undefined if it isn't clear which of the ports between two arrows are origins. */
function groupsIn(typed: string): string[] | undefined {
  const [first = '', ...others] = typed.replace(/^from\s+/i, '').split(arrow);
  const last = others.pop();
  if (last === undefined || others.length === 0) return undefined;
  const between = others.map(portWords);
  if (between.some(({ length }) => length !== 2)) return undefined;
  const origins = [first, ...between.map(([, origin]) => origin)];
  const destinations = [...between.map(([destination]) => destination), last];
  return origins.map((origin, at) => `${origin} → ${destinations[at]}`);
}

const arrow = /\s*(?:→|⇒|->|=>|>)\s*|\s+to\s+/i;

function sidesOf(typed: string): [string, string] | undefined {
  const text = typed.replace(/^from\s+/i, '');
  for (const mark of [/\s*(?:→|⇒|->|=>|>)\s*/, /\s+to\s+/i]) {
    const sides = text.split(mark).map((side) => side.replaceAll('/', ','));
    const [from = '', to = '', ...others] = sides;
    if (sides.length > 1) return from !== '' && to !== '' && others.length === 0 ? [from, to] : undefined;
  }
  return undefined;
}

/** A port, perhaps misspelt, rather than a carrier or a period. */
function isLikePort(words: string, { groups, nearestEnding }: PortHelp): boolean {
  if (readPort(words, groups).kind !== 'none' || portsBetweenSpaces(words).length > 1) return true;
  return misspeltPort(words) !== undefined && !misspeltCarrier(words) && !nearestEnding?.(words).length;
}

/** `Shanghai Rotterdam, Ningbo → Hamburg and Ningbo - Rotterdam`. */
function parseList(typed: string, help: PortHelp): Lanes | undefined {
  const pieces = typed.split(listMark).filter(Boolean);
  const runs = runsOf(pieces, help);
  const [first, ...others] = runs;
  if (!first || others.length === 0 || !runs.some(({ pair }) => pair)) return undefined;
  const unread = runs.findIndex(({ pair }) => !pair);
  if (unread >= 0) {
    throwFault(
      runs.map(({ text }) => text),
      unread,
      help,
    );
    return undefined;
  }
  const lanes = runs.flatMap(({ pair }) => pair ?? []);
  for (const pair of lanes) checkDifferent(pair, help);
  const [lane, ...more] = lanesOnce(lanes);
  return lane && [lane, ...more];
}

/** What is wrong with one piece of a list, or with it as the words after the lane before: `…, Ningbo Rotterdam, mearsk`. */
function throwFault(texts: readonly string[], at: number, help: PortHelp): void {
  for (const count of [1, 2].filter((words) => words <= at + 1)) {
    const from = at + 1 - count;
    const piece = texts.slice(from, at + 1).join(', ');
    const line = (fixed: string) => help.line(texts.toSpliced(from, count, fixed).join(', '));
    const error = attempt(() => parsePortPair(piece, { ...help, line }));
    if (!(error instanceof UserError)) continue;
    const isAboutPort = error.code === 'unknown-port' || error.code === 'ambiguous-port';
    const isPort = isAboutPort && error.choices.length > 0 && nearestCarriers(piece).length === 0;
    if (isPort || error.correction) throw error;
  }
}

const listMark = /,?\s+(?:and|or|vs\.?|versus|against|compared (?:to|with))\s+|\s*[,;|&+]\s*/i;

/** The pieces of each lane: `Portland, US to Busan` has two. */
function runsOf(pieces: readonly string[], { groups }: PortHelp): { text: string; pair?: PortPair }[] {
  const runs: { text: string; pair?: PortPair }[] = [];
  for (let at = 0; at < pieces.length; ) {
    const read = [4, 3, 2, 1].map((count) => {
      const text = pieces.slice(at, at + count).join(', ');
      return { count, text, pair: readPortPair(text, { groups, isInList: true }) };
    });
    const found = read.find(({ pair }) => pair);
    runs.push(found?.pair ? { text: found.text, pair: found.pair } : { text: pieces[at] ?? '' });
    at += found?.count ?? 1;
  }
  return runs;
}

/** Asks about three ports or more that nothing divides into origins and destinations, with all that they can be. */
function askWhichWay(typed: string, help: PortHelp): undefined {
  // `Shanghai → Rotterdam → Hamburg` is rather two legs.
  const isChain = /→|⇒|>|\sto\s/i.test(typed);
  const listed = typed
    .replace(/^(?:from|between)\s+/i, '')
    .replace(/\s*(?:\/|→|⇒|->|=>|>)\s*|\s(?:vs\.?|versus|against|to)\s/gi, ', ');
  const pieces = portWords(listed);
  const ports = pieces.flatMap((words) => {
    const read = readPort(words, help.groups);
    const several = 'port' in read ? [read.port] : portsBetweenSpaces(words);
    return several.length > 0 ? several : [undefined];
  });
  const known = ports.filter((port) => port !== undefined);
  const [first, second, ...others] = known;
  if (known.length < ports.length || !first || !second || others.length === 0) return undefined;
  const last = known.at(-1) ?? second;
  const readings = isChain
    ? [
        known.slice(1).map((destination, at) => ({ origin: known[at] ?? first, destination })),
        lanesBetween([first], [last]),
      ]
    : [
        ...(known.length % 2 === 0 ? [lanesOnce(pairsOf(known))] : []),
        lanesBetween([first], [second, ...others]),
        lanesBetween(known.slice(0, -1), [last]),
      ];
  throw wordsError(
    'unexpected-words',
    `I can read ${known.length} ports in ${quote(typed)}, but not which go from where to where.`,
    help,
    {
      hint: isChain ? 'Put a comma between lanes.' : 'Put an arrow or “to” between origins and destinations.',
      choices: [
        ...new Map(
          readings.filter((lanes) => lanes.length > 0).map((lanes) => [formatLanes(lanes), namesOf(lanes)]),
        ),
      ].map(([words, label]) => ({ label, line: help.line(words) })),
    },
  );
}

/** The first to the second, the third to the fourth. */
export const pairsOf = (ports: readonly PortOrGroup[]): PortPair[] =>
  ports.flatMap((origin, index) => {
    const destination = index % 2 === 0 ? ports[index + 1] : undefined;
    return destination && isDifferent({ origin, destination }) ? [{ origin, destination }] : [];
  });

/** `Shanghai, Ningbo → Rotterdam`, or each lane. */
export function namesOf(lanes: readonly PortPair[]): string {
  const sides = sidesOfLanes(lanes);
  if (!sides)
    return lanes
      .map(({ origin, destination }) => `${portName(origin)} → ${portName(destination)}`)
      .join(', ');
  return sides.map((ports) => ports.map(portName).join(', ')).join(' → ');
}

type Ports = readonly [PortOrGroup, ...PortOrGroup[]];

/** The ports of both sides, if the lanes go from each to each, in this order. */
export function sidesOfLanes(
  lanes: readonly PortPair[],
): readonly [origins: Ports, destinations: Ports] | undefined {
  const [origin, ...origins] = new Set(lanes.map((lane) => lane.origin));
  const [destination, ...destinations] = new Set(lanes.map((lane) => lane.destination));
  if (!origin || !destination) return undefined;
  const sides = [
    [origin, ...origins],
    [destination, ...destinations],
  ] as const;
  return formatLanes(lanesBetween(...sides)) === formatLanes(lanes) ? sides : undefined;
}
