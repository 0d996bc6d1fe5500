import type { Choice, FormOffer, UserError } from '../errors.ts';
import {
  hasValidCheckDigit,
  type Imo,
  isImo,
  type NamedGroup,
  type VesselGroup,
  withCheckDigit,
} from '../reference/codes.ts';
import { editDistance } from '../reference/nearest.ts';
import { type LineHelp, quote, shortened, unescapeSlack, wordsError } from './line.ts';
import { unknownVessel } from './unknown-vessel.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';
import { choiceOf, type VesselHelp } from './vessel-help.ts';
import {
  containersIn,
  isKnown,
  leadingWords,
  splitVessels,
  withoutContainers,
  withoutFrame,
} from './vessel-words.ts';

/** In one question, or one watch. */
export const maxVessels = 20;

/** A request about a fleet costs one request to the service for each of its vessels. */
export const maxVesselsInFleet = 50;

const whereToFind =
  "The IMO number is painted on the hull; you also find it in the vessel's papers, in the booking and on vessel tracking sites.";

/**
 * One vessel: `9461477`, `IMO 9461477`, `DS CYPRESS (9461477)`, or a name or reference in the directory. Throws UserError:
 * missing-argument, bad-imo, bad-check-digit, unknown-vessel, ambiguous-vessel, unexpected-words.
 */
export function parseVessel(text: string, help: VesselHelp): Imo {
  const { vessels } = help;
  const typed = withoutContainers(text.trim().replace(/^(["'])(.*)\1$/, '$2'), vessels).trim();
  if (typed === '') {
    throw wordsError('missing-argument', 'Which vessel?', help, {
      hint: 'Give a vessel by its IMO number of seven digits, or by a name or reference that is known here.',
    });
  }
  const name = withoutFrame(typed, vessels);
  const digits = imoDigits(name);
  // A booking number may be nothing but figures.
  const isReference = digits?.length !== 7 && vessels.referenced(name).length > 0;
  if (digits === undefined || isReference) return imoOfName(name, typed, help);
  const imo = imoOfDigits(digits, help);
  checkName(name.replace(digits, ' '), imo, help);
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
  const pieces = splitVessels(text, help.vessels)
    .flatMap((piece) => referencesIn(piece, help.vessels) ?? piece)
    .flatMap((piece) => ofThread(piece, help.vessels) ?? piece);
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

/** `BK-4402 BK-4403`: unlike names, numbers need no commas. Undefined for other words. */
function referencesIn(piece: string, { referenced }: VesselDirectory): string[] | undefined {
  const words = piece.split(' ');
  const areReferences = words.every((word) => /\d/.test(word) && referenced(word).length > 0);
  return areReferences && referenced(piece).length === 0 ? words : undefined;
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
  const named = vessels.vesselsIn(unescapeSlack(text)).map(({ imo }) => imo);
  return [...new Set([...findWholeNumbers(text), ...named])];
}

/** The IMO numbers with a valid check digit that are whole words, also with `IMO` before them. */
export function findWholeNumbers(text: string): Imo[] {
  const numbers = text.matchAll(/(?<![\p{L}\p{N}])(?:imo[\s:#.-]*)?(\d{7})(?![\p{L}\p{N}])/giu);
  return validImos([...numbers].map(([, digits]) => digits));
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
    ...(imos.length > 0 && imos.length <= maxVesselsInFleet && { form: fleetForm(imos) }),
  });
}

const fleetForm = (imos: readonly Imo[]): FormOffer => ({
  label: `Make a fleet of these ${imos.length} …`,
  name: 'fleet',
  target: { imos },
});

/** The digits of an IMO number in any notation, also of an invalid one; undefined for a name. */
function imoDigits(typed: string): string | undefined {
  const [, alone] = /^(?:imo|mmsi)?[\s:#.-]*(?:no|nr|number)?[\s:#.-]*(\d+)$/i.exec(typed) ?? [];
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

function imoOfName(name: string, typed: string, help: VesselHelp): Imo {
  const { vessels } = help;
  const matches = vessels.named(name);
  const [match] = matches;
  if (match && matches.length === 1) return match.imo;
  if (match) {
    const message = `${matches.length} vessels are named ${match.name}. Which one?`;
    const choices = matches.map((vessel) => choiceOf(vessel, help));
    throw wordsError('ambiguous-vessel', message, help, { choices });
  }
  const referenced = imoOfReference(name, help);
  if (referenced !== undefined) return referenced;
  if (isPronoun(typed)) return vesselOfThread(typed, help);
  const imo = containersIn(name).length > 0 ? undefined : numberAmongWords(name, help);
  if (imo !== undefined) return imo;
  const names = namesBetweenSpaces(name, vessels);
  if (names.length > 1) throw withoutCommas(name, names, help);
  const fleet = vessels.fleets.find((each) => fleetKey(each) === fleetKey(name));
  throw fleet === undefined ? unknownVessel(name, help) : fleetNotVessel(fleet, help);
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
  const found = vessels.referenced(typed);
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
    .replace(/\bimo\b[\s:#.-]*|\(\s*\)|\s+/gi, ' ')
    .trim();
  const hasSeveral = others.length > 0;
  const name = withoutFrame(words, help.vessels);
  if (!hasSeveral && help.vessels.named(name).some(({ imo }) => imo === first)) return first;
  const message = `I can read ${imos.join(' and ')} as ${hasSeveral ? 'vessels' : 'a vessel'}, but not ${quote(words)} beside ${hasSeveral ? 'them' : 'it'}.`;
  const one = choiceOf({ imo: first, name: help.vessels.nameOf(first) }, help);
  const all = { label: formatVessels(imos), line: help.line(formatVessels(imos)) };
  throw wordsError('unexpected-words', message, help, { choices: [hasSeveral ? all : one] });
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

/** `list:FEEDERS`, `fleet:NORTH`, `our fleet north`; undefined for other words. Throws UserError. */
export function parseNamedGroup(typed: string, help: VesselHelp): NamedGroup | undefined {
  const words = withGroupColon(typed, help.vessels);
  checkStandsAlone(words, help);
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  return fleet === undefined ? undefined : { kind: 'fleet', name: fleet };
}

/** Throws UserError for `fleet:north, MSC DIANA` and `fleet:north and list:feeders`; a name may contain “and”. */
function checkStandsAlone(words: string, help: VesselHelp): void {
  const [, group = '', rest = ''] =
    /^((?:(?:ship)?list|fleet)\s*:[^",;]+?)(?:\s*[,;]\s*|\s+(?:and|&|\+)\s+)(.+)$/i.exec(words) ?? [];
  const [first = ''] = rest.split(/\s*[,;]/);
  if (
    !isKnown(first, help.vessels) &&
    !/^(?:(?:ship)?list|fleet)\s*:/i.test(withGroupColon(first, help.vessels))
  )
    return;
  throw wordsError('unexpected-words', 'A fleet or a list stands alone: ask for one at a time.', help, {
    fixes: [group, rest],
  });
}

/**
 * Writes a fleet or list at the beginning with a colon: `our fleet north`, `the vessels of fleet north`, `our north fleet`
 * and `shiplist feeders`. Leaves vessels whose names have such words as they are, and “list all watches”.
 */
export function withGroupColon(words: string, { vesselsIn }: Pick<VesselDirectory, 'vesselsIn'>): string {
  const typed = words.trim();
  const [before = '', list, fleet = list] = nameAfterNoun.exec(typed) ?? [];
  const [named = '', name = '', noun = ''] = nameBeforeNoun.exec(typed) ?? [];
  if (before === '' && named === '') return words;
  const isOfVessel = vesselsIn(typed).some((vessel) => /\b(?:list|fleet)\b/i.test(vessel.name));
  if (isOfVessel) return words;
  const rest = typed.slice(before.length);
  // A sentence goes on after the name, or there is none.
  if (!before.includes(':') && rest.split(' ').length > 4) return words;
  if (
    fleet !== undefined ? !before.includes(':') && goesOn.test(rest) : goesOn.test(typed.slice(named.length))
  )
    return words;
  if (fleet !== undefined) return `${fleet.toLowerCase()}:${rest}`;
  return formatName(/list/i.test(noun) ? lists : fleets, name.trim()) + typed.slice(named.length);
}

const goesOn =
  /,| - |\b(?:arrivals?|line-?up|by day|where|whr|when|who|what|next$|nxt|please|pls|thanks|thx|for (?:me|us)|if|since)\b/i;

/** After `list`, they make it a request for another list. */
const listable =
  'all|any|every(?:body|one|thing)?s?|my|our|the|of|ships?|vessels?|watch(?:es|ed)?|fleets?|lists?|digests?|names?|ref(?:erence)?s?|commands?|ports?|alerts?|changes?';
const vesselsOf = '(?:(?:all )?(?:(?:the|our|my) )?(?:ships|vessels) (?:of|in|on) )?';
const nameAfterNoun = new RegExp(
  `^${vesselsOf}(?:(?:the|our|my) )?(?:(?:ship)?(list)(?!\\s+(?:${listable}|for|from|to|in|at|by|me|us)\\b)|(fleet)(?!\\s+(?:add|remove|delete|create|make|new|called|named)\\b))(?:\\s*:\\s*|\\s+)`,
  'i',
);
const nameBeforeNoun = new RegExp(
  `^${vesselsOf}(?:(?:the|our|my) |(?=\\S+ fleet$))((?:(?!(?:${listable}|whole|entire|in|on)\\b)\\S+ ){1,3})(list|fleet)(?!\\S)`,
  'i',
);

/** Vessels, `list:FEEDERS` or `fleet:NORTH`. Throws UserError. */
export const parseVesselGroup = (words: string, help: VesselHelp): VesselGroup =>
  parseNamedGroup(words, help) ?? { kind: 'vessels', imos: parseVessels(words, help) };

export function formatVesselGroup(group: VesselGroup): string {
  if (group.kind === 'vessels') return formatVessels(group.imos);
  return group.kind === 'list' ? formatListName(group.name) : formatFleetName(group.name);
}

function fleetNotVessel(fleet: string, help: VesselHelp): UserError {
  const name = formatFleetName(fleet);
  return wordsError('unknown-vessel', `${fleet} is a fleet, not a vessel.`, help, {
    choices: [{ label: name, line: help.line(name) }],
  });
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
