import type { LineOf } from '../answers/answer.ts';
import { listed } from '../answers/formatting/words.ts';
import { limits } from '../answers/message.ts';
import { pageLine } from '../answers/slack/answer-message.ts';
import { attempt, type Choice, type Correction, ownLines, UserError, type UserErrorCode } from '../errors.ts';
import { carriersIn } from '../grammar/carriers.ts';
import { dateOrderOf } from '../grammar/dates.ts';
import { listDaysLeft } from '../grammar/excepted-days.ts';
import {
  cleanLine,
  type ExportFormat,
  formatExport,
  joinWords,
  quote,
  takeExport,
  takeVisibility,
} from '../grammar/line.ts';
import {
  datedParts,
  findMentions,
  isDated,
  type Mentions,
  maxTextLength,
  oneOf,
} from '../grammar/mentions.ts';
import { withSpokenDates } from '../grammar/number-words.ts';
import { findPortsIn } from '../grammar/port.ts';
import { findVessels } from '../grammar/vessel.ts';
import { readRows } from '../grammar/vessel-rows.ts';
import { exampleVessels, type Imo, isPortGroup, type PortOrGroup } from '../reference/codes.ts';
import { fold } from '../reference/nearest.ts';
import { isCloseTo, isKnownPort, portName } from '../reference/ports.ts';
import { asksWhoChanged } from './bot-topics.ts';
import type { Command, ParsedLine, ParseLine, PreparedLine } from './command.ts';
import { caveatOf, type LineContext, type ParseContext } from './ctx.ts';
import { exportExample, exportLine, notATable } from './export/index.ts';
import { misspeltCommand, nearestCommands, showAllCommands } from './help/index.ts';
import { withRows } from './parse-rows.ts';
import {
  createQuestions,
  guessedPort,
  isQuestion,
  type Questions,
  type Tried,
  withNames,
} from './questions.ts';
import { noteReferences } from './typed-reference.ts';

interface Context extends LineContext, ParseContext {
  commands: readonly Command[];
  questions: Questions;
  /** The line began with the name of the bot's own command. */
  isOwn?: boolean;
  /** As it was typed, with the question mark. */
  typed: string;
  /** Why the grammar can't read the line, which is then read by what it names. */
  unread?: UserError;
  isCorrected?: boolean;
  /** Reads a line of a digest as a text, for a digest that is offered. */
  readInnerText: (line: string) => ParsedLine;
}

/**
 * A line without a command's name is one of the command that takes the vessel or port that it names, or a plain
 * question. Misspelt words are corrected in lines that only read.
 */
export function createParseLine(commands: readonly Command[], lineOf: LineOf): ParseLine {
  const parseExactly = createParseExactly(commands, lineOf);
  return (typed, context) => {
    const text = context.isTyped ? listDaysLeft(typed) : typed;
    try {
      const parse: Parse = (line, how) => parseExactly(line, { ...context, ...how });
      if (!context.isTyped) return parse(text);
      if (leavesOut.test(text) && findMentions(cleanLine(text), context.vessels).excludes)
        throw cantLeaveOut(text);
      const parsed = withCorrections(text, parse);
      if (!parsed.onlyAsks && endsInQuestionMark.test(text)) throw wishOf([parsed], context);
      return parsed;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const answered = context.isTyped
        ? withWorkingChoices(error, (line) => parseExactly(line, { ...context, isTyped: false }))
        : error;
      throw withTypedSubject(answered, text, context);
    }
  };
}

/** Each button leads on: to an answer, or where none does, to an error about what is still missing or wrong. */
function withWorkingChoices(error: UserError, parse: Parse): UserError {
  const tried = error.choices.map((choice) => ({ choice, error: tryParse(choice.line, parse).error }));
  const working = tried.filter(({ error: fault }) => fault === undefined);
  const leading = tried.filter(
    ({ error: fault }) => !fault || fault.choices.length > 0 || fault.code === 'missing-argument',
  );
  const kept = working.length > 0 ? working : leading;
  if (kept.length === tried.length) return error;
  return new UserError({ ...error, message: error.message, choices: kept.map(({ choice }) => choice) });
}

const leavesOut = /\b(?:not|never|except|excluding|excl|without|but|other than|besides|minus)\b/i;

/** Otherwise an answer or a button would be about just that. */
const cantLeaveOut = (text: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I can't leave something out, as in ${quote(text)}.`,
    hint: 'Name what you want instead.',
    choices: [showAllCommands],
  });
/** `/landfall resume?` may ask whether to. */
const endsInQuestionMark = /\p{L}\s*\?\s*$/u;

type How = Pick<Context, 'unread' | 'isCorrected'>;

const maxCorrections = 4;

/**
 * Throws the first error for a line that would change something, and the last for one that has other faults too, if it
 * can't be read by what it names.
 */
function withCorrections(typed: string, parse: Parse): ParsedLine {
  const corrections: Correction[] = [];
  let first: unknown;
  for (let line = typed; ; ) {
    try {
      const parsed = parse(line);
      const guessed = guessedPort(parsed, typed);
      if (corrections.length === 0 && guessed) throw guessed;
      if (corrections.length === 0) return parsed;
      if (!parsed.onlyAsks) throw first;
      if (first instanceof UserError && guessed) return parse(typed, { unread: first, isCorrected: true });
      return { ...parsed, corrections, ...(isQuestion(typed) && { understoodAs: parsed.line }) };
    } catch (error) {
      if (error === first || !(error instanceof UserError)) throw error;
      const { correction } = error;
      if (!correction || corrections.length === maxCorrections)
        return parse(typed, { unread: error, isCorrected: corrections.length > 0 });
      first ??= error;
      corrections.push(correction);
      line = correction.line;
    }
  }
}

/** The example is about the vessel and the port that were typed, if they are clear. */
function withTypedSubject(error: UserError, typed: string, { vessels }: LineContext): UserError {
  const [imo, ...otherVessels] = findVessels(typed, vessels);
  const [port, ...otherPorts] = findPortsIn(typed);
  let { example } = error;
  if (imo !== undefined && otherVessels.length === 0)
    example = example?.replace(String(exampleVessels[0].imo), String(imo));
  if (port !== undefined && otherPorts.length === 0)
    example = example?.replace(/\bRotterdam\b/, portName(port));
  return example === error.example ? error : new UserError({ ...error, message: error.message, example });
}

function createParseExactly(commands: readonly Command[], lineOf: LineOf): ParseLine {
  const questions = createQuestions(commands, showAllCommands);
  const parseLine = (text: string, context: LineContext & How): ParsedLine => {
    const { locale, threadText, isTyped = false, isOfTable = false, unread, isCorrected = false } = context;
    const dateOrder = dateOrderOf(locale);
    const { threadVessels = threadText ? findVessels(threadText, context.vessels) : [] } = context;
    const { vessels, typedIn } = noteReferences({ ...context.vessels, ofThread: threadVessels });
    // `lane ?` asks for help; cleaning would drop the question mark as punctuation.
    const [, name = ''] = /^\s*\/?(\p{L}+)\s+\?\s*$/u.exec(text) ?? [];
    const asksForHelp = isCommand(name.toLowerCase(), { commands });
    const { rest, visibility } = takeVisibility(asksForHelp ? `${name} help` : cleanLine(text));
    const parsingContext = {
      ...{ vessels, threadVessels, dateOrder, isTyped, isOfTable, commands, lineOf, questions, typed: text },
      ...(unread && { unread, isCorrected }),
      ...(visibility && { visibility }),
      // Not as typed: a correction would become part of what is stored.
      readInner: (inner: string) => parseLine(inner, { vessels, threadVessels, locale }),
      readInnerText: (inner: string) => parseLine(inner, { vessels, threadVessels, locale, isTyped: true }),
    };
    const parse = (line: string) => prepareLine(line, parsingContext);
    const prepared = parseWithExport(rest, { visibility, parse, commands });
    if (prepared.line.length > limits.commandLine)
      throw tooLong(prepared.line, commandTaking('vessels', parsingContext));
    const { hasReference, reference } = typedIn(prepared);
    return {
      ...prepared,
      ...(hasReference && { understoodAs: prepared.line }),
      ...(reference !== undefined && { run: (ctx) => prepared.run({ ...ctx, reference }) }),
      ...(visibility !== undefined && { visibility }),
    };
  };
  return withRows(parseLine);
}

const tooLong = ({ length }: string, { examples: [example] }: Command): UserError =>
  new UserError({
    code: 'too-long',
    message: `A line can have at most ${limits.commandLine.toLocaleString('en')} characters; this one has ${length.toLocaleString('en')}.`,
    example,
  });

/** Every registry has one of each kind. */
function commandTaking(kind: Command['takes'], { commands }: Pick<Context, 'commands'>): Command {
  const found = commands.find(({ takes }) => takes === kind);
  if (!found) throw new Error(`no command takes ${kind}`);
  return found;
}

function prepareLine(line: string, context: Context): ParsedLine {
  const { name, rest } = split(line);
  const help = (words = '') => prepare(ownLines.all, words, context);
  if (name === '') return subjectOf(context) === undefined ? help() : prepareForSubject('', context);
  if (context.unread) {
    if (name === ownLines.all && rest !== '') return prepareLine(rest, { ...context, isOwn: true });
    if (isCommand(name, context) || context.isCorrected) return readInOwnWords(line, context.unread, context);
    throw context.unread;
  }
  if (helpWord.test(line)) return help();
  if (helpWord.test(rest) && isCommand(name, context))
    return help(name === ownLines.all ? '' : `help ${name}`);
  if (name === 'help') return help(line);
  if (name === ownLines.all && rest !== '' && !/^help\b/i.test(rest))
    return prepareLine(rest, { ...context, isOwn: true });
  if (!isCommand(name, context)) return prepareWithoutCommand(line, context);
  return asVerb(name, line, context) ?? prepareCommand(name, rest, context);
}

/** `resume` is a command of its own, but a verb before a vessel, and in the thread of a card. */
function asVerb(name: string, line: string, context: Context): ParsedLine | undefined {
  const { commands, threadVessels = [], isOwn = false } = context;
  const isAlone = split(line).rest === '';
  const command = commands.find((each) => each.name !== name && each.verbs.includes(name));
  if (!command || (isAlone && (isOwn || threadVessels.length === 0))) return undefined;
  return tryPrepare(command.name, line, context).prepared;
}

/** `/portcalls who is coming to Rotterdam`, `status of EVER GIVEN`: a question that the command can't read is still answered. */
function prepareCommand(name: string, words: string, context: Context): ParsedLine {
  try {
    return prepare(name, words, context);
  } catch (error) {
    // In `/watch 9461477 eta`, the rule lacks a value.
    const mayAsk = error instanceof UserError && (isQuestion(words) || ofDocument.test(words));
    const changedBy =
      mayAsk && asksWhoChanged.test(words) ? readText(`${name} ${words}`, context) : undefined;
    if (changedBy) return changedBy;
    // `forget what you know about EVER GIVEN` asks nothing about the vessel.
    const isOwn = context.commands.some(
      (each) => each.name === name && each.isUnderLandfall && name !== 'status',
    );
    const asked = mayAsk && !isOwn ? tryQuestion(words, context)?.prepared : undefined;
    const withName = asked ?? tryQuestion(`${name} ${words}`, context)?.prepared;
    if (withName) return withName;
    if (mayAsk) return readInOwnWords(words, error, context);
    // `forget the name EVER GIVEN` and `pause digest 2` aren't about the whole workspace.
    if (error instanceof UserError && isWish(name, words, context)) readText(`${name} ${words}`, context);
    throw error instanceof UserError ? (ofOtherKind(name, words, { error, context }) ?? error) : error;
  }
}

/** `nextport rotterdam tomorrow`, `portcalls ever given`: offers the line of the command that takes ports, or vessels. */
function ofOtherKind(
  name: string,
  words: string,
  { error, context }: { error: UserError; context: Context },
): UserError | undefined {
  if (error.code === 'unknown-vessel' && commandTaking('vessels', context).name === name) {
    const { prepared, error: fault } = tryTaking('ports', words, context);
    const choices = fault?.code === 'ambiguous-port' ? fault.choices : [];
    const lines = prepared && namesKnownPorts(prepared.ports) ? [prepared] : [];
    const meant = [
      ...lines.map(({ line, ports }) => ({ label: `/${withNames(line, context.vessels, ports)}`, line })),
      ...choices,
    ];
    if (meant.every(({ line }) => error.choices.some((choice) => choice.line === line))) return undefined;
    const isMeant = ({ line }: Choice) => meant.some((choice) => `${choice.line} `.startsWith(`${line} `));
    const others = error.choices.filter((choice) => !isMeant(choice));
    return new UserError({ ...error, message: error.message, choices: [...meant, ...others] });
  }
  if (error.code !== 'unknown-port' || commandTaking('ports', context).name !== name) return undefined;
  const { vessels, ports, periods, corrections, rest } = findMentions(words, context.vessels);
  if (vessels.length === 0 || ports.length + corrections.length > 0 || rest.trim() !== '') return undefined;
  const { prepared } = tryTaking('vessels', vessels.join(', '), context);
  if (!prepared) return undefined;
  const names = listed(vessels.map((imo) => context.vessels.nameOf(imo) ?? `IMO ${imo}`));
  return new UserError({
    code: 'unknown-port',
    message: vessels.length === 1 ? `${names} is a vessel, not a port.` : `${names} are vessels, not ports.`,
    ...(periods.length > 0 && { hint: `${droppedTime(periods)}.` }),
    choices: [{ label: `/${withNames(prepared.line, context.vessels)}`, line: prepared.line }],
  });
}

/** The name of the command is a plain word too, or what follows names a watch or a digest. */
const isWish = (name: string, words: string, { commands }: Pick<Context, 'commands'>): boolean =>
  commands.some(
    (each) =>
      each.name === name &&
      (each.verbs.includes(name) || (each.isUnderLandfall && /\b(?:digest|watch(?:es)?)\b/i.test(words))),
  );

/** `Vessel name: EVER GIVEN`. */
const ofDocument = /^(?:name:|(?:name ?)?[/&] ?voy|imo\b)/i;

function split(line: string): { name: string; rest: string } {
  const [, first = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(line) ?? [];
  return { name: first.toLowerCase(), rest };
}

const helpWord =
  /^(?:-h|--help|(?:(?:please|(?:can|could) you|i need)(?: please)? )?help(?: (?:me|us))?(?: please)?)$/i;

const isCommand = (name: string, { commands }: Pick<Context, 'commands'>): boolean =>
  commands.some((command) => command.name === name);

function prepare(name: string, words: string, context: Context): PreparedLine {
  const command = context.commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  try {
    return command.prepare(words, context);
  } catch (error) {
    const isUnfinished = error instanceof UserError && error.code === 'missing-argument';
    if (!isUnfinished || command.takes !== 'vessels') throw error;
    if (subjectOf(context) !== undefined) return prepareForSubject(words, context);
    throw askWhichVessel(words, context) ?? error;
  }
}

/** The vessel that the line's thread is about, if there is exactly one. */
const subjectOf = ({ threadVessels = [] }: Context): Imo | undefined =>
  threadVessels.length === 1 ? threadVessels[0] : undefined;

const prepareForSubject = (words: string, context: Context): PreparedLine =>
  commandTaking('vessels', context).prepare(`${subjectOf(context)} ${words}`.trim(), withoutThread(context));

/** The line must be complete without the thread's vessels. */
const withoutThread = ({ threadVessels: _, ...context }: Context): Context => context;

/** An error that asks which vessel `history` means in a thread about several. Undefined if the words don't need a single vessel. */
function askWhichVessel(words: string, context: Context): UserError | undefined {
  const { threadVessels = [] } = context;
  if (threadVessels.length < 2) return undefined;
  const offered = threadVessels.slice(0, maxVesselsOffered).join(', ');
  const { error } = tryTaking('vessels', `${offered} ${words}`, context);
  return error?.code === 'too-many-vessels' ? error : undefined;
}

const maxVesselsOffered = 5;

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

/** What a port's name alone may mean too: the vessel whose name it is part of. */
function prepareWithoutCommand(line: string, context: Context): ParsedLine {
  const read = readWithoutCommand(line, context);
  if (read.ports.length === 0) return read;
  const named = fold(line).replace(/ (?:when|where|etas?)$/, '');
  const [vessel, ...others] = context.vessels
    .all()
    .filter(({ name }) => ` ${fold(name)} `.includes(` ${named} `));
  if (!vessel || others.length > 0) return read;
  return { ...read, caveat: `this is the port: write ${quote(vessel.name)} for the vessel` };
}

/** Tries, in this order: a vessel, a port, a question, small talk, words about the thread's vessel, a command's verb. */
function readWithoutCommand(line: string, context: Context): ParsedLine {
  const asVessel = tryTaking('vessels', line, context);
  if (asVessel.prepared) return asVessel.prepared;
  const asPort = tryTaking('ports', line, context);
  if (asPort.prepared && namesKnownPorts(asPort.prepared.ports)) return asPort.prepared;
  if (repeats.test(line)) throw whichQuestion(line, context);
  const asQuestion = tryQuestion(line, context) ?? {};
  if (asQuestion.prepared) return asQuestion.prepared;
  if (asQuestion.error && asQuestion.isFinal) throw asQuestion.error;
  if (asQuestion.error) return readInOwnWords(line, asQuestion.error, context);
  if (isGreeting(line)) return prepare(ownLines.all, '', context);
  if (isThanks(line)) throw welcome();
  const subject = subjectOf(context);
  const aboutSubject = subject && tryTaking('vessels', `${subject} ${line}`, context).prepared;
  if (aboutSubject) return aboutSubject;
  const whichVesselError = askWhichVessel(line, context);
  if (whichVesselError) throw whichVesselError;
  // In the thread of a card, `snooze 1h` is about the card's watch; elsewhere the answer asks which watch.
  const withVerb = context.commands.find(({ verbs }) => verbs.includes(split(line).name));
  if (withVerb) {
    const { prepared, error } = tryPrepare(withVerb.name, line, context);
    return prepared ?? readInOwnWords(line, error, context);
  }
  const errors = [asVessel.error, asPort.error].filter((error) => error !== undefined);
  const decisive = errors.find((error) => isDecisive(error, context));
  const near = errors.flatMap((error) => choicesNear(line, error, context));
  // `msc` alone may be the beginning of a vessel's name.
  const carriers = carriersIn(line);
  const isOfCarriers = carriers.length > 1 || (carriers.length === 1 && near.length === 0);
  const asLane = isOfCarriers ? tryTaking('carriers', line, context) : {};
  if (asLane.prepared) return asLane.prepared;
  const { name, rest } = split(line);
  const meantCommand = misspeltCommand(name, context);
  const isHelp = meantCommand === 'help';
  const asMeant: Tried = meantCommand === undefined || isHelp ? {} : tryPrepare(meantCommand, rest, context);
  const isCommandMisspelt =
    isHelp || asMeant.prepared !== undefined || asMeant.error?.correction !== undefined;
  const meant = decisive ? [] : errors.filter(({ correction }) => correction !== undefined);
  if (meant[0] && meant.length === 1) throw meant[0];
  const isKnown = isCommandMisspelt || (decisive && !isLoose(decisive));
  const read = isKnown ? undefined : (readText(line, context) ?? readSentence(line, context));
  if (read) return read;
  if (asLane.error) throw asLane.error;
  // A number or a code in a long text may be anything.
  const isBeside = decisive && isLoose(decisive) && guessesOf(line, context).length > 0;
  const isMisspelt = isCommandMisspelt && context.isOwn && decisive && isLoose(decisive);
  if (decisive && !isBeside && !isMisspelt) throw decisive;
  const named = findMentions(line, context.vessels);
  const [code] = named.vessels.length === 0 ? named.codes : [];
  const unknown = code === undefined ? undefined : tryTaking('vessels', code, context).error;
  if (unknown) throw unknown;
  throw isQuestion(context.typed) ? unknownQuestion(line, context) : unknownCommand(line, near, context);
}

/** `same for Hamburg`, `once more but Antwerp`: what they repeat isn't known. */
const repeats =
  /^(?:(?:and|now|okay?|please|pls|then|also|do|show|give (?:me|us)|(?:can|could) you)[ ,]+)*(?:the )?(?:same(?: (?:thing|again|question|list|line-?up|for|but|at|in|with|please|pls)\b|$)|(?:once more|again),? (?:for|but|with|at)\b)/i;

const whichQuestion = (line: string, context: Context): UserError =>
  new UserError({
    code: 'unknown-command',
    message: 'I read each question on its own. Which one do you want to ask again?',
    choices: [...guessesOf(line, context), showAllCommands],
  });

const isDecisive = (error: UserError, context: Context): boolean =>
  decisiveCodes.has(error.code) || isAboutDate(error, context);

/** Among other words, what looks like a reference or a number may be neither. */
const isLoose = ({ code }: UserError): boolean => code === 'unknown-reference' || code === 'bad-imo';

/** Throws the error if the text names nothing that can be asked, or if the error knows better. */
function readInOwnWords(text: string, error: UserError | undefined, context: Context): ParsedLine {
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
  throw isNameless && isQuestion(context.typed) && guessesOf(text, context).length > 0
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
function readText(text: string, context: Context): ParsedLine | undefined {
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
  const found = findMentions(withSpokenDates(command ? split(lines).rest : lines), context.vessels, {
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
    if (all.length > 1 && all.length === tried.length) throw wishOf(all, context);
    const prepared = tried.length > 1 ? undefined : all[0];
    const parts = mentions.partsOfNames;
    if (prepared && parts.length > 0) throw areThoseVessels(parts, prepared.line, guessesOf(text, context));
    // The bot's own commands take no names.
    if (prepared?.onlyAsks && mentions.unknown.length > 0 && !isUnderLandfall)
      throw notAllRead(mentions.unknown, prepared, context);
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

const maxGuesses = 3;

/** What a text may ask that says more than is understood, by what it names: buttons, since the rest may matter. */
function guessesOf(text: string, context: Context): Choice[] {
  if (!context.isTyped || context.isOfTable || text.length > maxTextLength) return [];
  const clauses = text.split(/[,;.!?]\s+|\s+(?:--?|\/\/)\s+/).slice(0, maxSentences);
  const asked = clauses.length > 1 ? clauses.filter(isQuestion) : [];
  const prepared = [...asked, text].flatMap((part) => readingsOf(part, context));
  const byLine = new Map(prepared.map((each) => [each.line, each]));
  return [...byLine.values()].slice(0, maxGuesses).map(({ line, ports: asked }) => ({
    label: `/${withNames(line, context.vessels, asked)}`,
    line,
  }));
}

/** What it means as a question, and by what it names as if it said nothing else. */
function readingsOf(text: string, context: Context): ParsedLine[] {
  const named = { ...findMentions(text, context.vessels), rest: ' ', codes: [] };
  const { vessels, ports, carriers, routes } = named;
  if (named.excludes) return [];
  const isLane = carriers.length + routes.length > 0;
  const readings: readonly Mentions[] = [
    ...(isLane ? [{ ...named, topic: 'performance' as const, rest: ' lane ' }] : []),
    { ...named, topic: 'next' },
    ...(vessels.length > 0 && ports.length > 0 ? [{ ...named, ports: [], topic: 'next' as const }] : []),
  ];
  const asQuestion = tryQuestion(cleanLine(text), context)?.prepared;
  const byName = readings.flatMap((mentions) => {
    const read = context.commands.values().flatMap(({ name, readText: toWords }) => {
      const words = attempt(() => wordsFor(toWords, mentions));
      const [first] = words instanceof UserError ? [] : words;
      const tried = first === undefined ? undefined : tryPrepare(name, first, context).prepared;
      return tried?.repeatable ? [tried] : [];
    });
    return [...read.take(1)];
  });
  return [...(asQuestion?.repeatable ? [asQuestion] : []), ...byName];
}

/** To read each takes a millisecond. */
const maxSentences = 10;

/** The question among other sentences, if these name nothing. */
function readSentence(text: string, context: Context): ParsedLine | undefined {
  const sentences = context.isTyped ? text.split(/(?<=[?!.])\s+|\s+--\s+|;\s/) : [];
  if (sentences.length < 2 || sentences.length > maxSentences) return undefined;
  const readings = sentences.map((sentence) => tryQuestion(cleanLine(sentence), context)?.prepared);
  const [read, ...others] = readings.filter((reading) => reading !== undefined);
  const isRestEmpty = sentences.every(
    (sentence, index) => readings[index] || namesNothing(sentence, context),
  );
  return others.length === 0 && isRestEmpty ? read : undefined;
}

function namesNothing(sentence: string, { vessels: known }: Context): boolean {
  if (/\d{6}/.test(sentence)) return false;
  const { vessels, groups, ports, carriers } = findMentions(sentence, known);
  return vessels.length + groups.length + ports.length + carriers.length === 0;
}

/** What a vessel's answer leaves out of the text. */
const droppedTime = ([period]: readonly string[]): string | undefined =>
  period === undefined
    ? undefined
    : `${quote(period)} isn't compared: the answer says when the vessel is predicted`;

/** Offers what each line or part of a text would change, and says which part would change nothing. */
function wishesOfParts(text: string, context: Context): UserError | undefined {
  const lines = context.typed.split('\n').map(cleanLine).filter(isDated);
  const parts = lines.length > 1 ? lines : datedParts(text);
  const wishes = parts.map((part) => wishesIn(part, context));
  const unread = parts.filter((_, index) => wishes[index]?.length === 0);
  if (parts.length === 1 || unread.length === parts.length) return undefined;
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
function wishOf(
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

function areThoseVessels(
  parts: readonly Pick<Correction, 'typed' | 'meant'>[],
  line: string,
  others: readonly Choice[],
): UserError {
  const meant = listed(parts.map((part) => part.meant));
  return new UserError({
    code: 'unknown-vessel',
    message: `I don't know ${listed(parts.map(({ typed }) => quote(typed)))}. Do you mean ${meant}?`,
    choices: [{ label: meant, line }, ...others.filter((other) => other.line !== line)],
  });
}

/** Undefined if no pattern matches. */
const tryQuestion = (line: string, context: Context) =>
  context.questions.parse(line, context, (name, words) => tryPrepare(name, words, context));

const unknownQuestion = (line: string, context: Context): UserError =>
  context.questions.unknown(line, context, {
    guesses: guessesOf(line, context),
    tryPrepare: (name, words) => tryPrepare(name, words, context),
  });

/** The words may not be about a port at all, so this offers only ports with a very similar name. */
function choicesNear(line: string, { code, choices }: UserError, context: Context): readonly Choice[] {
  // `hm` is similar to much; `DS` is a word of a vessel's name.
  if (line.length <= 3) {
    return code === 'unknown-vessel'
      ? choices.filter(({ label }) => wordsOf(label).includes(fold(line)))
      : [];
  }
  return choices.filter((choice) => {
    const ports = rereadPorts(choice, context);
    // As in `put them side by side`, no part of the line has to be a port.
    if (code !== 'unknown-port')
      return ports.length === 0 ? !isPortLine(choice, context) : namesKnownPorts(ports);
    const [port] = ports;
    return (
      port !== undefined &&
      !isPortGroup(port) &&
      isKnownPort(port) &&
      beginnings(line).some((words) => isCloseTo(port, words))
    );
  });
}

/** A period may follow the name of the port. */
const beginnings = (line: string): string[] =>
  line.split(' ').map((_, index, words) => words.slice(0, index + 1).join(' '));

const wordsOf = (label: string): string[] => fold(label).split(' ');

function tryPrepare(name: string, words: string, context: Context): Tried {
  try {
    return { prepared: prepare(name, words, withoutThread(context)) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

const tryTaking = (kind: Command['takes'], words: string, context: Context): Tried =>
  tryPrepare(commandTaking(kind, context).name, words, context);

/** Of a line that the command which takes ports offers. */
const rereadPorts = ({ line }: Choice, context: Context): readonly PortOrGroup[] =>
  tryTaking('ports', split(line).rest, context).prepared?.ports ?? [];

const isPortLine = ({ line }: Choice, context: Context): boolean =>
  split(line).name === commandTaking('ports', context).name;

/** The reference data has all of them: any word of five letters has the shape of a UN/LOCODE. */
const namesKnownPorts = (ports: readonly PortOrGroup[]): boolean =>
  ports.length > 0 && ports.every(isKnownPort);

/** Offers the nearest commands that can take the rest of the line, then `near`. */
function unknownCommand(line: string, near: readonly Choice[], context: Context): UserError {
  const { name, rest } = split(line);
  const meant = misspeltCommand(name, context);
  const meantNames = meant === undefined || meant === 'help' ? [] : [meant];
  const nearNames = [...new Set([...meantNames, ...nearestCommands(name, context.commands)])];
  const commandLines = nearNames.flatMap((nearName) => {
    const { prepared, error } = tryPrepare(nearName, rest, context);
    // The rest may be misspelt as well.
    return prepared ? [prepared.line] : (error?.choices ?? []).slice(0, 2).map((choice) => choice.line);
  });
  const guesses = meant === undefined ? guessesOf(line, context) : [];
  const isOffered = new Set([...commandLines, ...guesses.map((choice) => choice.line)]);
  return new UserError({
    code: 'unknown-command',
    message: `${quote(line)} isn't a command, or a vessel or port that I know.`,
    choices: [
      ...commandLines.map((nearLine) => ({ label: `/${nearLine}`, line: nearLine })),
      ...guesses.filter((choice) => !commandLines.includes(choice.line)),
      ...near.filter((choice) => !isOffered.has(choice.line)).slice(0, 5),
      showAllCommands,
    ],
    correction:
      meant === undefined ? undefined : { typed: name, meant: `/${meant}`, line: joinWords(meant, rest) },
    example: commandTaking('vessels', context).examples[0],
  });
}

const greeting =
  /^(?:hi|hello|hey|hallo|hiya|moin|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|landfall))?$/i;
const thanks =
  /^(?:(?:ok|okay|great|perfect|many),? )?(?:thanks|thank you|thx|cheers|danke|merci|ok|okay|great|perfect|bye)(?: (?:a lot|so much|very much|again|landfall))?$/i;

/** The answer to thanks. */
export const welcome = (): UserError =>
  new UserError({
    code: 'unknown-command',
    message: "You're welcome.",
    hint: 'Name a vessel, a port or a lane whenever you have a question.',
    choices: [showAllCommands],
  });

const isGreeting = (line: string): boolean => greeting.test(line);

const isThanks = (line: string): boolean => thanks.test(line);

type Parse = (line: string, how?: How) => ParsedLine;

/**
 * Any line that only reads can end in `as csv` or `as json`; in others these words may belong to a value. `parse` parses a
 * line without them. Throws UserError.
 */
function parseWithExport(
  words: string,
  {
    visibility,
    parse,
    commands,
  }: { visibility: ParsedLine['visibility']; parse: Parse; commands: readonly Command[] },
): ParsedLine {
  const { rest, format, visibility: inner = visibility } = takeExport(words);
  if (!format) return parse(words);
  const asked = tryParse(rest, parse);
  if (asked.prepared?.isExportable) {
    // A file has all rows, so its line has no page.
    const first = tryParse(pageLine(asked.prepared.line, 1), parse).prepared ?? asked.prepared;
    const exported = { ...asked.prepared, ...exportLine(first, format) };
    if (inner === 'public') throw publicFile(exported.line);
    return exported;
  }
  const whole = tryParse(words, parse);
  if (whole.prepared) return whole.prepared;
  if (asked.error) throw withExport(asked.error, format, parse);
  // Such as the error of a digest about its last line.
  if (whole.error?.code === 'not-allowed') throw whole.error;
  throw asked.prepared?.onlyAsks
    ? notATable(asked.prepared.line, commands)
    : notExportable(rest, exportExample(commands));
}

function tryParse(line: string, parse: Parse): { prepared?: ParsedLine; error?: UserError } {
  try {
    return { prepared: parse(line) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

/** The lines that the error offers keep their `as csv`. */
function withExport(error: UserError, format: ExportFormat, parse: Parse): UserError {
  const exported = <Offered extends Choice | Correction>(offered: Offered): Offered => {
    const { line } = offered;
    const canBeExported = line !== ownLines.all && tryParse(line, parse).prepared?.isExportable;
    return canBeExported ? { ...offered, line: formatExport(line, format) } : offered;
  };
  const { message, choices, correction } = error;
  return new UserError({
    ...{ ...error, message },
    choices: choices.map(exported),
    correction: correction && exported(correction),
  });
}

const publicFile = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "A file goes to you alone, in a direct message, so it can't be public.",
    choices: [{ label: 'Send it to me', line }],
    example: line,
  });

const notExportable = (line: string, example: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${quote(line)} changes something: only an answer with a table can be exported.`,
    example,
  });
