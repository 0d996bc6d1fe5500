import { listed } from '../answers/formatting/words.ts';
import { attempt, type Choice, type Correction, ownLines, UserError, type UserErrorCode } from '../errors.ts';
import { cleanLine, quote } from '../grammar/line.ts';
import { type Likelihood, rankMeanings, unusualWords } from '../grammar/meanings.ts';
import {
  datedParts,
  findMentions,
  isDated,
  type Mentions,
  maxTextLength,
  oneOf,
} from '../grammar/mentions.ts';
import { inPlainWords } from '../grammar/phrases.ts';
import { readPort } from '../grammar/port.ts';
import { readRows } from '../grammar/vessel-rows.ts';
import { fold } from '../reference/nearest.ts';
import { misspeltPort } from '../reference/ports.ts';
import { asksWhoChanged } from './bot-topics.ts';
import type { Command, ParsedLine, PreparedLine } from './command.ts';
import { caveatOf, type LineContext } from './ctx.ts';
import { showAllCommands } from './help/index.ts';
import {
  type Context,
  commandTaking,
  isCommand,
  namesKnownPorts,
  rereadPorts,
  split,
  tryPrepare,
} from './prepare.ts';
import { guessedPort, isQuestion, withNames } from './questions.ts';

/** Errors which show that the words do name a vessel or a port. */
const decisiveCodes: ReadonlySet<UserErrorCode> = new Set([
  'conflicting-words',
  'bad-check-digit',
  'bad-imo',
  'ambiguous-vessel',
  'unknown-reference',
  'ambiguous-port',
  'too-many-ports',
  'too-many-vessels',
  'same-port',
  'not-allowed',
]);

/** `Rotterdam 11/12/2026`: each choice is about a port that is known. */
function isAboutDate({ code, choices }: UserError, context: Context): boolean {
  if (code !== 'bad-date' && code !== 'bad-period') return false;
  return choices.length > 0 && choices.every((choice) => namesKnownPorts(rereadPorts(choice, context)));
}

export const isDecisive = (error: UserError, context: Context): boolean =>
  decisiveCodes.has(error.code) || isAboutDate(error, context);

/** Among other words, what looks like a reference or a number may be neither. */
export const isLoose = ({ code }: UserError): boolean => code === 'unknown-reference' || code === 'bad-imo';

/** Throws the error if the text names nothing that can be asked, or if the error knows better. */
export function readInOwnWords(text: string, error: UserError | undefined, context: Context): ParsedLine {
  const mayBeCorrected = error?.correction !== undefined && !context.unread;
  const isKnown = error && !isLoose(error) && (mayBeCorrected || isDecisive(error, context));
  // A precise error with a way on is worth more than a reading that drops what it doesn't understand.
  const isAnswered =
    context.unread &&
    !context.isCorrected &&
    !(error?.code === 'unknown-vessel' && findMentions(text, context.vessels).vessels.length > 0) &&
    error?.choices.some((choice) => namesWhatIsKnown(choice, context));
  const read = isKnown || isAnswered ? undefined : (readText(text, context) ?? readSentence(text, context));
  if (read) return read;
  // A question's pattern took more for a name than names anything.
  const isNameless = error?.code === 'unknown-vessel' && error.choices.length === 0;
  throw isNameless && isQuestion(context.typed) && !namesNothing(text, context)
    ? unknownQuestion(text, context)
    : error;
}

/** A word of five letters may have been taken for a port's code. */
function namesWhatIsKnown({ line }: Choice, context: Context): boolean {
  const { name, rest } = split(line);
  const { prepared } = isCommand(name, context) ? tryPrepare(name, rest, context) : {};
  return prepared !== undefined && !guessedPort(prepared, context.typed);
}

/**
 * A text in people's own words, by what it names. Throws UserError that offers the line if it would change something, and
 * that of the command if it can't be about so many.
 */
export function readText(text: string, context: Context): ParsedLine | undefined {
  // Of a table no row may be lost, and of a text no end.
  if (!context.isTyped || context.isOfTable || text.length > maxTextLength) return undefined;
  const rows = context.typed.includes('\n') ? readRows(context.typed, context.vessels) : undefined;
  if (rows && !(rows.unread.length > 0 && rows.unread.every((row) => isOfMail(row, context))))
    return undefined;
  const { name: typedName } = split(text);
  const named = context.unread && context.commands.find(({ name }) => name === typedName);
  // Without a slash, `vessel` and `watch` are plain words too.
  const command = named && (named.takes || /^\s*\//.test(context.typed)) ? named : undefined;
  const typedCommand = command?.name ?? (context.isOwn ? ownLines.all : undefined);
  const isAsked = context.typed.trimEnd().endsWith('?');
  const ofVessels = command?.takes === 'vessels' || command?.name === 'watch';
  const lines = rows ? context.typed.split('\n').map(cleanLine).join(', ') : text;
  const found = findMentions(inPlainWords(command ? split(lines).rest : lines), context.vessels, {
    isAsked,
    ofVessels,
  });
  const mentions = { ...found, command: typedCommand };
  const wishes = isAsked || command ? undefined : wishesOfParts(text, context);
  if (wishes) throw wishes;
  let refusal: UserError | undefined;
  for (const { name, readText: read, isUnderLandfall, textCaveat, offerHint } of command
    ? [command]
    : context.commands) {
    // The bot alone knows who changed something.
    if (!isUnderLandfall && asksWhoChanged.test(text)) continue;
    const words = attempt(() => wordsFor(read, mentions));
    const tried =
      words instanceof UserError
        ? [{ error: words }]
        : words.map((each) => tryPrepare(name, each, { ...context, readInner: context.readInnerText }));
    refusal ??= tried.find(({ error }) => error)?.error;
    const all = tried.flatMap((each) => each.prepared ?? []);
    if (all.length > 1 && all.length === tried.length)
      throw all.every(({ onlyAsks }) => onlyAsks) ? whichOf(all, context) : wishOf(all, context);
    const prepared = tried.length > 1 ? undefined : all[0];
    const parts = mentions.partsOfNames;
    if (prepared && parts.length > 0) throw areThoseVessels(parts, prepared.line);
    if (prepared?.onlyAsks && isDisputed(prepared, context)) throw notSure(prepared, context);
    // The bot's own commands take no names.
    if (prepared?.onlyAsks && mentions.unknown.length > 0 && !isUnderLandfall)
      throw notAllRead(mentions.unknown, prepared, context);
    if (prepared?.onlyAsks && saysMore(prepared, context)) throw notSure(prepared, context);
    if (prepared?.onlyAsks) {
      const { line: understoodAs } = prepared;
      const corrections = mentions.corrections.map((each) => ({ ...each, line: understoodAs }));
      const isWhole = `${words}`.includes(oneOf(mentions.periods, mentions.text));
      const left = isWhole ? [] : mentions.periods.filter((period) => !`${words}`.includes(period));
      const dropped = name === commandTaking('vessels', context).name ? droppedTime(left) : undefined;
      const caveat = dropped ?? caveatOf(textCaveat, understoodAs);
      return {
        ...prepared,
        understoodAs,
        ...(corrections.length > 0 && { corrections }),
        ...(caveat !== undefined && { caveat }),
      };
    }
    if (prepared) throw wishOf([prepared], context, offerHint?.(prepared.line, mentions.periods));
  }
  // Its buttons help on.
  if (refusal && refusal.choices.length > 0) throw refusal;
  return undefined;
}

/** `Gd day, pls advise ETA Antwerp for:`, `POD: Savannah`, `Brgds`: not the name of a vessel, perhaps in capitals. */
function isOfMail(row: string, { vessels }: LineContext): boolean {
  const { unknown, codes, ports } = findMentions(row, vessels);
  if (unknown.length + codes.length > 0 || /\d{5}/.test(row)) return false;
  return ports.length > 0 || /^\p{Ll}| \p{Ll}/u.test(row) || closing.test(row);
}

const closing = /^(?:br|brgds|rgds|regards|thanks|thx|tks|cheers)\b/i;

const asksOfBot = /^\s*are you (?:ok|okay|up|down|working|alive|there)\b/i;

/** Of vessels, not of a port. */
const asksWhere =
  /\b(?:first|etas?)\b|\bwhen\W*$|^\s*(?:(?:where|wheres|wher)\b|\p{L}{5,} (?:in|at|into) \p{L})/iu;

/** `algeciras eta`: that port, or HMM ALGECIRAS? */
export function doubtOfPort(read: ParsedLine, context: Context): UserError | undefined {
  const mayBeVessel = read.command.takes === 'ports' && asksWhere.test(context.typed);
  return mayBeVessel && withVesselForPort(context.typed, context.vessels) !== undefined
    ? notSure(read, context)
    : undefined;
}

/** An error if what was read leaves out something that the text names. */
export function doubtOf(read: ParsedLine, context: Context): UserError | undefined {
  const mentions = mentionsOf(context);
  const isOfBot = !read.command.isUnderLandfall && asksOfBot.test(context.typed);
  return isOfBot || leavesOut(read, mentions, context) ? notSure(read, context) : undefined;
}

/** What share of its own another meaning has when a reading about vessels, ports or carriers, or one of the bot, is asked about. */
const minDispute = { ofService: 0.25, ofBot: 2 };

/** The words speak for another meaning too, or for none. */
function isDisputed(read: PreparedLine, context: Context): boolean {
  const meaning = meaningOf(read, context);
  const mentions = mentionsOf(context);
  // The bot alone knows who changed something.
  if (meaning === undefined || asksWhoChanged.test(mentions.text)) return false;
  const ranked = rankMeanings(mentions);
  const own = ranked.find((each) => each.meaning === meaning);
  const other = ranked.find((each) => each !== own);
  const limit = read.command.takes ? minDispute.ofService : minDispute.ofBot;
  return (other?.share ?? 0) > limit * (own?.share ?? 0);
}

/** A word that nobody has written with that meaning may change it. */
function saysMore(read: PreparedLine, context: Context): boolean {
  const meaning = meaningOf(read, context);
  return meaning !== undefined && unusualWords(mentionsOf(context), meaning).length > 0;
}

/** The likeliest first. */
function notSure({ line, ports }: PreparedLine, context: Context): UserError {
  const likely = guessesOf(context.typed, context);
  const own = { label: `/${withNames(line, context.vessels, ports)}`, line };
  const isIncluded = likely.some((choice) => choice.line === line);
  return new UserError({
    code: 'unknown-command',
    message: "I'm not sure that I understand. Do you mean one of these?",
    choices: [...(isIncluded ? [] : [own]), ...likely, showAllCommands],
  });
}

const meaningOf = ({ command, line }: PreparedLine, { commands }: Context): string | undefined =>
  commands.find(({ name }) => name === command.name)?.meanings.find(({ of }) => !of || of.test(line))?.name;

/** A vessel or a port; when it should be there at the latest; or a number of a digest or a date, for the bot's own commands. */
function leavesOut({ line, command }: ParsedLine, mentions: Mentions, { typed }: Context): boolean {
  const { vessels, ports, periods, promise, text } = mentions;
  const isNamed = !command.takes || [...vessels, ...ports].every((name) => line.includes(String(name)));
  const isTimely =
    (promise !== undefined && /[\t\n].*\?/s.test(typed)) ||
    (asksInTime.test(text) && (periods.length > 0 || hasDeadline.test(text)));
  if (command.takes === 'vessels' && isTimely) return !/ (?:by|before|until) |\.\./.test(line);
  if (command.isUnderLandfall && periods.length > 0 && line.split(' ').length === 2) return true;
  const spans = line.match(/ (?:from|until|since) /g) ?? [];
  if (command.isUnderLandfall && periods.length > 1 && spans.length < 2) return true;
  const isOwn = command.isUnderLandfall || vessels.length + ports.length === 0;
  const numbers = isOwn ? (text.match(/\d+/g) ?? []) : [];
  return !isNamed || numbers.some((number) => !line.includes(String(Number(number))));
}

const hasDeadline = /\b(?:by|before|until|till?|latest)\s+(?:(?:the|this|next|end of|latest)\s+)*\d/i;
const asksInTime = /\b(?:by|before|make|makes|until|till?|latest|in time|on time)\b/i;

const maxGuesses = 4;
/** The share of a meaning that is offered, and of one whose line names nothing of the text. */
const minShares = { named: 0.03, unnamed: 0.2 };

/** What a text may mean that isn't understood as a whole, the likeliest first: buttons, since the rest of it may matter. */
export function guessesOf(text: string, context: Context, how: { withPlain?: boolean } = {}): Choice[] {
  if (!context.isTyped || context.isOfTable || text.length > maxTextLength) return [];
  const clauses = text.split(/[,;.!?]\s+|\s+(?:--?|\/\/)\s+/).slice(0, maxSentences);
  const questions = (clauses.length > 1 ? clauses.filter(isQuestion) : []).concat(text);
  const asked = questions.flatMap((part) => tryQuestion(cleanLine(part), context)?.prepared ?? []);
  const prepared = [...asked.filter(({ repeatable }) => repeatable), ...meaningsOf(context, how)];
  const byLine = new Map(prepared.map((each) => [each.line, each]));
  return [...byLine.values()].slice(0, maxGuesses).map(({ line, ports }) => ({
    label: `/${withNames(line, context.vessels, ports)}`,
    line,
  }));
}

/** Those whose line can be made of what the text names. */
function meaningsOf(context: Context, how: { withPlain?: boolean } = {}): PreparedLine[] {
  const { typed, vessels } = context;
  const asVessel = withVesselForPort(typed, vessels);
  const all = [
    mentionsOf(context),
    ...(asVessel === undefined ? [] : [mentionsTyped({ typed: asVessel, vessels })]),
  ];
  const [one = [], other = []] = all.map((mentions) => {
    // `the Marco Polo, not the Algeciras` is still about the first.
    const kept = mentions.excludes
      ? mentionsTyped({ typed: typed.replace(excluded, ' '), vessels })
      : mentions;
    return kept.excludes ? [] : linesOf(kept, context, how);
  });
  return one.flatMap((line, index) => [line, other[index] ?? line]).concat(other);
}

const excluded = /\b(?:and |but )?not [^.,;?!]+/gi;

/** A part of a vessel's name, the only one that has it, may be a port's name too: `algeciras`. */
function withVesselForPort(typed: string, vessels: Context['vessels']): string | undefined {
  for (const { 0: part, index } of typed.matchAll(/(?<!\b(?:at|to|in|into|for) )\b\p{L}{5,}\b/giu)) {
    const port = readPort(part).kind === 'one' ? part : misspeltPort(part)?.name;
    if (port === undefined) continue;
    const ofName = ` ${fold(port)} `;
    const [vessel, ...others] = vessels.all().filter(({ name }) => ` ${fold(name)} `.includes(ofName));
    if (vessel && others.length === 0 && !fold(typed).includes(fold(vessel.name)))
      return `${typed.slice(0, index)}${vessel.name}${typed.slice(index + part.length)}`;
  }
  return undefined;
}

function linesOf(
  mentions: Mentions,
  context: Context,
  { withPlain = false }: { withPlain?: boolean },
): PreparedLine[] {
  const isNamed = namesAny(mentions);
  const likely = rankMeanings(mentions)
    .filter(({ share }) => share >= minShares.named)
    .flatMap((each) => {
      const line = lineOf(each, mentions, context);
      const isOfText = isNamed && line !== undefined && namesOneOf(mentions, line);
      const isOffered =
        isOfText || (!isNamed && /\d/.test(line?.line ?? '')) || each.share >= minShares.unnamed;
      return line && isOffered ? [line] : [];
    });
  const plain = isNamed && withPlain ? plainLine(mentions, context) : undefined;
  return plain ? [...likely.slice(0, maxGuesses - 1), plain] : likely;
}

const namesOneOf = ({ vessels, groups, ports, carriers }: Mentions, { line }: PreparedLine): boolean =>
  [...vessels, ...ports, ...carriers, ...groups.map(({ name }) => name)].some((name) =>
    line.includes(String(name)),
  );

/** What the vessels are predicted to do, or who calls at the ports, whatever the words say. */
function plainLine(mentions: Mentions, context: Context): PreparedLine | undefined {
  const isOfVessels = mentions.vessels.length + mentions.groups.length > 0;
  const isOfLane = mentions.carriers.length > 0 || mentions.routes.length > 0;
  const meaning = isOfVessels ? 'next' : isOfLane ? 'lane' : 'calls';
  return lineOf({ meaning, share: 0 }, mentions, context);
}

/** Undefined if the text doesn't name what it needs. */
function lineOf({ meaning }: Likelihood, mentions: Mentions, context: Context): PreparedLine | undefined {
  const command = context.commands.find(({ meanings }) => meanings.some(({ name }) => name === meaning));
  const found = command?.meanings.find(({ name }) => name === meaning);
  const likeliest = (typed: string) =>
    meaningsOf({ ...context, typed }).find((read) => read.repeatable && read.command !== command)?.line;
  const words = attempt(() => found?.words(mentions, likeliest));
  if (!command || words === undefined || words instanceof UserError) return undefined;
  const { prepared } = tryPrepare(command.name, words, context);
  return prepared?.line === showAllCommands.line ? undefined : prepared;
}

/** What the whole text names. */
export function mentionsTyped({ typed, vessels }: Pick<Context, 'typed' | 'vessels'>): Mentions {
  const text = inPlainWords(cleanLine(typed));
  return {
    ...findMentions(text, vessels, { ofVessels: true }),
    text: typed.trimEnd().endsWith('?') ? `${text}?` : text,
  };
}

/** Those of its own text, which doubts and guesses ask for in turn. */
function mentionsOf(context: Context): Mentions {
  const known = mentionsOfContext.get(context);
  if (known) return known;
  const mentions = mentionsTyped(context);
  mentionsOfContext.set(context, mentions);
  return mentions;
}

const mentionsOfContext = new WeakMap<Context, Mentions>();

/** To read each takes a millisecond. */
const maxSentences = 10;

/** The question among other sentences, if these name nothing. */
export function readSentence(text: string, context: Context): ParsedLine | undefined {
  const sentences = context.isTyped ? text.split(/(?<=[?!.])\s+|\s+--\s+|;\s/) : [];
  if (sentences.length < 2 || sentences.length > maxSentences) return undefined;
  const readings = sentences.map((sentence) => tryQuestion(cleanLine(sentence), context)?.prepared);
  const [read, ...others] = readings.filter((reading) => reading !== undefined);
  const isRestEmpty = sentences.every(
    (sentence, index) => readings[index] || (!/\d{6}/.test(sentence) && namesNothing(sentence, context)),
  );
  return others.length === 0 && isRestEmpty ? read : undefined;
}

const namesAny = ({ vessels, groups, ports, carriers }: Mentions): boolean =>
  vessels.length + groups.length + ports.length + carriers.length > 0;

export const namesNothing = (sentence: string, { vessels }: Context): boolean =>
  !namesAny(findMentions(sentence, vessels));

/** What a vessel's answer leaves out of the text. */
export const droppedTime = ([period]: readonly string[]): string | undefined =>
  period === undefined
    ? undefined
    : `${quote(period)} isn't compared: the answer says when the vessel is predicted`;

/** Offers what each line or part of a text would change, and says which part would change nothing. */
function wishesOfParts(text: string, context: Context): UserError | undefined {
  const lines = context.typed.split('\n').map(cleanLine).filter(isDated);
  const parts = lines.length > 1 ? lines : datedParts(text);
  if (parts.length === 1) return undefined;
  const wishes = parts.map((part) => wishesIn(part, context));
  const unread = parts.filter((_, index) => wishes[index]?.length === 0);
  if (unread.length === parts.length) return undefined;
  const hint = `${listed(unread.map(quote))} ${unread.length === 1 ? "isn't" : "aren't"} part of it.`;
  return wishOf(wishes.flat(), context, unread.length === 0 ? undefined : hint);
}

/** None if it asks something. */
function wishesIn(part: string, context: Context): readonly PreparedLine[] {
  const mentions = findMentions(part, context.vessels);
  for (const { name, readText: read } of context.commands) {
    const words = attempt(() => wordsFor(read, mentions));
    if (words instanceof UserError || words.length === 0) continue;
    const prepared = words.flatMap((each) => tryPrepare(name, each, context).prepared ?? []);
    return prepared.length === words.length && !prepared.some(({ onlyAsks }) => onlyAsks) ? prepared : [];
  }
  return [];
}

const wordsFor = (read: Command['readText'], mentions: Mentions): readonly string[] =>
  [read?.(mentions) ?? []].flat();

/** Asks first, since a text changes nothing. */
export function wishOf(
  wishes: readonly Pick<PreparedLine, 'line' | 'ports' | 'confirmation'>[],
  { vessels }: Pick<Context, 'vessels'>,
  hint?: string,
): UserError {
  const named = wishes.map(({ line, ports, confirmation }) => ({
    ...{ line, confirmation },
    label: `/${withNames(line, vessels, ports)}`,
  }));
  const [first, ...others] = named;
  return new UserError({
    code: 'unknown-command',
    message:
      others.length === 0
        ? `Nothing has changed yet. Do you want ${first?.label}?`
        : `Nothing has changed yet. Which of these ${named.length} do you want?`,
    ...(hint !== undefined && { hint }),
    areSeveral: others.length > 0,
    choices:
      others.length === 0
        ? named.map(({ line, confirmation }) => ({ label: confirmation, line }))
        : named.map(({ line, label }) => ({ label, line })),
  });
}

/** `AMBER BEACON by 29 nov and EVER GIVEN by 2 dec?` */
const whichOf = (asked: readonly PreparedLine[], { vessels }: LineContext): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `These are ${asked.length} questions. Which one do you want to ask?`,
    choices: asked.map(({ line, ports }) => ({ label: `/${withNames(line, vessels, ports)}`, line })),
  });

/** A word that isn't known may be the name of a vessel or a port, which changes the answer. */
function notAllRead(
  unknown: readonly string[],
  { line, ports, confirmation }: PreparedLine,
  { vessels }: LineContext,
): UserError {
  const without = `/${withNames(line, vessels, ports)}`;
  return new UserError({
    code: 'unexpected-words',
    message: `I don't know ${listed(unknown.slice(0, 3).map(quote))}. Without that, do you want ${without}?`,
    choices: [{ label: confirmation, line }],
  });
}

function areThoseVessels(parts: readonly Pick<Correction, 'typed' | 'meant'>[], line: string): UserError {
  const meant = listed(parts.map((part) => part.meant));
  return new UserError({
    code: 'unknown-vessel',
    message: `I don't know ${listed(parts.map(({ typed }) => quote(typed)))}. Do you mean ${meant}?`,
    choices: [{ label: meant, line }],
  });
}

/** Undefined if no pattern matches. */
export const tryQuestion = (line: string, context: Context) =>
  context.questions.parse(line, context, (name, words) => tryPrepare(name, words, context));

export const unknownQuestion = (line: string, context: Context): UserError =>
  context.questions.unknown(line, context, {
    guesses: guessesOf(line, context, { withPlain: true }),
    tryPrepare: (name, words) => tryPrepare(name, words, context),
  });
