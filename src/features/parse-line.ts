import type { LineOf } from '../answers/answer.ts';
import { listed } from '../answers/formatting/words.ts';
import { limits } from '../answers/message.ts';
import { attempt, type Choice, type Correction, ownLines, UserError, type UserErrorCode } from '../errors.ts';
import { carriersIn } from '../grammar/carriers.ts';
import { dateOrderOf } from '../grammar/dates.ts';
import { listDaysLeft } from '../grammar/excepted-days.ts';
import { inEnglish } from '../grammar/foreign-words.ts';
import { withoutLetter } from '../grammar/letter.ts';
import { cleanLine, joinWords, quote, takeVisibility } from '../grammar/line.ts';
import { findMentions } from '../grammar/mentions.ts';
import { inPlainWords } from '../grammar/phrases.ts';
import { findPortsIn } from '../grammar/port.ts';
import { findVessels } from '../grammar/vessel.ts';
import { exampleVessels, isPortGroup } from '../reference/codes.ts';
import { fold } from '../reference/nearest.ts';
import { isCloseTo, isKnownPort, portName } from '../reference/ports.ts';
import { asksWhoChanged } from './bot-topics.ts';
import type { Command, ParsedLine, ParseLine } from './command.ts';
import type { LineContext } from './ctx.ts';
import { misspeltCommand, nearestCommands, showAllCommands } from './help/index.ts';
import { type Parse, parseWithExport, tryParse } from './line-export.ts';
import {
  doubtOf,
  doubtOfPort,
  droppedTime,
  guessesOf,
  isDecisive,
  isLoose,
  namesNothing,
  readInOwnWords,
  readSentence,
  readText,
  tryQuestion,
  unknownQuestion,
  wishOf,
} from './own-words.ts';
import { withRows } from './parse-rows.ts';
import {
  askWhichVessel,
  type Context,
  commandTaking,
  type How,
  isCommand,
  namesKnownPorts,
  prepare,
  prepareForSubject,
  rereadPorts,
  split,
  subjectOf,
  tryPrepare,
  tryTaking,
} from './prepare.ts';
import { createQuestions, guessedPort, isQuestion, type Tried, withNames } from './questions.ts';
import { noteReferences } from './typed-reference.ts';

/**
 * A line without a command's name is one of the command that takes the vessel or port that it names, or a plain
 * question. Misspelt words are corrected in lines that only read.
 */
export function createParseLine(commands: readonly Command[], lineOf: LineOf): ParseLine {
  const { parseExactly, contextOf } = createParseExactly(commands, lineOf);
  return (typed, context) => {
    const text = context.isTyped ? listDaysLeft(withoutLetter(typed)) : typed;
    const { parsingContext } = contextOf(text, context);
    try {
      const parse: Parse = (line, how) => parseExactly(line, { ...context, ...how });
      if (!context.isTyped) return parse(text);
      if (leavesOut.test(text) && findMentions(inPlainWords(cleanLine(text)), context.vessels).excludes)
        throw cantLeaveOut(text);
      const parsed = withoutPleases(text, (line) => withCorrections(line, parse));
      if (!parsed.onlyAsks && endsInQuestionMark.test(text)) throw wishOf([parsed], context);
      const doubt =
        (isOwnWords(parsed) ? doubtOf(parsed, parsingContext) : undefined) ??
        (isCommand(split(cleanLine(text)).name, parsingContext)
          ? undefined
          : doubtOfPort(parsed, parsingContext));
      if (doubt) throw doubt;
      return parsed;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (!context.isTyped) throw withTypedSubject(error, text, context);
      const parse: Parse = (line) => parseExactly(line, { ...context, isTyped: false });
      const answered = withGuesses(
        withWorkingChoices(error, parse),
        (how) => guessesOf(text, parsingContext, how),
        {
          isClear:
            isThanks(cleanLine(text)) ||
            (isShortCommand(text, { commands }) &&
              !(error.code === 'unknown-port' && error.choices.length === 0)),
        },
      );
      throw withTypedSubject(answered, text, context);
    }
  };
}

const isOwnWords = ({ understoodAs, onlyAsks }: ParsedLine): boolean =>
  understoodAs !== undefined && onlyAsks;

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

/** What else the text may mean, after what its own error offers. */
function withGuesses(
  error: UserError,
  guess: (how: { withPlain: boolean }) => readonly Choice[],
  { isClear }: { isClear: boolean },
): UserError {
  if (error.areSeveral || clear.has(error.code) || isClear) return error;
  const own = error.choices.filter(({ line }) => line !== showAllCommands.line);
  const isOffered = (line: string) => own.some((choice) => choice.line === line);
  const room = maxOffered - own.length;
  const others =
    room <= 0
      ? []
      : guess({ withPlain: own.length === 0 && unread.has(error.code) })
          .filter(({ line }) => !isOffered(line))
          .slice(0, room);
  if (others.length === 0) return error;
  const choices = [...own, ...others, ...(own.length < error.choices.length ? [showAllCommands] : [])];
  return new UserError({ ...error, message: error.message, choices });
}

const maxOffered = 4;

/** Errors which don't say what is missing or wrong. */
const unread: ReadonlySet<UserErrorCode> = new Set(['unknown-command', 'unknown-vessel', 'unknown-port']);

function isShortCommand(text: string, { commands }: Pick<Context, 'commands'>): boolean {
  const line = cleanLine(text);
  const command = commands.find(({ name }) => name === split(line).name);
  return (
    command !== undefined && line.split(' ').length <= (command.takes ? maxWords.ofNames : maxWords.ofOthers)
  );
}

/** A longer line is a sentence that begins with a command's name. */
const maxWords = { ofNames: 9, ofOthers: 5 };

/** Errors which say all that is missing or wrong. */
const clear: ReadonlySet<UserErrorCode> = new Set([
  'ambiguous-vessel',
  'ambiguous-port',
  'bad-check-digit',
  'not-allowed',
  'too-long',
  'missing-argument',
  'too-many-ports',
  'too-many-vessels',
  'same-port',
]);

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

/** What is read with them counts first, since a name may end in one, or be a word of another language. */
function withoutPleases(typed: string, parse: (line: string) => ParsedLine): ParsedLine {
  try {
    return parse(typed);
  } catch (error) {
    const bare = typed.replace(pleases, '');
    const english = inEnglish(bare);
    const read = english === typed ? undefined : attempt(() => parse(english));
    if (read === undefined || read instanceof UserError) throw error;
    // A name that would be stored may be one of those words.
    if (english !== bare && !read.onlyAsks) throw error;
    return read;
  }
}

const pleases = /(?:[\s,]+(?:please|pls|plz|thanks|thx|tks|tia))+[\s.!]*$/;

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

function createParseExactly(commands: readonly Command[], lineOf: LineOf) {
  const questions = createQuestions(commands, showAllCommands);
  const contextOf = (text: string, context: LineContext & How) => {
    const { locale, threadText, isTyped = false, isOfTable = false, unread, isCorrected = false } = context;
    const { isInTyped = false } = context;
    const dateOrder = dateOrderOf(locale);
    const { threadVessels = threadText ? findVessels(threadText, context.vessels) : [] } = context;
    const { vessels, typedIn } = noteReferences({ ...context.vessels, ofThread: threadVessels });
    const parsingContext: Context = {
      ...{
        vessels,
        threadVessels,
        dateOrder,
        isTyped,
        isInTyped,
        isOfTable,
        commands,
        lineOf,
        questions,
        typed: text,
      },
      ...(unread && { unread, isCorrected }),
      // Not as typed: a correction would become part of what is stored.
      readInner: (inner: string) => parseLine(inner, { vessels, threadVessels, locale, isInTyped: isTyped }),
      readInnerText: (inner: string) => parseLine(inner, { vessels, threadVessels, locale, isTyped: true }),
    };
    return { parsingContext, typedIn };
  };
  const parseLine = (text: string, context: LineContext & How): ParsedLine => {
    // `lane ?` asks for help; cleaning would drop the question mark as punctuation.
    const [, name = ''] = /^\s*\/?(\p{L}+)\s+\?\s*$/u.exec(text) ?? [];
    const asksForHelp = isCommand(name.toLowerCase(), { commands });
    const { rest, visibility } = takeVisibility(asksForHelp ? `${name} help` : cleanLine(text));
    const { parsingContext: withoutVisibility, typedIn } = contextOf(text, context);
    const parsingContext = { ...withoutVisibility, ...(visibility && { visibility }) };
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
  return { parseExactly: withRows(parseLine), contextOf };
}

const tooLong = ({ length }: string, { examples: [example] }: Command): UserError =>
  new UserError({
    code: 'too-long',
    message: `A line can have at most ${limits.commandLine.toLocaleString('en')} characters; this one has ${length.toLocaleString('en')}.`,
    example,
  });

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
    const read = isOwn ? undefined : attempt(() => readText(`${name} ${words}`, context));
    if (read && !(read instanceof UserError) && keepsMore(read, error, context)) return read;
    throw error instanceof UserError ? (ofOtherKind(name, words, { error, context }) ?? error) : error;
  }
}

/** `lane Guayaquil Vlissingen since September on time %`: than what would be left out by each button of the error. */
function keepsMore({ line }: ParsedLine, error: unknown, context: Context): boolean {
  if (!(error instanceof UserError) || error.code !== 'unexpected-words') return false;
  const others = error.choices.map((choice) => {
    const { name, rest } = split(choice.line);
    return tryPrepare(name, rest, context).prepared?.line ?? choice.line;
  });
  return others.length > 0 && others.every((other) => line.startsWith(`${other} `));
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

const helpWord =
  /^(?:-h|--help|(?:(?:please|(?:can|could) you|i need)(?: please)? )?help(?: (?:me|us))?(?: please)?)$/i;

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
  if (repeats.test(line)) throw whichQuestion();
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
  // `MSC DIANA Antwerp` isn't a lane from a port DIANA.
  if (asLane.prepared && namesKnownPorts(asLane.prepared.ports)) return asLane.prepared;
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
  const isBeside = decisive && isLoose(decisive) && !namesNothing(line, context);
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

const whichQuestion = (): UserError =>
  new UserError({
    code: 'unknown-command',
    message: 'I read each question on its own. Which one do you want to ask again?',
    choices: [showAllCommands],
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

const isPortLine = ({ line }: Choice, context: Context): boolean =>
  split(line).name === commandTaking('ports', context).name;

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
  const guesses = meant === undefined ? guessesOf(line, context, { withPlain: true }) : [];
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
