import type { Choice, UserError } from '../errors.ts';
import {
  hasValidCheckDigit,
  type Imo,
  isImo,
  type Locode,
  type NamedGroup,
  type VesselGroup,
  withCheckDigit,
} from '../reference/codes.ts';
import { editDistance, fold, foldTight, isMisspelt } from '../reference/nearest.ts';
import { portOf } from '../reference/ports.ts';
import { type LineHelp, quote, shortened, unescapeSlack, wordsError } from './line.ts';
import { readPort } from './port.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';

export interface VesselHelp extends LineHelp {
  vessels: VesselDirectory;
  /** Set if the vessels are for a fleet; otherwise the maximum is maxVessels. */
  maxInFleet?: number;
  /** Where several vessels can be typed, all vessels of a shared reference are a choice too. */
  allowsSeveral?: boolean;
  /** What can be asked about a port that was typed instead of a vessel. If left out: nothing. */
  aboutPort?: (port: Locode) => readonly Choice[];
  /** How to create a fleet, as it is typed. */
  newFleet?: () => string;
}

/** In one question, or one watch. */
export const maxVessels = 20;
const whereToFind =
  "The IMO number is painted on the hull; you also find it in the vessel's papers, in the booking and on vessel tracking sites.";

/**
 * One vessel: `9461477`, `IMO 9461477`, `DS CYPRESS (9461477)`, or a name or reference in the directory. Throws UserError:
 * missing-argument, bad-imo, bad-check-digit, unknown-vessel, ambiguous-vessel, unexpected-words.
 */
export function parseVessel(text: string, help: VesselHelp): Imo {
  const typed = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (typed === '') {
    throw wordsError('missing-argument', 'Which vessel?', help, {
      hint: 'Give a vessel by its IMO number of seven digits, or by a name or reference that is known here.',
    });
  }
  const digits = imoDigits(typed);
  if (digits === undefined) return imoOfName(typed, help);
  // A booking number may be nothing but figures.
  if (digits.length !== 7 && help.vessels.referenced(typed).length > 0) return imoOfName(typed, help);
  const imo = imoOfDigits(digits, help);
  checkName(typed.replace(digits, ' '), imo, help);
  return imo;
}

/** Throws UserError ambiguous-vessel for a number with the name of another vessel: `MSC DIANA (9461477)`. */
function checkName(words: string, imo: Imo, help: VesselHelp): void {
  const named = help.vessels.vesselsIn(words);
  const [other] = named;
  if (!other || named.some((vessel) => vessel.imo === imo)) return;
  const typed = { imo, name: help.vessels.nameOf(imo) ?? 'IMO' };
  const message = `${other.name} is IMO ${other.imo}, not ${imo}. Which vessel do you mean?`;
  const choices = [other, typed].map((vessel) => choiceOf(vessel, help));
  throw wordsError('ambiguous-vessel', message, help, { choices });
}

/**
 * One to twenty vessels, or up to a fleet's maximum, separated as splitVessels reads them; in the typed order,
 * without duplicates. Throws what parseVessel throws, and too-many-vessels.
 */
export function parseVessels(text: string, help: VesselHelp): [Imo, ...Imo[]] {
  const pieces = splitVessels(text, help.vessels).flatMap((piece) => ofThread(piece, help.vessels) ?? piece);
  const max = help.maxInFleet ?? maxVessels;
  // Leaves room for duplicates, but doesn't parse thousands of words.
  if (pieces.length > 5 * max) throw tooMany(pieces.length, help);
  const imos = pieces.map((piece, index) =>
    parseVessel(piece, {
      ...help,
      allowsSeveral: true,
      line: (fixed) => help.line([...new Set(pieces.with(index, fixed))].join(', ')),
    }),
  );
  const [first, ...others] = new Set(imos);
  if (first === undefined) return [parseVessel('', help)]; // Throws missing-argument.
  if (others.length >= max) throw tooMany(others.length + 1, help, [first, ...others]);
  return [first, ...others];
}

/** For `them`; undefined for other words. */
const ofThread = (piece: string, { named, ofThread }: VesselDirectory): string[] | undefined =>
  isPlural(piece) && ofThread.length > 0 && named(piece).length === 0 ? ofThread.map(String) : undefined;

export const formatVessels = (imos: readonly Imo[]): string => imos.join(', ');

/** The longest text of a Slack message; its blocks and attachments may repeat it. */
const maxTextLength = 40_000;

/**
 * The vessels that a text mentions, without duplicates: first by IMO number with a valid check digit, also in links and
 * code, then by name, as `vesselsIn` finds them. Reads as much as the longest message has.
 */
export function findVessels(whole: string, vessels: VesselDirectory): Imo[] {
  const text = whole.slice(0, maxTextLength);
  const numbers = text.matchAll(/(?<![\p{L}\p{N}])(?:imo[\s:#.-]*)?(\d{7})(?![\p{L}\p{N}])/giu);
  const named = vessels.vesselsIn(unescapeSlack(text)).map(({ imo }) => imo);
  return [...new Set([...validImos([...numbers].map(([, digits]) => digits)), ...named])];
}

/** The IMO numbers with a valid check digit in a text. */
export const findNumbers = (text: string): Imo[] => validImos(text.match(/(?<!\d)\d{7}(?!\d)/g) ?? []);

const validImos = (numbers: readonly (string | undefined)[]): Imo[] =>
  numbers.map(Number).filter(isImo).filter(hasValidCheckDigit);

function tooMany(count: number, help: VesselHelp, imos: readonly Imo[] = []): UserError {
  const { maxInFleet } = help;
  if (maxInFleet !== undefined) {
    const message = `${count} vessels are too many at once: a fleet has at most ${maxInFleet}.`;
    return wordsError('too-many-vessels', message, help, {
      hint: 'Split them into several fleets, or use a list that the provider maintains.',
    });
  }
  const message = `${count} vessels are too many for one question: at most ${maxVessels}.`;
  const line = help.line(formatVessels(imos.slice(0, maxVessels)));
  return wordsError('too-many-vessels', message, help, {
    hint: `For more, create a fleet${help.newFleet ? ` (${help.newFleet()})` : ''} and ask for fleet:NORTH.`,
    choices: imos.length === 0 ? [] : [{ label: `The first ${maxVessels}`, line }],
  });
}

/** The digits of an IMO number in any notation, also of an invalid one; undefined for a name. */
function imoDigits(text: string): string | undefined {
  const typed = text.replace(leadingWords, '');
  const [, alone] = /^(?:imo)?[\s:#.-]*(?:no|nr|number)?[\s:#.-]*(\d+)$/i.exec(typed) ?? [];
  if (alone !== undefined) return alone;
  // Other numbers before it may be a mistyped one, or another vessel's.
  const [, inBrackets, last] =
    /^[^\d(]*\((?:imo )?(\d{7})\)$|^(?:(?!\d{5}).)*\bimo[\s:#.-]*(\d{7})$/i.exec(typed) ?? [];
  return inBrackets ?? last;
}

function imoOfDigits(digits: string, help: VesselHelp): Imo {
  const number = Number(digits);
  if (digits.length !== 7 || !isImo(number)) {
    const message = `${quote(digits)} isn't a valid IMO number: it must have seven digits, the first not 0.`;
    throw wordsError('bad-imo', message, help, {
      hint: digits.length === 9 ? "Nine digits may be an MMSI, which the service doesn't know." : whereToFind,
    });
  }
  if (hasValidCheckDigit(number)) return number;
  const similar = similarVessels(digits, help.vessels);
  const fixed = String(withCheckDigit(number));
  const choices =
    similar.length > 0
      ? similar.map((vessel) => choiceOf(vessel, help))
      : [{ label: fixed, line: help.line(fixed) }];
  const message = `${digits} isn't a valid IMO number: its check digit doesn't match.`;
  const guesses = similar.map(({ imo }) => String(imo));
  const hint = guesses.length > 1 ? 'Did you mean one of these?' : `Did you mean ${guesses[0] ?? fixed}?`;
  throw wordsError('bad-check-digit', message, help, { hint, choices });
}

/** Known vessels whose number differs by one digit, or by two adjacent digits swapped. */
const similarVessels = (digits: string, vessels: VesselDirectory): NamedVessel[] =>
  vessels.all().filter(({ imo }) => editDistance(digits, String(imo), 1) === 1);

function imoOfName(typed: string, help: VesselHelp): Imo {
  const { vessels } = help;
  const name = typed.replace(leadingWords, '');
  const matches = vessels.named(typed).length > 0 ? vessels.named(typed) : vessels.named(name);
  const [match] = matches;
  if (match && matches.length === 1) return match.imo;
  if (match) {
    const message = `${matches.length} vessels are named ${match.name}. Which one?`;
    const choices = matches.map((vessel) => choiceOf(vessel, help));
    throw wordsError('ambiguous-vessel', message, help, { choices });
  }
  const referenced = imoOfReference(typed, help);
  if (referenced !== undefined) return referenced;
  if (isPronoun(typed)) return vesselOfThread(typed, help);
  const imo = numberAmongWords(typed, help);
  if (imo !== undefined) return imo;
  const names = namesBetweenSpaces(typed, vessels);
  if (names.length > 1) throw withoutCommas(typed, names, help);
  const port = readPort(name);
  if (port.kind === 'one' && portOf(port.port)) throw portNotVessel(name, port.port, help);
  const message = `I don't know ${shortened(name)}. What's its IMO number?`;
  const near = vessels.nearest(name);
  const [meant, ...others] = near.filter((vessel) => isMisspeltName(name, vessel.name));
  const correction = meant && { typed: name, meant: meant.name, line: help.line(String(meant.imo)) };
  throw wordsError('unknown-vessel', message, help, {
    choices: near.map((vessel) => choiceOf(vessel, help)),
    ...(others.length === 0 && { correction }),
    form: { label: 'Name a vessel …', name: 'name', target: { name: shortened(name) } },
  });
}

/**
 * Whether a name is a known one with at most two wrong letters. Sister ships differ in a whole word, and people rarely mistype
 * the first letter of one: EVER LIVEN isn't EVER GIVEN.
 */
export function isMisspeltName(typed: string, known: string): boolean {
  const [words, knownWords] = [typed, known].map((name) => fold(name).split(' '));
  const initialsOf = (of: readonly string[] = []) => of.map((word) => word[0]).join('');
  const [tight, knownTight] = [foldTight(typed), foldTight(known)];
  const isCut = knownTight.startsWith(tight) && knownTight.length > tight.length + 2;
  return !isCut && initialsOf(words) === initialsOf(knownWords) && isMisspelt(tight, knownTight);
}

/** Throws UserError missing-argument unless the thread is about one vessel. */
function vesselOfThread(typed: string, help: VesselHelp): Imo {
  const { ofThread } = help.vessels;
  const [imo, ...others] = ofThread;
  if (imo !== undefined && others.length === 0) return imo;
  const vessels = ofThread.slice(0, 5).map((each) => ({ imo: each, name: help.vessels.nameOf(each) }));
  throw whichVessel(
    typed,
    help,
    vessels.map((vessel) => choiceOf(vessel, help)),
  );
}

function portNotVessel(name: string, port: Locode, help: VesselHelp): UserError {
  const near = help.vessels.nearest(name).map((vessel) => choiceOf(vessel, help));
  return wordsError('unknown-vessel', `${quote(name)} is a port, not a vessel that I know.`, help, {
    hint: 'If a vessel has that name too, type its IMO number.',
    choices: [...(help.aboutPort?.(port) ?? []), ...near],
    form: { label: 'Name a vessel …', name: 'name', target: { name: shortened(name) } },
  });
}

/** Names may contain other names, and a question may begin with one: this asks instead of answering for both. */
function withoutCommas(typed: string, names: readonly string[], help: VesselHelp): UserError {
  const fixes = help.allowsSeveral ? [names.join(', ')] : names;
  const advice = help.allowsSeveral ? 'Put commas between them.' : 'Which one?';
  const message = `${quote(typed)} can be ${names.length} vessels. ${advice}`;
  return wordsError('unexpected-words', message, help, {
    choices: fixes.map((fixed) => ({ label: shortened(fixed), line: help.line(fixed) })),
  });
}

/** Throws UserError ambiguous-vessel if several vessels have the reference, such as a customer's name. */
function imoOfReference(typed: string, help: VesselHelp): Imo | undefined {
  const { vessels, allowsSeveral = false } = help;
  const exact = vessels.referenced(typed);
  const found = exact.length > 0 ? exact : vessels.referenced(typed.replace(leadingWords, ''));
  const [first, ...others] = found;
  if (!first || others.length === 0) return first?.imo;
  const message = `${found.length} vessels have the reference ${first.reference}. Which one?`;
  const choices = found
    .slice(0, maxVessels)
    .map(({ imo }) => choiceOf({ imo, name: vessels.nameOf(imo) }, help));
  const all = {
    label: `All ${found.length}`,
    line: help.line(formatVessels(found.map(({ imo }) => imo))),
  };
  const offersAll = allowsSeveral && found.length <= maxVessels;
  throw wordsError('ambiguous-vessel', message, help, { choices: [...(offersAll ? [all] : []), ...choices] });
}

/** `DS CYPRESS 9461477`: a number with its vessel's name. Throws UserError unexpected-words for other words. */
function numberAmongWords(typed: string, help: VesselHelp): Imo | undefined {
  const imos = findNumbers(typed);
  const [first, ...others] = imos;
  if (first === undefined) return undefined;
  const words = imos
    .reduce((rest, imo) => rest.replace(String(imo), ' '), typed)
    .replace(/\bimo\b[\s:#.-]*|\s+/gi, ' ')
    .trim();
  const hasSeveral = others.length > 0;
  if (!hasSeveral && help.vessels.named(words).some(({ imo }) => imo === first)) return first;
  const message = `I can read ${imos.join(' and ')} as ${hasSeveral ? 'vessels' : 'a vessel'}, but not ${quote(words)} beside ${hasSeveral ? 'them' : 'it'}.`;
  const name = help.vessels.nameOf(first);
  const oneLabel = name ? `${name} (${first})` : `IMO ${first}`;
  throw wordsError('unexpected-words', message, help, {
    choices: [{ label: hasSeveral ? formatVessels(imos) : oneLabel, line: help.line(formatVessels(imos)) }],
  });
}

const choiceOf = ({ imo, name }: { imo: Imo; name: string | undefined }, { line }: LineHelp): Choice => ({
  label: name === undefined ? `IMO ${imo}` : `${name} (${imo})`,
  line: line(String(imo)),
});

/**
 * The words for each vessel. Commas, semicolons, bars and quotes separate always; `and`, slashes, spaces and the like
 * only where they aren't part of a name that is known, or similar to a known one.
 */
function splitVessels(text: string, vessels: VesselDirectory): string[] {
  const pieces = text.replace(quoted, ',$1$2$3,').split(/[,;|]/).map(withoutMarks);
  return pieces
    .filter((piece) => piece !== '' && !connection.test(piece))
    .flatMap((piece, _, { length }) =>
      // The search for similar names takes time.
      splitAtAnd(withoutAnd(piece, vessels), vessels, { keepsSimilar: length <= 3 })
        .flatMap(splitAtNumbers)
        .map(withoutMarks)
        .filter(Boolean)
        .flatMap((part) => splitAtNames(part, vessels)),
    );
}

/** `"DS CYPRESS"`, `MV 'DS CYPRESS'`; the apostrophe of `QUEEN'S` is no quote. */
const quoted =
  /(?<![\p{L}\p{N}])((?:(?:the|our|my)\s+)?(?:(?:ship|vessel|m\/?[vst])\s+)?)(?<![\p{L}\p{N}])(?:"([^"]*)"|'([^']*)'(?![\p{L}\p{N}]))/giu;

/** Between two vessels in quotes. */
const connection = /^(?:and|or|plus|vs|versus)$/i;

/** Without what is left of separators, of a question or of a numbered list at both ends. */
const withoutMarks = (part: string): string =>
  part
    .replace(/^[^\p{L}\p{N}("']+/u, '')
    .replace(/(?:\s\d{1,3}[.)])?[^\p{L}\p{N})"']*$/u, '')
    .replace(/^\d{1,3}[.)]\s+/, '');

/** For `9461477, 9755933, and 9811000`, and `DS CYPRESS and "MSC DIANA"`. */
function withoutAnd(piece: string, vessels: VesselDirectory): string {
  const words = piece.replace(/^(?:and|or)\s+|\s+(?:and|or|plus|vs|versus)$/gi, '');
  return words !== piece && isKnown(piece, vessels) ? piece : words;
}

/** MV, M/S or MT before a name is the type of the vessel. */
export const leadingWords = /^(?:(?:the|our|my) )?(?:(?:ship|vessel|m\/?[vst]) )?(?=\S)/i;

const isKnown = (words: string, vessels: VesselDirectory): boolean =>
  vessels.named(words).length > 0 || vessels.referenced(words).length > 0;

/** In the name of one vessel. To try all in the text for each name would take seconds for a long text. */
const maxAndsInName = 3;

/** `DS CYPRESS and MSC DIANA`, but not `ROMEO AND JULIET` if that is a vessel, or similar to one. */
function splitAtAnd(
  piece: string,
  vessels: VesselDirectory,
  { keepsSimilar }: { keepsSimilar: boolean },
): string[] {
  const separators = [
    ...piece.matchAll(/\s+(?:and|und|et|or|plus|vs\.?|versus|[&+/])\s+/gi).take(maxAndsInName + 1),
  ];
  if (separators.length === 0) return [piece];
  if (separators.length <= maxAndsInName) {
    const name = piece.replace(/(?<!\s(?:and|&))[\s(]+(?:imo\W*)?\d{7}\)?$/i, '');
    if (vessels.named(name).length > 0 || vessels.referenced(piece).length > 0) return [piece];
    if (keepsSimilar && vessels.nearest(name).length > 0) return [piece];
  }
  const [first] = separators;
  const { index, 0: words } = separators.findLast((separator) =>
    isKnown(piece.slice(0, separator.index), vessels),
  ) ??
    first ?? { index: 0, 0: '' };
  const rest = piece.slice(index + words.length);
  return [piece.slice(0, index), ...splitAtAnd(rest, vessels, { keepsSimilar: false })];
}

/** `IMO 9461477 IMO 9755933`, `DS CYPRESS (9461477) - MSC DIANA (9755933)`: one number for each vessel. */
function splitAtNumbers(piece: string): string[] {
  const numbers = [...piece.matchAll(/\(?(?:(?<!\p{L})imo[\s:#.-]*)?(?<!\d)\d{7}(?!\d)\)?/giu)];
  if (numbers.length < 2) return [piece];
  // A name stands before its number, unless the text begins with a number.
  const isNumberFirst = !/[\p{L}\p{N}]/u.test(piece.slice(0, numbers[0]?.index));
  const cuts = isNumberFirst
    ? numbers.slice(1).map(({ index }) => index)
    : numbers.slice(0, -1).map(({ index, 0: number }) => index + number.length);
  return [0, ...cuts].map((from, at) => piece.slice(from, cuts[at]));
}

/** `DS CYPRESS/9755933`, if each part is a known name, a reference or a number: M/V and BK/4711 stay whole. */
function splitAtNames(piece: string, vessels: VesselDirectory): string[] {
  const parts = piece.split(/\s*\/\s*|\s+-\s+/);
  const isVessel = (part: string) => /^(?:imo\W*)?\d{7}$/i.test(part) || isKnown(part, vessels);
  return parts.length > 1 && !isKnown(piece, vessels) && parts.every(isVessel) ? parts : [piece];
}

const maxWordsInName = 10;

/** `DS CYPRESS MSC DIANA`: the longest known names first. None if a word belongs to none. */
function namesBetweenSpaces(typed: string, vessels: VesselDirectory): string[] {
  const words = typed.split(/\s+/);
  const names: string[] = [];
  for (let at = 0; at < words.length; ) {
    const runs = Array.from({ length: Math.min(maxWordsInName, words.length - at) }, (_, index) =>
      words.slice(at, at + index + 1).join(' '),
    );
    const name = runs.findLast((run) => isKnown(run.replace(leadingWords, ''), vessels));
    if (name === undefined) return [];
    names.push(name);
    at += name.split(' ').length;
  }
  return names;
}

const noun = '(?:ship|vessel|boat)';
const one = new RegExp(`^(?:it|she|he|this|that|(?:this|that|the) (?:${noun}|one))$`, 'i');
const several = new RegExp(`^(?:they|them|these|those|(?:these|those|the) ${noun}s)$`, 'i');

/** `it`, `this ship`, `them`: the vessels of the line's thread. */
export const isPronoun = (typed: string): boolean => one.test(typed) || isPlural(typed);

const isPlural = (typed: string): boolean => several.test(typed);

/** `choices`: the vessels of a thread about several. */
const whichVessel = (typed: string, help: LineHelp, choices: readonly Choice[]): UserError =>
  wordsError('missing-argument', `Which vessel is ${quote(typed)}?`, help, {
    ...(choices.length === 0 && { hint: 'Name the vessel, or ask in the thread of its watch.' }),
    choices,
  });

/** `list:FEEDERS`, `fleet:NORTH`; undefined for other words. Throws UserError. */
export function parseNamedGroup(words: string, help: NameHelp): NamedGroup | undefined {
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  return fleet === undefined ? undefined : { kind: 'fleet', name: fleet };
}

/** Vessels, `list:FEEDERS` or `fleet:NORTH`. Throws UserError. */
export const parseVesselGroup = (words: string, help: VesselHelp): VesselGroup =>
  parseNamedGroup(words, help) ?? { kind: 'vessels', imos: parseVessels(words, help) };

export function formatVesselGroup(group: VesselGroup): string {
  if (group.kind === 'vessels') return formatVessels(group.imos);
  return group.kind === 'list' ? formatListName(group.name) : formatFleetName(group.name);
}

/** For lists and fleets. */
export const maxListNameLength = 100;

/**
 * The name of a provider's list of vessels: what follows `list:`, with or without quotes. Undefined for a text without
 * `list:`. Throws UserError missing-argument, unclosed-quote, too-long, unexpected-words.
 */
export const parseListName = (text: string, help: LineHelp): string | undefined =>
  parseName(text, lists, help);

/** `list:FEEDERS`, `list:"North Sea feeders"`. */
export const formatListName = (name: string): string => formatName(lists, name);

/** Like parseListName, for a fleet of this workspace: what follows `fleet:`. */
export const parseFleetName = (text: string, help: NameHelp): string | undefined =>
  parseName(text, fleets, help);

/** `fleet:NORTH`, `fleet:"North Sea"`. */
export const formatFleetName = (name: string): string => formatName(fleets, name);

/** The same for spellings of a fleet's name that differ only in case or spacing. */
export const fleetKey = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();

const lists: NameKind = {
  noun: 'list',
  shape: /^(?:ship)?list\s*:\s*(.*)$/i,
  hint: "The provider maintains lists; they can't be created here.",
};

interface NameKind {
  noun: string;
  shape: RegExp;
  hint?: string;
}

type NameHelp = LineHelp & Pick<VesselHelp, 'newFleet'>;

const fleets: NameKind = {
  noun: 'fleet',
  shape: /^fleet\s*:\s*(.*)$/i,
};

function parseName(text: string, kind: NameKind, help: NameHelp): string | undefined {
  const [, typed] = kind.shape.exec(text.trim()) ?? [];
  if (typed === undefined) return undefined;
  const { noun, hint = help.newFleet && `Create a fleet with: ${help.newFleet()}` } = kind;
  const name = unquote(typed, kind, help).trim();
  // The name becomes a segment of a URL path, where dots have a meaning.
  if (name === '' || name === '.' || name === '..') {
    throw wordsError(
      'missing-argument',
      `Which ${noun}? Its name follows “${noun}:”.`,
      help,
      hint === undefined ? {} : { hint },
    );
  }
  if (name.length > maxListNameLength) {
    const message = `The name of a ${noun} has at most ${maxListNameLength} characters.`;
    throw wordsError('too-long', message, help);
  }
  return name;
}

const formatName = ({ noun }: NameKind, name: string): string =>
  /^[\p{L}\p{N}_-]+$/u.test(name) ? `${noun}:${name}` : `${noun}:"${name.replaceAll('"', '""')}"`;

/** A quotation mark inside quotes is doubled, as in CSV. */
function unquote(typed: string, kind: NameKind, help: LineHelp): string {
  if (!typed.startsWith('"')) return typed;
  const [, inside, after = ''] = /^"((?:[^"]|"")*)"(?!")(.*)$/.exec(typed) ?? [];
  if (inside === undefined) {
    const name = typed.replaceAll('"', '').trim();
    const message = `The quotation mark before ${quote(name)} is never closed.`;
    const fixes = name === '' || name.length > maxListNameLength ? [] : [formatName(kind, name)];
    throw wordsError('unclosed-quote', message, help, { fixes });
  }
  if (after.trim() !== '') {
    const message = `I can't read ${quote(after.trim())} after the name of the ${kind.noun}.`;
    throw wordsError('unexpected-words', message, help);
  }
  return inside.replaceAll('""', '"');
}
