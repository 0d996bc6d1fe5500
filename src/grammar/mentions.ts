import { LRUCache } from 'lru-cache';
import { attempt, type Correction, UserError } from '../errors.ts';
import { carrierName, findCarrier, misspeltCarrier, type Scac } from '../reference/carriers.ts';
import {
  hasValidCheckDigit,
  type Imo,
  isImo,
  isPortGroup,
  type NamedGroup,
  type PortOrGroup,
} from '../reference/codes.ts';
import { fold, isMisspelt } from '../reference/nearest.ts';
import { isCommonWord, isPlainWord } from '../reference/plain-words.ts';
import { isKnownPort, majorPorts, misspeltPort, portName } from '../reference/ports.ts';
import { isReadWord } from '../reference/read-words.ts';
import { shortPort } from '../reference/short-ports.ts';
import { isCargo, voyage } from './cargo.ts';
import { meantCue, withMeantCues } from './cues.ts';
import { lanesBetween, pairsOf } from './lanes.ts';
import { withoutLetterhead } from './letter.ts';
import { joinWords, type LineHelp, minimumOption, type PortGroups } from './line.ts';
import { momentShape } from './moment.ts';
import { numberWords, readCount } from './number-words.ts';
import { findPeriod } from './parse-period.ts';
import { formatPort, type PortPair, readPort } from './port.ts';
import { timeShape } from './times.ts';
import { type Topic, topicOf } from './topics.ts';
import { initialsOf, isMisspeltName } from './unknown-vessel.ts';
import { parseVersus } from './versus.ts';
import { fleetKey } from './vessel.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';
import { zoneShape } from './zone.ts';

/** What a text names, each in its order, whatever else it says. */
export interface Mentions {
  vessels: readonly Imo[];
  groups: readonly NamedGroup[];
  /** And groups of ports. */
  ports: readonly PortOrGroup[];
  /** Ports side by side, or with `to` between them, and no period of the future; none for a list of ports. */
  routes: readonly PortPair[];
  carriers: readonly Scac[];
  /** As typed. */
  periods: readonly string[];
  /** Carriers, periods and ports as they follow each other: `cdcdpp` for `Maersk q2, MSC q3 Shanghai Rotterdam`. */
  sequence: string;
  /** The period to compare with, as typed. */
  versus: string | undefined;
  /** Whole percent. */
  minimum: number | undefined;
  topic: Topic;
  /** What was misspelt. */
  corrections: readonly Pick<Correction, 'typed' | 'meant'>[];
  /** Parts of one vessel's name alone (`the gulsun`), which is among the vessels, but has to be asked about. */
  partsOfNames: readonly Pick<Correction, 'typed' | 'meant'>[];
  /** Words that may be references: `BK-4417`. */
  codes: readonly string[];
  /** The stored references that name its vessels, as typed. */
  references: readonly string[];
  /** Its only date, as it can follow a port: `8/12 08:00`, `before friday`. */
  date: string | undefined;
  /** Its only destination and date, as they can follow `due`: `NLRTM 8/12 08:00`. */
  promise: string | undefined;
  /** Words that may be names, as typed. */
  unknown: readonly string[];
  /** A name stands after `not`, `except` or the like: a reading without that would say the opposite. */
  excludes: boolean;
  /** The name of the command, if it was typed, which the text then lacks. */
  command?: string | undefined;
  text: string;
  /** The words that name nothing, folded, with a space before and after. */
  rest: string;
}

interface Word {
  typed: string;
  isTaken: boolean;
}

/** Bounds the time; a longer text isn't read, since the rest of it might change the answer. */
export const maxTextLength = 1_000;
const noHelp: LineHelp = { example: '', line: (fixed) => fixed };

/** Names count before codes, and what is spelt right before what is misspelt. */
export function findMentions(
  text: string,
  vessels: VesselDirectory,
  { isAsked = false, ofVessels = false }: { isAsked?: boolean; ofVessels?: boolean } = {},
): Mentions {
  const typedWords = withoutLetterhead(text.slice(0, maxTextLength))
    .replace(forPurpose, ' ')
    .replace(label, '$1 ')
    .replace(/(?<=\s)@(?=\s)/g, 'at')
    .replace(/(?<=\p{L}|\d{7}),(?=[\p{L}\d])/gu, ', ')
    .split(/\s+|[;|]|","/)
    .filter(Boolean);
  const words: Word[] = typedWords
    .flatMap((word, at) => splitPair(word, { around: typedWords, at, groups: vessels }))
    .flatMap((word) => word.split(/(?<=\p{L}{2})[+/→>](?=\p{L}{2})/u))
    .map((typed) => ({ typed, isTaken: false }));
  // A vessel may have the name of a port.
  const portsReached = takeRuns(words, 5, (run) =>
    readKnownPort(/^(?:at|to|into) (.+)$/i.exec(run)?.[1] ?? '', vessels),
  );
  const misspeltReached = takeRuns(words, 3, (run) =>
    readMisspeltMajor(/^(?:at|to|into) (.{4,})$/i.exec(run)?.[1] ?? '', 4),
  );
  const named = takeRuns(
    words,
    6,
    orPossessive((run) => vesselNamed(run, vessels)),
  );
  const names = indexNames(vessels);
  const misspeltNames = takeRuns(words, 4, (run) => vesselMisspelt(run, names));
  const referenced = takeRuns(
    words,
    3,
    // Not `ACME's`: a customer may have other vessels.
    (run) => vesselReferenced(run.replace(/(?<=\d)['’]s$/i, ''), vessels),
  );
  const voyages = takeRuns(words, 3, (run) => isCargo(run) || undefined);
  // `Long Beach list` isn't a list of that name.
  const longPorts = takeRuns(words, 4, (run) => {
    const port = run.includes(' ') ? readKnownPort(run) : undefined;
    return majorPorts.some((major) => major === port) ? port : undefined;
  });
  const fleets = new Map(vessels.fleets.map((name) => [fleetKey(name), name]));
  const groups = [
    ...takeRuns(
      words,
      6,
      orPossessive((run) => readFleet(run, { fleets, ofVessels })),
    ),
    ...takeRuns(words, 3, (run) => readGroup(run, vessels)),
  ];
  const [minimum, otherMinimum] = takeRuns(words, 6, readMinimum);
  const versus = takeRuns(words, 6, readVersusWords);
  const periods = takeRuns(words, 8, readPeriodWords);
  const ports = takeRuns(
    words,
    4,
    orPossessive((run) => readKnownPort(run, vessels)),
  );
  const carriers = takeRuns(words, 4, orPossessive(readCarrier));
  const misspeltCarriers = takeRuns(words, 2, (run) => readMisspelt(run, misspeltCarrier)?.scac);
  const parts = takeRuns(
    words,
    3,
    orPossessive((run) => vesselWithPart(run, names)),
  );
  const isOfPort = (run: string) => majorPorts.includes(misspeltPort(run)?.locode ?? '');
  parts.push(
    ...takeRuns(words, 1, (run) => (isOfPort(run) ? undefined : vesselWithMisspeltPart(run, names))),
  );
  parts.push(
    ...takeRuns(
      words,
      1,
      orPossessive((run) => vesselOfEnding(run, vessels)),
    ),
  );
  const misspeltPorts = takeRuns(words, 2, (run) => readMisspeltMajor(run));
  const ends = new Set([...named, ...misspeltNames, ...parts].map(({ at, length }) => at + length));
  const readShort = () => takeRuns(words, 1, shortPort, (_, at) => isShortPort(words, at, ends.has(at)));
  // In `HAM + PEN + Shanghai` the second makes the first one clear.
  const shortPorts = [...readShort(), ...readShort()].sort((one, other) => one.at - other.at);
  if (carriers.length + misspeltCarriers.length > 0)
    carriers.push(...takeRuns(words, 1, readCarrierOne, isInList));
  const hasName = named.length + misspeltNames.length + parts.length > 0;
  const allPorts = [
    ...portsReached,
    ...longPorts,
    ...misspeltReached,
    ...ports,
    ...misspeltPorts,
    ...shortPorts,
  ].sort((one, other) => one.at - other.at);
  const free = words.flatMap(({ typed, isTaken }) => (isTaken ? [] : [typed])).join(' ');
  const rest = ` ${withMeantCues(fold(free))} `;
  const routes = periods.every(({ value }) => canBePast(value))
    ? routesIn(words, withoutFirstTwice(allPorts), { areCalls: asksOfCalls.test(rest) })
    : [];
  const found = [...named, ...misspeltNames, ...parts];
  // A voyage number alone names no vessel.
  const hasVessel = found.length + referenced.length > 0;
  const date = dateIn(text);
  const promise = joinTerms(
    promiseIn(date, { words, ports: allPorts }),
    marginIn(text),
    minimum?.value === 'invalid' ? undefined : minimum?.value,
  );
  // A lane says that of its carriers.
  const excludes = words.some((_, at) => isExcluded(words, at) && !carriers.some((one) => one.at === at));
  const isClear =
    !excludes &&
    // `algceiras`: that port, or HMM ALGECIRAS?
    !misspeltPorts.some(({ run }) => vesselWithMisspeltPart(run, names) !== undefined) &&
    areListed(words, found) &&
    !otherMinimum &&
    minimum?.value !== 'invalid' &&
    (hasVessel || voyages.every(({ run }) => !voyage.test(run)));
  const around = {
    ...{ text, isAsked },
    // Without a port, it may be a new date of a promise that is stored.
    promise: promise ?? (allPorts.length === 0 && referenced.length > 0 ? date : undefined),
    periods: periods.map(({ value }) => value),
    hasUnknownName: words.some((_, at) => isUnknownName(words, at)),
    hasSubject: hasVessel || groups.length > 0,
    hasVessel,
    isLane: routes.length > 0,
  };
  const correctionsOf = <T>(found: readonly Found<T>[], nameOf: (value: T) => string | undefined) =>
    found.map(({ run, value }) => ({
      typed: run.replace(/^(?:at|to|into) /i, ''),
      meant: nameOf(value) ?? run,
    }));
  return {
    // Beside a vessel's name, that of a customer says whose cargo it is.
    vessels: inOrder(
      named,
      misspeltNames,
      parts,
      hasName ? referenced.filter(({ at }) => /\d/.test(words[at]?.typed ?? '')) : referenced,
    ),
    groups: inOrder(groups),
    ports: inOrder(allPorts),
    routes,
    carriers: inOrder(carriers, misspeltCarriers),
    periods: inOrder(periods),
    sequence: sequenceOf({ c: [...carriers, ...misspeltCarriers], d: [...periods, ...versus], p: allPorts }),
    versus: versus[0]?.value,
    minimum: minimum?.value === 'invalid' ? undefined : minimum?.value,
    topic: isClear ? topicOf(rest, around) : 'unknown',
    corrections: [
      ...correctionsOf(misspeltNames, vessels.nameOf),
      ...correctionsOf([...misspeltReached, ...misspeltPorts, ...shortPorts], portName),
      ...correctionsOf(misspeltCarriers, carrierName),
    ],
    partsOfNames: correctionsOf(parts, vessels.nameOf),
    codes: words.flatMap(({ typed, isTaken }) => (isTaken ? [] : codeIn(typed))),
    references: referenced.map(({ run }) => run.replace(/(?<=\d)['’]s$/i, '')),
    ...{ date, promise },
    excludes,
    unknown: words.flatMap(({ typed, isTaken }) => (isTaken ? [] : unknownIn(typed))),
    text,
    rest,
  };
}

/** `TS=SGSIN`: a port whose part in the text isn't known. */
const labelledPort = (typed: string): boolean => {
  const [, port = ''] = /^\p{L}+[=:](\p{L}{3,})$/u.exec(withoutMarks(typed)) ?? [];
  return readKnownPort(port) !== undefined;
};

const unknownIn = (typed: string): string[] =>
  labelledPort(typed) ? [withoutMarks(typed)] : unknownWordsIn(typed);

const unknownWordsIn = (typed: string): string[] =>
  withoutMarks(typed)
    .replace(/n['’]t$/i, '')
    .split(/[/'-]/)
    .filter(
      (word) =>
        /^(?:\p{L}{2,}|\d{2}\p{L}{2}|.*[^\P{L}\p{Script=Latin}].*)$/u.test(word) &&
        !isReadWord(word) &&
        !meantCue(fold(word)),
    );

/** `for the monday deck` says nothing of a period. */
const forPurpose =
  /\bfor (?:the|my|our|a|this) (?:\S+ ){0,2}(?:deck|meeting|report|review|slides?|presentation|qbr|newsletter|board)\b/gi;

/** `POL: CNXAM`, `POD=USNYC`. */
const label =
  /(?<![\p{L}\d])(pol|pod|from|to|origin|dest(?:ination)?|carr(?:ier)?s?|lines?|lane|trade|period)\s*[=:]\s*/giu;

/** `CNSHA-NLRTM`, `sin/ham`, and with the words around it `Port Klang-New York`, but not `Hapag-Lloyd`. */
function splitPair(
  word: string,
  { around, at, groups }: { around: readonly string[]; at: number; groups: PortGroups },
): string[] {
  const [, first = '', mark = '', last = ''] = /^(\p{L}+)(-|\/|→|>|->)(\p{L}+)[,.:;?!]*$/u.exec(word) ?? [];
  const [before = '', after = ''] = [around[at - 1], around[at + 1]];
  const inPair = (name: string) => readKnownPort(name, groups) ?? shortPort(name);
  if (mark === '') return [word];
  const withBefore = readKnownPort(`${before} ${first}`, groups);
  const withAfter = readKnownPort(`${last} ${withoutMarks(after)}`, groups);
  if (!(withBefore ?? inPair(first)) || !(withAfter ?? inPair(last))) return [word];
  const long = (name: string) => (readKnownPort(name, groups) ? name : (shortPort(name) ?? name));
  const [origin, destination] = [withBefore ? first : long(first), withAfter ? last : long(last)];
  return mark === '/' ? [origin, destination] : [origin, 'to', destination];
}

/** The only destination, and the only date. */
function promiseIn(
  date: string | undefined,
  { words, ports }: { words: readonly Word[]; ports: readonly Found<PortOrGroup>[] },
): string | undefined {
  const destinations = new Set(
    ports.filter(({ at }) => !isOrigin(textBefore(words, at))).map(({ value }) => value),
  );
  const [port, ...otherPorts] = destinations;
  if (port === undefined || isPortGroup(port) || date === undefined) return undefined;
  return otherPorts.length > 0 ? undefined : `${formatPort(port)} ${date}`;
}

/** The words of the grammar for what has to hold: `margin of 6h`, `one day of slack`. */
function joinTerms(
  promise: string | undefined,
  margin: string | undefined,
  minimum: number | undefined,
): string | undefined {
  return promise === undefined
    ? undefined
    : joinWords(promise, margin, minimum === undefined ? undefined : `min ${minimum}%`);
}

/** `±24h`; undefined if none is named. */
function marginIn(text: string): string | undefined {
  const [, count = 'a', unit = ''] = marginBefore.exec(text) ?? marginAfter.exec(text) ?? [];
  return unit === '' ? undefined : `±${readCount(count)}${/^d/i.test(unit) ? 'd' : 'h'}`;
}

const lengthShape = `(\\d{1,3}|(?:an?|${numberWords.join('|')})(?=[ -]))[ -]?(d(?:ays?)?|h(?:rs?|ours?)?)`;
const marginWord = '(?:margin|slack|leeway|tolerance|buffer)';
const marginBefore = new RegExp(
  `(?:\\b${marginWord}(?: of| is)?|±|\\+ ?/ ?-|\\bgive or take|\\bplus or minus) ?${lengthShape}\\b`,
  'i',
);
const marginAfter = new RegExp(`\\b${lengthShape}['’]?(?: of)? ${marginWord}\\b`, 'i');

function dateIn(text: string): string | undefined {
  // A time or a zone that isn't read would change the promise.
  if (text.matchAll(datesTyped).some(({ 0: date, index }) => goesOn.test(text.slice(index + date.length))))
    return undefined;
  // `promised Hamburg until 4 dec`
  const before = (index: number) =>
    mustHold.test(text) ? text.slice(0, index).replace(untilMark, ' ') : text.slice(0, index);
  const dates = text.matchAll(datesTyped).filter(({ index }) => !isOfOther.test(before(index)));
  const typed = dates.map(
    ({ 0: date, index }) => `${dayBefore.test(text.slice(0, index)) ? 'before ' : ''}${date}`,
  );
  const [date, ...otherDates] = new Set(typed);
  return otherDates.length > 0 ? undefined : date;
}

/** The parts of a list that each have a date of their own: `BK-4401 due Rotterdam 7 dec`, `BK-4402 due Antwerp 9 dec`. */
export function datedParts(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/\s*(?:;|,(?! ?\d)|\band\b|&)\s*/gi)) {
    const [before, after] = [text.slice(from, index), index + mark.length];
    if (!isDated(before) || !isDated(text.slice(after))) continue;
    parts.push(before);
    from = after;
  }
  return [...parts, text.slice(from)];
}

export const isDated = (text: string): boolean => text.match(datesTyped) !== null;

const datesTyped = new RegExp(
  `(?<![\\p{L}\\d.,/:-])${momentShape}(?: ?(?:-|to|until) ?${timeShape})?${zoneShape}?(?![\\d/\\p{L}]|[-.]\\d)`,
  'giu',
);
const goesOn =
  /^[\s,(]*(?:(?:between|from|at|um|kl\.?|around|approx\.?) ?)?(?:\d|[+-] ?\d|utc\b|gmt\b|z\b|[a-z]+ time\b|[a-z]+\/[a-z])/i;
const mustHold = /\b(?:promised?|committed|agreed|must|needs? to be|wont|won['’]t|will not|not be)\b/i;
const untilMark = /\b(?:until|till?)\W+$/i;
const isOfOther =
  /\b(?:etd|atd|sail(?:ed|ing)|departs?|departure|since|until|till|til|expires?|loaded|was(?: due| promised)?|instead of|from)\W+$/i;
const dayBefore = /(?<!\bor )\bbefore $/i;

const isOrigin = (before: string): boolean =>
  /\b(?:etd|pol|ex|from|loading|origin|departs?|departure)\W*$/i.test(before);

const textBefore = (words: readonly Word[], at: number): string =>
  words
    .slice(Math.max(0, at - 2), at)
    .map(({ typed }) => typed)
    .join(' ');

/** After `and`, `to` or the like, or in a list of names. */
function isUnknownName(words: readonly Word[], at: number): boolean {
  const { typed = '', isTaken = true } = words[at] ?? {};
  const { typed: before = '', isTaken: isAfterName = false } = words[at - 1] ?? {};
  // `Ngqura + PE`
  const isShort = /^\p{Lu}{2}$/u.test(withoutMarks(typed)) && isAfterMark.test(before);
  if (isTaken || (isPlainWord(withoutMarks(typed)) && !isShort)) return false;
  const isInNames = before.endsWith(',') && isAfterName && (at === words.length - 1 || typed.endsWith(','));
  const isFirstOfNames = at === 0 && /^\p{Lu}+,$/u.test(typed) && words[1]?.isTaken;
  return isInNames || isFirstOfNames || /^(?:and|or|vs|to|at|into|from|[&+])$/i.test(before);
}

const isAfterMark = /^(?:and|[+&])$/i;

const codeIn = (word: string): string[] => withoutMarks(word).match(/^[a-z]{2,4}-?\d{3,}\w*$/i) ?? [];

interface Found<T> {
  at: number;
  length: number;
  run: string;
  value: T;
}

const listMark =
  /[,;+&/|]$|(?:^| )(?:and|an|or|vs|versus|n|with|against|next to|beside|alongside|plus|[,;+&/|])(?: |$)/i;

/** Two names side by side may be one that isn't known. */
function areListed(words: readonly Word[], found: readonly Found<Imo>[]): boolean {
  const inOrder = found.toSorted((one, other) => one.at - other.at);
  return inOrder.every(({ at, value }, index) => {
    const before = inOrder[index - 1];
    if (!before || before.value === value) return true;
    return listMark.test(textBetween(words, before, at));
  });
}

/** With the last word of the first name. */
const textBetween = (words: readonly Word[], { at, length }: Found<unknown>, end: number): string =>
  words
    .slice(at + length - 1, end)
    .map(({ typed }) => typed)
    .join(' ');

/** In `omitted Penang on the Kaohsiung-Penang lane`, the lane begins with the second. */
const withoutFirstTwice = <T>(found: readonly Found<T>[]): readonly Found<T>[] =>
  found.length === 3 && found[0]?.value === found[2]?.value ? found.slice(1) : found;

const asksOfCalls = / (?:arrivals?|line ?up|expected|coming(?! from)) /;

/** `skipped Felixstowe most coming from Ningbo` */
const maxGap = 5;

/** `Shanghai Rotterdam, Ningbo Rotterdam`, or lists of ports with one `to` between them. */
function routesIn(
  words: readonly Word[],
  ports: readonly Found<PortOrGroup>[],
  { areCalls }: { areCalls: boolean },
): readonly PortPair[] {
  const gaps = ports.slice(1).map((port, index) => {
    const before = ports[index] ?? port;
    const text = textBetween(words, before, port.at);
    if (listMark.test(text)) return 'list';
    const gap = port.at - before.at - before.length;
    if (gap <= maxGap && / (?:ex|from|out of|pol|on)(?: the)?$/i.test(text)) return 'from';
    if (gap > 2 && !(gap === 3 && / up to the$/i.test(text))) return 'other';
    const isTo = /(?: to|→|->|>)(?: |$)/i.test(text) || /^(?:in)?to /i.test(port.run);
    return isTo ? 'to' : areCalls ? 'other' : 'next';
  });
  const values = ports.map(({ value }) => value);
  if (gaps.length === 1 && gaps[0] === 'from') return pairsOf(values.toReversed());
  const isPairs = gaps.length % 2 === 1 && gaps.every((gap, index) => (gap === 'list') === (index % 2 === 1));
  if (isPairs && !gaps.includes('other')) return pairsOf(values);
  const to = gaps.indexOf('to');
  const isSides = to >= 0 && gaps.every((gap, index) => gap === 'list' || index === to);
  return isSides ? lanesBetween(values.slice(0, to + 1), values.slice(to + 1)) : [];
}

const sequenceOf = (found: Record<string, readonly Found<unknown>[]>): string =>
  Object.entries(found)
    .flatMap(([kind, of]) => of.map(({ at }) => ({ kind, at })))
    .sort((one, other) => one.at - other.at)
    .map(({ kind }) => kind)
    .join('');

/** Without duplicates. */
const inOrder = <T>(...lists: readonly (readonly Found<T>[])[]): T[] => [
  ...new Set(
    lists
      .flat()
      .sort((one, other) => one.at - other.at)
      .map(({ value }) => value),
  ),
];

/** `ONE and HMM`, `msc, one`: there `one` is a carrier. */
const isInList = (words: readonly Word[], at: number): boolean =>
  !beforeOne.test(words[at - 1]?.typed ?? '') &&
  [words[at - 1], words[at + 1]].some((word) => word && (word.isTaken || listMark.test(word.typed)));

/** There `one` is a word: `the better one`. */
const beforeOne =
  /^(?:better|best|worse|worst|good|which|what|this|that|the|last|next|first|other|another|each|every|only|no|any|a|as|late|later|earlier|new|old|more|less|most|least|reliable|punctual)$/i;

/** `the Diana's ETA`, `Yang Ming's`. */
const orPossessive =
  <T>(read: (run: string) => T | undefined) =>
  (run: string): T | undefined =>
    read(run) ?? (/['’]s$/i.test(run) ? read(run.slice(0, -2)) : undefined);

/** `not at Rotterdam`, `all but MSC DIANA`. */
function isExcluded(words: readonly Word[], at: number): boolean {
  if (!words[at]?.isTaken || words[at - 1]?.isTaken) return false;
  const before = fold(
    words
      .slice(Math.max(0, at - 3), at)
      .map(({ typed }) => typed)
      .join(' '),
  );
  return exclusion.test(` ${before} `);
}

const exclusion =
  / (?:(?:not|never)(?: (?:at|to|in|for|calling|going|the|from|with|only))*|except(?: for)?|excluding|excl|without|(?:all|everything|everyone|any|anything)(?: \S+)? but|other than|besides|minus)(?: the| our)? $/;

/** `PIR` in capitals, `into dbn`, `sav n charleston`: elsewhere three letters may be any word. */
function isShortPort(words: readonly Word[], at: number, isAfterVessel: boolean): boolean {
  const { typed = '' } = words[at] ?? {};
  const { typed: before = '' } = words[at - 1] ?? {};
  // `at 9 IST`: a clock's, not Istanbul's.
  if (/^\d{1,2}(?:[:.]?\d\d)?(?:[ap]m|h|hrs)?$/i.test(before)) return false;
  const isAfterPlace = /^(?:at|to|in|into|for|from|pod|pol|eta|promised|due)$/i.test(withoutMarks(before));
  // `diana cmb eta`, `eta ham?`
  const isBesideEta =
    /^etas?$/i.test(withoutMarks(before)) || /^etas?\P{L}*$/iu.test(words[at + 1]?.typed ?? '');
  const isLast = at === words.length - 1 && words.length > 2;
  if (isBesideEta && (isLast || !isPlainWord(withoutMarks(typed)))) return true;
  // `ETA HAM`
  if (
    /^(?:pod|pol|eta)$/i.test(withoutMarks(before)) &&
    /^\p{Lu}{3}\P{L}*$/u.test(typed) &&
    /\p{Ll}/u.test(words.map((word) => word.typed).join(''))
  )
    return true;
  // `GOT arrivals`, `mnl ships tomorrow`
  if (
    at === 0 &&
    !isPlainWord(typed) &&
    /^(?:arrivals?|calls|line-?up|ships|vessels|boats|nxt|next)$/i.test(words[1]?.typed ?? '')
  )
    return true;
  if (at === 0 && /^\p{Lu}{3}$/u.test(typed) && /^(?:arrivals?|calls|line-?up)$/i.test(words[1]?.typed ?? ''))
    return true;
  // `cph tomorrow`, `changes today syd`
  const isBesidePeriod = [words[at - 1], words[at + 1]].some(
    (word) => word && isPeriod(withoutMarks(word.typed)),
  );
  if (isBesidePeriod && (!isPlainWord(typed) || (at === 0 && words.length <= 3))) return true;
  // `ever given LB by fri`
  const isAfterName = words[at - 1]?.isTaken || isAfterPlace;
  if (isAfterName && /^(?:by|before)$/i.test(words[at + 1]?.typed ?? '')) return true;
  // `GOT 24-27 nov`
  if (at === 0 && isBesidePeriod && /^\p{Lu}{3}$/u.test(typed)) return true;
  // `to LA`
  if (isAfterPlace && /^\p{Lu}{2}\P{L}*$/u.test(typed)) return true;
  if (/^(?:at|into)$/i.test(before)) return !/^sea\b/i.test(typed);
  if (/^\p{Lu}{3}\P{L}*$/u.test(typed) && isBesidePort(words, at)) return true;
  // `eta msc gulsun lb`
  const isLastName = isAfterVessel && at === words.length - 1;
  if ((isLastName || /^(?:reach\p{L}*|into)$/iu.test(before)) && /^(?:la|lb|ny|hk|sg)\P{L}*$/iu.test(typed))
    return true;
  if (isPlainWord(withoutMarks(typed))) return false;
  // `khh to sgp how many days`
  const [between, further] = [words[at + 1]?.typed ?? '', words[at + 2]];
  if (
    /^(?:to|>|->|→)$/i.test(between) &&
    further &&
    (further.isTaken || shortPort(withoutMarks(further.typed)))
  )
    return true;
  // `diana mvd when?`
  return /^\p{Lu}{2,4}\P{L}*$/u.test(typed) || isAfterPlace || isAfterVessel || isBesidePort(words, at);
}

/** A mark or `and` stands between them. */
const isBesidePort = (words: readonly Word[], at: number): boolean =>
  [1, -1].some((step) => {
    const [next, further] = [words[at + step], words[at + 2 * step]];
    const isMark = next !== undefined && /^(?:and|n|&|\+|or)$/i.test(next.typed);
    return isMark && further?.isTaken === true;
  });

/** Takes the runs of up to `max` words that `read` can read, the longest first. */
function takeRuns<T>(
  words: Word[],
  max: number,
  read: (run: string) => T | undefined,
  mayBegin: (words: readonly Word[], at: number) => boolean = () => true,
): Found<T>[] {
  const found: Found<T>[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const taken = words.slice(at, at + max).findIndex(({ isTaken }) => isTaken);
    const longest = taken >= 0 ? taken : Math.min(max, words.length - at);
    // A mark before a name isn't part of it.
    const isMark = withoutMarks(words[at]?.typed ?? '') === '';
    if (longest === 0 || isMark || !mayBegin(words, at)) continue;
    for (let length = longest; length > 0; length -= 1) {
      const run = words.slice(at, at + length);
      const text = withoutMarks(run.map(({ typed }) => typed).join(' '));
      const value = read(text);
      if (value === undefined) continue;
      for (const word of run) word.isTaken = true;
      found.push({ at, length, run: text, value });
      break;
    }
  }
  return found;
}

/** Keeps those of `>60%` and `80%+`. */
const withoutMarks = (run: string): string =>
  run.replace(/^(?:(?!>=? ?\d)[^\p{L}\p{N}])+|(?:(?<!%)\+|[^\p{L}\p{N}%+])+$/gu, '');

function vesselNamed(run: string, vessels: VesselDirectory): Imo | undefined {
  const number = Number(/^(?:imo)?[\s:#.-]*(?:(?:no|nr|number)[\s:#.-]*)?(\d{7})$/i.exec(run)?.[1]);
  if (isImo(number) && hasValidCheckDigit(number)) return number;
  const [vessel, ...others] = vessels.named(run);
  return others.length === 0 ? vessel?.imo : undefined;
}

function vesselReferenced(run: string, vessels: VesselDirectory): Imo | undefined {
  const [vessel, ...others] = vessels.referenced(run);
  return others.length === 0 ? vessel?.imo : undefined;
}

/** `4401 on time?`: the end of one vessel's reference; not a year. */
function vesselOfEnding(run: string, { withReferences, referencesOf }: VesselDirectory): Imo | undefined {
  if (!/^(?!20\d\d$)\d{4,6}$/.test(run)) return undefined;
  const [imo, ...others] = withReferences().filter((each) =>
    referencesOf(each).some((reference) => reference.endsWith(run)),
  );
  return others.length === 0 ? imo : undefined;
}

interface NameIndex {
  byInitials: ReadonlyMap<string, readonly NamedVessel[]>;
  byWord: ReadonlyMap<string, readonly NamedVessel[]>;
}

/** To compare each run with each name would take a second for a long text and thousands of names. */
function indexNames(vessels: VesselDirectory): NameIndex {
  const all = vessels.all();
  const known = indices.get(all);
  if (known) return known;
  const index = indexOf(all);
  indices.set(all, index);
  return index;
}

/** Of each directory's names. */
const indices = new WeakMap<readonly NamedVessel[], NameIndex>();

function indexOf(all: readonly NamedVessel[]): NameIndex {
  const named = all.map((vessel) => ({ vessel, words: fold(vessel.name).split(' ') }));
  const byWord = new Map<string, NamedVessel[]>();
  for (const { vessel, words } of named) {
    // `marcopolo`
    const pairs = words.slice(1).map((word, index) => `${words[index]}${word}`);
    for (const word of new Set([...words, ...pairs])) {
      const others = byWord.get(word);
      if (others) others.push(vessel);
      else byWord.set(word, [vessel]);
    }
  }
  const byInitials = Map.groupBy(named, ({ words }) => initialsOf(words));
  return {
    byWord,
    byInitials: new Map([...byInitials].map(([initials, of]) => [initials, of.map(({ vessel }) => vessel)])),
  };
}

/** The vessel that alone has this part in its name: `the gulsun`. */
function vesselWithPart(run: string, { byWord }: NameIndex): Imo | undefined {
  const part = fold(run);
  if (part.length < 5 || isCommonWord(run)) return undefined;
  const [first = '', ...others] = part.split(' ');
  const candidates = byWord.get(first) ?? [];
  return onlyOne(
    others.length === 0
      ? candidates
      : candidates.filter(({ name }) => ` ${fold(name)} `.includes(` ${part} `)),
  );
}

/** `gulsan`: rather that vessel than a small port of a similar name. */
function vesselWithMisspeltPart(run: string, { byWord }: NameIndex): Imo | undefined {
  const typed = fold(run);
  if (typed.length < 4 || isCommonWord(run) || isPlainWord(run)) return undefined;
  const isNear = (key: string) => key.length >= 5 && key[0] === typed[0] && isMisspelt(typed, key);
  const near = byWord.entries().flatMap(([key, named]) => (isNear(key) ? named : []));
  return onlyOne([...new Set(near)]);
}

function vesselMisspelt(run: string, { byInitials }: NameIndex): Imo | undefined {
  if (run.length < 5 || isCommonWord(run)) return undefined;
  const candidates = byInitials.get(initialsOf(fold(run).split(' '))) ?? [];
  return onlyOne(candidates.filter(({ name }) => isMisspeltName(run, name)));
}

const onlyOne = ([vessel, ...others]: readonly NamedVessel[]): Imo | undefined =>
  others.length === 0 ? vessel?.imo : undefined;

/** `the asia loop ships`, and a name alone unless it is a plain word. */
function readFleet(
  run: string,
  { fleets, ofVessels }: { fleets: ReadonlyMap<string, string>; ofVessels: boolean },
): NamedGroup | undefined {
  const [, called = run, noun = ''] = /^(.+) (ships|vessels|vsls|boats|fleet|ones)$/i.exec(run) ?? [];
  const name = fleets.get(fleetKey(called.replace(/^fleet[: ]\s*/i, '')));
  const words = called.split(' ');
  // `NORTH` as it is stored, and `asia loop`, are hardly other words.
  const isName = called === name || words.length > 1 || /^fleet/i.test(called);
  const isPlain = !ofVessels && noun === '' && words.every(isPlainWord) && !isName;
  return name === undefined || isPlain ? undefined : { kind: 'fleet', name };
}

/** `fleet asia loop`, `the feeders list`. */
function readGroup(run: string, groups: PortGroups): NamedGroup | undefined {
  const [, typed = '', name = ''] =
    /^(fleet|list)\s*[: ]\s*(?:called |named )?"?([^",.?!]+)"?$/i.exec(run) ?? [];
  const kind = typed.toLowerCase();
  const [, before = '', noun = kind] = /^(\S+) (fleet|list)(?:['’]s)?$/i.exec(run) ?? [];
  const named = (name || before).toUpperCase();
  // `the Rotterdam list` is rather who calls there.
  const isOther =
    (kind === '' && (readKnownPort(named, groups) !== undefined || /,$/.test(before) || isPeriod(before))) ||
    // `pls list HK + Yantian`, `this week? list by day`
    (kind === 'list' && named.split(' ').some((word) => readKnownPort(word, groups) ?? shortPort(word))) ||
    // `list tomorrow's arrivals`
    (kind === 'list' && isPeriod(named.split(/['’ ]/, 1)[0] ?? '')) ||
    /[?!.;:]$/.test(before);
  if (named === '' || isOther || isGroupFiller(named) || / (?:PLEASE|PLS|THANKS|THX)$/.test(named))
    return undefined;
  return { kind: /fleet/i.test(noun) ? 'fleet' : 'list', name: named };
}

const isGroupFiller = (words: string): boolean =>
  / (?:at|in|on|to|for|with|new|since|calls?|calling|due|going|heading|coming|arriving|expected|bound|map|as|is|are|and|or|add|remove|compare|history|where|when|next|please|pls|now|today)\b/i.test(
    words,
  ) ||
  /^(?:landfall|it|kindly|only|since|until|before|after|needs?|want|port|by|per|order(?:ed)?|sort(?:ed)?|etas?|arrivals?|expected|due|next|nxt|last|past|line-?up|the|our|my|all|every(?:body|one|thing)?s?|a|this|that|which|what|who|whose|where|when|how|one|long|short|new|please|pls|thanks|thx|whole|entire|full|complete|watch|of|to|from|in|into|out|off|on|for|at|and|with|vessels?|ships?|names?|watche[sd]|digests?|fleets?|lists?|called|named|make|create|add|delete|remove|forget|set|post|send)\b/i.test(
    words,
  );

/** `min 50`, `more than 30 pct`, `60% and up`; `min 12.5` is invalid. */
function readMinimum(run: string): number | 'invalid' | undefined {
  const taken = attempt(() => minimumOption(run, () => noHelp));
  if (taken instanceof UserError) return /^[^\d ]* ?[^\d ]* ?\d/.test(run) ? 'invalid' : undefined;
  return taken?.rest === '' ? taken.value : undefined;
}

function readVersusWords(run: string): string | undefined {
  const [, typed] = /^(?:vs\.?|versus|against|compared (?:to|with)) (.+)$/i.exec(run) ?? [];
  const isVersus = typed !== undefined && !(attempt(() => parseVersus(typed, noHelp)) instanceof UserError);
  return isVersus ? typed : undefined;
}

export const isPeriod = (words: string): boolean => readPeriodWords(words) !== undefined;

/** `fri` and `06:00-14:00` are one period, as are `24/11` and `28/11` unless the text lists them. */
export function oneOf([first = '', ...others]: readonly string[], text = ''): string {
  const [second = ''] = others;
  if (second === '') return first;
  const between = text.slice(
    text.indexOf(first) + first.length,
    text.indexOf(second, text.indexOf(first) + first.length),
  );
  if (others.length === 1 && /^\s*(?:[,&+]|and)\s*$/i.test(between)) return `${first} and ${second}`;
  // In `thursday 27.11.` the two may be one day.
  const joined = (/^\s*$/.test(between) ? [' '] : [' ', '..']).map((mark) => [first, ...others].join(mark));
  return joined.find(isPeriod) ?? joined[0] ?? first;
}

const readPeriodWords = (run: string): string | undefined => periodsRead.memo(run).words;

function periodIn(run: string): string | undefined {
  const typed = run.replace(/'s$/i, '');
  if (
    /^(?:may|march|mar|sun|sat|second|first)$/.test(typed) ||
    /^(?:the )?\d*(?:1st|2nd|3rd|[4-9]th)$/i.test(typed)
  )
    return undefined;
  const period = attempt(() => findPeriod(typed, noHelp));
  const isNone = period instanceof UserError ? period.code !== 'bad-date' : period === undefined;
  return isNone ? undefined : typed;
}

/** The same words are read again, in each part of a text and for what else it may mean. */
const periodsRead = new LRUCache<string, { words: string | undefined }>({
  max: 5_000,
  memoMethod: (run) => ({ words: periodIn(run) }),
});

const canBePast = (period: string): boolean =>
  !(attempt(() => findPeriod(period, { ...noHelp, direction: 'past' })) instanceof UserError);

function readKnownPort(run: string, groups?: PortGroups): PortOrGroup | undefined {
  // `to me` isn't Tomé, in `Busan New York` it is rather New York, `Piraeus & Port` ends before Port Said, and `NORTH fleet`
  // isn't Northfleet.
  if (isCommonWord(run) || /^to | (?:new|fleet)$| (?:&|\+|and|or|n) /i.test(run)) return undefined;
  const read = readPort(run, groups);
  return 'port' in read && isKnownPort(read.port) ? read.port : undefined;
}

/** In lower case, `one` is a word. */
const readCarrier = (run: string): Scac | undefined =>
  run === 'one' || run === 'One' ? undefined : findCarrier(run)?.scac;

const readCarrierOne = (run: string): Scac | undefined =>
  /^one$/i.test(run) ? findCarrier(run)?.scac : undefined;

const readMisspelt = <T>(run: string, read: (text: string) => T | undefined, min = 5): T | undefined =>
  run.length < min || isCommonWord(run) || run.split(' ').every(isPlainWord) ? undefined : read(run);

/** `pears` isn't Pearson. */
function readMisspeltMajor(run: string, min?: number): PortOrGroup | undefined {
  const port = readMisspeltPort(run, min);
  return majorPorts.some((major) => major === port) ? port : undefined;
}

/** In as many words as its name has: `coming to` isn't Corinto. */
function readMisspeltPort(run: string, min?: number): PortOrGroup | undefined {
  // `next port`
  const port = / port$/i.test(run) ? undefined : readMisspelt(run, misspeltPort, min);
  return port && port.name.split(' ').length === run.split(' ').length ? port.locode : undefined;
}
