import { nextPortsOf } from '../answers/answer.ts';
import { capitalised } from '../answers/formatting/words.ts';
import { type Choice, ownLines, UserError } from '../errors.ts';
import { cleanLine, quote } from '../grammar/line.ts';
import { findVessels, isPronoun } from '../grammar/vessel.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import { type Imo, isImo, type PortOrGroup } from '../reference/codes.ts';
import { isKnownPort, portName } from '../reference/ports.ts';
import type { Command, ParsedLine, PreparedLine } from './command.ts';
import {
  caveatOf,
  type LineContext,
  offer as offerLine,
  type ParseContext,
  type Question,
  type Slots,
} from './ctx.ts';

/** Either of the two. */
export interface Tried {
  prepared?: PreparedLine;
  error?: UserError;
}

interface Understood {
  prepared?: ParsedLine;
  error?: UserError;
  isFinal?: boolean;
}

/** Parses the words after a command's name with the command's own parser. */
type TryPrepare = (command: string, words: string) => Tried;

export type Questions = ReturnType<typeof createQuestions>;

/** Plain questions, as the commands declare them. */
export function createQuestions(commands: readonly Command[], showAllCommands: Choice) {
  const readQuestion = createReadQuestion(commands);

  const tryReadings = (
    question: string,
    context: LineContext,
    tryPrepare: TryPrepare,
  ): readonly TriedReading[] =>
    readQuestion(question, context).map(({ command, words, error, isLoose, caveat, offer }) => {
      const tried = error ? { error } : withoutGuessedPort(tryPrepare(command, words), question);
      if (isLoose && tried.error?.choices.length === 0) return {};
      return { ...tried, caveat, offer, isFinal: error !== undefined };
    });

  /** At most three, each of another command, about vessels that are known here. */
  const examples = (context: LineContext, tryPrepare: TryPrepare): Choice[] => {
    const answerable = ({ questions }: Command) =>
      questions
        .values()
        .flatMap(({ example }) =>
          tryReadings(cleanLine(example), context, tryPrepare).flatMap(({ prepared }) =>
            prepared?.repeatable ? [{ label: example, line: prepared.line }] : [],
          ),
        );
    // One by one, since each of them is parsed.
    const one = (command: Command) => answerable(command).take(1);
    return commands.values().flatMap(one).take(3).toArray();
  };

  return {
    /**
     * The line that a question means, or why there is none; undefined if it matches no pattern. `isFinal`: the question is
     * understood, and the error is the answer.
     */
    parse(question: string, context: LineContext, tryPrepare: TryPrepare): Understood | undefined {
      const results = tryReadings(question, context, tryPrepare);
      // A question never changes anything.
      const answerable = results.flatMap(({ prepared }) => (prepared?.onlyAsks ? [prepared] : []));
      const meanings = new Map(answerable.map((prepared) => [prepared.line, prepared]));
      const [first, ...others] = meanings.values();
      if (first && others.length > 0)
        return { error: severalMeanings([...meanings.keys()], context.vessels), isFinal: true };
      if (first) {
        const asked = results.find(({ prepared }) => prepared?.line === first.line);
        const caveat = caveatOf(asked?.caveat, first.line);
        return { prepared: { ...first, understoodAs: first.line, ...(caveat !== undefined && { caveat }) } };
      }
      for (const { prepared, offer } of results)
        if (prepared && offer !== undefined)
          return { error: offerOf(prepared, offer, context.vessels), isFinal: true };
      const failed = results.filter(({ error }) => error !== undefined);
      return (
        failed.find(({ isFinal }) => isFinal) ??
        failed.find(({ error }) => error && error.choices.length > 0) ??
        failed[0]
      );
    },

    /** Offers the vessels that the text names, and questions of three commands. */
    unknown(
      question: string,
      context: ParseContext,
      { guesses, tryPrepare }: { guesses: readonly Choice[]; tryPrepare: TryPrepare },
    ): UserError {
      const named = findVessels(question, context.vessels).slice(0, 2);
      const nameOf = (imo: Imo) => context.vessels.nameOf(imo) ?? `IMO ${imo}`;
      const choices = [
        ...guesses,
        ...named.flatMap((imo) => offerLine(`Where is ${nameOf(imo)}?`, nextPortsOf(imo), context)),
        ...(guesses.length > 0 ? [] : examples(context, tryPrepare)),
        showAllCommands,
      ];
      return new UserError({
        code: 'unknown-command',
        message: `I can't answer ${quote(question)}.`,
        choices: [...new Map(choices.map((choice) => [choice.line, choice])).values()],
      });
    },
  };
}

/** Any word of five letters has the shape of a UN/LOCODE: “who is coming to lunch” isn't about a port LUNCH. */
function withoutGuessedPort(tried: Tried, question: string): Tried {
  const error = tried.prepared && guessedPort(tried.prepared, question);
  return error ? { error } : tried;
}

export function guessedPort(
  { line, ports }: Pick<ParsedLine, 'line' | 'ports'>,
  typed: string,
): UserError | undefined {
  const guessed = ports.find((code) => !isKnownPort(code) && !typed.replaceAll(' ', '').includes(code));
  if (guessed === undefined) return undefined;
  return new UserError({
    code: 'unknown-port',
    message: `I don't know a port called ${quote(guessed.toLowerCase())}.`,
    hint: 'Is it a UN/LOCODE?',
    choices: [{ label: `Yes, ${guessed}`, line }],
  });
}

const severalMeanings = (lines: readonly string[], vessels: VesselDirectory): UserError =>
  new UserError({
    code: 'ambiguous-vessel',
    message: 'That question can mean several things. Which one?',
    choices: lines.map((line) => ({ label: `/${withNames(line, vessels)}`, line })),
  });

/** A question never changes anything, so a button does. */
function offerOf(
  { line, ports, confirmation }: Pick<PreparedLine, 'line' | 'ports' | 'confirmation'>,
  offer: string,
  vessels: VesselDirectory,
): UserError {
  const named = withNames(line, vessels, ports);
  // The question does not say whose command it is.
  const action = capitalised(named.replace(new RegExp(`^${ownLines.all} `), ''));
  return new UserError({
    code: 'unknown-command',
    message: `${action}?`,
    hint: offer,
    choices: [{ label: confirmation, line }],
  });
}

/** The line with the names of its vessels, and of these ports. */
export const withNames = (
  line: string,
  vessels: VesselDirectory,
  ports: readonly PortOrGroup[] = [],
): string =>
  ports
    .reduce((words: string, port) => words.replace(port, portName(port)), line)
    .replace(/\b\d{7}\b/g, (digits) => {
      const imo = Number(digits);
      return (isImo(imo) && vessels.nameOf(imo)) || digits;
    });

/** A line that a question may mean, before its command has parsed it. */
interface Reading extends Pick<Question, 'caveat' | 'offer'> {
  command: string;
  words: string;
  error?: UserError;
  /** The text may be about anything. */
  isLoose: boolean;
}

interface TriedReading extends Tried, Pick<Question, 'caveat' | 'offer'> {
  /** The error says what the question lacks, whatever else the words could mean. */
  isFinal?: boolean;
}

/** The time to match grows with the square of the length. */
const maxLength = 300;

/** Returns a function that reads the lines that a text may mean if it is a question; none if it matches no pattern. */
function createReadQuestion(commands: readonly Command[]) {
  const questions = commands.flatMap(({ name: command, questions }) =>
    questions.map((question) => ({ ...question, command, patterns: question.asked.map(patternOf) })),
  );
  return (text: string, context: LineContext): readonly Reading[] => {
    if (text.length > maxLength) return [];
    const texts = withoutFillers(text);
    const readings = questions.flatMap((question) =>
      texts.flatMap((typed) =>
        question.patterns.flatMap(({ pattern, isLoose }): readonly Reading[] => {
          const slots = pattern.exec(typed)?.groups;
          return slots
            ? readingsOf(question, slots, context).map((reading) => ({ ...reading, isLoose }))
            : [];
        }),
      ),
    );
    // The first of those with the same words: the others are less specific.
    return [...new Map(readings.toReversed().map((reading) => [keyOf(reading), reading])).values()].reverse();
  };
}

/** Whether somebody who types this, punctuation included, expects an answer. */
export const isQuestion = (typed: string): boolean =>
  questionWord.test(typed) || /^\s*\S+\s+\S+\s+\S.*\?\s*$/s.test(typed);

const questionWord =
  /^\W*(?:who|what|where|when|which|why|how|is|are|was|were|does|do|did|will|would|can|could|should|any|tell me|show me)(?:['’]?(?:s|re))?\s+\S+\s+\S/i;

function patternOf(asked: string): { pattern: RegExp; isLoose: boolean } {
  const source = asked.replace(/\{(\w+)\}\?/g, '(?: (?<$1>.+?))?').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  // A pattern without slots has groups too.
  return { pattern: new RegExp(`^(?<all>${source})$`, 'i'), isLoose: asked.startsWith('{') };
}

const polite = 'please|pls|plz|kindly';
const greeting = `hi|hello|hey|hiya|morning|good (?:morning|afternoon|evening|day)|there|all|team|guys|folks|everyone|landfall`;
const begun = `ok|okay|so|and|but|also|well|sorry|btw|just|again|now|thx|thanks|ty|quick(?: (?:one|question|check))?|one more|question|fyi|${polite}`;
const you = '(?:you|u|ya|we)';
const say = `(?:tell|show|give|let|send|find|check)(?: (?:me|us))?(?: know)?`;
const mayYou = `(?:can|could|would|will) ${you}(?: (?:${polite}|just|quickly))*`;
const asksTo = `${mayYou}(?: ${say})?|${say}|do ${you} (?:know|have)(?: an?| any)?|have ${you} (?:got )?(?:an?|any)|(?:is|are) there(?: an?| any)?|(?:i|we)(?:'d| would) like to (?:know|see)|(?:i|we) (?:need|want) to (?:know|see)|any (?:idea|clue)|(?:just )?(?:wondering|checking)`;

const leadingFillers = new RegExp(
  `^(?!all\\s)(?:(?:${greeting}|${begun})(?:[\\s,:;!.-]+|$))*(?:(?:${asksTo})(?![\\w'])[\\s,:]*)?`,
  'i',
);
const trailingFillers = new RegExp(
  `(?:[\\s,;.!?]+(?:${polite}|thanks|thank you|many thanks|thx|ty|tia|cheers|asap|guys|team|mate|for me|right now|now|currently|at the moment|at present|exactly|again|then|so far|to date|yet|already|by any chance|if (?:possible|you can)))+[\\s,;.!?]*$`,
  'i',
);

/** The text with and without polite words, since a vessel may be called HOPE NOW. The shortest comes first. */
function withoutFillers(text: string): string[] {
  const asked = text.replace(leadingFillers, '');
  return [...new Set([asked.replace(trailingFillers, ''), asked, text.replace(trailingFillers, ''), text])];
}

const keyOf = ({ command, words }: Reading): string => `${command} ${words}`;

function readingsOf(
  { command, words, caveat, offer }: Question & { command: string },
  { vessel, ...others }: Slots,
  context: LineContext,
): readonly Omit<Reading, 'isLoose'>[] {
  const slots: Slots = { ...others, vessel: vessel && vesselWords(vessel, context) };
  const about = { command, caveat, offer };
  if (typeof words === 'string') {
    const filled = words.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '');
    return [{ ...about, words: filled.trim() }];
  }
  try {
    return words(slots, context).map((each) => ({ ...about, words: each }));
  } catch (error) {
    if (error instanceof UserError) return [{ ...about, words: '', error }];
    throw error;
  }
}

/**
 * `it` or `they` in the thread of a watch's card are its vessels, `my cargo BK-4401` is a reference, unless a vessel has that
 * name.
 */
function vesselWords(typed: string, { vessels, threadVessels = [] }: LineContext): string {
  if (vessels.named(typed).length > 0) return typed;
  if (isPronoun(typed) && threadVessels.length > 0) return threadVessels.join(', ');
  return typed.replace(cargo, '');
}

const cargo =
  /^(?:(?:the|our|my) )?(?:cargo|shipment|consignment|booking|order|container|box|reference|ref)s?(?: no\.?| number| on| of| with| under)? (?=.*\d)/i;
