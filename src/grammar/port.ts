import type { Choice, Correction, UserError } from '../errors.ts';
import { misspeltCarrier, nearestCarriers } from '../reference/carriers.ts';
import {
  groupName,
  groupOf,
  isLocode,
  isPortGroup,
  type Locode,
  type PortGroup,
  type PortOrGroup,
} from '../reference/codes.ts';
import { foldTight, isMisspelt, nearest } from '../reference/nearest.ts';
import { isPlainWord } from '../reference/plain-words.ts';
import {
  canonicalPort,
  findPorts,
  isKnownPort,
  isPortName,
  misspeltPort,
  nearestPorts,
  type Port,
  portName,
  portOf,
  samePort,
} from '../reference/ports.ts';
import { shortPort } from '../reference/short-ports.ts';
import { type LineHelp, type PortGroups, quote, wordsError } from './line.ts';

/** What the parsers of ports need. Without `groups`, only `ports:ARA` is a group, not `ARA`. */
export interface PortHelp extends LineHelp {
  /** The ports are for a group. */
  isForGroup?: boolean;
}

type PortReading =
  | { kind: 'one'; port: Locode }
  | { kind: 'group'; port: PortGroup }
  | { kind: 'several'; ports: readonly Port[] }
  | { kind: 'none' };

/** One port, and no group; `why` begins the error about a group. Throws what parsePortOrGroup throws, and too-many-ports. */
export function parsePort(text: string, help: PortHelp, why = ''): Locode {
  const port = parsePortOrGroup(text, help);
  if (!isPortGroup(port)) return port;
  throw wordsError('too-many-ports', `${why}${groupName(port)} is a group of ports. Which one?`, help, {
    choices: (help.groups?.portsOf(groupName(port)) ?? []).map((code) => ({
      label: portName(code),
      line: help.line(formatPort(code)),
    })),
  });
}

/**
 * One port, by name or UN/LOCODE (`Rotterdam`, `NLRTM`, `nl rtm`, `Rotterdam (NLRTM)`, `Portland, US`), or a group. A code
 * that is unknown here is valid too. Throws UserError: missing-argument, unknown-port, ambiguous-port, unexpected-words.
 */
export function parsePortOrGroup(text: string, help: PortHelp): PortOrGroup {
  const typed = text.trim();
  if (typed === '') {
    throw wordsError('missing-argument', 'Which port?', help, {
      hint: 'Give a port by its name or its UN/LOCODE, such as NLRTM.',
    });
  }
  const read = readPort(typed, help.groups);
  if ('port' in read) return read.port;
  if (read.kind === 'several') throw ambiguousPort(typed, read.ports, help);
  const extra = unexpectedWords(typed, help);
  // `Rotterdam mon` is similar to Rotterdam, but more probably a port and a period.
  if (extra && (extra.choices.length > 1 || nearestPorts(typed).length === 0)) throw extra;
  throw unknownPort(typed, help);
}

/** The code. `DO VER` with a space if the letters without a space would be read as a port's name. `ports:ARA` for a group. */
export function formatPort(port: PortOrGroup): string {
  if (isPortGroup(port)) return port;
  const read = readPort(port);
  return read.kind === 'one' && read.port === port ? port : `${port.slice(0, 2)} ${port.slice(2)}`;
}

/**
 * Like parsePortOrGroup, but never throws. A name wins over a code: Tokyo and Dover have the shape of codes. Both win over
 * the bare name of a group.
 */
export function readPort(text: string, groups?: PortGroups): PortReading {
  const typed = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^port (?=[A-Z]{2}[A-Z\d]{3}$)/i, '');
  if (typed.length > 100) return { kind: 'none' };
  const [, group] = /^ports\s*:\s*(\S+)$/i.exec(typed) ?? [];
  if (group !== undefined && isGroupName(group)) return { kind: 'group', port: groupOf(group) };
  const coded = codeOf(typed);
  const code = coded && !isKnownPort(coded) && groups?.fleets?.includes(coded) ? undefined : coded;
  if (code && !isPortName(typed) && isPlainlyCode(typed, code)) return { kind: 'one', port: code };
  const named = findPorts(typed);
  if (named.kind === 'one') return { kind: 'one', port: named.port.locode };
  if (named.kind === 'several') return named;
  const [, label = ''] = /\(([^()]{5,6})\)$/.exec(typed) ?? [];
  const codeUnlikeNames = code && /^\w+$/.test(typed) && nearestPorts(typed).length === 0 ? code : undefined;
  const port = codeOf(label) ?? codeUnlikeNames;
  if (port) return { kind: 'one', port };
  return groups?.portsOf(typed) ? { kind: 'group', port: groupOf(typed) } : { kind: 'none' };
}

/** One word, so that it needs no quotes: letters and figures, with hyphens between them. */
export const isGroupName = (typed: string): boolean =>
  /^(?=.{2,20}$)\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*$/u.test(typed);

/** The ports that these mean now, each once. `help.line` takes ports. Throws UserError unknown-port, too-many-ports. */
export function expandPorts(
  ports: readonly [PortOrGroup, ...PortOrGroup[]],
  { groups, ...help }: PortHelp,
): [Locode, ...Locode[]] {
  const all = ports.flatMap((port): readonly Locode[] => {
    if (!isPortGroup(port)) return [port];
    const members = groups?.portsOf(groupName(port)) ?? [];
    if (members.length === 0) throw unknownGroup(port, { groups, ...help });
    return members;
  });
  const [first, ...others] = eachOnce(all);
  if (first === undefined) throw new Error('there is always a port');
  if (others.length >= maxPorts) throw tooMany([first, ...others], help);
  return [first, ...others];
}

const eachOnce = <Port extends PortOrGroup>(ports: readonly Port[]): Port[] =>
  [...Map.groupBy(ports, canonicalOf).values()].flatMap(([port]) => port ?? []);

/** Another code of the same port gives the same. */
export const canonicalOf = (port: PortOrGroup): PortOrGroup =>
  isPortGroup(port) ? port : canonicalPort(port);

/** `help.line` takes a port. */
export function unknownGroup(group: PortGroup, { groups, ...help }: PortHelp): UserError {
  const names = groups?.portGroups() ?? [];
  const named = names.map((value) => ({ key: value, value }));
  const near = nearest(groupName(group), named, 3);
  const choices = (near.length > 0 ? near : names.slice(0, 5)).map((name) => ({
    label: name,
    line: help.line(groupOf(name)),
  }));
  return wordsError('unknown-port', `There is no group of ports called ${groupName(group)} here.`, help, {
    ...(names.length === 0 && { hint: 'There are no groups of ports yet.' }),
    choices,
  });
}

/** `NLRTM`, `nl rtm`, `NL-RTM`: well-formed, but not necessarily a known port. */
function codeOf(typed: string): Locode | undefined {
  const code = typed.replace(/^([a-z]{2})[ -](?=[a-z2-9]{3}$)/i, '$1').toUpperCase();
  return isLocode(code) ? code : undefined;
}

/** In lower case, an unknown code may be another word or a misspelt name: `at all`, `tokio`. */
const isPlainlyCode = (typed: string, code: Locode): boolean =>
  portOf(code) !== undefined || typed === typed.toUpperCase();

/** Labels such as `Portland, Oregon, US (USPDX)`. */
const choicesOf = (ports: readonly Port[], { line }: LineHelp): Choice[] =>
  ports.map(({ name, region, country, locode }) => ({
    label: `${[name, region, country].filter(Boolean).join(', ')} (${locode})`,
    line: line(formatPort(locode)),
  }));

const ambiguousPort = (typed: string, ports: readonly Port[], help: LineHelp): UserError =>
  wordsError('ambiguous-port', `${quote(typed)} can mean several ports. Which one?`, help, {
    choices: choicesOf(ports, help),
  });

const unknownPort = (typed: string, help: LineHelp): UserError =>
  wordsError('unknown-port', `${quote(typed)} isn't a known port.`, help, {
    hint: 'You can also give a port by its UN/LOCODE, such as NLRTM.',
    choices: choicesOf(nearestPorts(typed), help),
    correction: correctedPort(typed, help),
  });

/** Corrects the port alone: if the words after it are misspelt too, they come next. */
function correctedPort(typed: string, { line, nearestEnding }: LineHelp): Correction | undefined {
  const words = typed.split(' ').slice(0, 8);
  for (let count = words.length; count > 0; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const ending = typed.slice(beginning.length);
    // A vessel at sea isn't at Seattle, and `does` isn't Doel.
    const locode = isPlainWord(beginning)
      ? undefined
      : (shortPort(beginning) ?? misspeltPort(beginning)?.locode);
    if (locode && (ending === '' || nearestEnding?.(ending.trim()).length))
      return {
        typed: beginning,
        meant: portName(locode),
        line: line(formatPort(locode) + ending),
      };
  }
  return undefined;
}

/** `Rotterdam nxt 3 days`: a port, followed by words that can't follow it. */
function unexpectedWords(typed: string, help: PortHelp): UserError | undefined {
  const words = typed.split(' ').slice(0, 8);
  for (let count = words.length - 1; count > 0; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const read = readPort(beginning, help.groups);
    if (!('port' in read)) continue;
    const port = read.kind === 'one' && portOf(read.port);
    const ending = typed.slice(beginning.length).trim();
    const corrected = help.nearestEnding?.(ending) ?? [];
    const message = `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as a port, but not ${quote(ending)} after it.`;
    return wordsError('unexpected-words', message, help, {
      ...(corrected.length === 0 && help.endingHint !== undefined && { hint: help.endingHint }),
      choices: [
        ...corrected.map((fixed) => ({ label: fixed, line: help.line(`${formatPort(read.port)} ${fixed}`) })),
        ...(port ? choicesOf([port], help) : []),
        ...(read.kind === 'group' ? [{ label: groupName(read.port), line: help.line(read.port) }] : []),
      ],
      correction: correctedEnding(ending, corrected, (fixed) =>
        help.line(`${formatPort(read.port)} ${fixed}`),
      ),
    });
  }
  return undefined;
}

/** If the only fix has the same words, misspelt: `nxt 3 dyas`, but not `2026-11-25 5 days`. */
function correctedEnding(
  typed: string,
  [meant, ...others]: readonly string[],
  line: (fixed: string) => string,
): Correction | undefined {
  const isMeant =
    meant !== undefined &&
    meant !== typed &&
    others.length === 0 &&
    isMisspelt(foldTight(typed), foldTight(meant));
  return isMeant ? { typed, meant, line: line(meant) } : undefined;
}

/** A port such as Hamburg isn't a misspelt Hamburg Süd. */
function correctedCarrier(typed: string, line: (fixed: string) => string): Correction | undefined {
  const meant = readPort(typed).kind === 'none' ? misspeltCarrier(typed) : undefined;
  return meant && { typed, meant: meant.name, line: line(meant.scac) };
}

/** In one question: Slack's charts draw as many series. */
export const maxPorts = 6;

/**
 * One to six ports or groups, separated by commas, semicolons, `and`, `or`, `&` or `+` (codes also by spaces); in the typed
 * order, each once. `Portland, US` is one port. Throws what parsePortOrGroup throws, and too-many-ports.
 */
export function parsePorts(text: string, help: PortHelp): [PortOrGroup, ...PortOrGroup[]] {
  const pieces = portWords(text);
  const unseparated = pieces.length === 1 ? portsBetweenSpaces(pieces[0] ?? '') : [];
  if (unseparated.length > 1) throw withoutCommas(text, unseparated, help);
  const last = pieces.at(-1) ?? '';
  // In `Rotterdam, tomorow` the last word is rather a misspelt period.
  if (pieces.length > 1 && readPort(last, help.groups).kind === 'none' && help.nearestEnding?.(last).length) {
    const [before = '', others] = [pieces.at(-2), pieces.slice(0, -2)];
    parsePortOrGroup(`${before}, ${last}`, {
      ...help,
      line: (fixed) => help.line([...others, fixed].join(', ')),
    });
  }
  const ports = pieces.map((piece, index) =>
    parsePortOrGroup(piece, { ...help, line: (fixed) => help.line(pieces.with(index, fixed).join(', ')) }),
  );
  const [first, ...others] = eachOnce(ports);
  if (first === undefined) return [parsePortOrGroup('', help)]; // Throws missing-argument.
  if (others.length >= maxPorts) throw tooMany([first, ...others], help);
  return [first, ...others];
}

/** `NLRTM, BEANR`. */
export const formatPorts = (ports: readonly PortOrGroup[]): string => ports.map(formatPort).join(', ');

/** The words for each port of a list. */
export const portWords = (text: string): string[] => partsOf(text).flatMap(joinPlaces);

/** The parts of the text between `and`, `+` and the like; each may have commas. */
function partsOf(text: string): string[] {
  const typed = text.trim();
  const words = typed.split(/\s+/);
  if (words.every(isWrittenAsCode)) return words;
  return typed
    .split(/\s*[;&+]\s*|\s*,?\s+(?:and|or)\s+/i)
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter(Boolean);
}

/** Splits at commas, but not in `Portland, Oregon, US` and `Portland, US (USPWM)`. */
function joinPlaces(group: string): string[] {
  const pieces = group.split(/\s*,\s*/).filter(Boolean);
  const places: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const count = [3, 2].find((length) => isOnePlace(pieces.slice(at, at + length))) ?? 1;
    places.push(pieces.slice(at, at + count).join(', '));
    at += count;
  }
  return places;
}

/** The pieces are the name of a port, its country, and perhaps its region: not `Antwerp, Rotterdam (NLRTM)`. */
function isOnePlace(pieces: readonly string[]): boolean {
  const [first = '', second] = pieces;
  if (second === undefined || isWrittenAsCode(first.replace(/\s/, ''))) return false;
  return findPorts(pieces.join(', ').replace(/\s*\(\w{5}\)$/, '')).kind !== 'none';
}

const maxTextLength = 300;

/** The ports that a text names in whole words, in its order, the longest names first. Words of three letters count as none. */
export function findPortsIn(text: string): Locode[] {
  const words = text.slice(0, maxTextLength).split(/[\s,;]+/);
  const ports: Locode[] = [];
  for (let at = 0; at < words.length; ) {
    const runs = [3, 2, 1].map((count) => words.slice(at, at + count));
    const found = runs.map((run) => ({ run, read: findPorts(run.join(' ')) }));
    const named = found.find(({ run, read }) => read.kind === 'one' && run.join('').length > 3);
    if (named?.read.kind === 'one') ports.push(named.read.port.locode);
    at += named?.run.length ?? 1;
  }
  return [...new Set(ports)];
}

/** `Rotterdam Le Havre`: the longest names first. None if that is one port, or if not every word belongs to a port. */
export function portsBetweenSpaces(typed: string): Locode[] {
  const words = typed.split(' ');
  if (words.length > 4 * maxPorts || readPort(typed).kind !== 'none') return [];
  const ports: Locode[] = [];
  for (let at = 0; at < words.length; ) {
    const readings = [4, 3, 2, 1].map((count) => ({
      count,
      found: findPorts(words.slice(at, at + count).join(' ')),
    }));
    const longest = readings.find(({ found }) => found.kind === 'one');
    if (longest?.found.kind !== 'one') return [];
    ports.push(longest.found.port.locode);
    at += longest.count;
  }
  return ports;
}

const withoutCommas = (typed: string, ports: readonly Locode[], help: LineHelp): UserError =>
  wordsError(
    'unexpected-words',
    `${quote(typed)} can be ${ports.length} ports. Put commas between them.`,
    help,
    {
      choices: [{ label: ports.map(portName).join(', '), line: help.line(formatPorts(ports)) }],
    },
  );

const isWrittenAsCode = (word: string): boolean => isLocode(word) && !isPortName(word);

const tooMany = (ports: readonly PortOrGroup[], help: PortHelp): UserError =>
  wordsError(
    'too-many-ports',
    `${ports.length} ports are too many for one ${help.isForGroup ? 'group' : 'question'}: at most ${maxPorts}.`,
    help,
    {
      hint: help.isForGroup ? 'Make a second group.' : 'Ask for the others in a second question.',
      choices: [{ label: `The first ${maxPorts}`, line: help.line(formatPorts(ports.slice(0, maxPorts))) }],
    },
  );

export interface PortPair<Port extends PortOrGroup = PortOrGroup> {
  origin: Port;
  destination: Port;
}

/** The clearest first. */
const separators = [
  /\s*(?:→|⇒|->|=>|>)\s*/g,
  /\s+(?:to|and)\s+/gi,
  /\s*[/;]\s*/g,
  /\s+-+\s+/g,
  /\s*,\s*/g,
  /-/g,
  /\s+/g,
];

/**
 * Two ports or groups: `Singapore Xiamen`, `SGSIN → CNXAM`, `SGSIN-CNXAM`, `from Singapore to Xiamen`, `Hong Kong Los
 * Angeles`. Throws UserError: missing-argument, unknown-port, ambiguous-port, same-port, unexpected-words.
 */
export function parsePortPair(text: string, help: PortHelp): PortPair {
  const typed = withoutFrom(text);
  const splits = splitsOf(typed, help.groups);
  const split = splits.find(isClear) ?? splits.find(isPossible) ?? shortSplit(typed);
  if (!split) throw unreadable(typed, splits, help);
  const origin = portOfSide(split, 'origin', help);
  const destination = portOfSide(split, 'destination', help);
  checkDifferent({ origin, destination }, help);
  return { origin, destination };
}

const withoutFrom = (text: string): string => text.trim().replace(/^(?:from|between)\s+/i, '');

/** Like parsePortPair, but undefined where that throws. `isInList`: a comma or an `and` stands between pairs, not ports. */
export function readPortPair(
  text: string,
  { groups, isInList = false }: { groups?: PortGroups | undefined; isInList?: boolean },
): PortPair | undefined {
  const isFitting = (split: Split) => isClear(split) && !(isInList && /^(?:,|and$)/i.test(split.between));
  const split = splitsOf(withoutFrom(text), groups).find(isFitting);
  if (!split || !('port' in split.origin.read) || !('port' in split.destination.read)) return undefined;
  return { origin: split.origin.read.port, destination: split.destination.read.port };
}

/** Throws UserError same-port. */
export function checkDifferent({ origin, destination }: PortPair, help: LineHelp): void {
  const isSame =
    isPortGroup(origin) || isPortGroup(destination) ? origin === destination : samePort(origin, destination);
  if (isSame) throw wordsError('same-port', 'Origin and destination are the same port.', help);
}

/** `SGSIN CNXAM`, but `DO VER to SGSIN`: formatPort writes some codes with a space. */
export function formatPortPair({ origin, destination }: PortPair): string {
  const [from, to] = [formatPort(origin), formatPort(destination)];
  return from.includes(' ') || to.includes(' ') ? `${from} to ${to}` : `${from} ${to}`;
}

interface Side {
  text: string;
  read: PortReading;
}

interface Split {
  origin: Side;
  destination: Side;
  /** The words and commas that separate them. */
  between: string;
}

const isClear = ({ origin, destination }: Split): boolean =>
  'port' in origin.read && 'port' in destination.read;

/** Each side may mean one port or several. */
const isPossible = ({ origin, destination }: Split): boolean =>
  origin.read.kind !== 'none' && destination.read.kind !== 'none';

/** Every way to split the words in two, the clearest separators first, then the shortest origins. */
function splitsOf(typed: string, groups: PortGroups | undefined): Split[] {
  // This limit and the one below bound the time for long texts.
  if (typed.length > 200) return [];
  return separators.flatMap((separator) =>
    [...typed.matchAll(separator)].slice(0, 12).flatMap((match) => {
      const origin = readSide(typed.slice(0, match.index), groups);
      const destination = readSide(typed.slice(match.index + match[0].length), groups);
      if (origin.text === '' || destination.text === '') return [];
      const between = typed.slice(origin.text.length, match.index + match[0].length).trim();
      return [{ origin, destination, between }];
    }),
  );
}

/** `sin-ham`: between two ports, the letters are plain. */
function shortSplit(typed: string): Split | undefined {
  const [, first = '', between = '', last = ''] =
    /^(\S+?)(\s*(?:→|⇒|->|=>|>|-|\/|\sto\s|\s)\s*)(\S+)$/i.exec(typed) ?? [];
  const [origin, destination] = [first, last].map((text): Side => {
    const port = shortPort(text);
    const read = readPort(text);
    return { text, read: read.kind === 'none' && port ? { kind: 'one', port } : read };
  });
  const split = origin && destination && { origin, destination, between: between.trim() };
  return split && isClear(split) ? split : undefined;
}

function readSide(words: string, groups: PortGroups | undefined): Side {
  const text = words.replace(/[,\s]+$/, '').trim();
  return { text, read: readPort(text, groups) };
}

function portOfSide(split: Split, side: keyof PortPair, help: LineHelp): PortOrGroup {
  const { text, read } = split[side];
  if ('port' in read) return read.port;
  const sideHelp = helpFor(split, side, help);
  throw read.kind === 'several' ? ambiguousPort(text, read.ports, sideHelp) : unknownPort(text, sideHelp);
}

/** The most helpful error. If one side of a split is valid, the error is about the other side. */
function unreadable(typed: string, splits: readonly Split[], help: PortHelp): UserError {
  if (typed === '') return missingPort('From which port to which?', help);
  if (readPort(typed, help.groups).kind !== 'none')
    return missingPort(`From ${quote(typed)} to which port?`, help);
  const extra = wordsAfterPair(typed, help);
  if (extra) return extra;
  // Best a split with one valid side and one similar to a port; else the valid side with the most words counts.
  const bestSplit =
    splits.find(({ origin, destination }) => origin.read.kind !== 'none' && isNear(destination)) ??
    splits.find(({ origin, destination }) => isNear(origin) && destination.read.kind !== 'none') ??
    splits.findLast(({ origin }) => origin.read.kind !== 'none') ??
    splits.find(({ destination }) => destination.read.kind !== 'none') ??
    splits.find(({ origin, destination }) => isNear(origin) && isNear(destination));
  if (!bestSplit) return missingPort(`I can't find two ports in ${quote(typed)}.`, help);
  const side = bestSplit.origin.read.kind === 'none' ? 'origin' : 'destination';
  return unknownPort(bestSplit[side].text, helpFor(bestSplit, side, help));
}

const missingPort = (message: string, help: LineHelp): UserError =>
  wordsError('missing-argument', message, help, {
    hint: 'Origin first, then destination, by name or UN/LOCODE.',
  });

/** `Singapore Xiamen mearsk`: two ports, followed by neither a carrier nor a period. */
function wordsAfterPair(typed: string, help: PortHelp): UserError | undefined {
  const words = typed.split(' ').slice(0, 10);
  for (let count = words.length - 1; count >= 2; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const split = splitsOf(beginning, help.groups).find(isClear);
    if (!split) continue;
    const pair = `${best(split.origin)} to ${best(split.destination)}`;
    const ending = typed.slice(beginning.length).trim();
    const carriers = nearestCarriers(ending);
    const periods = carriers.length > 0 ? [] : (help.nearestEnding?.(ending) ?? []);
    const code = carriers.length > 0 ? 'unknown-carrier' : 'unexpected-words';
    const message = `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as two ports, but not ${quote(ending)} after them.`;
    return wordsError(code, message, help, {
      hint: 'Carriers and a period can follow the ports.',
      choices: [
        ...carriers.map(({ name, scac }) => ({
          label: `${name} (${scac})`,
          line: help.line(`${pair} ${scac}`),
        })),
        ...periods.map((fixed) => ({ label: fixed, line: help.line(`${pair} ${fixed}`) })),
        { label: pair, line: help.line(pair) },
      ],
      correction:
        correctedEnding(ending, periods, (fixed) => help.line(`${pair} ${fixed}`)) ??
        correctedCarrier(ending, (fixed) => help.line(`${pair} ${fixed}`)),
    });
  }
  return undefined;
}

const isNear = ({ text, read }: Side): boolean => read.kind === 'none' && nearestPorts(text).length > 0;

/** For an error about one side. The lines that it offers keep the other side. */
const helpFor = ({ origin, destination }: Split, side: keyof PortPair, help: LineHelp): LineHelp => ({
  ...help,
  line: (fixed) =>
    help.line(side === 'origin' ? `${fixed} to ${best(destination)}` : `${best(origin)} to ${fixed}`),
});

/** For the line of a choice: the code of the port, or of the port with the most similar name. */
function best({ text, read }: Side): string {
  if ('port' in read) return formatPort(read.port);
  const [nearest] = read.kind === 'none' ? nearestPorts(text) : [];
  return nearest ? formatPort(nearest.locode) : text;
}
